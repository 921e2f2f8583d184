import { type Data, DataType, type Vector } from 'apache-arrow';
import type { FloatType } from '../core/field.js';
import type { ColumnChunk } from '../core/member-column.js';
import { DataError } from '../errors.js';

/** The type that a column's values keep: Float32 as it is, all else is computed as Float64. */
export function floatType(vector: Vector): FloatType {
  return DataType.isFloat(vector.type) && vector.type.precision <= 1 ? 'float32' : 'float64';
}

/** Whether a column holds numbers, or text of which some at least reads as a number. */
export function looksNumeric(vector: Vector): boolean {
  const { type } = vector;
  if (DataType.isFloat(type) || DataType.isInt(type) || DataType.isDecimal(type)) return true;
  return isText(type) && sample(vector).some((text) => Number.isFinite(toNumber(text)));
}

/**
 * The values of a column as chunks of `type`, nulls by bitmap. Nothing is copied where they are of that type already.
 *
 * Throws DataError naming row, column and value for text that is no number, and for columns that hold no numbers at all.
 */
export function numberChunks(vector: Vector, column: string, type: FloatType, source?: string): ColumnChunk[] {
  let row = 0;
  return vector.data.map((data) => {
    const chunk = chunkOf(data, type) ?? parsedChunk(vector, data, type, row, column, source);
    row += data.length;
    return chunk;
  });
}

function chunkOf(data: Data, type: FloatType): ColumnChunk | undefined {
  if (!DataType.isFloat(data.type) && !DataType.isInt(data.type)) return undefined;
  // Float16 has raw bits in `values`, and is read one by one.
  if (DataType.isFloat(data.type) && data.type.precision === 0) return undefined;
  const nulls = data.nullCount > 0 ? { bitmap: data.nullBitmap as Uint8Array, firstBit: data.offset } : {};
  const values = data.values.length === data.length ? data.values : data.values.subarray(0, data.length);
  if (type === 'float32' && values instanceof Float32Array) return { values, ...nulls };
  if (type === 'float64' && values instanceof Float64Array) return { values, ...nulls };
  if (type === 'float32') return undefined;
  return { values: Float64Array.from(values as ArrayLike<number | bigint>, Number), ...nulls };
}

/** Values that have to be read one by one: text, decimals, half floats. */
function parsedChunk(
  vector: Vector,
  data: Data,
  type: FloatType,
  firstRow: number,
  column: string,
  source?: string,
): ColumnChunk {
  const values = type === 'float32' ? new Float32Array(data.length) : new Float64Array(data.length);
  for (let i = 0; i < data.length; i++) {
    const value = vector.get(firstRow + i);
    values[i] = value === null ? Number.NaN : toNumber(value, vector.type);
    if (Number.isNaN(values[i]) && value !== null && !isMissing(value)) {
      throw new DataError({
        source,
        row: firstRow + i + 1,
        column,
        problem: 'not a number',
        received: typeof value === 'object' ? String(value) : value,
        allowed: 'a decimal number; empty, NA or NaN where a value is missing',
      });
    }
  }
  return { values };
}

function toNumber(value: unknown, type?: DataType): number {
  if (type !== undefined && DataType.isDecimal(type)) return Number(String(value)) / 10 ** type.scale;
  if (typeof value === 'number' || typeof value === 'bigint') return Number(value);
  if (typeof value !== 'string' || value.trim() === '') return Number.NaN;
  return /^\s*[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?\s*$/i.test(value) || /^\s*[+-]?inf(inity)?\s*$/i.test(value)
    ? Number(value.replace(/inf(inity)?/i, 'Infinity'))
    : Number.NaN;
}

function isMissing(value: unknown): boolean {
  return typeof value === 'number' || (typeof value === 'string' && /^\s*(na|nan|null|-)?\s*$/i.test(value));
}

function isText(type: DataType): boolean {
  return (
    DataType.isUtf8(type) || DataType.isLargeUtf8(type) || (DataType.isDictionary(type) && isText(type.dictionary))
  );
}

/** The first texts that are there, at most a hundred. */
function sample(vector: Vector): string[] {
  const found: string[] = [];
  for (let row = 0; row < vector.length && found.length < 100; row++) {
    const value = vector.get(row);
    if (typeof value === 'string') found.push(value);
  }
  return found;
}
