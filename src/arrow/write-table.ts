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
  RecordBatch,
  Schema,
  Struct,
  Table,
  Utf8,
  vectorFromArray,
} from 'apache-arrow';
import type { FloatArray } from '../core/field.js';

/** A column of a table to be made. */
export interface NewColumn {
  readonly name: string;
  readonly data: Data;
}

/** Numbers; NaN becomes null. The values are not copied. */
export function numbers(name: string, values: FloatArray): NewColumn {
  const type = values instanceof Float32Array ? new Float32() : new Float64();
  return { name, data: makeData({ type, data: values as never, ...nullsOf(values) }) as Data };
}

/** Whole numbers, none missing. */
export function integers(name: string, values: Int32Array): NewColumn {
  return { name, data: makeData({ type: new Int32(), data: values }) };
}

/** Day numbers, as Date32. */
export function dates(name: string, values: Int32Array): NewColumn {
  return { name, data: makeData({ type: new DateDay(), data: values }) };
}

/** Ones and zeros, as booleans. */
export function flags(name: string, values: Uint8Array): NewColumn {
  const bits = new Uint8Array((values.length + 7) >> 3);
  for (let i = 0; i < values.length; i++) if (values[i]) bits[i >> 3] |= 1 << (i & 7);
  return { name, data: makeData({ type: new Bool(), length: values.length, data: bits }) };
}

/** Texts, each kept once: row `i` says `texts[indices[i]]`. */
export function texts(name: string, indices: Int32Array, dictionary: readonly string[]): NewColumn {
  const type = new Dictionary(new Utf8(), new Int32());
  return { name, data: makeData({ type, data: indices, dictionary: vectorFromArray([...dictionary], new Utf8()) }) };
}

/** The same text, or null, in every row. */
export function sameText(name: string, text: string | undefined, length: number): NewColumn {
  const column = texts(name, new Int32Array(length), [text ?? '']);
  if (text !== undefined) return column;
  return {
    name,
    data: column.data.clone(column.data.type, 0, length, length, {
      ...column.data.buffers,
      2: new Uint8Array((length + 7) >> 3),
    } as never),
  };
}

/** One table of one record batch. */
export function tableOf(columns: readonly NewColumn[], metadata: ReadonlyMap<string, string>): Table {
  const fields = columns.map(({ name, data }) => new Field(name, data.type as DataType, true));
  const schema = new Schema(fields, new Map(metadata));
  const children = columns.map(({ data }) => data);
  const length = children.length > 0 ? children[0].length : 0;
  return new Table(schema, [
    new RecordBatch(schema, makeData({ type: new Struct(fields), length, nullCount: 0, children })),
  ]);
}

/** A validity bitmap where some value is NaN. */
function nullsOf(values: FloatArray): { nullCount: number; nullBitmap?: Uint8Array } {
  let bitmap: Uint8Array | undefined;
  let nullCount = 0;
  for (let i = 0; i < values.length; i++) {
    if (!Number.isNaN(values[i])) continue;
    bitmap ??= new Uint8Array(((values.length + 63) >> 6) * 8).fill(255);
    bitmap[i >> 3] &= ~(1 << (i & 7));
    nullCount++;
  }
  return { nullCount, nullBitmap: bitmap };
}
