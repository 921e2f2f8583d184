import {
  type Data,
  DataType,
  type Field,
  makeData,
  makeVector,
  Precision,
  RecordBatch,
  Schema,
  Struct,
  Table,
} from 'apache-arrow';
import { missingList } from '../../check/option-checks.js';
import { quickSchema } from '../arrow/table-schema.js';
import { columnRoles } from '../columns/column-roles.js';
import { isListColumn, isNumberType, numberChunks } from '../columns/column-values.js';
import { valueCandidates } from '../columns/value-columns.js';
import type { DailyTableOptions } from './daily-options.js';

/** Turns numbers that stand for missing values into nulls, in the columns of values of tables with the same schema. */
export class MissingValues {
  readonly #missing: readonly number[];
  readonly #options: DailyTableOptions;
  #names: ReadonlySet<string> | undefined;

  /** Throws OptionError as `missingList` does. */
  constructor(options: DailyTableOptions) {
    this.#missing = missingList(options.missing);
    this.#options = options;
  }

  /** The table with nulls; the table itself if there are no such numbers. Throws as `columnRoles` does. */
  removed(table: Table): Table {
    if (this.#missing.length === 0) return table;
    this.#names ??= this.#valueColumns(table);
    const names = this.#names;
    const places = table.schema.fields.flatMap(({ name }, place) => (names.has(name) ? [place] : []));
    const fields = table.schema.fields.map((field: Field, place) =>
      places.includes(place) ? field.clone({ nullable: true }) : field,
    );
    const schema = quickSchema(new Schema(fields, table.schema.metadata));
    const batches = table.batches.map(({ data }) => {
      const children = data.children.map((child, place) => (places.includes(place) ? this.#withNulls(child) : child));
      return new RecordBatch(
        schema,
        makeData({ type: new Struct(fields), length: data.length, nullCount: 0, children }),
      );
    });
    return new Table(schema, batches);
  }

  /** The columns of values: the given or usual one, else all columns that may hold values. */
  #valueColumns(table: Table): Set<string> {
    const { columns, source } = this.#options;
    const roles = columnRoles(table, columns, source);
    if (roles.value !== undefined) return new Set([roles.value]);
    return new Set(valueCandidates(table, roles, this.#options).flatMap(({ names }) => names));
  }

  #withNulls(data: Data): Data {
    if (data.children.length > 0 && isListColumn(makeVector(data))) {
      const children = data.children.map((child) => this.#withNulls(child));
      return data.clone(data.type, data.offset, data.length, data.nullCount, data.buffers, children);
    }
    const rows = this.#missing.flatMap((value) => rowsOf(data, value));
    if (rows.length === 0) return data;
    const { offset, length, nullBitmap } = data;
    const bitmap = new Uint8Array(((offset + length + 63) >> 6) * 8).fill(255);
    if (data.nullCount > 0 && nullBitmap !== undefined) bitmap.set(nullBitmap.subarray(0, bitmap.length));
    let nullCount = data.nullCount;
    for (const row of rows) {
      const bit = offset + row;
      const before = bitmap[bit >> 3];
      bitmap[bit >> 3] &= ~(1 << (bit & 7));
      if (bitmap[bit >> 3] !== before) nullCount++;
    }
    const buffers = { ...data.buffers, 2: bitmap } as typeof data.buffers;
    return data.clone(data.type, offset, length, nullCount, buffers, data.children);
  }
}

/** The rows of a chunk with a value, rounded to the type of the column. */
function rowsOf(data: Data, value: number): number[] {
  const { type, length } = data;
  const isHalf = DataType.isFloat(type) && type.precision === Precision.HALF;
  const isStored = (DataType.isFloat(type) && !isHalf) || DataType.isInt(type);
  const values = isStored ? data.values : valuesRead(data);
  const wanted = storedAs(value, values);
  const rows: number[] = [];
  for (
    let row = values.indexOf(wanted as never);
    row >= 0 && row < length;
    row = values.indexOf(wanted as never, row + 1)
  ) {
    rows.push(row);
  }
  return rows;
}

/** The numbers of texts, decimals and half floats; NaN for other texts. */
function valuesRead(data: Data): Float64Array {
  const vector = makeVector(data);
  if (isNumberType(data.type)) {
    const [{ values }] = numberChunks(vector, 'values', 'float64');
    return values as Float64Array;
  }
  return Float64Array.from({ length: data.length }, (_, row) => {
    const text = vector.get(row);
    return text === null || String(text).trim() === '' ? Number.NaN : Number(text);
  });
}

/** A number as an array stores it: the nearest float32, or a bigint. */
function storedAs(value: number, values: unknown): number | bigint {
  if (values instanceof Float32Array) return Math.fround(value);
  const isBig = values instanceof BigInt64Array || values instanceof BigUint64Array;
  return isBig && Number.isInteger(value) ? BigInt(value) : value;
}
