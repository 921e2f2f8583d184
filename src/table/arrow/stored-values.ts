import { type Data, DataType, makeVector, Precision, type Vector } from 'apache-arrow';
import type { NumberArray, NumberArrayConstructor } from '../../core/number-arrays.js';

/** A view of bytes as elements of another type; they are copied only if they are not aligned for it. */
export function viewedAs(ArrayType: NumberArrayConstructor, values: ArrayBufferView): Data['values'] {
  if (values.constructor === ArrayType) return values;
  const { buffer, byteOffset, byteLength } = values;
  const size = ArrayType.BYTES_PER_ELEMENT;
  const count = Math.floor(byteLength / size);
  if (byteOffset % size === 0) return new ArrayType(buffer as ArrayBuffer, byteOffset, count);
  return new ArrayType(new Uint8Array(buffer, byteOffset, count * size).slice().buffer);
}

/** The number that 16 bits of a half float mean. */
export function halfFloat(bits: number): number {
  const sign = bits >> 15 === 1 ? -1 : 1;
  const exponent = (bits >> 10) & 31;
  const fraction = (bits & 1023) / 1024;
  if (exponent === 31) return fraction === 0 ? sign * Number.POSITIVE_INFINITY : Number.NaN;
  return exponent === 0 ? sign * 2 ** -14 * fraction : sign * 2 ** (exponent - 15) * (1 + fraction);
}

/**
 * The value that Arrow gives for a row of a column of this type, with decimals as numbers, and dates as milliseconds:
 * before version 16, Arrow gives Date objects.
 */
export function plainValue(value: unknown, type?: DataType): unknown {
  if (DataType.isDictionary(type)) return plainValue(value, type.dictionary);
  if (DataType.isDecimal(type) && value !== null) return decimalNumber(value as Uint32Array, type.scale);
  return value instanceof Date ? value.getTime() : value;
}

/** The nearest number to a decimal, in words of 32 bits, the lowest first; Arrow misreads those of 64 and 256 bits. */
function decimalNumber(words: Uint32Array, scale: number): number {
  const sign = BigInt(words[words.length - 1] >> 31);
  return Number(`${words.reduceRight((high, word) => (high << 32n) | BigInt(word), sign)}e${-scale}`);
}

/** A column by its distinct values, in the order of their first rows. */
export interface CodedColumn {
  /** For each row, which of `values` it has; -1 where it is null. */
  readonly codes: Int32Array;
  readonly values: readonly unknown[];
  /** Whether some row is null. */
  readonly hasNulls: boolean;
}

/**
 * Gives equal values the same code. Texts are compared as bytes, so that each is decoded only once. `codes` is memory
 * for the codes; `known` has values whose codes are known, and new ones follow them; `repeats` is a faster way to find
 * where numbers repeat.
 */
export function codedColumn(
  vector: Vector,
  codes: Int32Array = new Int32Array(vector.length),
  known: readonly unknown[] = [],
  repeats?: RepeatFinder,
): CodedColumn {
  const values = [...known];
  const codeOf = new Map(known.map((value, index) => [value, index]));
  let hasNulls = false;
  const code: Coder = (value) => {
    if (value === null) {
      hasNulls = true;
      return -1;
    }
    const known = codeOf.get(value);
    if (known !== undefined) return known;
    codeOf.set(value, values.length);
    return values.push(value) - 1;
  };
  const textCode = textCoder(code);
  let row = 0;
  for (const data of vector.data) {
    const into = codes.subarray(row, row + data.length);
    hasNulls ||= data.nullCount > 0;
    if (!codeNumbers(data, code, into, repeats) && !codeEntries(data, code, into)) {
      const codeAt = coder(data, code, textCode);
      const mayBeNull = data.nullCount > 0;
      for (let i = 0; i < data.length; i++) into[i] = mayBeNull && !data.getValid(i) ? -1 : codeAt(i);
    }
    row += data.length;
  }
  return { codes, values, hasNulls };
}

type Coder = (value: unknown) => number;
type TextCoder = (bytes: Uint8Array, from: number, to: number) => number;

