import { assertKnownKeys, type Choice } from '../check/option-checks.js';
import { unusable } from '../errors.js';
import type { Granularity } from '../period/period.js';
import type { Ask, AskOptions } from './ask-options.js';
import type { HorizonPeriod, Location } from './bodies.js';
import { formatQuery } from './queries.js';
import type { V1Climatology, V1Forecast, V1History } from './v1-bodies.js';

/** The query of `/v1/history`: a point, or the id of a stored location. */
export type V1HistoryQuery<Slug extends string = string> = (Location | { readonly locationId: string }) & {
  /** Slugs. Default: all available variables that are not derived. */
  readonly variables?: readonly Slug[];
};

/** The query of the other `/v1` endpoints. */
export type V1Query<Slug extends string = string> = V1HistoryQuery<Slug> & {
  /** The windows that days are combined in: not every horizon has all. Default: daily. */
  readonly granularity?: Choice<Granularity>;
};

/** Options of a request to `/v1`, which answers as JSON alone. */
export type V1AskOptions = Omit<AskOptions, 'as'>;

/** The `/v1` endpoints of a client. */
export interface V1Client {
  /** One horizon by itself: mean, five quantiles, and of weeks and months shares of terciles. */
  forecast<const Slug extends string = string>(
    horizon: Choice<HorizonPeriod['horizon']>,
    query: V1Query<Slug>,
    options?: V1AskOptions,
  ): Promise<V1Forecast<Slug>>;
  /** The last 366 days, where the operator pre-loaded them. */
  history<const Slug extends string = string>(
    query: V1HistoryQuery<Slug>,
    options?: V1AskOptions,
  ): Promise<V1History<Slug>>;
  /** Five quantiles of 1993 to 2022 for each day, week or month of the year. */
  climatology<const Slug extends string = string>(
    query: V1Query<Slug>,
    options?: V1AskOptions,
  ): Promise<V1Climatology<Slug>>;
}

/** What makes the `/v1` endpoints of a client: `v1Endpoints`. */
export type V1Endpoints = (ask: Ask) => V1Client;

const HORIZONS: readonly string[] = ['short-term', 'subseasonal', 'seasonal'];
const PLACE = ['latitude', 'longitude', 'locationId', 'variables'];

/** The `/v1` endpoints, for the option `v1` of `createClient`. */
export function v1Endpoints(ask: Ask): V1Client {
  return {
    forecast: (horizon: string, query: V1Query, options?: V1AskOptions) =>
      ask(() => {
        if (!HORIZONS.includes(horizon)) throw unusable('horizon', horizon, HORIZONS.join(', '));
        return targetOf(`/v1/forecast/${horizon}`, query);
      }, options),
    history: (query: V1Query, options?: V1AskOptions) => ask(() => targetOf('/v1/history', query, PLACE), options),
    climatology: (query: V1Query, options?: V1AskOptions) => ask(() => targetOf('/v1/climatology', query), options),
  } as V1Client;
}

/** The path and query of a request. Throws OptionError for fields that the endpoint would ignore. */
function targetOf(path: string, query: V1Query, fields: readonly string[] = [...PLACE, 'granularity']): string {
  assertKnownKeys(query, fields, 'query');
  const { locationId, ...others }: Partial<Location & { readonly locationId: string }> = query;
  if (locationId === undefined) return `${path}?${formatQuery(others)}`;
  if (others.latitude !== undefined || others.longitude !== undefined) {
    throw unusable('query', query, 'latitude and longitude, or locationId');
  }
  if (!/^[\w-]{1,64}$/.test(locationId)) throw unusable('locationId', locationId, '1 to 64 letters, digits, - and _');
  return `${path}/location/${locationId}?${formatQuery(others, true)}`;
}
