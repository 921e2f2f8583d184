import type { Granularity } from '../../period/period.js';
import type { DayRange, Location } from '../answer-data.js';
import { encodeText } from '../json-bytes.js';
import type { JsonWriter } from '../json-writer.js';
import { writeLocation, writeOptional, writePlain, writeTexts } from '../shared-fields.js';
import {
  type AnswerDescription,
  type DescribedAnswer,
  type DescribedVariable,
  ensembleOn,
  type HeadField,
  jsonColumns,
  type OneOf,
  rowCount,
  type ValueColumn,
  type VariableFields,
  visitHead,
  writeDays,
} from './answer-description.js';

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
  const parts: JsonPart[] = [{ rows: 0, cells: 0, write: () => writeHead(described, answer, writer) }];
  for (const one of answer.variables) parts.push(variablePart(described, answer, one, writer));
  parts.push({ rows: 0, cells: 0, write: () => endObjects(writer) });
  return parts;
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
  else if (as === 'plain') {
    writer.name(name);
    writePlain(writer, value);
  } else {
    const period = value as DayRange | undefined;
    writer.name(name);
    if (period === undefined) writer.null();
    else {
      writer.beginObject();
      writeDays(writer, period);
      writer.endObject();
    }
  }
}

function variablePart<Answer extends DescribedAnswer>(
  described: AnswerDescription<Answer>,
  answer: Answer,
  one: OneOf<Answer>,
  writer: JsonWriter,
): JsonPart {
  const fields: VariableFields<OneOf<Answer>> = described.variable;
  const rows = rowCount(one);
  const columns = jsonColumns(described, answer, one);
  const writeRows = rowsWriter(described.row, answer, one, columns, writer);
  const write = (from: number, to: number) => {
    if (from === 0) {
      writer.name(one.variable.slug);
      writer.beginObject();
      for (const name in fields) {
        const field = fields[name];
        if (field !== 'in values') field.write(writer, one);
      }
      writer.name(described.rowsName);
      writer.beginObject();
    }
    writeRows(from, to);
    if (to === rows) endObjects(writer);
  };
  return { rows, cells: rows * columns.length, write };
}

/** What writes rows of a variable: a key and values for each. */
function rowsWriter(
  row: AnswerDescription<never>['row'],
  { granularity = 'daily' }: DescribedAnswer,
  one: DescribedVariable,
  columns: readonly ValueColumn[],
  writer: JsonWriter,
): JsonPart['write'] {
  if (one.windows === undefined) return (from, to) => writeDaily(one, columns, from, to, writer);
  const { start } = one.windows;
  const names: string[] = [];
  const values: ValueColumn['values'][] = [];
  let isOfOneKind = true;
  const [{ decimals } = { decimals: 0 }] = columns;
  for (const column of columns) {
    names.push(column.name);
    values.push(column.values);
    isOfOneKind &&= column.decimals === decimals;
  }
  if (row === 'number') return (from, to) => writer.periodNumbers(granularity, start, values[0], decimals, from, to);
  if (!isOfOneKind) return (from, to) => writeFields(granularity, start, columns, from, to, writer);
  const known = writer.fieldNames(names);
  return (from, to) => writer.periodFields(granularity, start, known, values, decimals, from, to);
}

/** For each day its values in a list: as many as its ensemble has members, where that is known. */
function writeDaily(
  { firstDay, ensembles = [] }: { readonly firstDay: number } & Pick<DescribedVariable, 'ensembles'>,
  columns: readonly ValueColumn[],
  from: number,
  to: number,
  writer: JsonWriter,
): void {
  for (let day = from; day < to; day++) {
    writer.periodName('daily', firstDay + day);
    writer.beginArray();
    const own = ensembles.length === 0 ? columns : columns.slice(0, ensembleOn(ensembles, firstDay + day)?.members);
    for (const { values, decimals } of own) writer.number(values[day], decimals);
    writer.endArray();
  }
}

/** For each window its values by name, each with decimals of its own. */
function writeFields(
  granularity: Granularity,
  starts: Int32Array,
  columns: readonly ValueColumn[],
  from: number,
  to: number,
  writer: JsonWriter,
): void {
  const named = columns.map((column) => ({ ...column, name: encodeText(column.name) }));
  for (let row = from; row < to; row++) {
    writer.periodName(granularity, starts[row]);
    writer.beginObject();
    for (const { name, values, decimals } of named) {
      writer.name(name);
      writer.number(values[row], decimals);
    }
    writer.endObject();
  }
}
