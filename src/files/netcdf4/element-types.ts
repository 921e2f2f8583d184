import { NUMBER_ARRAYS, type NumberType } from '../../core/number-types.js';
import { type ArrayType, type ArrayValues, elementBytes } from '../array/array-file.js';
import { type Datatype, floatType, integerType, textType } from '../hdf5/datatypes.js';

/** How a file describes the elements of an array. */
export function elementType(type: ArrayType): Datatype {
  if (type === 'text') return textType();
  const size = elementBytes(type);
  return type.startsWith('float') ? floatType(size as 4 | 8) : integerType(size, type.startsWith('int'));
}

/** `length` values, each of them `fill`, zero by default. */
export function filledValues(type: NumberType, length: number, fill = 0): ArrayValues {
  if (type === 'int64' || type === 'uint64') return new NUMBER_ARRAYS[type](length).fill(BigInt(fill));
  return new NUMBER_ARRAYS[type](length).fill(fill);
}

/** The bytes of values, as a view. */
export function bytesOf({ buffer, byteOffset, byteLength }: ArrayValues): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength);
}
