import { assertKnownKeys, type Choice } from '../check/option-checks.js';
import { unusable } from '../errors.js';
import type { Granularity } from '../period/period.js';
import type { Location } from './bodies.js';

/** The query of `/v2/forecast`. */
export interface ForecastQuery<Slug extends string = string> {
  /** Degrees, -90 to 90. */
  readonly latitude: number;
  /** Degrees, -180 to 180. */
  readonly longitude: number;
  /** Slugs. Default: all available variables that are not derived. */
  readonly variables?: readonly Slug[];
  /** `YYYY-MM-DD`, inclusive. Default: the first available day; in a history, 365 days before the last. */
  readonly startDate?: string;
  /** `YYYY-MM-DD`, inclusive. Default: the last available day. */
  readonly endDate?: string;
  /** Whether to give 1 km data where there are any and the key has them provisioned. Default true. */
  readonly useDownscaling?: boolean;
  /** Whether to give the days of each horizon that the forecast was blended from. Default false. */
  readonly horizons?: boolean;
  /** Where one horizon suffices, all of its members (`all`), or the blended ones. Default: blended. */
  readonly members?: Choice<'all' | 'blended'>;
}

/** The query of `/v2/history`. */
export interface HistoryQuery<Slug extends string = string> extends Omit<ForecastQuery<Slug>, 'horizons' | 'members'> {
  /** The windows that days are combined in. Default: daily. */
  readonly granularity?: Choice<Granularity>;
}

/** The query of `/v2/forecast/statistics`. */
export interface StatisticsQuery<Slug extends string = string> extends HistoryQuery<Slug>, ForecastQuery<Slug> {
  /** From 0 to 1, of at most 6 decimals, at most 99 of them. Default: 0.05, 0.25, 0.5, 0.75, 0.95. */
  readonly quantiles?: readonly number[];
  /**
   * Conditions by variable, in its unit, such as `>20`, `5..20`, and `>q90` of the climatology; or a list of conditions
   * that name their variables, such as `precipitation>5 and temp_mean<0`. Of each the share of members for which it
   * holds, as `p_gt_20` or `p_precipitation_gt_5_and_temp_mean_lt_0`. At most 99 comparisons and ranges. Default: none.
   */
  readonly thresholds?: Conditions<Slug>;
  /**
   * Whether to give the shares of members below, within and above the terciles of the history: `p_below`, `p_normal`,
   * `p_above`. Default false.
   */
  readonly terciles?: boolean;
  /**
   * Whether to say how good earlier forecasts were at the place and lead of each window: `crpss`, `rpss`, `skill_cases`. Default
   * false.
   */
  readonly skill?: boolean;
}

/** Lists of conditions by variable, or one list of conditions that name their variables. */
export type Conditions<Slug extends string = string> =
  | Readonly<Partial<Record<Slug, readonly string[]>>>
  | readonly string[];

/** A query of several points in place of one: 1 to 100. */
export type PointsQuery<Query> = Omit<Query, 'latitude' | 'longitude'> & {
  readonly points: readonly Location[];
};

/** The fields of all queries. */
export type AnyQuery = Partial<StatisticsQuery & PointsQuery<StatisticsQuery>>;

/** The parameters of the fields of all queries together: the service knows which of them an endpoint takes. */
const PARAMETERS: { readonly [Name in keyof AnyQuery]-?: string } = {
  ...{ latitude: 'lat', longitude: 'lon', points: 'points', variables: 'var' },
  ...{ startDate: 'start_date', endDate: 'end_date', quantiles: 'statistics', granularity: 'granularity' },
  ...{
    thresholds: 'threshold',
    terciles: 'terciles',
    skill: 'skill',
    useDownscaling: 'use_downscaling',
    horizons: 'horizons',
  },
  ...{ members: 'members' },
};
const PLACE_FIELDS: readonly (keyof Location)[] = ['latitude', 'longitude'];

/** Throws OptionError for a field that no query has: it would not be sent. */
function checkQuery(query: object & { readonly points?: unknown }): void {
  if (Object(query) !== query) return;
  assertKnownKeys(query, Object.keys(PARAMETERS), 'query');
  const { points } = query;
  if (!Array.isArray(points)) return;
  for (const [i, point] of points.entries()) {
    if (Object(point) === point) assertKnownKeys(point, PLACE_FIELDS, `query.points[${i}]`);
  }
}

/**
 * Writes a query as the service reads it; `hasPlace` says that it has one without coordinates. Values are not checked, as the
 * service reports all faults at once. Throws OptionError for unknown fields, and for an object in place of a value, such as a table.
 */
export function formatQuery(query: AnyQuery, hasPlace?: boolean): string {
  checkQuery(query);
  try {
    return queryString(query, hasPlace);
  } catch (cause) {
    throw unusable('query', query, `{ latitude, longitude, ... } (${cause})`);
  }
}

function queryString(query: AnyQuery, hasPlace = query.points !== undefined): string {
  const parameters = new URLSearchParams();
  const { points, thresholds } = query;
  const values: Readonly<Record<string, unknown>> = {
    ...query,
    points: points?.map(({ latitude, longitude }) => `${latitude},${longitude}`).join(';'),
    thresholds: thresholds && conditions(thresholds),
  };
  for (const [field, name] of Object.entries(PARAMETERS)) {
    const value = values[field];
    if ([value].flat()[0] instanceof Object) throw field;
    // A query without any point is sent as it is: the service says what is missing. Lists are joined by commas.
    const isMissing = !hasPlace && (PLACE_FIELDS as readonly string[]).includes(field);
    if (value !== undefined || isMissing) parameters.set(name, `${value}`);
  }
  return parameters.toString();
}

/** All conditions, which name their variables; undefined where there are none. */
function conditions(thresholds: Conditions): string | undefined {
  const all = Array.isArray(thresholds)
    ? thresholds
    : Object.entries(thresholds as Exclude<Conditions, readonly string[]>).flatMap(([slug, list = []]) =>
        list.map((one) => `${slug} ${one}`),
      );
  return all.join() || undefined;
}
