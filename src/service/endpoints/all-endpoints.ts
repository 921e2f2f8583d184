import { HORIZONS } from '../../variable/availability.js';
import type { Variable } from '../../variable/variable.js';
import { pointsEndpoint } from './current-endpoint.js';
import type { Endpoint } from './endpoint.js';
import { forecastEndpoint } from './forecast.js';
import { forecastStatisticsEndpoint } from './forecast-statistics.js';
import { historyEndpoint } from './history.js';
import { legacyClimatologyEndpoints } from './legacy-climatology.js';
import { legacyForecastEndpoints } from './legacy-forecast.js';
import { legacyHistoryEndpoints } from './legacy-history.js';

/** Every endpoint that answers with data; `extra` are variables besides the built-in ones. */
export function createEndpoints(extra: readonly Variable[] = []): Endpoint[] {
  const current = [forecastEndpoint(extra), forecastStatisticsEndpoint(extra), historyEndpoint(extra)];
  return [
    ...current.flatMap((endpoint) => [endpoint, pointsEndpoint(endpoint)]),
    ...HORIZONS.flatMap((horizon) => legacyForecastEndpoints(horizon, extra)),
    ...legacyHistoryEndpoints(extra),
    ...legacyClimatologyEndpoints(extra),
  ];
}
