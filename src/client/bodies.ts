import type { Granularity } from '../period/period.js';
import type { ParameterFault } from './service-error.js';

/*
 * The JSON bodies of the `/v2` endpoints. Numbers are rounded to the variable's decimals, and null where missing; maps
 * from day, ISO week or month have keys such as `2026-11-20`, `2026-W47` and `2026-11`.
 */

/** A place in degrees, north and east positive. */
export interface Location {
  readonly latitude: number;
  readonly longitude: number;
}

/** Days as `YYYY-MM-DD`, both inclusive. */
export interface DateRange {
  readonly start_date: string;
  readonly end_date: string;
}

/** The first fields of all forecasts. */
export interface ForecastMetadata {
  /** When the model run was issued: ISO 8601 in UTC. */
  readonly init_time: string;
  /** The version of the model or dataset. */
  readonly version: string;
  /** Unique to the forecast; opaque. */
  readonly generation: string;
  readonly location: {
    readonly requested: Location;
    /** The point of the coarse grid. */
    readonly closest_location: Location;
  };
  /** The days in the response; null where there are none. */
  readonly period: DateRange | null;
  /** What the runs of horizons lack, compared with the last complete ones; only where something is lacking. */
  readonly incomplete?: readonly IncompleteRun[];
  /** Whom to credit for the data. */
  readonly attribution?: string;
}

/** What the run of a horizon lacks. */
export interface IncompleteRun {
  readonly horizon: HorizonPeriod['horizon'];
  readonly members?: { readonly received: number; readonly expected: number };
  readonly days?: { readonly received: number; readonly expected: number };
  /** The slugs of variables that it does not have. */
  readonly variables?: readonly string[];
  /** Whether it has no 1 km data yet. */
  readonly fine?: boolean;
}

/** The fields of all variables. */
export interface VariableMetadata {
  /** The label of the unit. */
  readonly units: string;
  /** Whether the values are those of the 1 km grid. */
  readonly downscaled: boolean;
  /** The point of the 1 km grid; only where downscaled. */
  readonly closest_location?: Location;
}

/** The fields of the variables of forecasts. */
export interface ForecastVariableMetadata extends VariableMetadata {
  /** The days of each horizon, from the shortest; only with `horizons`, where the data have them. */
  readonly horizons?: readonly HorizonPeriod[];
  /** The ensembles that the values are of, in order of time; only with `members: 'all'`. */
  readonly ensembles?: readonly EnsemblePeriod[];
}

/** The days on which members may come from a horizon: where two share days, members change on these. */
export interface HorizonPeriod extends DateRange {
  readonly horizon: 'short-term' | 'subseasonal' | 'seasonal';
}

/** The ensemble of the windows or days between two dates. */
export interface EnsemblePeriod extends DateRange {
  /** `blended` where members of several horizons are joined. */
  readonly horizon: HorizonPeriod['horizon'] | 'blended';
  readonly members: number;
  /** How many different ones these are; only where members of a small horizon are repeated. */
  readonly distinct_members?: number;
}

/**
 * The statistics of a window: the mean over members, a field for each requested quantile (`q05`, `q50`, `q025`,
 * `q100`), and the shares of members, from 0 to 1, of requested conditions (`p_gt_20`, `p_5_to_20`) and terciles.
 */
export interface StatisticsEntry {
  readonly mean: number | null;
  readonly [quantile: `q${number}`]: number | null;
  readonly [exceedance: `p_${'gt' | 'ge' | 'lt' | 'le'}_${number}`]: number | null;
  /** Of ranges, of quantiles of the climatology, and of several variables. */
  readonly [condition: `p_${string}_${string}`]: number | null;
  /** Below, within and above the terciles; only with `terciles`. */
  readonly p_below?: number | null;
  readonly p_normal?: number | null;
  readonly p_above?: number | null;
  /**
   * The skill of earlier forecasts against the climatology, by the CRPS and by the RPS of terciles, and how many they are; only
   * with `skill`.
   */
  readonly crpss?: number | null;
  readonly rpss?: number | null;
  readonly skill_cases?: number;
}

/** The body of `/v2/forecast`. */
export interface ForecastMembers<Slug extends string = string> extends ForecastMetadata {
  readonly variables: Readonly<
    Record<
      Slug,
      ForecastVariableMetadata & {
        /** From day to the values of all members, always in the same order. */
        readonly members: Readonly<Record<string, readonly (number | null)[]>>;
      }
    >
  >;
}

/** The body of `/v2/forecast/statistics`. */
export interface ForecastStatistics<Slug extends string = string> extends ForecastMetadata {
  readonly granularity: Granularity;
  /** The years of the terciles, and the climatology; only with `terciles`. */
  readonly reference_period?: string;
  readonly tercile_reference?: string;
  /** The first and the last verified day, `2026-01-01/2026-11-28`; only with `skill`, where there is a record. */
  readonly skill_period?: string;
  readonly variables: Readonly<
    Record<Slug, ForecastVariableMetadata & { readonly statistics: Readonly<Record<string, StatisticsEntry>> }>
  >;
}

/** The body of `/v2/history`. */
export interface History<Slug extends string = string> {
  readonly meta: {
    readonly variables: readonly Slug[];
    readonly granularity: Granularity;
    /** The point of the coarse grid. */
    readonly location: Location;
    /** The days in the response; null where there are none. */
    readonly period: DateRange | null;
    /** Whom to credit for the data. */
    readonly attribution?: string;
  };
  readonly data: Readonly<
    Record<Slug, VariableMetadata & { readonly values: Readonly<Record<string, number | null>> }>
  >;
}

/** Why there is no answer about a point: a problem of RFC 9457. */
export interface PointProblem {
  readonly type: string;
  readonly title: string;
  readonly status: number;
  readonly detail: string;
  /** Stable, to branch on: such as `location-not-covered`. */
  readonly code: string;
  readonly errors?: readonly ParameterFault[];
}

/** The body of a request for several points: in their order, the body about each point, or its problem. */
export interface Points<Body> {
  readonly points: readonly (Body | PointProblem)[];
}
