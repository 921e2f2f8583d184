import type { Table } from 'apache-arrow';
import {
  historyJson,
  type JsonWriter,
  legacyClimatologyJson,
  legacyForecastJson,
  legacyHistoryJson,
  membersJson,
  statisticsJson,
} from '../respond/index.js';
import type { Snapshot } from '../store/source.js';
import type { Horizon } from '../variable/availability.js';
import type { Answers } from './answers/answers.js';
import type { HistoryQuery, LegacyPeriodQuery, StatisticsQuery } from './queries.js';

/** What any endpoint asks for, checked. */
export interface DataQuery extends StatisticsQuery, HistoryQuery, LegacyPeriodQuery {
  readonly horizon: Horizon | undefined;
}

/** The media types of answers, JSON first: it is the default. */
export const JSON_TYPE = 'application/json';
export const CSV_TYPE = 'text/csv';
export const ARROW_TYPE = 'application/vnd.apache.arrow.stream';

export type MediaType = typeof JSON_TYPE | typeof CSV_TYPE | typeof ARROW_TYPE;

/** The `Content-Type` of each. */
export const CONTENT_TYPES: Readonly<Record<MediaType, string>> = {
  [JSON_TYPE]: JSON_TYPE,
  [CSV_TYPE]: 'text/csv; charset=utf-8; header=present',
  [ARROW_TYPE]: ARROW_TYPE,
};

/** One kind of answer: the media types that it has, and how it is computed and written. */
export interface AnswerForm {
  /** The name of its schema in the OpenAPI document. */
  readonly schema: string;
  /** In order of preference. */
  readonly mediaTypes: readonly MediaType[];
  /** The bytes of a response; JSON is written with `writer`. Rejects with what `answers` throws. */
  body(
    answers: Answers,
    data: Snapshot,
    query: DataQuery,
    mediaType: MediaType,
    writer: JsonWriter,
  ): Promise<Uint8Array>;
}

type Tables = typeof import('../respond/tables.js');

/** Every kind of answer. */
export const FORMS = {
  members: /* @__PURE__ */ current(
    'ForecastMembers',
    (answers, data, query) => answers.members(data, query),
    membersJson,
    (tables, answer) => tables.membersTable(answer),
  ),
  statistics: /* @__PURE__ */ current(
    'ForecastStatistics',
    (answers, data, query) => answers.statistics(data, query),
    statisticsJson,
    (tables, answer) => tables.statisticsTable(answer),
  ),
  history: /* @__PURE__ */ current(
    'History',
    (answers, data, query) => answers.history(data, query),
    historyJson,
    (tables, answer) => tables.historyTable(answer),
  ),
  legacyForecast: /* @__PURE__ */ legacy(
    'LegacyForecast',
    (answers, data, query) => answers.legacyForecast(data, query.horizon as Horizon, query),
    legacyForecastJson,
  ),
  legacyHistory: /* @__PURE__ */ legacy(
    'LegacyHistory',
    (answers, data, query) => answers.legacyHistory(data, query),
    legacyHistoryJson,
  ),
  legacyClimatology: /* @__PURE__ */ legacy(
    'LegacyClimatology',
    (answers, data, query) => answers.legacyClimatology(data, query),
    legacyClimatologyJson,
  ),
};

type Compute<Answer> = (answers: Answers, data: Snapshot, query: DataQuery) => Answer | Promise<Answer>;

function current<Answer>(
  schema: string,
  compute: Compute<Answer>,
  toJson: (answer: Answer, writer: JsonWriter) => Uint8Array,
  toTable: (tables: Tables, answer: Answer) => Table,
): AnswerForm {
  return {
    schema,
    mediaTypes: [JSON_TYPE, CSV_TYPE, ARROW_TYPE],
    async body(answers, data, query, mediaType, writer) {
      const answer = await compute(answers, data, query);
      if (mediaType === JSON_TYPE) return toJson(answer, writer);
      // Arrow is loaded only where it is asked for.
      const tables = await import('../respond/tables.js');
      const table = toTable(tables, answer);
      return mediaType === CSV_TYPE ? tables.tableCsv(table) : tables.tableArrowStream(table);
    },
  };
}

function legacy<Answer>(
  schema: string,
  compute: Compute<Answer>,
  toJson: (answer: Answer, writer: JsonWriter) => Uint8Array,
): AnswerForm {
  return {
    schema,
    mediaTypes: [JSON_TYPE],
    body: async (answers, data, query, _, writer) => toJson(await compute(answers, data, query), writer),
  };
}
