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
export { type AskOptions, type Client, createClient } from './create-client.js';
export type { Conditions, ForecastQuery, HistoryQuery, PointsQuery, StatisticsQuery } from './queries.js';
export type { AnswerForm, Forms } from './read-response.js';
export type { RateLimitState, ResponseInfo } from './response-info.js';
export { type ParameterFault, ServiceError, type ServiceErrorParts } from './service-error.js';
