export { type Answers, type AnswersOptions, createAnswers } from '../endpoints/answers.js';
export type { ForecastQuery, TimelineParameters } from '../endpoints/current-endpoint.js';
export type { StatisticsParameters } from '../endpoints/forecast-statistics.js';
export type { HistoryParameters } from '../endpoints/history.js';
export type { LegacyPeriodParameters } from '../endpoints/legacy-climatology.js';
export type { LegacyParameters } from '../endpoints/legacy-endpoint.js';
export type { LegacyForecastParameters } from '../endpoints/legacy-forecast.js';
export type { RequestedCondition } from '../point/condition-shares.js';
export type { Pause } from '../point/pause.js';
export { type ParameterFault, ProblemError } from '../problem-error.js';
export type { RequestSpan, TracedOutcome, TracedPart, TracedRequest, Tracing } from '../tracing.js';
export {
  type CompressionOptions,
  type ContentCoding,
  type ResponseCompression,
  streamCompression,
} from './compression.js';
export { createHandler, type Handler } from './create-handler.js';
export type {
  ErrorContext,
  HandlerOptions,
  RequestMetric,
  RequestRecord,
} from './handler-options.js';
export type { Mcp, McpAnswer, McpMessage, McpReply } from './mcp/mcp.js';
export { type OpenApiOptions, openApiDocument } from './openapi/document.js';
export {
  type Allowance,
  createRateLimit,
  type RateDecision,
  type RateLimit,
  type RateLimited,
  type RateStore,
  type RateTake,
} from './rate-limit.js';
export type { HandlerState } from './replies.js';
export type { TraceContext } from './request-context.js';
export type { CorsOptions } from './response-parts.js';
export type { DayQuota, UsageMeter } from './usage-meter.js';
export type { WorkLimits } from './work-queue.js';
