import type { DayRange, Location } from '../answer-data.js';
import { encodeText } from '../encoded-text.js';
import type { JsonWriter } from '../json-writer.js';
import { writeLocation, writeOptional, writeTexts } from '../write-fields.js';
import {
  type AnswerDescription,
  type DescribedAnswer,
  type DescribedVariable,
  type HeadField,
  jsonColumns,
  type OneOf,
  rowCount,
  type ValueColumn,
  type VariableFields,
  visitHead,
} from './answer-description.js';
import { writeDays } from './forecast-fields.js';

/** A part of a JSON body that is written row by row: its beginning with the first row, its end with the last one. */
export interface JsonPart {
  readonly rows: number;
  /** The numbers of all rows. */
  readonly cells: number;
  /** Writes the rows from `from` up to, not including, `to`. */
  write(from: number, to: number): void;
}

/** Rows that are written between two checks of a piece's length. */
const STEP_ROWS = 64;
const PIECE_BYTES = 65_536;

/** Writes the parts, in order, as one body. */
export function completeJson(parts: readonly JsonPart[], writer: JsonWriter): Uint8Array<ArrayBuffer> {
  writer.begin();
  for (const part of parts) part.write(0, part.rows);
  return writer.finish();
}

/**
 * The same body in pieces of about 64 KiB, each written on demand; `writer` must not be used for anything else
 * meanwhile.
 */
export function* jsonPieces(parts: readonly JsonPart[], writer: JsonWriter): Generator<Uint8Array> {
  writer.begin();
  for (const part of parts) {
    let row = 0;
    do {
      const end = Math.min(row + STEP_ROWS, part.rows);
      part.write(row, end);
      row = end;
      if (writer.length >= PIECE_BYTES) yield writer.take();
    } while (row < part.rows);
  }
  yield writer.finish();
}

/**
 * The parts of the body of an answer: its first fields, then an object for each variable, by slug, with its own fields
 * and, for each period or day, its values, rounded to their decimals.
 *
 * NaN is null. Throws DataError for an infinite value.
 */
export function answerParts<Answer extends DescribedAnswer>(
  described: AnswerDescription<Answer>,
  answer: Answer,
  writer: JsonWriter,
): JsonPart[] {
  const parts = answer.variables.map((one) => variablePart(described, answer, one, writer));
  const begin = { rows: 0, cells: 0, write: () => writeHead(described, answer, writer) };
  return [begin, ...parts, { rows: 0, cells: 0, write: () => endObjects(writer) }];
}

function endObjects(writer: JsonWriter): void {
  writer.endObject();
  writer.endObject();
}

/** Begins the body and the object of the variables. */
function writeHead<Answer extends DescribedAnswer>(
  described: AnswerDescription<Answer>,
  answer: Answer,
  writer: JsonWriter,
): void {
  writer.beginObject();
  beginInside(writer, undefined, described.headName);
  let inside: string | undefined;
  visitHead(described.head, answer, (field, value) => {
    const within = 'within' in field ? field.within : undefined;
    if (within !== inside) beginInside(writer, inside, within);
    inside = within;
    if ('as' in field) writeField(writer, field, value);
    else if (typeof value === 'string') writeOptional(writer, field.name, value);
    else writeTexts(writer, field.name, value as readonly string[]);
  });
  beginInside(writer, inside, undefined);
  beginInside(writer, described.headName, described.variablesName);
}

/** Ends the object that fields are in, if there is one, and begins the next one. */
function beginInside(writer: JsonWriter, inside: string | undefined, next: string | undefined): void {
  if (inside !== undefined) writer.endObject();
  if (next === undefined) return;
  writer.name(next);
  writer.beginObject();
}

function writeField(writer: JsonWriter, { name, as }: HeadField, value: unknown): void {
  if (as === 'location') writeLocation(writer, name, value as Location);
  else if (as === 'text') writeOptional(writer, name, value as string);
  else {
    writer.name(name);
    writePeriod(writer, value as DayRange | undefined);
  }
}

/** The days in the response, or null. */
function writePeriod(writer: JsonWriter, period: DayRange | undefined): void {
  if (period === undefined) {
    writer.null();
    return;
  }
  writer.beginObject();
  writeDays(writer, period);
  writer.endObject();
}

function variablePart<Answer extends DescribedAnswer>(
  described: AnswerDescription<Answer>,
  answer: Answer,
  one: OneOf<Answer>,
  writer: JsonWriter,
): JsonPart {
  const rows = rowCount(one);
  const columns = jsonColumns(described, answer, one);
  const writeRows = rowsWriter(described.row, answer, one, columns, writer);
  const write = (from: number, to: number) => {
    if (from === 0) {
      writer.name(one.variable.slug);
      writer.beginObject();
      writeFields(described.variable, one, writer);
      writer.name(described.rowsName);
      writer.beginObject();
    }
    writeRows(from, to);
    if (to === rows) endObjects(writer);
  };
  return { rows, cells: rows * columns.length, write };
}

function writeFields<One>(fields: VariableFields<One>, one: One, writer: JsonWriter): void {
  for (const name in fields) {
    const field = fields[name];
    if (field !== 'in values') field.write(writer, one);
  }
}

/** What writes rows of a variable: a key and values for each. */
function rowsWriter(
  row: AnswerDescription<never>['row'],
  { granularity = 'daily' }: DescribedAnswer,
  one: DescribedVariable,
  columns: readonly ValueColumn[],
  writer: JsonWriter,
): JsonPart['write'] {
  const values = columns.map((column) => column.values);
  const [{ decimals } = { decimals: 0 }] = columns;
  const starts = rowStarts(one);
  if (row === 'number') {
    return (from, to) => writer.periodNumbers(granularity, starts, values[0], decimals, from, to);
  }
  if (row === 'list') {
    return (from, to) => {
      for (let r = from; r < to; r++) {
        writer.periodName(granularity, starts[r]);
        writer.beginArray();
        for (let k = 0; k < columns.length; k++) writer.number(values[k][r], columns[k].decimals);
        writer.endArray();
      }
    };
  }
  if (columns.every((column) => column.decimals === decimals)) {
    const names = writer.fieldNames(columns.map(({ name }) => name));
    return (from, to) => writer.periodFields(granularity, starts, names, values, decimals, from, to);
  }
  const names = columns.map(({ name }) => encodeText(name));
  return (from, to) => {
    for (let r = from; r < to; r++) {
      writer.periodName(granularity, starts[r]);
      writer.beginObject();
      for (let k = 0; k < columns.length; k++) {
        writer.name(names[k]);
        writer.number(values[k][r], columns[k].decimals);
      }
      writer.endObject();
    }
  };
}

/** The first day of each row. */
function rowStarts(one: DescribedVariable): Int32Array {
  if (one.windows !== undefined) return one.windows.start;
  const { firstDay, days } = one;
  return Int32Array.from({ length: days }, (_, day) => firstDay + day);
}
