import type { ArrayFile } from '../array/array-file.js';
import { type OpenBytesOptions, openBytes } from '../array/open-bytes.js';
import type { ReadyAccess } from '../array/random-access.js';
import { openHdf5 } from './open-hdf5.js';

/**
 * Opens the bytes of a NetCDF4 or other HDF5 file, mainly for browsers: on Node, `openArrayFile` reads a file without
 * loading all of it. The bytes are not copied, and must not change until `close`. Throws FormatError if they are
 * damaged or truncated or refer to other files, and PackageError if h5wasm is not installed.
 */
export function openNetcdf4(bytes: Uint8Array, options: OpenBytesOptions = {}): Promise<ArrayFile> {
  return openBytes(bytes, options, openNetcdf4Access);
}

/** Does the same for any access to the bytes. */
export function openNetcdf4Access(access: ReadyAccess): Promise<ArrayFile> {
  return openHdf5(access, () => import('h5wasm'));
}
