import { assertOneOf, type Checked, type Choice, checkOptions, type OptionSchema } from '../check/option-checks.js';
import { type FloatArray, isFloatArray } from '../core/number-arrays.js';
import { checkPoint } from '../ensemble/nearest-cell.js';
import type { Point } from '../ensemble/nearest-place.js';
import { OptionError, unusable } from '../errors.js';
import { dayText, type ModelCalendar, modelCalendar, parseCalendarDate } from '../period/calendar.js';
import { GRANULARITIES, type Granularity, type WindowTable, windowTable } from '../period/period.js';
import type { Windows } from '../period/windows.js';
import type { ColumnRoles } from '../table/columns/column-role.js';
import { READ_OPTIONS, type ReadOptions, withVariable } from '../table/columns/read-options.js';
import type { VariableSlug } from '../variable/slug.js';
import { type Variable, WINDOW_RULES, type WindowRule } from '../variable/variable.js';
import type { WindowMeasure, WindowValue } from './window-value.js';

/** How a threshold is exceeded. */
export type ThresholdOperator = '>' | '>=' | '<' | '<=';

/** A limit whose exceedance is counted over members: the share of them with `value operator limit`. */
export interface Threshold {
  readonly operator: ThresholdOperator;
  readonly limit: number;
}

/** A threshold as callers give it: a variable that holds an operator is of type `string`. */
export interface GivenThreshold {
  readonly operator: ThresholdOperator | (string & {});
  readonly limit: number;
}

/** What names of columns say for each operator. */
export const OPERATOR_NAMES: Readonly<Record<ThresholdOperator, string>> = {
  '>': 'gt',
  '>=': 'ge',
  '<': 'lt',
  '<=': 'le',
};

const THRESHOLD_FORM = /^\s*(>=|<=|>|<)\s*([+-]?(?:\d+\.?\d*|\.\d+))\s*$/;
const ALLOWED_THRESHOLDS = 'one of > >= < <= and a plain decimal, such as ">20"';

/** Reads `">20"`, `">= 0.1"`, `"<0"`. Throws OptionError for anything else. */
export function parseThreshold(text: string): Threshold {
  const found = typeof text === 'string' ? THRESHOLD_FORM.exec(text) : null;
  if (found === null) throw thresholdError(text);
  return { operator: found[1] as ThresholdOperator, limit: Number(found[2]) + 0 };
}

/**
 * Thresholds in the requested order, each once; texts are read as by `parseThreshold`. Throws OptionError for anything
 * else.
 */
export function checkThresholds(thresholds: readonly (string | GivenThreshold)[]): Threshold[] {
  if (!Array.isArray(thresholds)) {
    throw unusable('thresholds', thresholds, 'a list, such as [">20"]');
  }
  const found = new Map<string, Threshold>();
  for (const requested of thresholds) {
    const threshold = typeof requested === 'string' ? parseThreshold(requested) : requested;
    assertThreshold(threshold, requested);
    const { operator, limit } = threshold;
    found.set(`${operator} ${limit}`, { operator, limit });
  }
  return [...found.values()];
}

/** Throws OptionError unless `threshold` is an operator and a finite limit; the message shows it as `given`. */
export function assertThreshold(
  threshold: GivenThreshold,
  given: string | GivenThreshold = threshold,
): asserts threshold is Threshold {
  const { operator, limit }: Partial<GivenThreshold> = threshold ?? {};
  const isText = typeof operator === 'string';
  if (isText && Object.hasOwn(OPERATOR_NAMES, operator) && Number.isFinite(limit)) return;
  const isPair = typeof given === 'object' && isText && typeof limit !== 'object';
  throw thresholdError(isPair ? `${operator} ${String(limit)}` : given);
}

function thresholdError(received: unknown): OptionError {
  return unusable('threshold', received, ALLOWED_THRESHOLDS);
}

/** The quantiles that are computed by default. */
export const DEFAULT_QUANTILES: readonly number[] = /* @__PURE__ */ Object.freeze([0.05, 0.25, 0.5, 0.75, 0.95]);

/** The sample quantile types of Hyndman and Fan (1996). */
export type QuantileType = 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9;

/** The most quantiles that are computed at once. */
export const MAX_QUANTILES = 99;

