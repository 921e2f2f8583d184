import { assertKnownKeys, checkShare, trueOrFalse } from '../check/option-checks.js';
import { OptionError, unusable } from '../errors.js';
import type { Granularity } from '../period/window-table.js';
import { type CheckedWindowOptions, checkWindowOptions, type WindowOptions } from '../statistics/options.js';
import {
  checkQuantiles,
  checkQuantileType,
  DEFAULT_QUANTILES,
  type QuantileType,
} from '../statistics/quantile-options.js';
import { checkThresholds, type Threshold } from '../statistics/thresholds.js';
import { checkCategories } from './category-limits.js';
import type { ReferenceYears } from './climatology.js';
import { checkReference, DEFAULT_REFERENCE } from './reference-years.js';

/** What to compute for a climatology, and how to read the tables. */
export interface ClimatologyOptions extends Omit<WindowOptions, 'startDate' | 'endDate' | 'partial' | 'source'> {
  /** The reference period, calendar years or, where weekly, ISO years; both inclusive. Default `1993-2022`. */
  reference?: string | ReferenceYears;
  /** Whether reference years without a single window may be missing. Default false: they are an error. */
  fewerYears?: boolean;
  /** How many days before and after a day its samples come from, 0 to 182. Only where daily. Default 7. */
  halfWidth?: number;
  /** Plain decimals from 0 to 1 with at most 6 places, at most 99. Default 0.05, 0.25, 0.5, 0.75, 0.95. */
  quantiles?: readonly number[];
  /** The sample quantile type of Hyndman and Fan, 1 to 9, of quantiles and of limits. Default 7. */
  quantileType?: QuantileType;
  /** The number of equally likely categories, 2 to 20, or 0 for none. Default 3: terciles. */
  categories?: number;
  /** Limits whose exceedance is counted: `">20"`, `"<=0"`, or `{ operator, limit }`. Default none. */
  thresholds?: readonly (string | Threshold)[];
  /** The share of the expected samples that must be valid, 0 to 1; at least one must. Default 0.8. */
  minSampleShare?: number;
  /** The name of the table in messages; a list where there are several tables. */
  source?: string | readonly string[];
}

/** Climatology options, checked. */
export interface CheckedClimatologyOptions extends Omit<CheckedWindowOptions, 'source'> {
  readonly reference: ReferenceYears;
  readonly fewerYears: boolean;
  /** 0 where not daily. */
  readonly halfWidth: number;
  readonly quantiles: readonly number[];
  readonly quantileType: QuantileType;
  readonly categories: number;
  readonly thresholds: readonly Threshold[];
  readonly minSampleShare: number;
  /** One for each table that has a name. */
  readonly sources: readonly string[];
}

const KEYS = [
  ...['granularity', 'reference', 'fewerYears', 'halfWidth', 'quantiles', 'quantileType', 'categories', 'thresholds'],
  ...['minSampleShare', 'point', 'variable', 'variables', 'window', 'columns', 'calendar', 'source'],
];

/** With more days a pool would have the same day twice. */
const MAX_HALF_WIDTH = 182;

/** Checks the options of `climatology`, and fills in defaults. Throws OptionError. */
export function checkClimatologyOptions(options: ClimatologyOptions): CheckedClimatologyOptions {
  assertKnownKeys(options, KEYS);
  const {
    reference = DEFAULT_REFERENCE,
    fewerYears = false,
    halfWidth,
    quantiles = DEFAULT_QUANTILES,
    quantileType = 7,
    categories = 3,
    thresholds = [],
    minSampleShare = 0.8,
    source = [],
  } = options;
  const { source: _, ...windowOptions } = checkWindowOptions({ ...options, source: undefined }, KEYS);
  trueOrFalse('fewerYears', fewerYears);
  const sources = typeof source === 'string' ? [source] : source;
  if (!Array.isArray(sources) || sources.some((name) => typeof name !== 'string')) {
    throw unusable('source', source, 'a text, or a list of texts');
  }
  checkShare('minSampleShare', minSampleShare);
  return {
    ...windowOptions,
    reference: checkReference(reference),
    fewerYears,
    halfWidth: checkHalfWidth(halfWidth, windowOptions.granularity),
    quantiles: checkQuantiles(quantiles),
    quantileType: checkQuantileType(quantileType),
    categories: checkCategories(categories),
    thresholds: checkThresholds(thresholds),
    minSampleShare,
    sources,
  };
}

/** The number of days before and after a window whose samples are in its pool, too. */
function checkHalfWidth(halfWidth: number | undefined, granularity: Granularity): number {
  if (halfWidth === undefined) return granularity === 'daily' ? 7 : 0;
  const fault = (problem: string, allowed: string) =>
    new OptionError({ subject: 'halfWidth', problem, received: halfWidth, allowed });
  if (!(Number.isInteger(halfWidth) && halfWidth >= 0 && halfWidth <= MAX_HALF_WIDTH)) {
    throw fault('not a number of days', `a whole number from 0 to ${MAX_HALF_WIDTH}`);
  }
  if (granularity !== 'daily')
    throw fault(`is for days only, not for a ${granularity} climatology`, 'granularity daily, or none');
  return halfWidth;
}
