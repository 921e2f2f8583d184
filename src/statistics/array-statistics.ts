import { assertCore } from '../core/assert-core.js';
import type { Core } from '../core/load.js';
import { type FloatArray, floatArray } from '../core/number-arrays.js';
import { type EnsembleArray, OpenArray } from '../ensemble/ensemble-array.js';
import { OptionError } from '../errors.js';
import { dateText } from '../period/calendar.js';
import { type WindowTable, windowKeys } from '../period/period.js';
import { WINDOW_RULES, type WindowRule } from '../variable/variable.js';
import { combineInto, computeInto } from './compute.js';
import {
  type ArrayStatisticsOptions,
  type ArrayWindowOptions,
  assertDates,
  type CheckedArrayOptions,
  checkArrayOptions,
  checkArrayWindowOptions,
  requestedWindows,
} from './options.js';
import { statisticName } from './statistic.js';
import {
  emptyColumns,
  type StatisticsColumns,
  statisticsColumns,
  statisticsInOrder,
  valueColumns,
} from './statistics-columns.js';
import type { StatisticsRequest } from './statistics-request.js';
import { valueUnits, type WindowValue } from './window-value.js';

/** By this, `statistics` finds that the timeline of arrays has statistics of its own: see own-statistics.ts. */
export const OWN_ARRAY_STATISTICS: unique symbol = /* @__PURE__ */ Symbol.for('plumecast.array-statistics') as never;

/** The timeline that `blend` of arrays returns, which need not be made for its statistics. */
export interface HasArrayStatistics<Values extends FloatArray = FloatArray> {
  [OWN_ARRAY_STATISTICS](core: Core, options: ArrayStatisticsOptions): ArrayStatistics<Values>;
}

/** The windows of results: entry `i` of each list is about window `i`. */
export interface ArrayWindows {
  /** `2026-03-02`, `2026-W10`, `2026-03`, or the keys of other windows. */
  readonly periods: readonly string[];
  /** The first and the last day of the calendar window, `YYYY-MM-DD`, inclusive. */
  readonly start: readonly string[];
  readonly end: readonly string[];
  /** Whether all its days lie in the array and between the requested dates. */
  readonly complete: readonly boolean[];
  /** How many of its days do. */
  readonly days: readonly number[];
  /** What windows hold: the rule by which days became one value, or the name of a measure. */
  readonly window: WindowRule | (string & {});
  readonly units: string | undefined;
  /** The dimensions of the values in the order of the array's; `time` goes over the windows. */
  readonly dims: readonly string[];
  readonly shape: readonly number[];
}

/** Columns of statistics by the names that they have in tables. */
export interface ArrayColumns<Values extends FloatArray = FloatArray> {
  /** The number of valid members. */
  readonly n_members: Int32Array;
  readonly mean: Values;
  /** Standard deviation with n - 1. */
  readonly spread?: Values;
  /** Quantiles: `q05` for 0.05, `q50`, `q975`. */
  readonly [quantile: `q${string}`]: Values;
  /** Shares of members beyond a threshold: `p_gt_20` for `>20`, `p_le_0.1` for `<=0.1`. */
  readonly [share: `p_${string}`]: Values;
}

/** Statistics over the members of an array. */
export interface ArrayStatistics<Values extends FloatArray = FloatArray> extends ArrayWindows {
  /** Each of `shape`, the last dimension fastest; NaN where too few members are valid. */
  readonly columns: ArrayColumns<Values>;
}

/** The values of each member by window. */
export interface ArrayMemberWindows<Values extends FloatArray = FloatArray> extends ArrayWindows {
  /** Of `shape`: the first dimension is `member`. NaN where a day is missing. */
  readonly data: Values;
  /** The names of the members. */
  readonly members: readonly string[];
}

/**
 * Window statistics of an array: each member's days are combined by window, then mean, quantiles and other requested
 * statistics are computed over members, to the same bit as `statistics` of a table of these values. Float32 gives
 * Float32, Float64 gives Float64.
 *
 * Values in the core's memory are used in place where the member is the outermost dimension, or comes after time and
 * before all others; other arrays are copied a block at a time. NaN is missing: a missing day makes that member's window
 * missing, and a window with fewer valid members than `minMemberShare` is NaN. Takes the timeline that `blend` returns,
 * too. Throws OptionError for an array or options that cannot be used, and DataError for an infinite value.
 *
 * @example
 * ```js
 * import { loadCore, statistics } from 'plumecast/arrays';
 *
 * const data = Float32Array.from({ length: 14 * 3 }, (_, i) => i); // 14 days of 3 members
 * const rain = { data, shape: [14, 3], dims: ['time', 'member'], start: '2026-03-02', variable: 'precipitation' };
 * const { periods, columns } = statistics(await loadCore(), rain, { granularity: 'weekly', quantiles: [0.5] });
 * console.log(periods, columns.mean, columns.q50);
 * ```
 *
 * ```text
 * [ '2026-W10', '2026-W11' ] Float32Array(2) [ 70, 217 ] Float32Array(2) [ 70, 217 ]
 * ```
 */
