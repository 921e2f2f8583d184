export { type Answers, type AnswersOptions, createAnswers } from '../endpoints/answers.js';
export type { TimelineQuery } from '../endpoints/current-endpoint.js';
export type { StatisticsQuery } from '../endpoints/forecast-statistics.js';
export type { HistoryQuery } from '../endpoints/history.js';
export type { LegacyPeriodQuery } from '../endpoints/legacy-climatology.js';
export type { LegacyQuery } from '../endpoints/legacy-endpoint.js';
export type { LegacyForecastQuery } from '../endpoints/legacy-forecast.js';
export type { Pause } from '../point/pause.js';
export { type ParameterFault, ProblemError } from '../problem-error.js';
export { type Compression, type CompressionOptions, type ContentCoding, streamCompression } from './compression.js';
export { createHandler, type Handler } from './create-handler.js';
export type {
  ErrorContext,
  HandlerOptions,
  RequestMetric,
  RequestRecord,
} from './handler-options.js';
export { type OpenApiOptions, openApiDocument } from './openapi/document.js';
export type { RateQuota } from './rate-limit.js';
export {
  type Allowance,
  createRateLimit,
  type RateDecision,
  type RateLimit,
  type RateLimited,
} from './rate-limit.js';
export type { HandlerState } from './replies.js';
export type { TraceContext } from './request-context.js';
export type { CorsOptions } from './response-parts.js';
export type { WorkLimits } from './work-queue.js';
