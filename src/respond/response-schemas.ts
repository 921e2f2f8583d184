import { LEGACY_CLIMATOLOGY, LEGACY_FORECAST, LEGACY_HISTORY } from './v1/schemas.js';
import { FORECAST_MEMBERS, FORECAST_STATISTICS, HISTORY } from './v2/schemas.js';

/** The JSON Schemas (draft 2020-12) of all bodies, each with an example: components of an OpenAPI 3.1 document. */
export const responseSchemas: Record<
  'ForecastMembers' | 'ForecastStatistics' | 'History' | 'LegacyForecast' | 'LegacyHistory' | 'LegacyClimatology',
  object
> = {
  ForecastMembers: FORECAST_MEMBERS,
  ForecastStatistics: FORECAST_STATISTICS,
  History: HISTORY,
  LegacyForecast: LEGACY_FORECAST,
  LegacyHistory: LEGACY_HISTORY,
  LegacyClimatology: LEGACY_CLIMATOLOGY,
};
