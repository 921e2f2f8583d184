import { LEGACY_CLIMATOLOGY, LEGACY_FORECAST, LEGACY_HISTORY } from './v1/schemas.js';
import { answerSchema } from './v2/answer-schema.js';
import { HISTORY } from './v2/history-answer.js';
import { MEMBERS } from './v2/members-answer.js';
import { STATISTICS } from './v2/statistics-answer.js';

/** The JSON Schemas (draft 2020-12) of all bodies, each with an example: components of an OpenAPI 3.1 document. */
export const responseSchemas: Record<
  'ForecastMembers' | 'ForecastStatistics' | 'History' | 'LegacyForecast' | 'LegacyHistory' | 'LegacyClimatology',
  object
> = {
  ForecastMembers: /* @__PURE__ */ answerSchema(MEMBERS),
  ForecastStatistics: /* @__PURE__ */ answerSchema(STATISTICS),
  History: /* @__PURE__ */ answerSchema(HISTORY),
  LegacyForecast: LEGACY_FORECAST,
  LegacyHistory: LEGACY_HISTORY,
  LegacyClimatology: LEGACY_CLIMATOLOGY,
};