/** Returns the code of a row of a chunk that is not null. */
function coder(data: Data, code: Coder, textCode: TextCoder): (index: number) => number {
  const { type, values } = data;
  if (DataType.isUtf8(type) || DataType.isLargeUtf8(type)) {
    const offsets = data.valueOffsets as ArrayLike<number | bigint>;
    return (index) => textCode(values, Number(offsets[index]), Number(offsets[index + 1]));
  }
  const chunk = makeVector(data);
  return (index) => code(plainValue(chunk.get(index), type));
}

/** A code that is not known yet. */
const UNKNOWN = -2;

/** Writes the codes of a chunk with a dictionary, each entry of which is looked up once; false for other chunks. */
function codeEntries(data: Data, code: Coder, into: Int32Array): boolean {
  const { type, values, dictionary, nullCount } = data;
  if (!DataType.isDictionary(type) || dictionary === undefined) return false;
  const known = new Int32Array(dictionary.length).fill(UNKNOWN);
  const hasNulls = nullCount > 0;
  for (let i = 0; i < into.length; i++) {
    if (hasNulls && !data.getValid(i)) {
      into[i] = -1;
      continue;
    }
    const entry = Number(values[i]);
    let found = known[entry];
    if (found === UNKNOWN || found === undefined) {
      known[entry] = found = code(plainValue(dictionary.get(entry), type));
    }
    into[i] = found;
  }
  return true;
}

/** The numbers of a chunk. */
export type Numbers = Exclude<NumberArray, BigInt64Array | BigUint64Array>;

/**
 * Begins with the numbers of a chunk and memory for their codes. What it returns writes the codes from row `row` on, as
 * long as each number is that of `period` rows before, and returns the first row where it is not; undefined where it
 * cannot.
 */
export type RepeatFinder = (
  values: Numbers,
  codes: Int32Array,
) => ((row: number, period: number) => number) | undefined;

/**
 * Writes the codes of a chunk of plain numbers without nulls; false for other chunks. Numbers come in runs, or in the
 * same order again and again: each is compared with the one as many rows before as the last one that differed had come
 * back after.
 */
function codeNumbers(
  { type, values, nullCount }: Data,
  code: Coder,
  into: Int32Array,
  repeats?: RepeatFinder,
): boolean {
  const isWhole = DataType.isInt(type) && type.bitWidth < 64;
  const isFraction = DataType.isFloat(type) && type.precision !== Precision.HALF;
  if (nullCount > 0 || !(isWhole || isFraction)) return false;
  const skipRepeats = repeats?.(values, into);
  const lastRow: number[] = [];
  let period = into.length;
  for (let row = 0; row < into.length; row++) {
    const found = code(values[row]);
    period = row - (lastRow[found] ?? row - period);
    lastRow[found] = row;
    into[row] = found;
    let next = row + 1;
    if (next < period) continue;
    if (skipRepeats !== undefined) next = skipRepeats(next, period);
    else for (; next < into.length && values[next] === values[next - period]; next++) into[next] = into[next - period];
    row = next - 1;
  }
  return true;
}

/** Codes UTF-8 texts by a hash of their bytes. */
function textCoder(code: Coder): TextCoder {
  const decoder = new TextDecoder();
  const known = new Map<number, { bytes: Uint8Array; code: number }[]>();
  return (bytes, from, to) => {
    let hash = to - from;
    for (let i = from; i < to; i++) hash = (Math.imul(hash, 31) + bytes[i]) & 0x3fffffff;
    let alike = known.get(hash);
    if (alike === undefined) known.set(hash, (alike = []));
    for (const text of alike) if (isSame(text.bytes, bytes, from, to)) return text.code;
    const text = bytes.slice(from, to);
    const added = { bytes: text, code: code(decoder.decode(text)) };
    alike.push(added);
    return added.code;
  };
}

function isSame(text: Uint8Array, bytes: Uint8Array, from: number, to: number): boolean {
  if (text.length !== to - from) return false;
  for (let i = 0; i < text.length; i++) if (text[i] !== bytes[from + i]) return false;
  return true;
}
