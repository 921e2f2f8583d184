import { resolve } from 'node:path';
import type { ArrayFile } from '../array/array-file.js';
import { openFileAccess } from '../array/file-access.node.js';
import type { RandomAccess } from '../array/random-access.js';
import { checkSuperblock } from '../hdf5/superblock.js';
import { loadPackage } from '../load-package.js';
import { checkGlobalHeaps } from './check-global-heaps.js';
import { openHdf5 } from './open-hdf5.js';

/**
 * Opens a NetCDF4 or other HDF5 file; of its values only what is requested is read. Throws FileError if it cannot be
 * read, FormatError if it is damaged or truncated, and PackageError if h5wasm is not installed.
 */
export async function openNetcdf4File(path: string): Promise<ArrayFile> {
  return openNetcdf4Access(await openFileAccess(path), path);
}

/** Opens the NetCDF4 or HDF5 file at a path, which `access` reads; `close` closes it too. */
export async function openNetcdf4Access(access: RandomAccess, path: string): Promise<ArrayFile> {
  const { source } = access;
  try {
    await checkSuperblock(access);
    await checkGlobalHeaps(access);
    const { ready } = await loadPackage('h5wasm', source, () => import('h5wasm/node'));
    return await openHdf5(await ready, resolve(path), access, () => access.close());
  } catch (error) {
    await access.close();
    throw error;
  }
}
