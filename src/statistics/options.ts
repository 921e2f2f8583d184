import { type Checked, type Choice, checkOptions, type OptionSchema } from '../check/option-schema.js';
import { checkPoint } from '../ensemble/nearest-cell.js';
import type { Point } from '../ensemble/nearest-place.js';
import { OptionError } from '../errors.js';
import { type ModelCalendar, modelCalendar, parseCalendarDate } from '../period/calendar.js';
import { GRANULARITIES, type Granularity } from '../period/window-table.js';
import type { ColumnRoles } from '../table/columns/column-roles.js';
import { READ_OPTIONS, type ReadOptions, withVariable } from '../table/columns/read-options.js';
import type { VariableSlug } from '../variable/slug.js';
import { type Variable, WINDOW_RULES, type WindowRule } from '../variable/variable.js';
import { checkQuantiles, checkQuantileType, DEFAULT_QUANTILES, type QuantileType } from './quantile-options.js';
import { checkThresholds, type GivenThreshold } from './thresholds.js';

/** Which days and windows to compute, and how to read the table. */
export interface WindowOptions {
  /** The windows: days, ISO weeks or calendar months. Default `daily`. */
  granularity?: Choice<Granularity>;
  /** First and last day to use, `YYYY-MM-DD`, inclusive. Default: all days of the table. */
  startDate?: string;
  endDate?: string;
  /** Compute only the place nearest to this point, which must lie within one grid step of it. Default: all places. */
  point?: Point;
  /** Whether to keep windows of which some days lie outside the data or the requested dates. Default false. */
  partial?: boolean;
  /** The variable: a slug, or a definition of your own. Default: as the table's metadata or column names say. */
  variable?: VariableSlug | Variable;
  /** Variables of your own that the table, or `variable`, may name. */
  variables?: readonly Variable[];
  /** How the days of a window become one value. Default: the variable's own rule. */
  window?: Choice<WindowRule>;
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
  /** Plain decimals from 0 to 1 with at most 6 places, at most 99. Default 0.05, 0.25, 0.5, 0.75, 0.95. */
  quantiles?: readonly number[];
  /** The sample quantile type of Hyndman and Fan, 1 to 9. Default 7. */
  quantileType?: Choice<QuantileType>;
  /** Limits whose exceedance is counted: `">20"`, `"<=0"`, or `{ operator, limit }`. Default none. */
  thresholds?: readonly (string | GivenThreshold)[];
  /** Whether to compute the standard deviation over members. Default false. */
  spread?: boolean;
  /** The share of members that must be valid, 0 to 1; at least one must. Default 0.8. */
  minMemberShare?: number;
}

/** The options of `statistics`. Batches hash requests as JSON: another order is another request. */
export const STATISTICS_OPTIONS = /* @__PURE__ */ (() =>
  ({
    granularity: { choices: GRANULARITIES, default: 'daily' },
    quantiles: { check: checkQuantiles, default: DEFAULT_QUANTILES },
    quantileType: { check: checkQuantileType, default: 7 },
    thresholds: { check: checkThresholds, default: [] },
    spread: { type: 'flag', default: false },
    startDate: { type: 'together' },
    endDate: { type: 'together' },
    partial: { type: 'flag', default: false },
    minMemberShare: { type: 'share', default: 0.8 },
    point: { check: checkPoint },
    window: { choices: WINDOW_RULES },
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
  const { startDate, endDate, calendar } = options;
  checkDate('startDate', startDate, calendar);
  checkDate('endDate', endDate, calendar);
  if (startDate !== undefined && endDate !== undefined && startDate > endDate) {
    throw new OptionError({
      subject: 'startDate',
      problem: 'later than the last requested day',
      received: startDate,
      allowed: `a date up to ${endDate}`,
    });
  }
  return withVariable(checked as Checked<Options, Schema> & SharedOptions);
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
 * The first and the last requested day, as day numbers. Throws OptionError for a date that the calendar does not have.
 */
export function requestedDays(
  { startDate, endDate }: Pick<CheckedWindowOptions, 'startDate' | 'endDate'>,
  calendar: ModelCalendar | undefined,
): { startDay: number | undefined; endDay: number | undefined } {
  const dayOf = (subject: string, text: string | undefined) =>
    text === undefined ? undefined : parseCalendarDate(calendar, text, subject);
  return { startDay: dayOf('startDate', startDate), endDay: dayOf('endDate', endDate) };
}