/** Matches a quantile as it is written: a plain decimal from 0 to 1. */
export const QUANTILE_FORM = /^(?:0?\.\d{1,6}|0\.?|1(?:\.0{0,6})?)$/;

const ALLOWED_QUANTILES = `at most ${MAX_QUANTILES} plain decimals from 0 to 1, each of at most 6 places`;

/** The error for a quantile that cannot be used. */
export function quantileError(problem: string, received: unknown): OptionError {
  return new OptionError({ subject: 'quantiles', problem, received, allowed: ALLOWED_QUANTILES });
}

/** Reads a comma-separated list such as `0.05,0.5,0.95`. Throws OptionError for anything else. */
export function parseQuantiles(text: string): number[] {
  if (typeof text !== 'string') throw quantileError('not a text', text);
  return checkQuantiles(
    text.split(',').map((item) => {
      const plain = item.trim();
      if (plain === '') throw quantileError('an empty item', text);
      if (!QUANTILE_FORM.test(plain)) throw quantileError(quantileProblem(plain), item);
      return Number(plain);
    }),
  );
}

/**
 * Quantiles in the requested order, each once; of a typed array to six places. Throws OptionError for too many,
 * or one that is not a plain decimal from 0 to 1.
 */
export function checkQuantiles(quantiles: readonly number[] | FloatArray): number[] {
  if (isFloatArray(quantiles)) quantiles = Array.from(quantiles, (p) => Number(p.toFixed(6)));
  if (!Array.isArray(quantiles)) throw quantileError('not a list', quantiles);
  for (const p of quantiles) {
    if (typeof p !== 'number') throw quantileError('not a number', p);
    if (!QUANTILE_FORM.test(String(p))) throw quantileError(quantileProblem(String(p)), p);
  }
  const unique = [...new Set(quantiles.map((p) => p + 0))];
  if (unique.length > MAX_QUANTILES) throw quantileError('too many', unique.length);
  return unique;
}

function quantileProblem(text: string): string {
  const value = Number(text);
  if (Number.isNaN(value)) return 'not a number';
  if (value < 0 || value > 1) return 'outside [0, 1]';
  return 'not a plain decimal of at most 6 places';
}

/** Throws OptionError where `type` is not one of the nine. */
export function checkQuantileType(type: number): QuantileType {
  if (!(Number.isInteger(type) && type >= 1 && type <= 9)) {
    throw unusable('quantileType', type, 'a whole number from 1 to 9, a type of Hyndman and Fan');
  }
  return type as QuantileType;
}

/** Which days and windows to compute, and how to read the table. */
export interface WindowOptions {
  /** The windows: days, ISO weeks or calendar months, or others that `windowsOf` makes. Default `daily`. */
  granularity?: Choice<Granularity> | Windows;
  /** First and last day to use, inclusive: `YYYY-MM-DD`, or a Date, read in UTC. Default: all days of the table. */
  startDate?: string | Date;
  endDate?: string | Date;
  /** Compute only the place nearest to this point, which must lie within one grid step of it. Default: all places. */
  point?: Point;
  /** Whether to keep windows of which some days lie outside the data or the requested dates. Default false. */
  partial?: boolean;
  /**
   * The variable: a slug, or a definition of your own; with `window` also any other name, in the units of the data.
   * Default: as the table's metadata or column names say.
   */
  variable?: VariableSlug | Variable;
  /** Variables of your own that the table, or `variable`, may name. */
  variables?: readonly Variable[];
  /**
   * How the days of a window become one value, or what `daysThat`, `longestSpell`, `spells`, `firstDayThat` or `excess` makes.
   * Default: the variable's own rule.
   */
  window?: Choice<WindowRule> | WindowMeasure;
  /** Names of the table's columns where they are not the usual ones. */
  columns?: ColumnRoles;
  /**
   * The calendar of the dates by its CF name, where the table does not state it: `noleap`, `360_day`, ... Default: the
   * real one.
   */
  calendar?: string;
  /** What the table is called in messages, such as the file's name. */
  source?: string;
}

