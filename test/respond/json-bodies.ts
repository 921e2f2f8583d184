import type {
  HistoryAnswer,
  LegacyClimatologyAnswer,
  LegacyForecastAnswer,
  LegacyHistoryAnswer,
  MembersAnswer,
} from '../../src/respond/answer-data.js';
import { JsonWriter } from '../../src/respond/json-writer.js';
import { writeLegacyClimatology, writeLegacyForecast, writeLegacyHistory } from '../../src/respond/v1/legacy-json.js';
import { answerParts, completeJson } from '../../src/respond/v2/answer-json.js';
import { HISTORY } from '../../src/respond/v2/history-answer.js';
import { MEMBERS } from '../../src/respond/v2/members-answer.js';
import { STATISTICS, type WrittenStatistics } from '../../src/respond/v2/statistics-answer.js';

/*
 * The bodies of responses as the service writes them.
 */

export function membersJson(answer: MembersAnswer, writer = new JsonWriter()) {
  return completeJson(answerParts(MEMBERS, answer, writer), writer);
}

export function statisticsJson(answer: WrittenStatistics, writer = new JsonWriter()) {
  return completeJson(answerParts(STATISTICS, answer, writer), writer);
}

export function historyJson(answer: HistoryAnswer, writer = new JsonWriter()) {
  return completeJson(answerParts(HISTORY, answer, writer), writer);
}

export function legacyForecastJson(answer: LegacyForecastAnswer, writer = new JsonWriter()) {
  return writeLegacyForecast(answer, writer);
}

export function legacyHistoryJson(answer: LegacyHistoryAnswer, writer = new JsonWriter()) {
  return writeLegacyHistory(answer, writer);
}

export function legacyClimatologyJson(answer: LegacyClimatologyAnswer, writer = new JsonWriter()) {
  return writeLegacyClimatology(answer, writer);
}
