import { assertKind } from '../../check/assert-shape.js';
import type { ArrayFile } from '../array/array-file.js';
import { bytesAccess } from '../array/random-access.js';
import { openHdf5 } from './open-hdf5.js';

/**
 * Opens the bytes of a NetCDF4 or other HDF5 file, mainly for browsers: on Node, `openArrayFile` reads a file without
 * loading all of it. The bytes are not copied, and must not change until `close`. Throws FormatError if they are
 * damaged or truncated or refer to other files, and PackageError if h5wasm is not installed.
 */
export async function openNetcdf4(bytes: Uint8Array, source = 'input'): Promise<ArrayFile> {
  assertKind('bytes', bytes, 'bytes');
  assertKind('source', source, 'any text');
  return openHdf5(bytesAccess(bytes, source), () => import('h5wasm'));
}
