import type { FloatArray } from '../core/float-array.js';
import { civilDate } from '../period/day.js';
import { twoDigits } from '../period/digits.js';
import { isoWeek } from '../period/iso-week.js';
import { checkGranularity, type Granularity } from '../period/window-table.js';
import type { Threshold } from '../statistics/thresholds.js';
import type { Variable, WindowRule } from '../variable/variable.js';

/** The years that a climatology is of, inclusive; ISO years where it is weekly. */
export interface ReferenceYears {
  readonly firstYear: number;
  readonly lastYear: number;
}

/**
 * A reference distribution for each place and period of the year.
 *
 * Entries are laid out by place, then key: that of place p and key k is at `p * keys.length + k` of `samples`, `mean`, and each
 * array of `quantileValues`, `limits` and `probabilities`. Statistics are NaN where an entry has too few samples.
 */
export interface Climatology {
  /** Undefined where the input does not tell. */
  readonly variable: Variable | undefined;
  readonly units: string | undefined;
  readonly granularity: Granularity;
  /** How the days of a window were combined; undefined where the input does not tell. */
  readonly window: WindowRule | undefined;
  /** Undefined where the input does not tell. */
  readonly reference: ReferenceYears | undefined;
  /**
   * What the input's schema says beside, and how the climatology was computed: `half_width` of days, `quantile_type`,
   * `min_sample_share`, and `lacking_years` where there are some.
   */
  readonly metadata: ReadonlyMap<string, string>;
  /** One for each place; NaN where the input does not tell. */
  readonly latitude: Float64Array;
  readonly longitude: Float64Array;
  /** The periods of the year in order: `01-01` to `12-31` with `02-29`, `W01` to `W53`, or `01` to `12`. */
  readonly keys: readonly string[];
  /** The number of valid samples. */
  readonly samples: Int32Array;
  readonly mean: FloatArray;
  /** Numbers in [0, 1]. */
  readonly quantiles: readonly number[];
  /** One array for each quantile. */
  readonly quantileValues: readonly FloatArray[];
  /** The number of equally likely categories, 3 for terciles; 0 for none. */
  readonly categories: number;
  /** The limits between neighbouring categories, ascending: one array less than there are categories. */
  readonly limits: readonly FloatArray[];
  readonly thresholds: readonly Threshold[];
  /** One array for each threshold: the share of valid samples that exceed it. */
  readonly probabilities: readonly FloatArray[];
}

/** Days before each month in a leap year. */
const DAYS_BEFORE = [0, 31, 60, 91, 121, 152, 182, 213, 244, 274, 305, 335, 366];
const KEY_COUNTS: Record<Granularity, number> = { daily: 366, weekly: 53, monthly: 12 };

/** The keys of all periods of the year, in order: 366 days `MM-DD`, 53 ISO weeks `W01`, or 12 months `MM`. */
export function climateKeys(granularity: Granularity): string[] {
  checkGranularity(granularity);
  return Array.from({ length: KEY_COUNTS[granularity] }, (_, index) => {
    if (granularity === 'weekly') return `W${twoDigits(index + 1)}`;
    if (granularity === 'monthly') return twoDigits(index + 1);
    const month = DAYS_BEFORE.findIndex((days) => days > index);
    return `${twoDigits(month)}-${twoDigits(index - DAYS_BEFORE[month - 1] + 1)}`;
  });
}

/**
 * Which of `climateKeys` the window has that begins on a day number. Throws OptionError where that is no integer from FIRST_DAY
 * to LAST_DAY.
 */
export function climateKeyIndex(granularity: Granularity, windowStartDay: number): number {
  checkGranularity(granularity);
  if (granularity === 'weekly') return isoWeek(windowStartDay).week - 1;
  const { month, day } = civilDate(windowStartDay);
  return granularity === 'monthly' ? month - 1 : DAYS_BEFORE[month - 1] + day - 1;
}
