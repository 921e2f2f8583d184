import type { FloatArray } from '../core/number-arrays.js';
import type { Granularity, WindowTable } from '../period/period.js';
import type { Threshold } from '../statistics/options.js';
import type { Statistic } from '../statistics/statistic.js';
import type { StatisticsColumns } from '../statistics/statistics-columns.js';
import type { HorizonName } from '../variable/availability.js';
import type { Variable } from '../variable/variable.js';

/*
 * What the service answers, before it is written: plain data, one object for each kind of response. Values belong to
 * one place, in the variable's unit, NaN where missing, not yet rounded.
 */

export interface Location {
  readonly latitude: number;
  readonly longitude: number;
}

/** Days as day numbers, both inclusive. */
export interface DayRange {
  readonly firstDay: number;
  readonly lastDay: number;
}

/** What all variables of an answer have in common. */
export interface VariableAnswer {
  readonly variable: Variable;
  /** Whether the values are those of the 1 km grid. */
  readonly downscaled: boolean;
  /** The place of the values. */
  readonly location: Location;
}

/**
 * The days of a blended timeline on which members may come from a horizon. Where two horizons share days, members
 * change from one to the other on these, one after the other.
 */
export interface HorizonRange extends DayRange {
  readonly horizon: HorizonName;
}

/** The ensemble that the values of consecutive days or windows of an answer are of. */
export interface EnsembleRange extends DayRange {
  /** The horizon whose members they are; undefined where members of several are joined, or horizons are not known. */
  readonly horizon?: HorizonName;
  readonly members: number;
  /** How many different ones these are, where members of a small horizon are repeated. */
  readonly distinctMembers?: number;
}

/** What all variables of the blended forecast have in common. */
export interface TimelineVariableAnswer extends VariableAnswer {
  /** From the shortest horizon; undefined where they are not requested, or the data do not have them. */
  readonly horizons?: readonly HorizonRange[];
  /** For all days or windows of the answer, in order; undefined where not all members are requested. */
  readonly ensembles?: readonly EnsembleRange[];
}

/** How many there are, and how many the last complete run had. */
export interface Shortage {
  readonly received: number;
  readonly expected: number;
}

/** What the run of a horizon lacks, compared with the last complete one. */
export interface Shortfall {
  readonly horizon: HorizonName;
  readonly members?: Shortage;
  readonly days?: Shortage;
  /** The slugs of variables that it does not have. */
  readonly variables?: readonly string[];
  /** Whether it has no 1 km data yet. */
  readonly fine?: boolean;
}

/** By variable, the multiples to which its values were rounded where they were stored; undefined where all are exact. */
export type StoredPrecision = Readonly<Record<string, number>>;

/** What the answers of the blended forecast have in common. */
export interface ForecastAnswer {
  readonly initTime: string;
  readonly version: string;
  readonly generation: string;
  readonly attribution?: string;
  readonly requested: Location;
  /** The coarse place. */
  readonly closest: Location;
  /** The days in the answer; undefined where there are none. */
  readonly period: DayRange | undefined;
  /** What the runs of horizons lack; undefined where they are complete, or that is not known. */
  readonly incomplete?: readonly Shortfall[];
  readonly precision?: StoredPrecision;
}

/** `/v2/forecast`: raw members. */
export interface MembersAnswer extends ForecastAnswer {
  readonly variables: readonly (TimelineVariableAnswer & {
    /** Day number of the first day. */
    readonly firstDay: number;
    readonly days: number;
    /** One array of `days` values for each member. */
    readonly members: readonly FloatArray[];
  })[];
}

/** `/v2/forecast/statistics` */
export interface StatisticsAnswer extends ForecastAnswer {
  readonly granularity: Granularity;
  /** In the order requested. */
  readonly quantiles: readonly number[];
  readonly variables: readonly (TimelineVariableAnswer & {
    readonly windows: WindowTable;
    /** An entry for each window; one array for each of `quantiles`, and of `thresholds`. */
    readonly statistics: StatisticsColumns;
    /** Those of `statistics.probabilities`, in the order requested. Default: none. */
    readonly thresholds?: readonly Threshold[];
    /** Of other conditions, in the order requested. Default: none. */
    readonly conditions?: readonly ConditionShare[];
    /** What quantiles in conditions are of; undefined where there are none. */
    readonly climatology?: ClimatologyName;
    /** Undefined where none are requested. */
    readonly terciles?: TercileShares;
    /** Undefined where it is not requested. */
    readonly skill?: WindowSkill;
  })[];
}

