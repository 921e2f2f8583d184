import type { PointsAnswer } from './answer-data.js';
import { assertFinite } from './json-bytes.js';
import { JsonWriter } from './json-writer.js';
import { writePlain } from './shared-fields.js';
import {
  type AnswerDescription,
  type DescribedAnswer,
  jsonColumns,
  rowCount,
  type TableAnswer,
} from './v2/answer-description.js';
import { answerParts, completeJson, type JsonPart, jsonPieces } from './v2/answer-json.js';

/** The media types of bodies, JSON first: it is the default. */
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
export type Body = Uint8Array | Generator<Uint8Array>;

/** A body of at most so many numbers and labels is written at once: it takes a few milliseconds. */
export const MAX_SHORT_CELLS = 16_384;
/**
 * What is written already counts as a number for so many bytes, twice as many as a number takes with its name: only
 * copying it is left to do.
 */
const WRITTEN_BYTES = 32;
/** The columns of a table that hold no values. */
const LABEL_COLUMNS = 9;

/**
 * Writes the body of an answer about one point or several; short JSON is written with `writer`. As JSON, `points` is a
 * list of the body of each point, or its problem. Tables have the rows of all points, each with the requested
 * coordinates; points with problems have no rows, and at least one point must have an answer. Throws DataError for what
 * JSON cannot hold.
 */
export function writeBody<Answer extends TableAnswer>(
  mediaType: MediaType,
  writer: JsonWriter,
  described: AnswerDescription<Answer>,
  answer: Answer | PointsAnswer<Answer>,
): Body | Promise<Body> {
  if (mediaType === JSON_TYPE) return writeJson(described, answer, writer);
  return writeTables(described, 'points' in answer ? joinAnswers(answer) : answer, mediaType === CSV_TYPE);
}

function writeJson<Answer extends DescribedAnswer>(
  described: AnswerDescription<Answer>,
  answer: Answer | PointsAnswer<Answer>,
  writer: JsonWriter,
): Body {
  const partsBy = (by: JsonWriter) =>
    'points' in answer ? pointsParts(described, answer, by) : answerParts(described, answer, by);
  const parts = partsBy(writer);
  let cells = 0;
  for (const part of parts) cells += part.cells;
  if (cells <= MAX_SHORT_CELLS) return completeJson(parts, writer);
  // An infinite value must be found before the body begins: then it is too late for an error response.
  const answers = 'points' in answer ? answer.points.flatMap((point) => point.answer ?? []) : [answer];
  for (const each of answers) {
    for (const one of each.variables) {
      for (const { values } of jsonColumns(described, each, one)) assertFinite(values);
    }
  }
  const ownWriter = new JsonWriter();
  return jsonPieces(partsBy(ownWriter), ownWriter);
}

/** A list of the body of each point, or its problem. */
function pointsParts<Answer extends DescribedAnswer>(
  described: AnswerDescription<Answer>,
  { points }: PointsAnswer<Answer>,
  writer: JsonWriter,
): JsonPart[] {
  const part = (write: () => void, cells = 0): JsonPart => ({ rows: 0, cells, write });
  return [
    part(() => beginPoints(writer)),
    ...points.flatMap(({ answer, bodies, problem }) => {
      if (answer !== undefined) return answerParts(described, answer, writer);
      if (bodies === undefined) return part(() => writePlain(writer, problem));
      return part(() => writer.json(bodies.bytes), bodies.bytes.length / WRITTEN_BYTES);
    }),
    part(() => endPoints(writer)),
  ];
}

/** What is before the answers about several points. */
export function beginPoints(writer: JsonWriter): void {
  writer.beginObject();
  writer.name('points');
  writer.beginArray();
}

/** What is behind them. */
export function endPoints(writer: JsonWriter): void {
  writer.endArray();
  writer.endObject();
}

/** One answer with the variables of all points, each with the coordinates that were requested. */
function joinAnswers<Answer extends TableAnswer>({ points }: PointsAnswer<Answer>): Answer {
  const answered = points.flatMap((point) => ('requested' in point ? point : []));
  const variables = answered.flatMap(({ requested, answer }) =>
    answer.variables.map((variable) => ({ ...variable, requested })),
  );
  return { ...answered[0].answer, variables };
}

async function writeTables<Answer extends TableAnswer>(
  described: AnswerDescription<Answer>,
  answer: Answer,
  isCsv: boolean,
): Promise<Body> {
  // Arrow is loaded only for requests that need it.
  const { arrowPieces, answerTables, csvPieces, joinPieces } = await import('./v2/table-pieces.js');
  // CSV has no dictionaries, so that each table may have its own, which take less memory.
  const tables = answerTables(described, answer, !isCsv);
  const pieces = isCsv ? csvPieces(tables) : arrowPieces(tables);
  let cells = 0;
  for (const one of answer.variables) {
    cells += (jsonColumns(described, answer, one).length + LABEL_COLUMNS) * rowCount(one);
  }
  return cells <= MAX_SHORT_CELLS ? joinPieces([...pieces]) : pieces;
}
