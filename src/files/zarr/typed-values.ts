import type { ArrayValues } from '../array/array-file.js';
import { swapBytes } from '../array/byte-order.js';
import { NUMBER_ARRAYS, type NumberType } from '../array/number-types.js';
import type { StoredType } from './stored-type.js';

/** Little-endian bytes as the numbers that they are; in place where they are aligned. */
export function numbersOver(bytes: Uint8Array, { type, bytes: size }: StoredType): ArrayValues {
  const { buffer, byteOffset, length } = bytes.byteOffset % size === 0 ? bytes : bytes.slice();
  return new NUMBER_ARRAYS[type as NumberType](buffer as ArrayBuffer, byteOffset, length / size);
}

/** The bytes of each element in the opposite order, in a copy. */
export function swapped(bytes: Uint8Array, size: number): Uint8Array {
  if (size === 1) return bytes;
  const copy = bytes.slice();
  swapBytes(copy, size);
  return copy;
}
