import type { Table } from 'apache-arrow';
import type { FloatArray } from '../../core/float-array.js';
import { legacyClimatologyJson, legacyForecastJson, legacyHistoryJson } from '../../respond/index.js';
import { completeJson, type JsonPart, jsonPieces } from '../../respond/json-parts.js';
import { assertFinite, JsonWriter } from '../../respond/json-writer.js';
import { historyParts } from '../../respond/v2/history-json.js';
import { membersParts } from '../../respond/v2/members-json.js';
import { statisticsParts } from '../../respond/v2/statistics-json.js';
import type { HorizonName } from '../../variable/availability.js';
import type { Answers } from '../answers/answers.js';
import type { Pause } from '../answers/pause.js';
import type { Snapshot } from '../source/source.js';
import type { HistoryQuery, LegacyPeriodQuery, StatisticsQuery } from './queries.js';

/** The query of any endpoint, checked. */
export interface DataQuery extends StatisticsQuery, HistoryQuery, LegacyPeriodQuery {
  readonly horizon: HorizonName | undefined;
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

/**
 * The bytes of a response: all at once, or for a long one, whose values are computed already, in pieces that are
 * written on demand.
 */
type Body = Uint8Array | Generator<Uint8Array>;

/** One kind of answer: its media types, and how it is computed and written. */
export interface AnswerForm {
  /** The name of its schema in the OpenAPI document. */
  readonly schema: string;
  /** In order of preference. */
  readonly mediaTypes: readonly MediaType[];
  /** The body of a response; short JSON is written with `writer`. Rejects with what `answers` and `pause` throw. */
  body(
    answers: Answers,
    data: Snapshot,
    query: DataQuery,
    mediaType: MediaType,
    { writer, pause }: { readonly writer: JsonWriter; readonly pause: Pause },
  ): Promise<Body>;
}

/** A body of at most so many numbers and labels is written at once: it takes a few milliseconds. */
const MAX_SHORT_CELLS = 16_384;
/** The columns of a table that hold no values. */
const LABEL_COLUMNS = 9;

/** Each variable's columns of numbers. */
type Columns = readonly (readonly FloatArray[])[];

function cellsOf(columns: Columns, labels: number): number {
  let cells = 0;
  for (const ofVariable of columns) cells += (ofVariable.length + labels) * (ofVariable[0]?.length ?? 0);
  return cells;
}

type Tables = typeof import('../../respond/v2/tables.js');

/** Every kind of answer. */
export const FORMS = {
  members: /* @__PURE__ */ current(
    'ForecastMembers',
    (answers, data, query, pause) => answers.members(data, query, pause),
    ({ variables }) => variables.map(({ members }) => members),
    membersParts,
    (tables, answer, isShared) => tables.membersTables(answer, isShared),
  ),
  statistics: /* @__PURE__ */ current(
    'ForecastStatistics',
    (answers, data, query, pause) => answers.statistics(data, query, pause),
    ({ variables }) => variables.map(({ statistics: { mean, quantiles } }) => [mean, ...quantiles]),
    statisticsParts,
    (tables, answer, isShared) => tables.statisticsTables(answer, isShared),
  ),
  history: /* @__PURE__ */ current(
    'History',
    (answers, data, query, pause) => answers.history(data, query, pause),
    ({ variables }) => variables.map(({ values }) => [values]),
    historyParts,
    (tables, answer, isShared) => tables.historyTables(answer, isShared),
  ),
  legacyForecast: /* @__PURE__ */ legacy(
    'LegacyForecast',
    (answers, data, query, pause) => answers.legacyForecast(data, query.horizon as HorizonName, query, pause),
    legacyForecastJson,
  ),
  legacyHistory: /* @__PURE__ */ legacy(
    'LegacyHistory',
    (answers, data, query, pause) => answers.legacyHistory(data, query, pause),
    legacyHistoryJson,
  ),
  legacyClimatology: /* @__PURE__ */ legacy(
    'LegacyClimatology',
    (answers, data, query, pause) => answers.legacyClimatology(data, query, pause),
    legacyClimatologyJson,
  ),
};

type Compute<Answer> = (answers: Answers, data: Snapshot, query: DataQuery, pause: Pause) => Answer | Promise<Answer>;

function current<Answer>(
  schema: string,
  compute: Compute<Answer>,
  columnsOf: (answer: Answer) => Columns,
  jsonParts: (answer: Answer, writer: JsonWriter) => JsonPart[],
  toTables: (tables: Tables, answer: Answer, isShared: boolean) => Iterable<Table>,
): AnswerForm {
  return {
    schema,
    mediaTypes: [JSON_TYPE, CSV_TYPE, ARROW_TYPE],
    async body(answers, data, query, mediaType, { writer, pause }) {
      const answer = await compute(answers, data, query, pause);
      const columns = columnsOf(answer);
      if (mediaType === JSON_TYPE) {
        if (cellsOf(columns, 0) <= MAX_SHORT_CELLS) return completeJson(jsonParts(answer, writer), writer);
        // An infinite value must be found before the body begins: then it is too late for an error response.
        for (const column of columns.flat()) assertFinite(column);
        const ownWriter = new JsonWriter();
        return jsonPieces(jsonParts(answer, ownWriter), ownWriter);
      }
      // Arrow is loaded only for requests that need it.
      const tables = await import('../../respond/v2/tables.js');
      const isCsv = mediaType === CSV_TYPE;
      // CSV has no dictionaries, so that each table may have its own, which take less memory.
      const parts = toTables(tables, answer, !isCsv);
      const pieces = isCsv ? tables.csvPieces(parts) : tables.arrowPieces(parts);
      return cellsOf(columns, LABEL_COLUMNS) <= MAX_SHORT_CELLS ? tables.joinPieces([...pieces]) : pieces;
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
    body: async (answers, data, query, _, { writer, pause }) =>
      toJson(await compute(answers, data, query, pause), writer),
  };
}
