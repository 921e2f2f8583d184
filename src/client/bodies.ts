import type { Granularity } from '../period/window-table.js';

/*
 * What the endpoints of the second version answer, as JSON has it. Numbers are rounded to the variable's decimals, and null where
 * missing; maps from day, ISO week or month have the keys `2026-11-20`, `2026-W47` and `2026-11`.
 */

/** A place in degrees, north and east positive. */
export interface Location {
  readonly latitude: number;
  readonly longitude: number;
}

/** Days as `YYYY-MM-DD`, both inclusive. */
export interface Period {
  readonly start_date: string;
  readonly end_date: string;
}

/** What all forecasts begin with. */
export interface ForecastMetadata {
  /** When the model run was issued: ISO 8601 in UTC. */
  readonly init_time: string;
  /** Of the model or dataset. */
  readonly version: string;
  /** Unique to the forecast; opaque. */
  readonly generation: string;
  readonly location: {
    readonly requested: Location;
    /** The point of the coarse grid. */
    readonly closest_location: Location;
  };
  /** The days really used; null where none were. */
  readonly period: Period | null;
  /** Whom to credit for the data. */
  readonly attribution?: string;
}

/** What all variables have. */
export interface VariableMetadata {
  /** The label of the unit. */
  readonly units: string;
  /** Whether the values are those of the 1 km grid. */
  readonly downscaled: boolean;
  /** The point of the 1 km grid; only where downscaled. */
  readonly closest_location?: Location;
}

/** Of a window: the mean over members, and a field for each quantile asked: `q05`, `q50`, `q025`, `q100`. */
export interface StatisticsEntry {
  readonly mean: number | null;
  readonly [quantile: `q${number}`]: number | null;
}

/** The body of `/v2/forecast`. */
export interface ForecastMembers<Slug extends string = string> extends ForecastMetadata {
  readonly variables: Readonly<
    Record<
      Slug,
      VariableMetadata & {
        /** From day to the values of all members, always in the same order. */
        readonly members: Readonly<Record<string, readonly (number | null)[]>>;
      }
    >
  >;
}

/** The body of `/v2/forecast/statistics`. */
export interface ForecastStatistics<Slug extends string = string> extends ForecastMetadata {
  readonly granularity: Granularity;
  readonly variables: Readonly<
    Record<Slug, VariableMetadata & { readonly statistics: Readonly<Record<string, StatisticsEntry>> }>
  >;
}

/** The body of `/v2/history`. */
export interface History<Slug extends string = string> {
  readonly meta: {
    readonly variables: readonly Slug[];
    readonly granularity: Granularity;
    /** The point of the coarse grid. */
    readonly location: Location;
    /** The days really used; null where none were. */
    readonly period: Period | null;
    /** Whom to credit for the data. */
    readonly attribution?: string;
  };
  readonly data: Readonly<
    Record<Slug, VariableMetadata & { readonly values: Readonly<Record<string, number | null>> }>
  >;
}
