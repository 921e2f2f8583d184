import type { Grid } from '../grid.js';

/** Cells between two parallels, from west to east, in degrees. They may have gaps between them. */
export interface CellRow {
  readonly south: number;
  readonly north: number;
  /** Ascending; the first is from -180 up to 180, the last may be above 180. */
  readonly west: Float64Array;
  readonly east: Float64Array;
  /** The index of each cell in the grid. */
  readonly cells: Int32Array;
}

/** Degrees within which coordinates are the same: they are computed, or stored as float32. */
const TOLERANCE = 1e-4;
/** Places are in rows if these have about this many cells on average. */
const MIN_ROW = 4;
/** A gap that is wider than this many steps has no cells. */
const MAX_GAP = 1.6;

/**
 * The cells of a grid as rows along parallels, from south to north: those of a rectilinear grid, and of places that lie
 * on common latitudes, such as those of a reduced Gaussian grid or of a table. Edges are halfway between
 * neighbours, in any order of the axes. Undefined for other places, and for curvilinear grids.
 */
export function cellRows(grid: Grid): CellRow[] | undefined {
  if (grid.kind === 'rectilinear') return rectilinearRows(grid);
  return grid.shape.length === 1 ? rowsOfPlaces(grid) : undefined;
}

function rectilinearRows({ latitude, longitude }: Grid): CellRow[] {
  const width = longitude.length;
  const columns = alongParallel(longitude, Number.POSITIVE_INFINITY, spacing(latitude));
  const rows = Array.from(latitude, (_, y) => y).sort((a, b) => latitude[a] - latitude[b]);
  const edges = betweenParallels(
    rows.map((y) => latitude[y]),
    Number.POSITIVE_INFINITY,
    spacing(longitude),
  );
  const { west, east, order } = columns;
  return rows.map((y, i) => {
    const cells = new Int32Array(order.length);
    // A loop takes a tenth of the time of a function for each cell.
    for (let x = 0; x < cells.length; x++) cells[x] = y * width + order[x];
    return { ...edges[i], west, east, cells };
  });
}

function rowsOfPlaces({ latitude, longitude }: Grid): CellRow[] | undefined {
  const order = Array.from(latitude, (_, i) => i)
    .filter((i) => !Number.isNaN(latitude[i] + longitude[i]))
    .sort((a, b) => latitude[a] - latitude[b]);
  const groups: number[][] = [];
  for (const i of order) {
    const last = groups[groups.length - 1];
    if (last !== undefined && latitude[i] - latitude[last[0]] <= TOLERANCE) last.push(i);
    else groups.push([i]);
  }
  if (groups.length < 2 || order.length < MIN_ROW * groups.length) {
    if (!isSmallGrid(groups, longitude)) return undefined;
  }
  const parallels = groups.map(([i]) => latitude[i]);
  const step = spacing(Float64Array.from(parallels));
  const edges = betweenParallels(parallels, MAX_GAP, step);
  return groups.map((group, g) => {
    const {
      order: within,
      west,
      east,
    } = alongParallel(
      Float64Array.from(group, (i) => longitude[i]),
      MAX_GAP,
      step,
    );
    return { ...edges[g], west, east, cells: within.map((k) => group[k]) };
  });
}

/** Whether places are every latitude with every longitude. */
function isSmallGrid(groups: readonly number[][], longitude: Float64Array): boolean {
  const keys = groups.map((group) =>
    group
      .map((i) => longitude[i].toFixed(4))
      .sort()
      .join(),
  );
  return groups.length > 1 && groups[0].length > 1 && keys.every((key) => key === keys[0]);
}

interface Columns {
  readonly west: Float64Array;
  readonly east: Float64Array;
  readonly order: Int32Array;
}

/** The edges of cells along a parallel, which begin after the widest gap; a longitude that comes twice has one cell. */
function alongParallel(longitude: Float64Array, maxGap: number, fallback: number): Columns {
  const turned = Float64Array.from(longitude, (degrees) => ((degrees % 360) + 360) % 360);
  const sorted = Array.from(turned, (_, x) => x).sort((a, b) => turned[a] - turned[b]);
  const distinct = sorted.filter((x, i) => i === 0 || turned[x] - turned[sorted[i - 1]] > TOLERANCE);
  const last = distinct[distinct.length - 1];
  if (distinct.length > 1 && turned[distinct[0]] + 360 - turned[last] <= TOLERANCE) distinct.pop();
  const count = distinct.length;
  const gapAfter = (i: number) =>
    i === count - 1 ? turned[distinct[0]] + 360 - turned[distinct[i]] : turned[distinct[i + 1]] - turned[distinct[i]];
  let widest = count - 1;
  for (let i = 0; i < count; i++) if (gapAfter(i) > gapAfter(widest) + TOLERANCE) widest = i;
  const order = Int32Array.from({ length: count }, (_, i) => distinct[(widest + 1 + i) % count]);
  const at = Float64Array.from(order, (x) => turned[x]);
  for (let i = 1; i < count; i++) if (at[i] < at[i - 1]) at[i] += 360;
  const step = spacing(at) || fallback || 1;
  const closing = at[0] + 360 - at[count - 1];
  const isAround = count > 1 && closing <= MAX_GAP * step;
  const { low, high } = edgesOf(at, step, maxGap);
  if (isAround) low[0] = at[0] - closing / 2;
  if (isAround) high[count - 1] = low[0] + 360;
  const shift = low[0] >= 180 ? -360 : 0;
  return { west: low.map((edge) => edge + shift), east: high.map((edge) => edge + shift), order };
}

/** The edges of rows, which end at the poles. */
function betweenParallels(parallels: readonly number[], maxGap: number, fallback: number) {
  const at = Float64Array.from(parallels);
  const { low, high } = edgesOf(at, spacing(at) || fallback || 1, maxGap);
  return Array.from(at, (_, i) => ({ south: Math.max(-90, low[i]), north: Math.min(90, high[i]) }));
}

/** The edges of ascending values: halfway to the next one, or half a step where that is too far. */
function edgesOf(at: Float64Array, step: number, maxGap: number): { low: Float64Array; high: Float64Array } {
  const count = at.length;
  const half = (i: number, j: number): number => {
    const gap = Math.abs(at[j] - at[i]);
    if (j >= 0 && j < count && gap <= maxGap * step) return gap / 2;
    const other = Math.abs(at[2 * i - j] - at[i]);
    return other <= MAX_GAP * step ? other / 2 : step / 2;
  };
  return {
    low: at.map((value, i) => value - half(i, i - 1)),
    high: at.map((value, i) => value + half(i, i + 1)),
  };
}

/** The median difference of neighbouring values; 0 for fewer than two. */
function spacing(values: Float64Array): number {
  const sorted = Float64Array.from(values).sort();
  const gaps = sorted
    .subarray(1)
    .map((value, i) => value - sorted[i])
    .sort();
  return gaps.length === 0 ? 0 : gaps[gaps.length >> 1];
}
