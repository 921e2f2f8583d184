import { type Data, DataType, DateUnit, Precision } from 'apache-arrow';
import { NUMBER_ARRAYS, type NumberArrayConstructor } from '../../core/number-types.js';

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

const FLOATS = { [Precision.HALF]: Uint16Array, [Precision.SINGLE]: Float32Array, [Precision.DOUBLE]: Float64Array };

/**
 * The type of array that stores a column's values, one element per row; undefined if they are not numbers. Arrow's own
 * types name arrays, too, but before version 16 pairs of 32 bits for timestamps and for dates in milliseconds.
 */
export function valueArray(type: DataType): NumberArrayConstructor | undefined {
  if (DataType.isDictionary(type)) return valueArray(type.indices);
  if (DataType.isInt(type)) return NUMBER_ARRAYS[`${type.isSigned ? 'int' : 'uint'}${type.bitWidth}`];
  if (DataType.isFloat(type)) return FLOATS[type.precision];
  if (DataType.isDate(type)) return type.unit === DateUnit.DAY ? Int32Array : BigInt64Array;
  if (DataType.isTime(type)) return NUMBER_ARRAYS[`int${type.bitWidth}`];
  return DataType.isTimestamp(type) || DataType.isDuration(type) ? BigInt64Array : undefined;
}

/** The values of a column, one element per row, if they are numbers; else as Arrow stores them. */
export function storedValues({ type, values }: Data): Data['values'] {
  const ArrayType = valueArray(type);
  return ArrayType === undefined ? values : viewedAs(ArrayType, values);
}
