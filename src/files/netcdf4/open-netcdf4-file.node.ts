import type { ArrayFile } from '../array/array-file.js';
import { openFileAccess } from '../array/file-access.node.js';
import type { ReadyAccess } from '../array/random-access.js';
import { openHdf5 } from './open-hdf5.js';

/**
 * Opens a NetCDF4 or other HDF5 file; of its values only what is requested is read. Throws FileError if it cannot be
 * read, FormatError if it is damaged or truncated or refers to other files, and PackageError if h5wasm is not installed.
 */
export async function openNetcdf4File(path: string): Promise<ArrayFile> {
  return openNetcdf4Access(await openFileAccess(path));
}

/** Opens the NetCDF4 or HDF5 file that `access` reads; `close` closes it too. */
export function openNetcdf4Access(access: ReadyAccess): Promise<ArrayFile> {
  return openHdf5(access, () => import('h5wasm/node'));
}
