import {
  type Data,
  type DataType,
  DateDay,
  Dictionary,
  Field,
  Float32,
  Float64,
  Int32,
  makeData,
  makeVector,
  RecordBatch,
  Schema,
  Struct,
  Table,
  Utf8,
  type Vector,
  vectorFromArray,
} from 'apache-arrow';
import { parseDate } from '../../src/period/day.js';
import type { ReadOptions } from '../../src/table/columns/read-options.js';
import { readEnsemble } from '../../src/table/rows/read-ensemble.js';

/** A table of one record batch; columns may be arrays of texts or of Float64 numbers, with nulls. */
export function table(
  columns: Record<string, Vector | readonly (number | null)[] | readonly (string | null)[]>,
  metadata: Record<string, string> = {},
): Table {
  return tableOfEntries(
    Object.entries(columns).map(([name, column]) => [name, isVector(column) ? column : plainVector(column)]),
    metadata,
  );
}

/** As `table`, of names that may come twice. */
export function tableOfEntries(entries: [string, Vector][], metadata: Record<string, string> = {}): Table {
  const fields = entries.map(([name, { type }]) => new Field(name, type, true));
  const schema = new Schema(fields, new Map(Object.entries(metadata)));
  const children = entries.map(([, vector]) => vector.data[0] as Data);
  const length = entries[0][1].length;
  return new Table(
    schema,
    new RecordBatch(schema, makeData({ type: new Struct(fields), length, nullCount: 0, children })),
  );
}

function isVector(column: object): column is Vector {
  return !Array.isArray(column);
}

function plainVector(values: readonly (number | null)[] | readonly (string | null)[]): Vector {
  return typed(typeof values.find((value) => value !== null) === 'string' ? new Utf8() : new Float64(), values);
}

/** A vector of any type. */
export function typed(type: DataType, values: readonly unknown[]): Vector {
  return vectorFromArray(values as never, type as never) as Vector;
}

export function float32(...values: (number | null)[]): Vector {
  return typed(new Float32(), values);
}

/** Date32 of texts. */
export function dates(...texts: string[]): Vector {
  return makeVector(makeData({ type: new DateDay(), data: Int32Array.from(texts, (text) => parseDate(text)) }));
}

/** `count` consecutive days as Date32. */
export function daysFrom(first: string, count: number): Vector {
  const start = parseDate(first);
  return makeVector(makeData({ type: new DateDay(), data: Int32Array.from({ length: count }, (_, i) => start + i) }));
}

/** Texts by a dictionary, as pandas and polars write categories. */
export function categories(...texts: (string | null)[]): Vector {
  return typed(new Dictionary(new Utf8(), new Int32()), texts);
}

/** What `readEnsemble` finds, as plain values: for each part its place and days, and each member's values in order. */
export function read(input: Table, options: ReadOptions = {}) {
  const { variable, units, parts } = readEnsemble(input, options);
  return {
    variable: variable?.slug,
    units,
    parts: parts.map(({ field, latitude, longitude }) => ({
      type: field.type,
      order: field.order,
      firstDay: field.firstDay,
      days: field.days,
      places: Array.from(latitude, (lat, cell) => [lat, longitude[cell]]),
      members: Object.fromEntries(
        field.members.map((member) => [
          member.name,
          Array.from({ length: member.length }, (_, row) => member.value(row)),
        ]),
      ),
    })),
  };
}

/** The members of a table that has one part. */
export function membersOf(input: Table, options: ReadOptions = {}): Record<string, number[]> {
  const { parts } = read(input, options);
  if (parts.length !== 1) throw new Error(`${parts.length} parts`);
  return parts[0].members;
}

/** The message with which `call` fails. */
export function messageOf(call: () => unknown): string {
  try {
    call();
  } catch (error) {
    if (error instanceof Error) return `${error.name} ${error.message}`;
  }
  throw new Error('nothing was thrown');
}