/** What to compute over members, and of which windows. */
export interface StatisticsOptions extends WindowOptions {
  /** Plain decimals from 0 to 1 with at most 6 places (typed arrays are rounded to them), at most 99. Default 0.05, 0.25, 0.5, 0.75, 0.95. */
  quantiles?: readonly number[] | FloatArray;
  /** The sample quantile type of Hyndman and Fan, 1 to 9. Default 7. */
  quantileType?: Choice<QuantileType>;
  /**
   * Limits whose exceedance is counted: `">20"`, `"<=0"`, or `{ operator, limit }`. Values within 1e-12 times the larger
   * of 1 and the limit's size tie with it. Default none.
   */
  thresholds?: readonly (string | GivenThreshold)[];
  /** Whether to compute the standard deviation over members. Default false. */
  spread?: boolean;
  /** The share of members that must be valid, 0 to 1; at least one must. Default 0.8. */
  minMemberShare?: number;
}

/** The options that say how to read a table, and which of its places. */
type OfTables = 'point' | keyof typeof READ_OPTIONS;

/** Which days and windows of an array to compute. */
export interface ArrayWindowOptions extends Omit<WindowOptions, OfTables> {}

/** What to compute over the members of an array, and of which windows. */
export interface ArrayStatisticsOptions extends Omit<StatisticsOptions, OfTables> {}

/** The options of statistics of an array. */
const ARRAY_OPTIONS = /* @__PURE__ */ (() =>
  ({
    granularity: { check: toWindows, choices: GRANULARITIES, default: 'daily' },
    quantiles: { check: checkQuantiles, default: DEFAULT_QUANTILES },
    quantileType: { check: checkQuantileType, default: 7 },
    thresholds: { check: checkThresholds, default: [] },
    spread: { type: 'flag', default: false },
    startDate: { check: dayText },
    endDate: { check: dayText },
    partial: { type: 'flag', default: false },
    minMemberShare: { type: 'share', default: 0.8 },
    window: { check: toWindowValue, choices: WINDOW_RULES },
  }) satisfies OptionSchema<ArrayStatisticsOptions>)();

const ARRAY_WINDOW_OPTIONS = /* @__PURE__ */ (() => {
  const { quantiles, quantileType, thresholds, spread, minMemberShare, ...windows } = ARRAY_OPTIONS;
  return windows satisfies OptionSchema<ArrayWindowOptions>;
})();

/** The options of `statistics`. Batches hash requests as JSON: another order is another request. */
export const STATISTICS_OPTIONS = /* @__PURE__ */ (() =>
  ({
    ...ARRAY_OPTIONS,
    point: { check: checkPoint },
    ...READ_OPTIONS,
  }) satisfies OptionSchema<StatisticsOptions>)();

/** The options of `memberWindows`. */
const WINDOW_OPTIONS = /* @__PURE__ */ (() => {
  const { quantiles, quantileType, thresholds, spread, minMemberShare, ...windows } = STATISTICS_OPTIONS;
  // The second type rejects an option of statistics that is not taken out above.
  return windows satisfies OptionSchema<WindowOptions> & {
    [Name in Exclude<keyof typeof windows, keyof WindowOptions>]: never;
  };
})();

/**
 * Window options, checked. Dates are as requested; which days they are depends on the calendar, see `requestedDays`.
 */
export interface CheckedWindowOptions
  extends Omit<Checked<WindowOptions, typeof WINDOW_OPTIONS>, 'variable'>,
    ReadOptions {}

/** Statistics options, checked. */
export interface CheckedStatisticsOptions
  extends CheckedWindowOptions,
    Omit<Checked<StatisticsOptions, typeof STATISTICS_OPTIONS>, keyof WindowOptions> {}

type SharedOptions = Pick<WindowOptions, 'startDate' | 'endDate' | 'calendar' | 'variable' | 'variables'>;

/** Checks the options of `memberWindows`, and fills in defaults. Throws OptionError. */
export function checkWindowOptions(options: WindowOptions): CheckedWindowOptions {
  return checkRequest(options, WINDOW_OPTIONS);
}

/** Options of statistics of an array, checked. */
export type CheckedArrayOptions = Checked<ArrayStatisticsOptions, typeof ARRAY_OPTIONS>;

/** Checks the options of statistics of an array, and fills in defaults. Throws OptionError. See `assertDates` for dates. */
export function checkArrayOptions(options: ArrayStatisticsOptions): CheckedArrayOptions {
  return checkOptions<ArrayStatisticsOptions, typeof ARRAY_OPTIONS>(options, ARRAY_OPTIONS);
}

