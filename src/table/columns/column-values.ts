import { type Data, DataType, makeVector, Precision, Type, type Vector } from 'apache-arrow';
import { type ColumnChunk, MemberColumn } from '../../core/member-column.js';
import { type FloatType, floatArray } from '../../core/number-arrays.js';
import { DataError } from '../../errors.js';
import { isListType } from '../arrow/own-table.js';
import { codedColumn, halfFloat, plainValue } from '../arrow/stored-values.js';
import { MISSING_TEXT } from './missing-text.js';

/** The type to compute with: float32 if all columns are Float32, else float64. */
export function floatType(vectors: readonly Vector[]): FloatType {
  const isSingle = ({ type }: Vector) =>
    DataType.isNull(type) || (DataType.isFloat(type) && type.precision === Precision.SINGLE);
  return vectors.every(isSingle) ? 'float32' : 'float64';
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

function isNumeral(text: string): boolean {
  return NUMERAL.test(text.trim());
}

function isMissing(text: string): boolean {
  return MISSING_TEXT.test(text.trim());
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

/** Whether values of this type are texts, with or without a dictionary. */
export function isTextType(type: DataType): boolean {
  if (DataType.isDictionary(type)) return isTextType(type.dictionary);
  // Older versions of Arrow have no views, and no test for them.
  return DataType.isUtf8(type) || DataType.isLargeUtf8(type) || type.typeId === Type.Utf8View;
}

/**
 * The one text that a column holds in all rows that are used, or undefined if it is empty. Throws a DataError for the
 * first row with another text, whose last words are the `advice`.
 */
export function onlyText(
  vector: Vector,
  column: string,
  agree: (a: string, b: string) => boolean,
  source?: string,
  use?: (row: number) => boolean,
  advice = '',
): string | undefined {
  const { codes, values } = codedColumn(vector);
  const agreeing = new Set<number>([-1]);
  let only: string | undefined;
  for (let row = 0; row < codes.length; row++) {
    if (agreeing.has(codes[row]) || (use !== undefined && !use(row))) continue;
    const text = String(values[codes[row]]);
    if (only !== undefined && !agree(only, text)) {
      throw new DataError({
        source,
        row: row + 1,
        column,
        problem: `mixed ${column}`,
        received: text,
        allowed: `${only}, as in the rows before${advice}`,
      });
    }
    only ??= text;
    agreeing.add(codes[row]);
  }
  return only;
}

/** Whether a column holds a list of numbers in each row: one for each member. */
export function isListColumn(vector: Vector): boolean {
  const { type } = vector;
  return (DataType.isFixedSizeList(type) || isListType(type)) && isNumberType(type.children[0].type);
}

/**
 * Turns a list column into one column per member. A null list is missing for all members. `size` is the length of
 * lists, where tables before have shown it. Throws a DataError for the first row whose list has another length than
 * the first.
 */
export function readListMembers(
  vector: Vector,
  column: string,
  source?: string,
  size = listSize(vector),
): { members: MemberColumn[]; type: FloatType } {
  const child = vector.getChildAt(0) as Vector;
  const type = floatType([child]);
  if (size === 0)
    throw new DataError({ source, column, problem: 'no members', allowed: 'a list of at least one number' });
  const columns = Array.from({ length: size }, () => floatArray(type, vector.length).fill(Number.NaN));
  let row = 0;
  for (const data of vector.data) {
    const values = new MemberColumn(column, numberChunks(makeVector(data.children[0]), column, type, source));
    for (let i = 0; i < data.length; i++, row++) {
      if (data.nullCount > 0 && !data.getValid(i)) continue;
      const [from, to] = listBounds(data, i, size);
      if (to - from !== size) {
        throw new DataError({
          source,
          row: row + 1,
          column,
          problem: 'another number of members than in the rows before',
          received: to - from,
          allowed: `a list of ${size} in each row`,
        });
      }
      for (let m = 0; m < size; m++) columns[m][row] = values.value(from + m);
    }
  }
  const digits = Math.max(2, String(size - 1).length);
  const members = columns.map(
    (values, m) => new MemberColumn(`${column}[${String(m).padStart(digits, '0')}]`, [{ values }]),
  );
  return { members, type };
}

/** The length of the first list that is not null; 0 if there is none. */
function listSize(vector: Vector): number {
  if (DataType.isFixedSizeList(vector.type)) return vector.type.listSize;
  for (const data of vector.data) {
    for (let i = 0; i < data.length; i++) {
      if (data.nullCount > 0 && !data.getValid(i)) continue;
      const [from, to] = listBounds(data, i, 0);
      return to - from;
    }
  }
  return 0;
}

function listBounds(data: Data, row: number, size: number): [number, number] {
  if (DataType.isFixedSizeList(data.type)) return [row * size, (row + 1) * size];
  return [Number(data.valueOffsets[row]), Number(data.valueOffsets[row + 1])];
}
