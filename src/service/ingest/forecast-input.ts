import type { VariableSlug } from '../../variable/slug.js';
import type { Variable } from '../../variable/variable.js';
import type { ForecastFile } from './input-files.js';

/** What a forecast is called, where its files do not tell or are not to be believed. */
export interface ForecastNames {
  /** When the first horizon's run was issued: ISO 8601. Default: what its files say, else 00 UTC of its first day. */
  readonly initTime?: string;
  /** Of the model or dataset. Default: what the files say, else `unknown`. */
  readonly version?: string;
  /** Unique to this forecast. Default: made of the time of issue and a random number. */
  readonly generation?: string;
  /** When the next forecast is expected. Default: a day after this one. */
  readonly nextInitTime?: string;
}

/** A forecast to be put into a store. */
export interface ForecastInput extends ForecastNames {
  /** One for each variable and horizon, in any order. All have the same places, in any order; those of the 1 km grid have theirs. */
  readonly files: readonly ForecastFile[];
  /** The variable whose ranks join members. Default `temp_mean`, or where a horizon lacks it the first that all have. */
  readonly pairBy?: VariableSlug;
  /** Variables of your own that files may name. */
  readonly variables?: readonly Variable[];
  /** Told what is left out, and why. */
  readonly onNotice?: (text: string) => void;
}
