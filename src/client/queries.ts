import { assertShape } from '../assert-shape.js';
import { unusable } from '../errors.js';
import type { Granularity } from '../period/window-table.js';

/** What `/v2/forecast` is asked for. */
export interface ForecastQuery<Slug extends string = string> {
  /** Degrees, -90 to 90. */
  readonly latitude: number;
  /** Degrees, -180 to 180. */
  readonly longitude: number;
  /** Slugs. Default: all variables that there are and that are not derived. */
  readonly variables?: readonly Slug[];
  /** `YYYY-MM-DD`, inclusive. Default: the first day that there is; of a history, 365 days before the last. */
  readonly startDate?: string;
  /** `YYYY-MM-DD`, inclusive. Default: the last day that there is. */
  readonly endDate?: string;
  /** Whether to give 1 km data where there are any and the key has them provisioned. Default true. */
  readonly useDownscaling?: boolean;
}

/** What `/v2/history` is asked for. */
export interface HistoryQuery<Slug extends string = string> extends ForecastQuery<Slug> {
  /** The windows that days are combined in. Default: daily. */
  readonly granularity?: Granularity;
}

/** What `/v2/forecast/statistics` is asked for. */
export interface StatisticsQuery<Slug extends string = string> extends HistoryQuery<Slug> {
  /** From 0 to 1, of at most 6 decimals, at most 99 of them. Default: 0.05, 0.25, 0.5, 0.75, 0.95. */
  readonly quantiles?: readonly number[];
}

/** Throws OptionError for a query whose values have other types than they are declared with; the service checks which values they are. */
export function assertQuery(query: StatisticsQuery): void {
  const texts = { startDate: 'any text?', endDate: 'any text?', granularity: 'any text?' } as const;
  assertShape('query', query, { ...texts, variables: 'texts?', quantiles: 'list?', useDownscaling: 'flag?' });
  for (const value of [query.latitude, query.longitude, ...(query.quantiles ?? [])]) {
    if (typeof value !== 'number') throw unusable('query', value, 'numbers as latitude, longitude and quantiles');
  }
}

/** A query as the service takes it. Nothing is checked: the service tells of all that is wrong at once. */
export function queryString(query: StatisticsQuery): string {
  const parameters = new URLSearchParams();
  const add = (name: string, text: string | undefined) => text !== undefined && parameters.set(name, text);
  add('lat', String(query.latitude));
  add('lon', String(query.longitude));
  add('var', query.variables?.join());
  add('start_date', query.startDate);
  add('end_date', query.endDate);
  add('statistics', query.quantiles?.join());
  add('granularity', query.granularity);
  add('use_downscaling', query.useDownscaling?.toString());
  return parameters.toString();
}
