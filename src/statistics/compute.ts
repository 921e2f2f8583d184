import type { EnsembleField, GivenField } from '../core/field.js';
import { INFINITE, MISSING, StatisticsJob } from '../core/generated/jobs.js';
import type { Core } from '../core/load.js';
import { type FloatArray, floatArray } from '../core/number-arrays.js';
import type { Tile as WindowTile } from '../period/fill-together.js';
import type { WindowTable } from '../period/period.js';
import { categoryShares, rowsAndResults, thresholdEnd } from './categories.js';
import { type Threshold, toWindowValue } from './options.js';
import { BLOCK_LANES, emptyColumns, ResultBlock, type StatisticsColumns, valueColumns } from './statistics-columns.js';
import { assertRequest, assertWindowed, type GivenRequest, type StatisticsRequest } from './statistics-request.js';
import { type LaneSource, type Lanes, placeWindows, type WindowDays } from './tiles.js';
import { isRaw, RawRows, windowRows } from './window-rows.js';
import type { WindowValue } from './window-value.js';

/**
 * Combines each member's days by window, then computes mean, spread, quantiles, exceedance and shares of categories
 * over members.
 *
 * The windows must lie within the field's days, in order of time. A missing day makes that member's window missing;
 * results with fewer valid members than `minMemberShare` requires are NaN. Arithmetic is in float64 throughout and
 * rounded once to the field's type. Throws OptionError for arguments that contradict each other or are not of their
 * types, and DataError for an infinite value in the days that windows use, or a sum that the field's type cannot hold.
 */
export function computeStatistics(
  core: Core,
  field: GivenField,
  windows: WindowTable,
  request: GivenRequest,
): StatisticsColumns {
  assertWindowed(core, field, windows);
  assertRequest(request, field.cells * windows.count);
  return computeColumns(core, field, windows, request);
}

/** Like `computeStatistics`, without checks of its arguments. */
export function computeColumns(
  core: Core,
  field: EnsembleField,
  windows: WindowTable,
  request: StatisticsRequest,
): StatisticsColumns {
  const columns = emptyColumns(field, windows, request);
  computeInto(core, field, windows, request, columns);
  return columns;
}

/** Selects the tiles to compute: all of them, or some of them in the same order. */
export type ChooseTiles = <Tile extends Lanes>(tiles: Iterable<Tile>) => Iterable<Tile>;

/** Like `computeColumns`, but writes to given columns, and only the tiles that `choose` selects. */
export function computeInto(
  core: Core,
  field: EnsembleField,
  windows: WindowDays,
  request: StatisticsRequest,
  columns: StatisticsColumns,
  choose?: ChooseTiles,
): void {
  if (columns.length === 0) return;
  const mark = core.memory.mark();
  try {
    const { block, compute } = prepareColumns(core, asSeries(field), windows, request, columns);
    compute(columns, choose);
    block.flush();
  } finally {
    core.memory.release(mark);
  }
}

/**
 * Computes statistics of the values that `source` gives for `field`, of which only the type and the number of members
 * are looked at, and writes them to columns. The caller releases the scratch of the core's memory.
 */
export function computeFrom<Tile extends Lanes>(
  core: Core,
  field: FieldShape,
  request: StatisticsRequest,
  source: LaneSource<Tile>,
  columns: StatisticsColumns,
): void {
  const { block, compute } = prepare(core, field, request, source, columns);
  compute(columns);
  block.flush();
}

type FieldShape = Pick<EnsembleField, 'type' | 'members'>;

/** Results in the core's memory: those of a column one after the other, the columns `columnBytes` apart. */
export interface HeldResults {
  readonly address: number;
  readonly columnBytes: number;
}

/** Statistics of a field in the core's memory, from the values that are there when they are computed. */
export interface PreparedStatistics {
  /** Computes new columns. */
  compute(): StatisticsColumns;
  /**
   * Computes, and leaves the mean and then the quantiles in the core's memory until it is called again; where the day is
   * fastest, also those of the first `cells` cells only. Undefined where they are too many for that.
   */
  computeInPlace(cells?: number): HeldResults | undefined;
}

/**
 * Prepares the computation of statistics of a field in the core's memory. It keeps scratch of the core's memory, until
 * the caller releases it.
 */
export function prepareStatistics(
  core: Core,
  field: EnsembleField,
  windows: WindowTable,
  request: StatisticsRequest,
): PreparedStatistics {
  const own = emptyColumns(field, windows, request);
  const { block, compute } = prepareColumns(core, field, windows, request, own);
  return {
    compute() {
      const columns = emptyColumns(field, windows, request);
      compute(columns);
      block.flush();
      return columns;
    },
    computeInPlace(cells = field.cells) {
      if (own.length > BLOCK_LANES) return undefined;
      compute(own, cells === field.cells ? undefined : (tiles) => firstTiles(tiles, cells * windows.count));
      return { address: block.address, columnBytes: block.outBytes };
    },
  };
}

/** The tiles of the first `lanes` results, which are those of some cells: the last tile is cut to these. */
function* firstTiles<Tile extends Lanes>(tiles: Iterable<Tile>, lanes: number): Generator<Tile> {
  for (const tile of tiles) {
    const left = lanes - tile.lane;
    if (left <= 0) return;
    const { cells, windows } = tile as Tile & Partial<WindowTile>;
    if (left >= tile.lanes) yield tile;
    else yield { ...tile, lanes: left, cells: cells && left / (windows as number) };
  }
}

/** What computes statistics, and collects them for columns. */
interface Computation {
  readonly block: ResultBlock;
  /** `columns` are of the same number and length as those that it was prepared with; they lack what is collected. */
  compute(columns: StatisticsColumns, choose?: ChooseTiles): void;
}

