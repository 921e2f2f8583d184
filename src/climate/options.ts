import type { Checked, Choice, OptionSchema } from '../check/option-checks.js';
import { OptionError, unusable } from '../errors.js';
import { GRANULARITIES, type Granularity } from '../period/period.js';
import {
  type CheckedWindowOptions,
  checkRequest,
  type GivenThreshold,
  type QuantileType,
  STATISTICS_OPTIONS,
  type WindowOptions,
} from '../statistics/options.js';
import { READ_OPTIONS } from '../table/columns/read-options.js';
import { checkCategories } from './category-limits.js';
import type { ReferenceYears } from './climatology.js';
import { checkStart, checkStartDays, type RunOptions } from './hindcast-runs.js';
import { checkReference, DEFAULT_REFERENCE } from './reference-years.js';

/** What to compute for a climatology, and how to read the tables. */
export interface ClimatologyOptions
  extends Omit<WindowOptions, 'granularity' | 'startDate' | 'endDate' | 'partial' | 'source'>,
    RunOptions {
  /** The periods of the year: days, ISO weeks or calendar months. Default `daily`. */
  granularity?: Choice<Granularity>;
  /** The reference period, calendar years or, where weekly, ISO years; both inclusive. Default `1993-2022`. */
  reference?: string | ReferenceYears;
  /** Whether reference years without a single window may be missing. Default false: they are an error. */
  fewerYears?: boolean;
  /** How many days before and after a day its samples come from, 0 to 182. Only where daily. Default 7. */
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
    granularity: { choices: GRANULARITIES, default: 'daily' },
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
  readonly granularity: Granularity;
  /** 0 where not daily. */
  readonly halfWidth: number;
  /** One for each table that has a name. */
  readonly sources: readonly string[];
}

/** Checks the options of `climatology`, and fills in defaults. Throws OptionError. */
export function checkClimatologyOptions(options: ClimatologyOptions): CheckedClimatologyOptions {
  const { halfWidth, source, ...checked } = checkRequest(options, CLIMATOLOGY_OPTIONS);
  return { ...checked, partial: false, halfWidth: widthOf(halfWidth, checked.granularity), sources: source };
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

/** The number of days before and after a window whose samples are in its pool, too. */
function widthOf(halfWidth: number | undefined, granularity: Granularity): number {
  if (halfWidth === undefined) return granularity === 'daily' ? 7 : 0;
  if (granularity === 'daily') return halfWidth;
  throw widthError(`is for days only, not for a ${granularity} climatology`, halfWidth, 'granularity daily, or none');
}

function widthError(problem: string, received: number, allowed: string): OptionError {
  return new OptionError({ subject: 'halfWidth', problem, received, allowed });
}
