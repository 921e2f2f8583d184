import { type Checked, type Choice, checkValues, missingList, type OptionSchema } from '../../check/option-checks.js';
import { ACCUMULATIONS, type Accumulation } from '../../ensemble/accumulation.js';
import { type DailySteps, STAMPS, type Stamps } from '../../ensemble/daily-steps.js';
import { checkDayStart, checkHours, checkTimeZone, type LocalDayOptions } from '../../ensemble/local-days.js';
import { checkTimeZones, type PlaceZoneOptions } from '../../ensemble/place-days.js';
import type { ReadingOptions, ReadOptions } from '../columns/read-options.js';
import { DATE_FORMATS, type DateFormat } from './ordered-dates.js';

/** How to read a table whose values may be of time steps within days, or in units other than the variable's. */
export interface DailyTableOptions extends ReadOptions, LocalDayOptions, PlaceZoneOptions {
  /** The units of the values, if the table does not state them, as CF writes them: `K`, `kg m-2 s-1`. */
  readonly units?: string;
  /**
   * The model to read, if columns are of several models: `icon_seamless_eps`. Members of several models are not one
   * ensemble.
   */
  readonly model?: string;
  /**
   * What the times of steps mark: the start, the middle or the end of the step, or an instant. Default: the end for
   * amounts that grow; else what metadata state, what Open-Meteo documents, or whether there are values at the start of
   * the run; else the end for a run, and the start for other tables. What nothing states is in `warnings`.
   */
  readonly stamps?: Stamps;
  /**
   * What amounts count: `per-step`, what fell in each step; `since-start`, what fell since the run began; `buckets`,
   * what fell since the last regular reset, every 6 hours with `buckets-6h`. Default: what metadata state, else what
   * the values of steps show; daily amounts are of their day.
   */
  readonly accumulation?: Accumulation;
  /**
   * Numbers that stand for missing values, such as -9999. They are compared after rounding to the type of the column
   * (-9999.9 as float32).
   */
  readonly missing?: number | readonly number[];
  /**
   * The form of dates that are texts with the year last, where the day or the month may come first: `dd.mm.yyyy`. Default: by a day
   * above 12; otherwise an error asks for it.
   */
  readonly dateFormat?: DateFormat;
  /**
   * Whether to sort rows of daily values by place, member and day. Without it, rows out of order are an error. A day
   * that comes twice is always an error. Time steps may always be in any order.
   */
  readonly sort?: boolean;
  /** Makes the rows of all series where time steps stay as they are, each a row: see `timeSteps`. */
  readonly makeRows?: (
    times: Float64Array,
    how: { readonly stamps: Stamps; readonly areInstants: boolean },
  ) => RowsOfSteps;
}

/** The rows of time steps. */
export interface RowsOfSteps {
  /** The rows of a series with these times, which are among the times of all. */
  of(times: Float64Array, stamps: Stamps): DailySteps;
}

type DailyOptions = Omit<DailyTableOptions, keyof ReadOptions | 'makeRows'>;

/** Options of `dailyTable` as they are given: the variable may be a slug, or a name that files use. */
export interface GivenDailyOptions
  extends Omit<
      DailyTableOptions,
      'makeRows' | 'variable' | 'variableName' | 'places' | 'stamps' | 'accumulation' | 'dateFormat'
    >,
    Pick<ReadingOptions, 'variable'> {
  readonly stamps?: Choice<Stamps>;
  readonly accumulation?: Choice<Accumulation>;
  readonly dateFormat?: Choice<DateFormat>;
}

/** The options of `dailyTable` besides those for reading a table. */
export const DAILY_OPTIONS = {
  units: { type: 'text', allowed: 'a unit, such as "K"' },
  model: { type: 'text', allowed: 'the name of a model' },
  stamps: { choices: STAMPS },
  accumulation: { choices: ACCUMULATIONS },
  missing: { check: missingList },
  dateFormat: { choices: DATE_FORMATS },
  sort: { type: 'flag', default: false },
  timeZone: { check: (name) => void checkTimeZone(name) },
  dayStart: { check: (start) => void checkDayStart(start) },
  hours: { check: (hours) => void checkHours(hours) },
  splitExtremes: { type: 'flag' },
  timeZones: { check: (zones) => checkTimeZones(zones) },
} satisfies OptionSchema<DailyOptions>;

/** Checks those options among others. Throws OptionError. */
export function checkDailyOptions(
  options: Omit<GivenDailyOptions, keyof ReadOptions>,
): Checked<DailyOptions, typeof DAILY_OPTIONS> {
  return checkValues<Omit<GivenDailyOptions, keyof ReadOptions>, typeof DAILY_OPTIONS>(options, DAILY_OPTIONS);
}