function prepareColumns(
  core: Core,
  field: EnsembleField,
  windows: WindowDays,
  request: StatisticsRequest,
  columns: StatisticsColumns,
): Computation {
  const placed = placeWindows(field, windows);
  return isRaw(field, placed, request.window)
    ? prepare(core, field, request, new RawRows(core, field, placed), columns)
    : prepare(core, field, request, windowRows(core, field, placed, request.window), columns);
}

/** A single cell has the same layout in both orders, and is faster as a series. */
function asSeries(field: EnsembleField): EnsembleField {
  return field.cells === 1 && field.order === 'cell-fastest' ? { ...field, order: 'day-fastest' } : field;
}

function prepare<Tile extends Lanes>(
  core: Core,
  field: FieldShape,
  request: StatisticsRequest,
  source: LaneSource<Tile>,
  columns: StatisticsColumns,
): Computation {
  const members = field.members.length;
  const own = valueColumns(columns);
  const block = new ResultBlock(core, own, columns.members, source.maxLanes);
  const { rowBytes, divisors } = source;
  const job = new StatisticsJob(
    core.memory,
    rowBytes,
    members,
    divisors,
    // 1e-9: the product may be above a whole number by its last bit, and must not be rounded up then.
    Math.ceil(request.minMemberShare * members - 1e-9) || 1,
    makePlan(core, members, request),
    request.spread ? 1 : 0,
    writeThresholds(core, request.thresholds, field.type === 'float32'),
    request.thresholds.length,
    block.outBytes,
  );
  const kernel = core.kernels[`statistics${rowsAndResults(source, field.type)}`];
  const shares = (request.categories ?? []).map((requested) => categoryShares(core, field, requested, source));
  const withoutCategories = shares.reduce((count, set) => count - set.count, own.length);
  const compute = (into: StatisticsColumns, choose?: ChooseTiles) => {
    block.begin(into === columns ? own : valueColumns(into), into.members);
    source.begin();
    const tiles = source.tiles();
    for (const tile of choose?.(tiles) ?? tiles) {
      source.fill(tile);
      const { out, counts } = block.place(tile);
      job.setTile(source.rows, tile.lanes, out, counts);
      source.assertFinite(tile, kernel(job.address));
      let next = out + withoutCategories * block.outBytes;
      for (const set of shares) {
        set.write(job, tile, next);
        next += set.count * block.outBytes;
      }
    }
  };
  return { block, compute };
}

/** Writes a plan for quantiles of up to `members` values to scratch of the core's memory, and returns its address. */
export function makePlan(
  core: Core,
  members: number,
  { quantiles, quantileType }: Pick<StatisticsRequest, 'quantiles' | 'quantileType'>,
): number {
  const { kernels, memory } = core;
  // The kernel counts bytes in 32 bits, which may overflow: the bytes of the positions alone must fit, too.
  const positionBytes = (members + 1) * (16 * quantiles.length + 1);
  const plan = memory.scratch(Math.max(positionBytes, kernels.planBytes(members, quantiles.length) >>> 0));
  const probabilities = kernels.beginPlan(plan, members, quantiles.length, quantileType) >>> 0;
  memory.whole('float64').set(quantiles, probabilities / 8);
  return plan;
}

/** Writes a table of thresholds for the kernel, see `thresholdEnd`, and returns its address. */
export function writeThresholds({ memory }: Core, thresholds: readonly Threshold[], single: boolean): number {
  const address = memory.scratch(16 * thresholds.length);
  memory.whole('float64').set(
    thresholds.flatMap((threshold) => thresholdEnd(threshold, single)),
    address / 8,
  );
  return address;
}

/**
 * Combines each member's days by window, before any statistics: one array for each member, results in the order of the
 * input (see `computeStatistics`), NaN where a day is missing, rounded once to the field's type. Throws as
 * `computeStatistics` does.
 */
export function computeMemberWindows(
  core: Core,
  field: GivenField,
  windows: WindowTable,
  rule: WindowValue,
): FloatArray[] {
  assertWindowed(core, field, windows);
  toWindowValue(rule);
  return combineWindows(core, field, windows, rule);
}

/** Like `computeMemberWindows`, without checks of its arguments. */
export function combineWindows(core: Core, field: EnsembleField, windows: WindowDays, rule: WindowValue): FloatArray[] {
  const results = field.members.map(() => floatArray(field.type, field.cells * windows.count));
  combineInto(core, field, windows, rule, results);
  return results;
}

/** Like `combineWindows`, but writes to given arrays, one for each member. */
export function combineInto(
  core: Core,
  field: EnsembleField,
  windows: WindowDays,
  rule: WindowValue,
  results: readonly FloatArray[],
): void {
  if (results[0].length === 0) return;
  const { memory } = core;
  const mark = memory.mark();
  try {
    const source = windowRows(core, field, placeWindows(field, windows), rule);
    source.begin();
    for (const tile of source.tiles()) {
      source.fill(tile);
      const divisors = source.divisors ? memory.float64(source.divisors, tile.lanes) : undefined;
      // What an infinite day is used for is not finite.
      let flags = 0;
      for (let m = 0; m < results.length; m++) {
        const result = results[m];
        const row = memory[source.single ? 'float32' : 'float64'](source.rows + m * source.rowBytes, tile.lanes);
        for (let i = 0; i < tile.lanes; i++) {
          const x = divisors ? row[i] / divisors[i] : row[i];
          result[tile.lane + i] = x + 0;
          const size = Math.abs(result[tile.lane + i]);
          if (!(size < Number.POSITIVE_INFINITY)) flags |= size ? INFINITE : MISSING;
        }
      }
      source.assertFinite(tile, flags);
    }
  } finally {
    memory.release(mark);
  }
}
