import type { FloatArray } from '../core/number-arrays.js';
import type { PlaceLabels } from '../ensemble/place-labels.js';
import {
  checkCalendarDay,
  daysFromDate,
  daysInModelMonth,
  type ModelCalendar,
  modelCalendar,
  packedDate,
} from '../period/calendar.js';
import { twoDigits } from '../period/day.js';
import { assertHasWindows, checkGranularity, type Granularity, isoWeek, type WindowTable } from '../period/period.js';
import type { FoundWindow, Windows } from '../period/windows.js';
import type { Threshold } from '../statistics/options.js';
import type { Comparable } from '../statistics/own-statistics.js';
import type { WindowValue } from '../statistics/window-value.js';
import type { Variable } from '../variable/variable.js';

/** The years of a climatology, inclusive; ISO years where it is weekly. Other windows belong to the year in which they end. */
export interface ReferenceYears {
  readonly firstYear: number;
  readonly lastYear: number;
}

/** Windows that recur in each year. */
export type YearlyWindows = Windows & Required<Pick<Windows, 'ofYear'>>;

/** The windows of a climatology: days, ISO weeks, calendar months, or others that recur in each year. */
export type ClimateWindows = Granularity | YearlyWindows;

/**
 * A reference distribution for each place and period of the year.
 *
 * Entries are laid out by place, then key: that of place p and key k is at `p * keys.length + k` of `samples`, `mean`,
 * and each array of `quantileValues`, `limits` and `probabilities`. Statistics are NaN where an entry has too few
 * samples.
 */
export interface Climatology extends Comparable {
  /** Undefined where the input does not state it. */
  readonly variable: Variable | undefined;
  readonly units: string | undefined;
  readonly granularity: ClimateWindows;
  /** How the days of a window were combined, or by what measure; undefined where the input does not state it. */
  readonly window: WindowValue | undefined;
  /** Undefined where the input does not state it. */
  readonly reference: ReferenceYears | undefined;
  /**
   * Other metadata of the input's schema, and how the climatology was computed: `half_width` of days, `quantile_type`,
   * `min_sample_share`, and `lacking_years` where years are missing. `calendar` is that of the days, where it is not
   * the real one.
   */
  readonly metadata: ReadonlyMap<string, string>;
  /** One for each place; NaN where the input does not state it. */
  readonly latitude: Float64Array;
  readonly longitude: Float64Array;
  /** Ids, names and the like of the places, where the input has some. */
  readonly labels?: PlaceLabels | undefined;
  /**
   * The periods of the year in order: `01-01` to `12-31` with `02-29`, `W01` to `W53`, or `01` to `12`; of other windows
   * `DJF`, `D01`, `year`, `P7D/01-07`. See `climateKeys`.
   */
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

/**
 * The keys of all periods of the year, in order: the days `MM-DD` that any year of the calendar has (366 of the real
 * one, 365 of `noleap`, 360 of `360_day`), 53 ISO weeks `W01`, or 12 months `MM`; of others the keys of a leap year. Throws
 * OptionError for weeks of a calendar that has none.
 */
export function climateKeys(granularity: ClimateWindows, calendar?: string): string[] {
  const model = modelCalendar(calendar);
  if (typeof granularity !== 'string') return granularity.ofYear(LEAP_YEAR, model).map(([, , key]) => key);
  checkGranularity(granularity);
  assertHasWindows(granularity, model);
  if (granularity === 'weekly') return Array.from({ length: 53 }, (_, index) => `W${twoDigits(index + 1)}`);
  const months = Array.from({ length: 12 }, (_, index) => index + 1);
  if (granularity === 'monthly') return months.map(twoDigits);
  return months.flatMap((month) =>
    Array.from(
      { length: daysInModelMonth(model ?? REAL_KEYS, month) },
      (_, d) => `${twoDigits(month)}-${twoDigits(d + 1)}`,
    ),
  );
}

const LEAP_YEAR = 2000;

/** The days of the real calendar's leap years. */
const REAL_KEYS: ModelCalendar = 'all_leap';

/**
 * The place in `climateKeys` of the window that begins on a day number. Throws OptionError where that is not an integer
 * from FIRST_DAY to LAST_DAY, or not in the years 1 to 9999 of the calendar.
 */
export function climateKeyIndex(granularity: Granularity, windowStartDay: number, calendar?: string): number {
  checkGranularity(granularity);
  const model = modelCalendar(calendar);
  assertHasWindows(granularity, model);
  checkCalendarDay(model, 'day', windowStartDay);
  if (granularity === 'weekly') return isoWeek(windowStartDay).week - 1;
  const packed = packedDate(model, windowStartDay);
  const [month, day] = [(packed >> 5) & 15, packed & 31];
  if (granularity === 'monthly') return month - 1;
  const keys = model ?? REAL_KEYS;
  return daysFromDate(keys, 1970, month, day);
}

/** Whether all complete windows are windows of a climatology: by their text, or days, weeks and months aside by their days. */
export function areOfClimatology(
  granularity: ClimateWindows,
  windows: Pick<WindowTable, 'granularity' | 'start' | 'end' | 'calendar'> & Partial<Pick<WindowTable, 'complete'>>,
): boolean {
  if (`${granularity}` === windows.granularity) return true;
  if (typeof granularity === 'string') return false;
  return climateKeyIndices(granularity, windows).every((key, w) => key >= 0 || windows.complete?.[w] === 0);
}

/**
 * The places in `climateKeys` of windows, by their days; -1 for a window that is none of the climatology. Days, weeks and
 * months are found by their first day alone.
 */
export function climateKeyIndices(
  granularity: ClimateWindows,
  { start, end, calendar }: Pick<WindowTable, 'start' | 'end' | 'calendar'>,
): Int32Array {
  if (typeof granularity === 'string') return start.map((day) => climateKeyIndex(granularity, day, calendar));
  const { rolling } = granularity;
  if (rolling !== undefined)
    return end.map((day, w) => (day - start[w] + 1 === rolling ? climateKeyIndex('daily', day, calendar) : -1));
  let year = Number.NaN;
  let ofYear: readonly FoundWindow[] = [];
  return start.map((first, w) => {
    const yearOfEnd = packedDate(calendar, end[w]) >> 9;
    if (yearOfEnd !== year) ofYear = granularity.ofYear((year = yearOfEnd), calendar);
    return ofYear.findIndex(([from, to]) => from === first && to === end[w]);
  });
}
