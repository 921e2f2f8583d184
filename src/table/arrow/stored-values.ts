import { type Data, DataType } from 'apache-arrow';
import type { NumberArrayConstructor } from '../../core/number-types.js';

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
