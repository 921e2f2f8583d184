import type { Metadata } from 'h5wasm';
import type { ArrayType } from '../array/array-file.js';

/** HDF5's numbers of the classes of its types. */
const INTEGER = 0;
const FLOAT = 1;
const STRING = 3;

const INTEGERS: Readonly<Record<number, readonly [unsigned: ArrayType, signed: ArrayType]>> = {
  1: ['uint8', 'int8'],
  2: ['uint16', 'int16'],
  4: ['uint32', 'int32'],
  8: ['uint64', 'int64'],
};
const FLOATS: Readonly<Record<number, ArrayType>> = { 4: 'float32', 8: 'float64' };

/** The type of the elements of an HDF5 dataset or attribute; undefined if they are not plain numbers or texts. */
export function arrayType({ type, size, signed }: Metadata): ArrayType | undefined {
  if (type === INTEGER) return INTEGERS[size]?.[signed ? 1 : 0];
  if (type === FLOAT) return FLOATS[size];
  return type === STRING ? 'text' : undefined;
}

/** Whether these are single characters, which NetCDF joins to texts along the last dimension. */
export function isCharacters({ type, size, vlen, shape }: Metadata): boolean {
  return type === STRING && size === 1 && !vlen && shape !== null && shape.length > 0;
}
