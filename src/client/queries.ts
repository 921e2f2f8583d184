import type { Granularity } from '../period/window-table.js';

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
}

/** The query of `/v2/history`. */
export interface HistoryQuery<Slug extends string = string> extends ForecastQuery<Slug> {
  /** The windows that days are combined in. Default: daily. */
  readonly granularity?: Granularity;
}

/** The query of `/v2/forecast/statistics`. */
export interface StatisticsQuery<Slug extends string = string> extends HistoryQuery<Slug> {
  /** From 0 to 1, of at most 6 decimals, at most 99 of them. Default: 0.05, 0.25, 0.5, 0.75, 0.95. */
  readonly quantiles?: readonly number[];
}

/** Writes a query as the service reads it. Nothing is checked: the service reports all faults at once. */
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