/** How good earlier forecasts at the lead of each window were, against the climatology: NaN where it is not known. */
export interface WindowSkill {
  /** 1 minus the ratio of the scores: CRPS, and RPS of terciles. */
  readonly crps: Float32Array;
  readonly rps: Float32Array;
  /** The number of cases; 0 where there is no record. */
  readonly cases: Int32Array;
  /** The days that were verified; undefined without cases. */
  readonly period: DayRange | undefined;
}

/** The shares of members in the terciles of a climatology, an entry for each window. */
export interface TercileShares {
  /** Below, within and above the limits. */
  readonly shares: readonly FloatArray[];
  /** The climatology; undefined where there is none, and all shares are missing. */
  readonly climatology?: ClimatologyName;
}

/** A climatology that members are compared with. */
export interface ClimatologyName {
  readonly name: string;
  /** Its years, such as `1993-2022`. */
  readonly reference: string;
}

/** The share of members for which a condition holds, an entry for each window. */
export interface ConditionShare {
  readonly statistic: Statistic;
  readonly values: Float32Array;
}

/** `/v2/history` */
export interface HistoryAnswer {
  readonly granularity: Granularity;
  readonly location: Location;
  readonly period: DayRange | undefined;
  readonly attribution?: string;
  readonly precision?: StoredPrecision;
  readonly variables: readonly (VariableAnswer & {
    readonly windows: WindowTable;
    /** One for each window. */
    readonly values: FloatArray;
  })[];
}

/** Answers about several points, in the order requested; a point may have a problem instead. */
export interface PointsAnswer<Answer> {
  readonly points: readonly PointAnswer<Answer>[];
}

/**
 * The answer about one of several points; or its problem: plain data, as the body of a response of its own; or the
 * bodies of some consecutive points as JSON, separated by commas, where these are written already.
 */
export type PointAnswer<Answer> =
  | { readonly requested: Location; readonly answer: Answer; readonly problem?: undefined; readonly bodies?: undefined }
  | { readonly problem: Readonly<Record<string, unknown>>; readonly answer?: undefined; readonly bodies?: undefined }
  | { readonly bodies: WrittenBodies; readonly answer?: undefined; readonly problem?: undefined };

/** Bodies of consecutive points as JSON, separated by commas. */
export interface WrittenBodies {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly points: number;
}

/** What all legacy answers have in common. */
export interface LegacyAnswer {
  readonly granularity: Granularity;
  readonly location: Location;
  readonly locationId?: string;
  /** Slugs of requested variables that the data do not have. */
  readonly dropped: readonly string[];
  readonly attribution?: string;
}

/** `/v1/forecast/...`: `statistics` is for the quantiles 0.05, 0.25, 0.5, 0.75, 0.95. */
export interface LegacyForecastAnswer extends LegacyAnswer {
  readonly initTime: string;
  readonly variables: readonly {
    readonly variable: Variable;
    readonly windows: WindowTable;
    readonly statistics: StatisticsColumns;
    /** Shares below, within and above the terciles, an entry for each window; absent where the answer has none. */
    readonly terciles?: readonly [FloatArray, FloatArray, FloatArray];
  }[];
  /** The climatology of the terciles, and its years; undefined where there are no terciles. */
  readonly tercileReference?: string;
  readonly referencePeriod?: string;
}

/** `/v1/history`: daily values. */
export interface LegacyHistoryAnswer extends LegacyAnswer {
  readonly variables: readonly {
    readonly variable: Variable;
    readonly firstDay: number;
    /** One for each day. */
    readonly values: FloatArray;
  }[];
}

/** `/v1/climatology` */
export interface LegacyClimatologyAnswer extends LegacyAnswer {
  readonly referencePeriod: string;
  /** The periods of the year in order: `MM-DD`, `W01`, or `MM`. */
  readonly keys: readonly string[];
  readonly variables: readonly {
    readonly variable: Variable;
    /** An array with one value for each key, for each of the quantiles 0.05, 0.25, 0.5, 0.75, 0.95. */
    readonly quantiles: readonly FloatArray[];
  }[];
}
