export type { Ask, AskOptions } from './ask-options.js';
export type {
  DateRange,
  EnsemblePeriod,
  ForecastMembers,
  ForecastMetadata,
  ForecastStatistics,
  ForecastVariableMetadata,
  History,
  HorizonPeriod,
  IncompleteRun,
  Location,
  PointProblem,
  Points,
  StatisticsEntry,
  VariableMetadata,
} from './bodies.js';
export type { ClientOptions } from './client-options.js';
export { type Client, createClient } from './create-client.js';
export type { Conditions, ForecastQuery, HistoryQuery, PointsQuery, StatisticsQuery } from './queries.js';
export type { AnswerForm, Forms } from './read-response.js';
export type { RateLimitState, ResponseInfo } from './response-info.js';
export { type ParameterFault, ServiceError, type ServiceErrorParts } from './service-error.js';
export type {
  V1Climatology,
  V1Entry,
  V1Forecast,
  V1History,
  V1Metadata,
  V1Probabilities,
  V1Quantiles,
} from './v1-bodies.js';
export {
  type V1AskOptions,
  type V1Client,
  type V1Endpoints,
  type V1HistoryQuery,
  type V1Query,
  v1Endpoints,
} from './v1-endpoints.js';
