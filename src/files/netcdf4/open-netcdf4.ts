import { assertKind } from '../../check/assert-shape.js';
import type { ArrayFile } from '../array/array-file.js';
import { bytesAccess } from '../array/random-access.js';
import { checkSuperblock } from '../hdf5/superblock.js';
import { loadPackage } from '../load-package.js';
import { checkGlobalHeaps } from './check-global-heaps.js';
import type { Hdf5Library } from './hdf5-handle.js';
import { openHdf5 } from './open-hdf5.js';

/** The library's file system uses the given bytes. */
const NO_COPY = { flags: 'w', canOwn: true };

/**
 * Opens the bytes of a NetCDF4 or other HDF5 file, mainly for browsers: on Node, `openNetcdf4File` reads a file without
 * loading all of it. The bytes are not copied, and must not change until `close`. Throws FormatError if they are
 * damaged or truncated, and PackageError if h5wasm is not installed.
 */
export async function openNetcdf4(bytes: Uint8Array, source = 'input'): Promise<ArrayFile> {
  assertKind('bytes', bytes, 'bytes');
  assertKind('source', source, 'any text');
  const access = bytesAccess(bytes, source);
  await checkSuperblock(access);
  await checkGlobalHeaps(access);
  const { ready } = await loadPackage('h5wasm', source, () => import('h5wasm'));
  const library = await ready;
  const path = findFreePath(library);
  library.FS.writeFile(path, bytes, NO_COPY);
  const release = async () => library.FS.unlink(path);
  return openHdf5(library, path, access, release);
}

/** Finds a path that is not used in the library's file system. */
function findFreePath({ FS }: Hdf5Library): string {
  for (let i = 0; ; i++) {
    const path = `/plumecast-${i}.nc`;
    if (!FS.analyzePath(path).exists) return path;
  }
}
