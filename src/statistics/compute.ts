import { INFINITE, MISSING } from '../core/exports.js';
import type { EnsembleField } from '../core/field.js';
import { type FloatArray, floatArray, valueBytes } from '../core/float-array.js';
import type { Core } from '../core/load.js';
import { OptionError } from '../errors.js';
import type { WindowTable } from '../period/window-table.js';
import type { WindowRule } from '../variable/variable.js';
import { type Categories, CategoryShares } from './categories.js';
import type { QuantileType } from './quantiles.js';
import { isRaw, RawRows } from './raw-rows.js';
import { ResultBlock } from './result-block.js';
import type { Lanes, RowSource } from './row-source.js';
import type { Threshold } from './thresholds.js';
import { placeWindows } from './tiles.js';
import { WindowRows } from './window-rows.js';

/** What to compute of each window, over members. */
export interface StatisticsRequest {
  /** How the days of a window become one value per member. */
  readonly window: WindowRule;
  /** Numbers in [0, 1]. */
  readonly quantiles: readonly number[];
  readonly quantileType: QuantileType;
  readonly thresholds: readonly Threshold[];
  /** Whether to compute the standard deviation over members. */
  readonly spread: boolean;
  /** Categories whose limits each result has for itself, in which members are counted. Default none. */
  readonly categories?: readonly Categories[];
  /** The share of members that must be valid, in [0, 1]; at least one always must. */
  readonly minMemberShare: number;
}

/**
 * Statistics over members, one entry for each cell and window, in the order of the input: by cell and then window where the day
 * is fastest, by window and then cell where the cell is. NaN where too few members are valid.
 */
export interface StatisticsColumns {
  readonly length: number;
  readonly mean: FloatArray;
  /** One array for each quantile asked. */
  readonly quantiles: readonly FloatArray[];
  /** Standard deviation with n - 1; NaN for a single member. */
  readonly spread?: FloatArray;
  /** One array for each threshold: the share of valid members that exceed it, both rounded to the field's type. */
  readonly probabilities: readonly FloatArray[];
  /** For each of the categories asked, one array for each category, from the lowest: the share of valid members in it. */
  readonly categories: readonly (readonly FloatArray[])[];
  /** The number of valid members. */
  readonly members: Int32Array;
}

/**
 * Combines each member's days by window, then computes mean, spread, quantiles, exceedance and shares of categories over members.
 *
 * The windows' span must lie within the field's days. A missing day makes that member's window missing; entries with fewer
 * valid members than `minMemberShare` asks for are NaN. Arithmetic is in float64 throughout and rounded once to the field's
 * type. `into` are columns to fill, of an earlier result of the same request and size: new ones cost the time that the system takes to
 * find memory for them. Throws DataError for an infinite value in the days that windows use, OptionError where `into` does not fit.
 */
export function computeStatistics(
  core: Core,
  field: EnsembleField,
  windows: WindowTable,
  request: StatisticsRequest,
  into?: StatisticsColumns,
): StatisticsColumns {
  if (into !== undefined) refuseOtherColumns(into, field, windows, request);
  const columns = into ?? emptyColumns(field, windows, request);
  computeInto(core, field, windows, request, columns);
  return columns;
}

/** Which tiles of the work to compute: all that come, or some of them in the same order. */
export type ChooseTiles = <Tile extends Lanes>(tiles: Iterable<Tile>) => Iterable<Tile>;

/** As `computeStatistics`, to columns that are given, and only the tiles that are chosen. */
export function computeInto(
  core: Core,
  field: EnsembleField,
  windows: WindowTable,
  request: StatisticsRequest,
  columns: StatisticsColumns,
  choose: ChooseTiles = (tiles) => tiles,
): void {
  if (columns.length === 0) return;
  const mark = core.memory.mark();
  try {
    const asked = inSeries(field);
    const placed = placeWindows(asked, windows);
    if (isRaw(asked, placed, request.window)) {
      run(core, asked, request, new RawRows(core, asked, placed), columns, choose);
    } else {
      run(core, asked, request, new WindowRows(core, asked, placed, request.window), columns, choose);
    }
  } finally {
    core.memory.release(mark);
  }
}

/** A single cell lies the same in both orders, and is quicker as a series. */
function inSeries(field: EnsembleField): EnsembleField {
  return field.cells === 1 && field.order === 'cell-fastest' ? { ...field, order: 'day-fastest' } : field;
}

/** Columns that are shorter than this share one buffer: to allocate them one by one takes longer than to compute them. */
const SHORT_COLUMN = 512;

function emptyColumns(
  { type, cells }: EnsembleField,
  windows: WindowTable,
  request: StatisticsRequest,
): StatisticsColumns {
  const length = cells * windows.count;
  if (length >= SHORT_COLUMN) return statisticsColumns(request, () => floatArray(type, length), new Int32Array(length));
  const bytes = length * valueBytes(type);
  const buffer = new ArrayBuffer(bytes * columnCount(request) + 4 * length);
  let next = 0;
  const column = () => {
    const from = next;
    next += bytes;
    return type === 'float32' ? new Float32Array(buffer, from, length) : new Float64Array(buffer, from, length);
  };
  return statisticsColumns(request, column, new Int32Array(buffer, buffer.byteLength - 4 * length, length));
}

