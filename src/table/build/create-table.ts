import {
  Bool,
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
} from 'apache-arrow';
import type { FloatArray } from '../../core/number-arrays.js';
import type { PlaceLabels } from '../../ensemble/place-labels.js';
import { dateText, type ModelCalendar } from '../../period/calendar.js';
import { quickSchema } from '../arrow/table-schema.js';

/** A column of a new table. */
export interface NewColumn {
  readonly name: string;
  readonly data: Data;
  /** The metadata of its field. Default none. */
  readonly metadata?: ReadonlyMap<string, string>;
}

/** Numbers; NaN becomes null. The values are not copied. */
export function numbers(name: string, values: FloatArray): NewColumn {
  const type = values instanceof Float32Array ? new Float32() : new Float64();
  return {
    name,
    data: makeData({
      type,
      data: values as never,
      ...nullsWhere(values.length, (i) => Number.isNaN(values[i])),
    }) as Data,
  };
}

/** Whole numbers, none missing. */
export function integers(name: string, values: Int32Array): NewColumn {
  return { name, data: makeData({ type: new Int32(), data: values }) };
}

/** Day numbers, as Date32; dates of a model calendar as texts: Arrow only has the real calendar. */
export function dates(name: string, values: Int32Array, calendar?: ModelCalendar): NewColumn {
  if (calendar !== undefined) return { name, data: textsOf(Array.from(values, (day) => dateText(calendar, day))) };
  return { name, data: makeData({ type: new DateDay(), data: values }) };
}

/** Ones and zeros, as booleans. */
export function flags(name: string, values: Uint8Array): NewColumn {
  const bits = new Uint8Array((values.length + 7) >> 3);
  for (let i = 0; i < values.length; i++) if (values[i]) bits[i >> 3] |= 1 << (i & 7);
  return { name, data: makeData({ type: new Bool(), length: values.length, data: bits }) };
}

/** Distinct texts that rows refer to; tables that share a dictionary can be written to one file. */
export interface TextDictionary {
  /** Shared, too: Arrow identifies a dictionary by the id of its type. */
  readonly type: Dictionary<Utf8, Int32>;
  readonly vector: Vector<Utf8>;
  /** The place of null among the texts, or -1. */
  readonly missing: number;
}

export function textDictionary(values: readonly (string | null)[]): TextDictionary {
  const vector = makeVector(textsOf(values.map((text) => text ?? '')));
  return { type: new Dictionary(new Utf8(), new Int32()), vector, missing: values.indexOf(null) };
}

/** Adds texts at the end of a dictionary: tables with it can be written after those with the shorter one. */
export function moreTexts({ type, vector, missing }: TextDictionary, values: readonly string[]): TextDictionary {
  return { type, vector: vector.concat(makeVector(textsOf(values))), missing };
}

/** Not by Arrow's builders: they compile code, which edge runtimes do not allow. */
function textsOf(values: readonly string[]): Data<Utf8> {
  const encoder = new TextEncoder();
  const encoded = values.map((text) => encoder.encode(text));
  const valueOffsets = new Int32Array(values.length + 1);
  for (const [i, bytes] of encoded.entries()) valueOffsets[i + 1] = valueOffsets[i] + bytes.length;
  const data = new Uint8Array(valueOffsets[values.length]);
  for (const [i, bytes] of encoded.entries()) data.set(bytes, valueOffsets[i]);
  return makeData({ type: new Utf8(), length: values.length, nullCount: 0, valueOffsets, data });
}

/** Texts: row `i` has text `indices[i]` of the dictionary. */
export function texts(name: string, indices: Int32Array, { type, vector, missing }: TextDictionary): NewColumn {
  const nulls = missing < 0 ? {} : nullsWhere(indices.length, (i) => indices[i] === missing);
  return {
    name,
    data: makeData({ type, data: indices, dictionary: vector, ...nulls }),
  };
}

/** The columns of labels of rows; `of` is the place of each, as the labels count places. */
export function columnsOfLabels(labels: PlaceLabels | undefined, of?: Int32Array): NewColumn[] {
  return (labels?.toColumns(of ?? labels.of) ?? []) as NewColumn[];
}

/** Makes a table with one record batch. */
export function createTable(columns: readonly NewColumn[], metadata: ReadonlyMap<string, string>): Table {
  const fields = columns.map(
    ({ name, data, metadata: own }) => new Field(name, data.type as DataType, true, own && new Map(own)),
  );
  const schema = quickSchema(new Schema(fields, new Map(metadata)));
  const children = columns.map(({ data }) => data);
  const length = children.length > 0 ? children[0].length : 0;
  return new Table(schema, [
    new RecordBatch(schema, makeData({ type: new Struct(fields), length, nullCount: 0, children })),
  ]);
}

/** A validity bitmap where some row is missing. */
export function nullsWhere(length: number, missing: (row: number) => boolean): { nullCount: number; nullBitmap?: Uint8Array } {
  let nullBitmap: Uint8Array | undefined;
  let nullCount = 0;
  for (let i = 0; i < length; i++) {
    if (!missing(i)) continue;
    nullBitmap ??= new Uint8Array(((length + 63) >> 6) * 8).fill(255);
    nullBitmap[i >> 3] &= ~(1 << (i & 7));
    nullCount++;
  }
  return { nullCount, nullBitmap };
}
