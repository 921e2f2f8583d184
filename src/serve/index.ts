export type { Answers } from './answers/answers.js';
export { type AnswersOptions, createAnswers } from './answers/create-answers.js';
export type { CorsOptions } from './cors.js';
export { createHandler, type Handler } from './create-handler.js';
export type { HandlerOptions, RateLimit, RateLimited, RequestMetric, RequestRecord, Wait } from './handler-options.js';
export { type OpenApiOptions, openApiDocument } from './openapi/document.js';
export { type ParameterFault, ProblemError } from './problem-error.js';
export type { HistoryQuery, LegacyPeriodQuery, LegacyQuery, StatisticsQuery, TimelineQuery } from './queries.js';
