import type { Point } from '../../ensemble/nearest-place.js';
import type { Granularity } from '../../period/window-table.js';
import type { Variable } from '../../variable/variable.js';

/*
 * Queries: the checked parameters of each endpoint, as values.
 */

/** What all `/v2` endpoints take. */
export interface TimelineQuery {
  readonly point: Point;
  /** In the order requested, each once; undefined for all that are not derived. */
  readonly variables: readonly Variable[] | undefined;
  /** Day numbers, inclusive, as requested: they may lie outside the data. */
  readonly startDay: number | undefined;
  readonly endDay: number | undefined;
  /** Whether 1 km data are requested and the key has them provisioned. */
  readonly downscaling: boolean;
}

export interface StatisticsQuery extends TimelineQuery {
  readonly quantiles: readonly number[];
  readonly granularity: Granularity;
}

export interface HistoryQuery extends TimelineQuery {
  readonly granularity: Granularity;
}

/** What all legacy endpoints take. */
export interface LegacyQuery {
  readonly point: Point;
  /** The id of the stored location, where the request names one. */
  readonly locationId: string | undefined;
  readonly variables: readonly Variable[] | undefined;
}

export interface LegacyPeriodQuery extends LegacyQuery {
  readonly granularity: Granularity;
}
