import type { WorkOptions } from '../../check/work.js';
import type { Places } from '../../ensemble/nearest-place.js';
import type { HorizonName } from '../../variable/availability.js';
import type { VariableSlug } from '../../variable/slug.js';
import type { Variable } from '../../variable/variable.js';
import type { Shortfall } from '../source/source.js';
import type { ForecastFile } from './data-file.js';
import type { MemoryOptions, PrecisionOptions, ReplaceOptions } from './store-writer.js';

/** The names and times of a forecast, where its files do not state them or are wrong. */
export interface ForecastNames {
  /** When the first horizon's run was issued: ISO 8601. Default: as its files state, else 00 UTC of its first day. */
  readonly initTime?: string;
  /** The version of the model or dataset. Default: as the files state, else `unknown`. */
  readonly version?: string;
  /** Unique to this forecast. Default: made from the time of issue and a random number. */
  readonly generation?: string;
  /** When the next forecast is expected. Default: a day after this one. */
  readonly nextInitTime?: string;
}

/** A run that was left out, as it has too little: the run before stays. */
export interface RejectedRun {
  readonly horizon: HorizonName;
  readonly initTime: string;
  /** Why, in words. */
  readonly reason: string;
}

/** What became of the runs of a forecast. */
export interface ForecastOutcome {
  /** The horizons that were written. */
  readonly written: readonly HorizonName[];
  readonly rejected: readonly RejectedRun[];
  /** What the runs of all horizons of the store lack. */
  readonly shortfalls: readonly Shortfall[];
}

/** A forecast for a store. Progress counts the values of the files that are written. */
export interface ForecastInput extends ForecastNames, ReplaceOptions, MemoryOptions, PrecisionOptions, WorkOptions {
  /**
   * One for each variable and horizon, in any order. All have the same places, in any order; files of the 1 km grid
   * have their own places.
   */
  readonly files: readonly ForecastFile[];
  /**
   * The variables by which members are paired. Default: `temp_mean` and `precipitation`, those that all horizons have, or
   * else the first variable that all have.
   */
  readonly pairBy?: VariableSlug | readonly VariableSlug[];
  /**
   * The fewest members, and days, that a new run of a horizon must have; others are left out, and the run before stays.
   * Default: half of what the last complete run has.
   */
  readonly minMembers?: number;
  readonly minDays?: number;
  /**
   * Whether the runs are kept as they were issued, beside those that replace them later; at some places, or true for all.
   * Default false.
   */
  readonly keepIssued?: boolean | Places;
  /** Additional variables that files may name. */
  readonly variables?: readonly Variable[];
  /** Called with what is left out, and why. */
  readonly onNotice?: (text: string) => void;
}