function refuseOtherColumns(
  into: StatisticsColumns,
  { type, cells }: EnsembleField,
  windows: WindowTable,
  request: StatisticsRequest,
): void {
  const received = describeColumns(into);
  const length = cells * windows.count;
  const column = () => floatArray(type, 0);
  const allowed = describeColumns({ ...statisticsColumns(request, column, new Int32Array()), length });
  if (received === allowed) return;
  throw new OptionError({ subject: 'into', problem: 'columns of another request or size', received, allowed });
}

/** Type, length and number of the columns, as a text. */
function describeColumns({ length, mean, spread, quantiles, probabilities, categories }: StatisticsColumns): string {
  const type = mean instanceof Float32Array ? 'float32' : 'float64';
  const shares = categories.map((columns) => `shares of ${columns.length} categories`);
  const parts = [spread ? 'spread' : [], `${quantiles.length} quantiles`, `${probabilities.length} thresholds`, shares];
  return `${length} results in ${type}: ${['mean', ...parts.flat()].join(', ')}`;
}

/** The columns of a request, each made by `column`. */
export function statisticsColumns(
  { quantiles, thresholds, spread, categories = [] }: StatisticsRequest,
  column: () => FloatArray,
  members: Int32Array,
): StatisticsColumns {
  return {
    length: members.length,
    mean: column(),
    quantiles: quantiles.map(column),
    spread: spread ? column() : undefined,
    probabilities: thresholds.map(column),
    categories: categories.map(({ limits }) => [column(), ...limits.map(column)]),
    members,
  };
}

/** The number of columns of a request, besides that of members. */
export function columnCount({ quantiles, thresholds, spread, categories = [] }: StatisticsRequest): number {
  const shares = categories.reduce((sum, { limits }) => sum + limits.length + 1, 0);
  return 1 + quantiles.length + (spread ? 1 : 0) + thresholds.length + shares;
}

function run<Tile extends Lanes>(
  core: Core,
  field: EnsembleField,
  request: StatisticsRequest,
  source: RowSource<Tile>,
  columns: StatisticsColumns,
  choose: ChooseTiles,
): void {
  const members = field.members.length;
  const { mean, spread, quantiles, probabilities } = columns;
  const arrays = [mean, ...(spread ? [spread] : []), ...quantiles, ...probabilities];
  const block = new ResultBlock(core, [...arrays, ...columns.categories.flat()], columns.members, source.mostLanes);
  const plan = makePlan(core, members, request);
  const thresholds = writeThresholds(core, request.thresholds, field.type === 'float32');
  const thresholdCount = request.thresholds.length;
  const withSpread = spread ? 1 : 0;
  // A share of members that is a whole number must not be rounded up for the last bit of its product.
  const required = Math.max(1, Math.ceil(request.minMemberShare * members - 1e-9));
  const { statisticsRawF32, statisticsF32, statisticsF64 } = core.kernels;
  const kernel = source.single ? statisticsRawF32 : field.type === 'float32' ? statisticsF32 : statisticsF64;
  const { rows, rowBytes, divisors } = source;
  const shares = (request.categories ?? []).map(
    (asked) => new CategoryShares(core, field, asked, source, required, plan),
  );
  const suspicious = source.hidesInfinite === 'nowhere' ? INFINITE : INFINITE | MISSING;
  source.begin();
  for (const tile of choose(source.tiles())) {
    source.fill(tile);
    const { out, counts } = block.place(tile);
    const met = kernel(
      rows,
      rowBytes,
      members,
      tile.lanes,
      divisors,
      required,
      plan,
      withSpread,
      thresholds,
      thresholdCount,
      out,
      block.outBytes,
      counts,
    );
    if (met & suspicious || source.hidesInfinite === 'anywhere') source.refuseInfinite(tile);
    let next = out + arrays.length * block.outBytes;
    for (const set of shares) next = set.write(tile, next, block.outBytes, counts);
  }
  block.flush();
}

/** A plan for quantiles of up to `members` values, in scratch of the core's memory. */
export function makePlan(
  { kernels, memory }: Core,
  members: number,
  { quantiles, quantileType }: Pick<StatisticsRequest, 'quantiles' | 'quantileType'>,
): number {
  const plan = memory.scratch(kernels.planBytes(members, quantiles.length) >>> 0);
  const probabilities = kernels.beginPlan(plan, members, quantiles.length, quantileType) >>> 0;
  const doubles = memory.whole('float64');
  for (let k = 0; k < quantiles.length; k++) doubles[probabilities / 8 + k] = quantiles[k];
  return plan;
}

/**
 * The kernel counts members above a limit: `x >= limit` is `x > the float64 before it`, and `<`, `<=` are the others. Values and
 * limits are compared in the field's type: a float32 0.1 is not above 0.1.
 */
export function writeThresholds({ memory }: Core, thresholds: readonly Threshold[], single: boolean): number {
  const address = memory.scratch(16 * thresholds.length);
  const table = memory.whole('float64');
  thresholds.forEach(({ operator, limit: asked }, k) => {
    const limit = single ? Math.fround(asked) : asked;
    const at = address / 8 + 2 * k;
    table[at] = operator === '>' || operator === '<=' ? limit : floatBefore(limit);
    table[at + 1] = operator === '<' || operator === '<=' ? 1 : 0;
  });
  return address;
}

/** The greatest float64 below `x`. */
function floatBefore(x: number): number {
  if (x === 0) return -Number.MIN_VALUE;
  const bits = new BigInt64Array(new Float64Array([x]).buffer);
  bits[0] += x > 0 ? -1n : 1n;
  return new Float64Array(bits.buffer)[0];
}
