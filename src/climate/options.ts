import type { Checked, Choice, OptionSchema } from '../check/option-checks.js';
import { OptionError, unusable } from '../errors.js';
import { GRANULARITIES, type Granularity } from '../period/period.js';
import type { Windows } from '../period/windows.js';
import {
  type CheckedWindowOptions,
  checkRequest,
  type GivenThreshold,
  type QuantileType,
  STATISTICS_OPTIONS,
  toWindows,
  type WindowOptions,
} from '../statistics/options.js';
import { READ_OPTIONS } from '../table/columns/read-options.js';
import { checkCategories } from './category-limits.js';
import type { ClimateWindows, ReferenceYears, YearlyWindows } from './climatology.js';
import { checkStart, checkStartDays, type RunOptions } from './hindcast-runs.js';
import { checkReference, DEFAULT_REFERENCE } from './reference-years.js';

/** What to compute for a climatology, and how to read the tables. */
export interface ClimatologyOptions
  extends Omit<WindowOptions, 'granularity' | 'startDate' | 'endDate' | 'partial' | 'source'>,
    RunOptions {
  /**
   * The periods of the year: days, ISO weeks, calendar months, or of `windowsOf` what recurs in each year: seasons, runs of
   * months, years, dekads, and `rolling 7` for the 7 days that end on each day of the year. Default `daily`.
   */
  granularity?: Choice<Granularity> | Windows;
  /**
   * The reference period, calendar years or, where weekly, ISO years; both inclusive. Seasons and other windows belong to
   * the year in which they end. Default `1993-2022`.
   */
  reference?: string | ReferenceYears;
  /** Whether reference years without a single window may be missing. Default false: they are an error. */
  fewerYears?: boolean;
  /**
   * How many days before and after a day its samples come from, 0 to 182; of hindcasts as many leads on either side, fewer
   * near the ends of a run. Only of days, and of rolling windows. Default 7, of hindcasts by start and lead 0.
   */
  halfWidth?: number;
  /** Plain decimals from 0 to 1 with at most 6 places, at most 99. Default 0.05, 0.25, 0.5, 0.75, 0.95. */
  quantiles?: readonly number[];
  /** The sample quantile type of Hyndman and Fan, 1 to 9, of quantiles and of limits. Default 7. */
  quantileType?: Choice<QuantileType>;
  /** The number of equally likely categories, 2 to 20, or 0 for none. Default 3: terciles. */
  categories?: number;
  /** Limits whose exceedance is counted: `">20"`, `"<=0"`, or `{ operator, limit }`. Default none. */
  thresholds?: readonly (string | GivenThreshold)[];
  /** The share of the expected samples that must be valid, 0 to 1; at least one must. Default 0.8. */
  minSampleShare?: number;
  /** The name of the table in messages; a list where there are several tables. */
  source?: string | readonly string[];
}

/** With more days a pool would have the same day twice. */
const MAX_HALF_WIDTH = 182;

/** The options of `climatology`. */
export const CLIMATOLOGY_OPTIONS = /* @__PURE__ */ (() => {
  const { point, window, quantiles, quantileType, thresholds } = STATISTICS_OPTIONS;
  return {
    granularity: { check: toClimateWindows, choices: GRANULARITIES, default: 'daily' },
    reference: { check: checkReference, default: DEFAULT_REFERENCE },
    fewerYears: { type: 'flag', default: false },
    halfWidth: { check: checkDays },
    start: { check: checkStart },
    startDays: { check: checkStartDays },
    mixLeads: { type: 'flag' },
    ...{ quantiles, quantileType },
    categories: { check: checkCategories, default: 3 },
    thresholds,
    minSampleShare: { type: 'share', default: 0.8 },
    ...{ point, window, ...READ_OPTIONS },
    source: { check: toSources, default: [] },
  } satisfies OptionSchema<ClimatologyOptions>;
})();

/** Climatology options, checked. */
export interface CheckedClimatologyOptions
  extends Omit<CheckedWindowOptions, 'source'>,
    Omit<Checked<ClimatologyOptions, typeof CLIMATOLOGY_OPTIONS>, keyof WindowOptions | 'halfWidth'> {
  readonly granularity: ClimateWindows;
  /** Undefined where it is not given: see `widthOf`. */
  readonly halfWidth: number | undefined;
  /** One for each table that has a name. */
  readonly sources: readonly string[];
}

/** Checks the options of `climatology`, and fills in defaults. Throws OptionError. */
export function checkClimatologyOptions(options: ClimatologyOptions): CheckedClimatologyOptions {
  const { halfWidth, source, ...checked } = checkRequest(options, CLIMATOLOGY_OPTIONS);
  assertWidth(halfWidth, checked.granularity);
  return { ...checked, partial: false, halfWidth, sources: source };
}

/** Windows of a climatology. Throws OptionError for others. */
export function toClimateWindows(granularity: Choice<Granularity> | Windows): ClimateWindows {
  const windows = toWindows(granularity);
  const known = GRANULARITIES.find((name) => name === `${windows}`);
  if (known !== undefined) return known;
  if ((windows as Windows).ofYear !== undefined) return windows as YearlyWindows;
  throw new OptionError({
    subject: 'windows',
    problem: 'do not recur in each year',
    received: `${windows}`,
    allowed: `${GRANULARITIES.join(', ')}, seasons, years, dekads, months such as "DJF,MAM", "rolling 7"; windows of 7 days, such as "days 1-7,8-14", are compared with "rolling 7"`,
  });
}

function toSources(source: string | readonly string[]): readonly string[] {
  const sources = typeof source === 'string' ? [source] : source;
  if (Array.isArray(sources) && sources.every((name) => typeof name === 'string')) return sources;
  throw unusable('source', source, 'a text, or a list of texts');
}

function checkDays(halfWidth: number): void {
  if (Number.isInteger(halfWidth) && halfWidth >= 0 && halfWidth <= MAX_HALF_WIDTH) return;
  throw widthError('not a number of days', halfWidth, `a whole number from 0 to ${MAX_HALF_WIDTH}`);
}

/** Whether there is a window for each day of the year. */
export function hasDays(granularity: ClimateWindows): boolean {
  return granularity === 'daily' || (granularity as YearlyWindows).rolling !== undefined;
}

/**
 * The number of days before and after a window whose samples are in its pool, too: as given, else 7 for days and rolling
 * windows of a history. Each lead of hindcasts is by itself: near their start a drift of the model is fastest.
 */
export function widthOf(
  { halfWidth, granularity }: Pick<CheckedClimatologyOptions, 'halfWidth' | 'granularity'>,
  areRuns: boolean,
): number {
  return halfWidth ?? (hasDays(granularity) && !areRuns ? 7 : 0);
}

function assertWidth(halfWidth: number | undefined, granularity: ClimateWindows): void {
  if (halfWidth === undefined || hasDays(granularity)) return;
  const problem = `is for days and rolling windows, not for a ${granularity} climatology`;
  throw widthError(problem, halfWidth, 'granularity daily, or none');
}

function widthError(problem: string, received: number, allowed: string): OptionError {
  return new OptionError({ subject: 'halfWidth', problem, received, allowed });
}