export function arrayStatistics<Values extends FloatArray>(
  core: Core,
  array: EnsembleArray<Values> | HasArrayStatistics<Values>,
  options: ArrayStatisticsOptions = {},
): ArrayStatistics<Values> {
  assertCore(core);
  if (hasOwnStatistics(array)) return array[OWN_ARRAY_STATISTICS](core, options);
  const checked = checkArrayOptions(options);
  const { open, windows, window } = openWindows(core, array, checked);
  const request = { ...checked, window };
  const cells = open.shape(1).reduce((count, size) => count * size, 1);
  const columns = emptyColumns({ type: open.type, cells }, windows, request);
  const { fields } = open;
  const length = columns.length / fields;
  const all = valueColumns(columns);
  for (let f = 0; f < fields; f++) {
    const [from, to] = [f * length, (f + 1) * length];
    let next = 0;
    const own = statisticsColumns(request, () => all[next++].subarray(from, to), columns.members.subarray(from, to));
    computeInto(core, open.field(f), windows, request, own);
  }
  return resultsOfArray(open, windows, request, columns);
}

/**
 * Combines each member's days by window, before any statistics. Takes the arrays that `statistics` takes, and throws as it
 * does.
 */
export function arrayMemberWindows<Values extends FloatArray>(
  core: Core,
  array: EnsembleArray<Values>,
  options: ArrayWindowOptions = {},
): ArrayMemberWindows<Values> {
  assertCore(core);
  const { open, windows, window } = openWindows(core, array, checkArrayWindowOptions(options));
  const { fields, members, type } = open;
  const shape = [members.length, ...open.shape(windows.count)];
  const data = floatArray(
    type,
    shape.reduce((count, size) => count * size, 1),
  );
  const length = data.length / members.length / fields;
  for (let f = 0; f < fields; f++) {
    const own = members.map((_, m) => data.subarray((m * fields + f) * length, (m * fields + f + 1) * length));
    combineInto(core, open.field(f), windows, window, own);
  }
  const described = describeWindows(open, windows, window);
  return { ...described, dims: ['member', ...open.dims], shape, members, data: data as Values };
}

/** An array with its windows, and the rule for them. Throws OptionError. */
function openWindows(
  core: Core,
  array: EnsembleArray,
  checked: Pick<CheckedArrayOptions, 'granularity' | 'partial' | 'startDate' | 'endDate' | 'window'>,
) {
  const open = new OpenArray(core, array, checked.window as WindowRule | undefined);
  assertDates({ ...checked, calendar: array.calendar });
  return { open, windows: requestedWindows(open, checked, open.calendar), window: arrayRule(open, checked) };
}

/** Results of an array with their names and windows. */
export function resultsOfArray<Values extends FloatArray>(
  open: Pick<OpenArray, 'dims' | 'shape' | 'units'>,
  windows: WindowTable,
  request: StatisticsRequest,
  columns: StatisticsColumns,
): ArrayStatistics<Values> {
  const named = statisticsInOrder(request).map(([statistic, pick]) => [statisticName(statistic), pick(columns)]);
  return {
    ...describeWindows(open, windows, request.window),
    columns: { n_members: columns.members, ...Object.fromEntries(named) },
  };
}

function describeWindows(
  open: Pick<OpenArray, 'dims' | 'shape' | 'units'>,
  windows: WindowTable,
  window: WindowValue,
): ArrayWindows {
  const { calendar, start, end, complete, days, count } = windows;
  const texts = (list: Int32Array) => Array.from(list, (day) => dateText(calendar, day));
  return {
    periods: windowKeys(windows),
    start: texts(start),
    end: texts(end),
    complete: Array.from(complete, Boolean),
    days: Array.from(days),
    window: `${window}`,
    units: valueUnits(window, open.units),
    dims: open.dims,
    shape: open.shape(count),
  };
}

/** How days are combined: as requested, or by the variable's own rule. Throws OptionError where neither is known. */
export function arrayRule(
  { variable }: Pick<OpenArray, 'variable'>,
  { window = variable?.window }: { readonly window?: WindowValue },
): WindowValue {
  if (window !== undefined) return window;
  throw new OptionError({
    subject: 'window',
    problem: 'not given, and the array names no variable: are days summed or averaged?',
    allowed: `${WINDOW_RULES.join(', ')}; or a variable in the array, which has a rule of its own`,
  });
}

function hasOwnStatistics<Values extends FloatArray>(
  array: EnsembleArray<Values> | HasArrayStatistics<Values>,
): array is HasArrayStatistics<Values> {
  return typeof array === 'object' && array !== null && OWN_ARRAY_STATISTICS in array;
}
