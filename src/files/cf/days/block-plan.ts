import { assertKind } from '../../../check/option-checks.js';
import { valueBytes } from '../../../core/number-arrays.js';
import { DataError } from '../../../errors.js';
import { type Extent, forRoles } from '../array-layout.js';
import type { Block } from '../grid-ensemble.js';
import { isStoredInOrder, memberStride } from './read-block.js';
import { chunkBytes, chunkLengths, extentOf, partLengths, type ReadPlan } from './read-plan.js';
import { heldBytes } from './slices.js';

/** Some consecutive days. */
type Days = Pick<Block, 'day' | 'days'>;

/**
 * The cost to begin reading a run of contiguous values, and to begin reading parts of a chunk, as the number of values
 * that could be read in that time.
 */
const RUN = 4096;
const PARTS = 65_536;

/**
 * Plans blocks of at most `bytes` bytes, each (cell, day) in one of them. Tries numbers of cells from the entire grid
 * down to one, with as many days as fit, and takes those that read the fewest stored values; a chunk that several
 * blocks need counts for each. See GridEnsemble.
 */
export function planBlocks(plan: ReadPlan, bytes: number, cuts: readonly number[]): Block[] {
  assertKind('bytes', bytes, 'number');
  assertKind('cuts', cuts, 'list');
  for (const cut of cuts) assertKind('cuts', cut, 'integer');
  const { days } = plan.steps;
  const edges = [...new Set([0, ...cuts.filter((cut) => cut > 0 && cut < days), days])].sort((a, b) => a - b);
  let best: { cells: number; groups: Days[]; cost: number } | undefined;
  for (const cells of cellCounts(plan)) {
    const groups = dayGroups(plan, bytes, edges, cells);
    if (groups === undefined) continue;
    const cost = readingCost(plan, cells, groups);
    if (best === undefined || cost < best.cost) best = { cells, groups, cost };
  }
  if (best === undefined) throw memoryError(plan, bytes, edges);
  return createBlocks(plan, best.cells, best.groups);
}

/**
 * Numbers of cells that a block may have: full rows, in multiples of stored chunks or of their parts, then parts of a
 * row. Each about half the one before.
 */
function cellCounts({ layout }: ReadPlan): number[] {
  const { y: rows, x: width } = layout.length;
  const chunk = partLengths(layout);
  const halves = (length: number, piece: number): number[] => {
    const counts = [length];
    for (let count = length; count > 1; counts.push(count)) {
      const half = Math.ceil(count / 2);
      count =
        half > piece
          ? Math.min(count - 1, Math.ceil(half / piece) * piece)
          : half < piece && count > piece
            ? piece
            : half;
    }
    return counts;
  };
  return [...halves(rows, chunk.y).map((count) => count * width), ...halves(width, chunk.x).slice(1)];
}

/** All days, or as many complete windows at a time as fit; undefined where not even one fits. */
function dayGroups(plan: ReadPlan, bytes: number, edges: readonly number[], cells: number): Days[] | undefined {
  const groups: Days[] = [];
  for (let from = 0; from < edges.length - 1; ) {
    let to = from;
    while (to + 1 < edges.length && blockBytes(plan, cells, edges[from], edges[to + 1]) <= bytes) to++;
    if (to === from) return undefined;
    groups.push({ day: edges[from], days: edges[to] - edges[from] });
    from = to;
  }
  return groups;
}

/**
 * Bytes that a block takes: its values in the core's memory, and while they are read the stored values and a chunk
 * being decoded.
 */
function blockBytes(plan: ReadPlan, cells: number, day: number, end: number): number {
  const { layout, type, steps } = plan;
  const values = layout.length.member * memberStride(cells * (end - day) * valueBytes(type));
  const extent = extentOf(plan, firstCells(plan, cells), day, end);
  const isDirect = !steps.whole.includes(0) && isStoredInOrder(plan, extent);
  const stored = isDirect ? 0 : heldBytes(plan, extent);
  return values + stored + chunkBytes(layout);
}

function firstCells({ layout }: ReadPlan, cells: number): Pick<Extent, 'y' | 'x'> {
  const { x: width } = layout.length;
  return {
    y: { start: 0, count: Math.max(1, Math.floor(cells / width)) },
    x: { start: 0, count: Math.min(width, cells) },
  };
}

/**
 * The number of stored values decoded for all blocks, and the cost to seek them where they are not stored in chunks.
 */
function readingCost(plan: ReadPlan, cells: number, groups: readonly Days[]): number {
  const { layout } = plan;
  const part = partLengths(layout);
  const { y, x } = firstCells(plan, cells);
  const perRow = Math.ceil(layout.length.x / x.count);
  const ofCells = cells >= layout.length.x ? Math.ceil(layout.length.y / y.count) : layout.length.y * perRow;
  let cost = 0;
  for (const { day, days } of groups) {
    const extent = extentOf(plan, { y, x }, day, day + days);
    const decoded = forRoles((role) => {
      const { start, count } = extent[role];
      const first = Math.floor(start / part[role]) * part[role];
      return Math.min(layout.length[role], Math.ceil((start + count) / part[role]) * part[role]) - first;
    });
    const values = decoded.member * decoded.time * decoded.y * decoded.x;
    cost += ofCells * (values + costToBegin(plan, extent));
  }
  return cost;
}

/** The cost to seek what is read of an extent; that of complete chunks is in their values. */
function costToBegin(plan: ReadPlan, extent: Extent): number {
  const { array } = plan.layout;
  if (array.chunk === undefined) return RUN * runs(plan, extent);
  if (array.chunkPart === undefined) return 0;
  const length = chunkLengths(plan.layout);
  const touched = forRoles((role) => {
    const { start, count } = extent[role];
    return Math.floor((start + count - 1) / length[role]) - Math.floor(start / length[role]) + 1;
  });
  return PARTS * touched.member * touched.time * touched.y * touched.x;
}

/** The number of contiguous runs of stored values in an extent. */
function runs({ layout }: ReadPlan, extent: Extent): number {
  const roles = (['member', 'time', 'y', 'x'] as const).filter((role) => layout.dimension[role] >= 0);
  roles.sort((a, b) => layout.dimension[b] - layout.dimension[a]);
  const inner = roles.findIndex((role) => extent[role].count < layout.length[role]);
  return inner < 0 ? 1 : roles.slice(inner + 1).reduce((product, role) => product * extent[role].count, 1);
}

function createBlocks({ layout }: ReadPlan, cells: number, groups: readonly Days[]): Block[] {
  const { y: rows, x: width } = layout.length;
  const length = cells >= width ? rows * width : width;
  const blocks: Block[] = [];
  for (const { day, days } of groups) {
    for (let row = 0; row < rows * width; row += length) {
      for (let cell = row; cell < row + length; cell += cells) {
        blocks.push({ cell, cells: Math.min(cells, row + length - cell), day, days });
      }
    }
  }
  return blocks;
}

function memoryError(plan: ReadPlan, bytes: number, edges: readonly number[]): DataError {
  const longest = edges.slice(1).map((edge, i) => blockBytes(plan, 1, edges[i], edge));
  const piece = chunkBytes(plan.layout);
  return new DataError({
    ...{ source: plan.source, column: plan.layout.array.name },
    problem: piece > bytes / 2 ? `its stored pieces have ${piece} bytes` : 'one cell does not fit into memory',
    received: `${bytes} bytes of memory`,
    allowed: `at least ${longest.reduce((a, b) => Math.max(a, b), 0)} bytes`,
  });
}
