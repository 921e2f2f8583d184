import { type Data, DataType, makeVector, Precision, type Vector } from 'apache-arrow';
import { type FloatType, floatArray } from '../../core/float-array.js';
import type { ColumnChunk } from '../../core/member-column.js';
import { DataError } from '../../errors.js';
import { halfFloat, plainValue } from '../arrow/stored-values.js';
import { isTextType } from './text-column.js';

/** The type to compute with: float32 if all columns are Float32, else float64. */
export function floatType(vectors: readonly Vector[]): FloatType {
  const types = vectors.map(({ type }) => type).filter((type) => !DataType.isNull(type));
  return types.every((type) => DataType.isFloat(type) && type.precision === Precision.SINGLE) ? 'float32' : 'float64';
}

/** Whether values of this type are numbers. */
export function isNumberType(type: DataType): boolean {
  if (DataType.isDictionary(type)) return isNumberType(type.dictionary);
  return DataType.isFloat(type) || DataType.isInt(type) || DataType.isDecimal(type);
}

/** Whether a column holds numbers, or texts of which at least some are numbers. */
export function looksNumeric(vector: Vector): boolean {
  return isNumberType(vector.type) || (isTextType(vector.type) && sample(vector).some((text) => isNumeral(text)));
}

/**
 * The values of a column as chunks of `type`, with a bitmap for nulls. Values that have this type already are not
 * copied.
 *
 * Throws a DataError with row, column and value for texts that are not numbers, and for columns without numbers.
 */
export function numberChunks(vector: Vector, column: string, type: FloatType, source?: string): ColumnChunk[] {
  let row = 0;
  return vector.data.map((data) => {
    const chunk = chunkOf(data, type) ?? parsedChunk(data, type, row, column, source);
    row += data.length;
    return chunk;
  });
}

function chunkOf(data: Data, type: FloatType): ColumnChunk | undefined {
  if (!DataType.isFloat(data.type) && !DataType.isInt(data.type)) return undefined;
  const nulls = data.nullCount > 0 ? { bitmap: data.nullBitmap as Uint8Array, firstBit: data.offset } : {};
  const values = data.values.subarray(0, data.length);
  if (values instanceof (type === 'float32' ? Float32Array : Float64Array)) return { values, ...nulls };
  if (type === 'float32') return undefined;
  // The bits of half floats are stored as integers.
  const isHalf = DataType.isFloat(data.type) && values instanceof Uint16Array;
  return { values: Float64Array.from(values as ArrayLike<number>, isHalf ? halfFloat : Number), ...nulls };
}

/** Reads values one by one: texts and decimals. */
function parsedChunk(data: Data, type: FloatType, firstRow: number, column: string, source?: string): ColumnChunk {
  const values = floatArray(type, data.length);
  const chunk = makeVector(data);
  const toNumber = numberReader(data.type);
  for (let i = 0; i < data.length; i++) {
    const value = plainValue(chunk.get(i), data.type);
    const number = value === null ? Number.NaN : toNumber(value);
    if (number === undefined) {
      throw new DataError({
        source,
        row: firstRow + i + 1,
        column,
        problem: 'not a number',
        received: isTextType(data.type) ? value : `${data.type}: ${value}`,
        allowed: 'a decimal number; empty, NA or NaN where a value is missing',
      });
    }
    values[i] = number;
  }
  return { values };
}

/** Returns a function that reads a value of this type: NaN if it is missing, undefined if it is not a number. */
function numberReader(type: DataType): (value: unknown) => number | undefined {
  if (isNumberType(type)) return Number;
  if (!isTextType(type)) return () => undefined;
  return (value) => {
    const text = String(value);
    if (isNumeral(text)) return Number(text.replace(/inf(inity)?/i, 'Infinity'));
    return isMissing(text) ? Number.NaN : undefined;
  };
}

/** A cell may have any length, and these patterns read it only once: blanks are trimmed before. */
const NUMERAL = /^[+-]?((\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?|inf(inity)?)$/i;
const MISSING = /^(na|nan|null|-)?$/i;

function isNumeral(text: string): boolean {
  return NUMERAL.test(text.trim());
}

function isMissing(text: string): boolean {
  return MISSING.test(text.trim());
}

/** The first texts that are not missing, at most a hundred. */
function sample(vector: Vector): string[] {
  const found: string[] = [];
  for (let row = 0; row < vector.length && found.length < 100; row++) {
    const value = vector.get(row);
    if (typeof value === 'string' && !isMissing(value)) found.push(value);
  }
  return found;
}
