import type { Metadata } from 'h5wasm';
import { isNumberType } from '../../core/number-types.js';
import type { ArrayType } from '../array/array-file.js';

/** HDF5's numbers of the classes of its types. */
const INTEGER = 0;
const FLOAT = 1;
const STRING = 3;

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
