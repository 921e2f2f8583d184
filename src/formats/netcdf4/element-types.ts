import type { ArrayType, ArrayValues } from '../array-file.js';
import { type Datatype, floatType, integerType, textType } from '../hdf5/datatypes.js';

type NumberType = Exclude<ArrayType, 'text'>;

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
} as const;

/** How a file describes the elements of an array. */
export function elementType(type: ArrayType): Datatype {
  if (type === 'text') return textType();
  const { BYTES_PER_ELEMENT: size } = ARRAYS[type];
  return type.startsWith('float') ? floatType(size as 4 | 8) : integerType(size, type.startsWith('int'));
}

/** `length` values, each of them `fill`, zero by default. */
export function filledValues(type: NumberType, length: number, fill = 0): ArrayValues {
  if (type === 'int64' || type === 'uint64') return new ARRAYS[type](length).fill(BigInt(fill));
  return new ARRAYS[type](length).fill(fill);
}

/** The bytes of values, as a view. */
export function bytesOf({ buffer, byteOffset, byteLength }: ArrayValues): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength);
}
