import type { Metadata } from 'h5wasm';
import { isNumberType, NUMBER_ARRAYS, type NumberType } from '../../core/number-types.js';
import { unusable } from '../../errors.js';
import { type ArrayType, type ArrayValues, elementBytes } from '../array/array-file.js';
import { storedText } from '../array/stored-text.js';
import { type Datatype, floatType, integerType, textType } from '../hdf5/datatypes.js';
import type { Hdf5Library } from './hdf5-handle.js';

/** HDF5's numbers of the classes of its types. */
const INTEGER = 0;
const FLOAT = 1;
const STRING = 3;

/** What people call the other classes, by their numbers. */
const CLASS_NAMES: Readonly<Record<number, string>> = {
  0: 'an integer',
  1: 'a float',
  2: 'a time',
  4: 'a bit field',
  5: 'an opaque value',
  6: 'a compound',
  7: 'a reference',
  8: 'an enumeration',
  9: 'a list of variable length',
  10: 'an array',
};

/** The type of the elements of an HDF5 dataset or attribute; undefined if they are not plain numbers or texts. */
export function arrayType({ type, size, signed }: Metadata): ArrayType | undefined {
  if (type === STRING) return 'text';
  if (type !== INTEGER && type !== FLOAT) return undefined;
  const kind = type === FLOAT ? 'float' : signed ? 'int' : 'uint';
  const name = `${kind}${8 * size}`;
  return isNumberType(name) ? name : undefined;
}

/** Whether these are single characters, which NetCDF joins to texts along the last dimension. */
export function isCharacters({ type, size, vlen, shape }: Metadata): boolean {
  return type === STRING && size === 1 && !vlen && shape !== null && shape.length > 0;
}

/** HDF5's number for texts of fixed length that are padded with spaces; others are padded with NULs. */
const SPACE_PADDED = 2;

/** Reads `length` texts, of fixed or variable length, from the library's memory from `at` on. */
export function decodeTexts({ HEAPU8 }: Hdf5Library, at: number, length: number, metadata: Metadata): string[] {
  const { size, vlen, strpad } = metadata;
  const pointers = new DataView(HEAPU8.buffer, at);
  return Array.from({ length }, (_, i) => {
    if (vlen) {
      const from = pointers.getUint32(i * size, true);
      return from === 0 ? '' : storedText(HEAPU8.slice(from, HEAPU8.indexOf(0, from)));
    }
    const bytes = HEAPU8.slice(at + i * size, at + (i + 1) * size);
    if (strpad === SPACE_PADDED) return storedText(bytes).trimEnd();
    const end = bytes.indexOf(0);
    return storedText(end < 0 ? bytes : bytes.subarray(0, end));
  });
}

/** Reads `length` numbers from the library's memory from `at` on. */
export function decodeNumbers({ HEAPU8 }: Hdf5Library, at: number, length: number, type: NumberType): number[] {
  const TypedArray = NUMBER_ARRAYS[type];
  const { buffer } = HEAPU8.slice(at, at + length * TypedArray.BYTES_PER_ELEMENT);
  return Array.from<number | bigint, number>(new TypedArray(buffer), Number);
}

/** What people call a type that is not read, such as `a compound of 8 bytes`. */
export function typeName({ type, size }: Metadata): string {
  return `${CLASS_NAMES[type] ?? 'an unknown type'} of ${size} ${size === 1 ? 'byte' : 'bytes'}`;
}

/** How a file describes the elements of an array. */
export function elementType(type: ArrayType): Datatype {
  if (type === 'text') return textType();
  const size = elementBytes(type);
  return type.startsWith('float') ? floatType(size as 4 | 8) : integerType(size, type.startsWith('int'));
}

/** `length` values, each of them `fill`, zero by default. */
export function filledValues(type: NumberType, length: number, fill = 0): ArrayValues {
  if (typeof fill !== 'number') throw unusable('fillValue', fill, 'a number');
  if (type === 'int64' || type === 'uint64') return new NUMBER_ARRAYS[type](length).fill(BigInt(fill));
  return new NUMBER_ARRAYS[type](length).fill(fill);
}

/** The bytes of values, as a view. */
export function bytesOf({ buffer, byteOffset, byteLength }: ArrayValues): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength);
}
