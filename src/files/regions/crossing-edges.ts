import type { RegionEdges } from './region.js';

/** A share of the product of two lengths: what is beside a line by less is on it, by rounding. */
const ROUNDING = 1e-12;
/** Outlines are divided into columns that have about so many edges, of which only some are at one latitude. */
const EDGES_OF_COLUMN = 24;
const MAX_COLUMNS = 256;
/** More values are sorted otherwise than by insertion. */
const MAX_INSERTED = 24;

/**
 * Finds two edges that cross between their ends, and the longitude and latitude where they do; undefined where none do.
 * Edges that only touch, or lie on each other, do not cross.
 */
export function findCrossing({
  count,
  ends,
}: Pick<RegionEdges, 'count' | 'ends'>): readonly [number, number] | undefined {
  const [south, north, west, east] = [0, 1, 2, 3].map(() => new Float64Array(count));
  for (let edge = 0, at = 0; edge < count; edge++, at += 4) {
    west[edge] = Math.min(ends[at], ends[at + 2]);
    south[edge] = Math.min(ends[at + 1], ends[at + 3]);
    east[edge] = Math.max(ends[at], ends[at + 2]);
    north[edge] = Math.max(ends[at + 1], ends[at + 3]);
  }
  const order = ascendingOrder(south);
  // Edges that reach north of the one that is looked at, by the columns in which they lie.
  const [first, last] = [smallest(west), largest(east)];
  const columns = Math.max(1, Math.min(MAX_COLUMNS, Math.floor(count / EDGES_OF_COLUMN)));
  const perDegree = columns / (last - first || 1);
  const active = Array.from({ length: columns }, (): number[] => []);
  for (let o = 0; o < count; o++) {
    const edge = order[o];
    const low = south[edge];
    const from = west[edge];
    const to = east[edge];
    const end = Math.min(columns - 1, Math.floor((to - first) * perDegree));
    for (let column = Math.min(end, Math.floor((from - first) * perDegree)); column <= end; column++) {
      const others = active[column];
      let kept = 0;
      for (let i = 0; i < others.length; i++) {
        const other = others[i];
        if (north[other] < low) continue;
        others[kept++] = other;
        if (east[other] <= from || west[other] >= to) continue;
        const found = crossingOf(ends, edge, other);
        if (found !== undefined) return found;
      }
      while (others.length > kept) others.pop();
      others.push(edge);
    }
  }
  return undefined;
}

/** The order in which values ascend: by bands of values, as sorting with a function for comparison takes far longer. */
function ascendingOrder(values: Float64Array): Int32Array {
  const count = values.length;
  const [first, last] = [smallest(values), largest(values)];
  const scale = (count - 1) / (last - first || 1);
  const starts = new Int32Array(count + 1);
  for (let i = 0; i < count; i++) starts[Math.floor((values[i] - first) * scale) + 1]++;
  for (let band = 0; band < count; band++) starts[band + 1] += starts[band];
  const order = new Int32Array(count);
  const next = starts.slice();
  for (let i = 0; i < count; i++) order[next[Math.floor((values[i] - first) * scale)]++] = i;
  for (let band = 0; band < count; band++) {
    const [from, to] = [starts[band], starts[band + 1]];
    if (to - from > MAX_INSERTED) {
      order.subarray(from, to).sort((a, b) => values[a] - values[b]);
      continue;
    }
    for (let i = from + 1; i < to; i++) {
      const one = order[i];
      let at = i;
      for (; at > from && values[order[at - 1]] > values[one]; at--) order[at] = order[at - 1];
      order[at] = one;
    }
  }
  return order;
}

function smallest(values: Float64Array): number {
  let found = Number.POSITIVE_INFINITY;
  for (let i = 0; i < values.length; i++) if (values[i] < found) found = values[i];
  return found;
}

function largest(values: Float64Array): number {
  let found = Number.NEGATIVE_INFINITY;
  for (let i = 0; i < values.length; i++) if (values[i] > found) found = values[i];
  return found;
}

function crossingOf(ends: Float64Array, one: number, other: number): readonly [number, number] | undefined {
  const a = 4 * one;
  const b = 4 * other;
  const first = side(ends, a, b);
  const second = side(ends, a, b + 2);
  if (first * second >= 0) return undefined;
  if (side(ends, b, a) * side(ends, b, a + 2) >= 0) return undefined;
  const share = first / (first - second);
  const at = (axis: number) => Math.round((ends[b + axis] + share * (ends[b + 2 + axis] - ends[b + axis])) * 1e4) / 1e4;
  return [at(0), at(1)];
}

/** On which side of an edge a position is: positive, negative, or 0 for on it. */
function side(ends: Float64Array, edge: number, position: number): number {
  const east = ends[edge + 2] - ends[edge];
  const north = ends[edge + 3] - ends[edge + 1];
  const x = ends[position] - ends[edge];
  const y = ends[position + 1] - ends[edge + 1];
  const cross = east * y - north * x;
  const scale = (Math.abs(east) + Math.abs(north)) * (Math.abs(x) + Math.abs(y));
  return Math.abs(cross) <= ROUNDING * scale ? 0 : cross;
}
