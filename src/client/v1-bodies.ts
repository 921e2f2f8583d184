import type { Granularity } from '../period/period.js';
import type { Location } from './bodies.js';

/*
 * The bodies of the `/v1` endpoints. Numbers are rounded to the variable's decimals, and null where missing.
 */

/** What all `/v1` endpoints say of an answer. */
export interface V1Metadata<Slug extends string = string> {
  readonly variables: readonly Slug[];
  /** Requested variables that the data do not have. */
  readonly dropped_variables: readonly Slug[];
  readonly granularity: Granularity;
  /** The label of the unit of each variable. */
  readonly units: Readonly<Partial<Record<Slug, string>>>;
  /** The point of the grid. */
  readonly location: Location;
  /** The stored location, where one was requested. */
  readonly location_id?: string;
  /** Whom to credit for the data. */
  readonly attribution?: string;
}

/** The values of some variables of a date, by slug: of those that have any. */
export interface V1Entry<Slug extends string, Values> {
  /** `YYYY-MM-DD`, the window's first day; of climatologies the period of the year: `MM-DD`, `W01` to `W53`, or `MM`. */
  readonly date: string;
  readonly attributes: Readonly<Partial<Record<Slug, Values>>>;
}

/** Five fixed quantiles. */
export type V1Quantiles = Readonly<Record<`quantile_0.${'05' | '25' | '50' | '75' | '95'}`, number | null>>;

/** The shares of members below, within and above the terciles. */
export type V1Probabilities = Readonly<Record<`clim_prob_${'0.00-0.33' | '0.33-0.67' | '0.67-1.00'}`, number | null>>;

/** The body of `/v1/forecast/...`: one horizon by itself. */
export interface V1Forecast<Slug extends string = string> {
  readonly meta: V1Metadata<Slug> & {
    /** When the model run was issued: ISO 8601 in UTC. */
    readonly init_time: string;
    /** The years of the climatology, and which it is; where there are probabilities. */
    readonly reference_period?: string;
    readonly tercile_reference?: string;
  };
  readonly data: readonly V1Entry<
    Slug,
    {
      readonly ensemble_mean: number | null;
      readonly quantile: V1Quantiles;
      /** Of weeks and months only. */
      readonly probability?: V1Probabilities;
    }
  >[];
}

/** The body of `/v1/history`. */
export interface V1History<Slug extends string = string> {
  readonly meta: V1Metadata<Slug>;
  readonly data: readonly V1Entry<Slug, { readonly values: number | null }>[];
}

/** The body of `/v1/climatology`. */
export interface V1Climatology<Slug extends string = string> {
  readonly meta: V1Metadata<Slug> & { readonly reference_period: string };
  readonly data: readonly V1Entry<Slug, { readonly quantile: V1Quantiles }>[];
}
