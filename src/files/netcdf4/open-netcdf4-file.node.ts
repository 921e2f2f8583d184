import { resolve } from 'node:path';
import type { ArrayFile } from '../array/array-file.js';
import { openFileAccess } from '../array/file-access.node.js';
import type { RandomAccess } from '../array/random-access.js';
import { checkSuperblock } from '../hdf5/superblock.js';
import { loadPackage } from '../load-package.js';
import { checkGlobalHeaps } from './check-global-heaps.js';
import { openHdf5 } from './open-hdf5.js';

/**
 * Opens a NetCDF4 or other HDF5 file; of its values only what is asked for is read. Throws FileError where it cannot be
 * read, FormatError where it is damaged or cut, and PackageError where h5wasm is not installed.
 */
export async function openNetcdf4File(path: string): Promise<ArrayFile> {
  return netcdf4File(await openFileAccess(path));
}

/** The arrays of the NetCDF4 or HDF5 file that is open as `access`, whose source is its path; `close` closes it too. */
export async function netcdf4File(access: RandomAccess): Promise<ArrayFile> {
  const { source } = access;
  try {
    await checkSuperblock(access);
    await checkGlobalHeaps(access);
    const { ready } = await loadPackage('h5wasm', source, () => import('h5wasm/node'));
    return await openHdf5(await ready, resolve(source), access, () => access.close());
  } catch (error) {
    await access.close();
    throw error;
  }
}
