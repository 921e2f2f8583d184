import type { ArrayValues } from '../array-file.js';
import { swapBytes } from '../byte-order.js';
import type { StoredType } from './stored-type.js';

const ARRAYS = {
  int8: Int8Array,
  uint8: Uint8Array,
  int16: Int16Array,
  uint16: Uint16Array,
  int32: Int32Array,
  uint32: Uint32Array,
  int64: BigInt64Array,
  uint64: BigUint64Array,
  float32: Float32Array,
  float64: Float64Array,
};

/** Little-endian bytes as the numbers that they are; in place where they are aligned. */
export function numbersOver(bytes: Uint8Array, { type, bytes: size }: StoredType): ArrayValues {
  const { buffer, byteOffset, length } = bytes.byteOffset % size === 0 ? bytes : bytes.slice();
  return new ARRAYS[type as keyof typeof ARRAYS](buffer as ArrayBuffer, byteOffset, length / size);
}

/** The bytes of each element in the opposite order, in a copy. */
export function swapped(bytes: Uint8Array, size: number): Uint8Array {
  if (size === 1) return bytes;
  const copy = bytes.slice();
  swapBytes(copy, size);
  return copy;
}