/** The same for `memberWindows` of an array. */
export function checkArrayWindowOptions(
  options: ArrayWindowOptions,
): Checked<ArrayWindowOptions, typeof ARRAY_WINDOW_OPTIONS> {
  return checkOptions<ArrayWindowOptions, typeof ARRAY_WINDOW_OPTIONS>(options, ARRAY_WINDOW_OPTIONS);
}

/** Checks the options of `statistics`, and fills in defaults. Throws OptionError. */
export function checkStatisticsOptions(options: StatisticsOptions): CheckedStatisticsOptions {
  return checkRequest(options, STATISTICS_OPTIONS);
}

/**
 * Checks options that have some of the window options, and fills in defaults. Throws OptionError for each that the
 * schema does not allow, and for dates in the wrong order.
 */
export function checkRequest<Options extends SharedOptions, Schema extends OptionSchema<Options>>(
  options: Options,
  schema: Schema,
): Omit<Checked<Options, Schema>, 'variable'> & Pick<ReadOptions, 'variable' | 'variableName'> {
  const checked = checkOptions<Options, Schema>(options, schema);
  assertDates(checked);
  return withVariable(checked as Checked<Options, Schema> & SharedOptions & { readonly window?: WindowRule });
}

/** Windows of a kind. Throws OptionError for what is none. */
export function toWindows(granularity: Choice<Granularity> | Windows): Granularity | Windows {
  if (!(granularity as Partial<Windows>)?.table)
    assertOneOf('granularity', granularity as string, GRANULARITIES, ', or what windowsOf returns');
  return granularity as Granularity | Windows;
}

/** Throws OptionError for what is neither a rule for windows nor a measure. */
export function toWindowValue(value: Choice<WindowRule> | WindowMeasure): WindowValue {
  if (!(value as Partial<WindowMeasure>)?.float64) assertOneOf('window', value as string, WINDOW_RULES);
  return value as WindowValue;
}

/** Throws OptionError for dates that do not exist, or are in the wrong order. */
export function assertDates({
  startDate,
  endDate,
  calendar,
}: {
  readonly startDate?: string | undefined;
  readonly endDate?: string | undefined;
  readonly calendar?: string | undefined;
}): void {
  checkDate('startDate', startDate, calendar);
  checkDate('endDate', endDate, calendar);
  // No text is after one that is not there.
  if ((startDate as string) > (endDate as string)) {
    throw new OptionError({
      subject: 'startDate',
      problem: 'later than the last requested day',
      received: startDate,
      allowed: `a date up to ${endDate}`,
    });
  }
}

/**
 * The last days of February exist only in some calendars, and the calendar of the data is not known before they are
 * read.
 */
const MAY_EXIST = /-02-(29|30)$/;

function checkDate(subject: string, text: string | undefined, calendar: string | undefined): void {
  if (text === undefined) return;
  const isOpen = calendar === undefined && typeof text === 'string' && MAY_EXIST.test(text);
  parseCalendarDate(isOpen ? '360_day' : modelCalendar(calendar), text, subject);
}

/**
 * The windows of some days that lie between the requested dates. Throws OptionError for a date that the calendar does not
 * have, and for weeks of one that has none.
 */
export function requestedWindows(
  { firstDay, days }: { readonly firstDay: number; readonly days: number },
  options: Pick<CheckedWindowOptions, 'granularity' | 'partial' | 'startDate' | 'endDate'>,
  calendar: ModelCalendar | undefined,
): WindowTable {
  const { granularity, partial, startDate, endDate } = options;
  const dayOf = (subject: string, text: string | undefined, other: number) =>
    text === undefined ? other : parseCalendarDate(calendar, text, subject);
  const lastDay = firstDay + days - 1;
  const first = Math.max(firstDay, dayOf('startDate', startDate, firstDay));
  const last = Math.min(lastDay, dayOf('endDate', endDate, lastDay));
  // A span that begins after the data is empty, too.
  const kind = granularity as Partial<Windows> & Granularity;
  const span = [Math.min(first, lastDay), first > last ? firstDay - 1 : last] as const;
  const how = { partial, calendar, origin: firstDay };
  return kind.table?.(...span, how) ?? windowTable(kind, ...span, how);
}
