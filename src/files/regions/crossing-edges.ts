import type { RegionEdges } from './region.js';

/** A share of the product of two lengths: what is beside a line by less is on it, by rounding. */
const ROUNDING = 1e-12;

/**
 * Finds two edges that cross between their ends, and the longitude and latitude where they do; undefined where none do.
 * Edges that only touch, or lie on each other, do not cross.
 */
export function findCrossing({
  count,
  ends,
}: Pick<RegionEdges, 'count' | 'ends'>): readonly [number, number] | undefined {
  const low = (edge: number) => Math.min(ends[4 * edge + 1], ends[4 * edge + 3]);
  const lows = Float64Array.from({ length: count }, (_, edge) => low(edge));
  const order = Int32Array.from({ length: count }, (_, edge) => edge).sort((a, b) => lows[a] - lows[b]);
  // Edges that reach north of the one that is looked at.
  let active: number[] = [];
  for (const edge of order) {
    const kept: number[] = [];
    for (const other of active) {
      if (Math.max(ends[4 * other + 1], ends[4 * other + 3]) < lows[edge]) continue;
      kept.push(other);
      const found = crossingOf(ends, edge, other);
      if (found !== undefined) return found;
    }
    kept.push(edge);
    active = kept;
  }
  return undefined;
}

function crossingOf(ends: Float64Array, one: number, other: number): readonly [number, number] | undefined {
  const [a, b] = [4 * one, 4 * other];
  const isBeside =
    Math.max(ends[a], ends[a + 2]) <= Math.min(ends[b], ends[b + 2]) ||
    Math.max(ends[b], ends[b + 2]) <= Math.min(ends[a], ends[a + 2]);
  if (isBeside) return undefined;
  const [first, second] = [side(ends, a, b), side(ends, a, b + 2)];
  if (first * second >= 0) return undefined;
  if (side(ends, b, a) * side(ends, b, a + 2) >= 0) return undefined;
  const share = first / (first - second);
  const at = (axis: number) => Math.round((ends[b + axis] + share * (ends[b + 2 + axis] - ends[b + axis])) * 1e4) / 1e4;
  return [at(0), at(1)];
}

/** On which side of an edge a position is: positive, negative, or 0 for on it. */
function side(ends: Float64Array, edge: number, position: number): number {
  const [east, north] = [ends[edge + 2] - ends[edge], ends[edge + 3] - ends[edge + 1]];
  const [x, y] = [ends[position] - ends[edge], ends[position + 1] - ends[edge + 1]];
  const cross = east * y - north * x;
  const scale = (Math.abs(east) + Math.abs(north)) * (Math.abs(x) + Math.abs(y));
  return Math.abs(cross) <= ROUNDING * scale ? 0 : cross;
}
