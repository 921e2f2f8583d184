import { stat } from 'node:fs/promises';
import { assertKind } from '../../check/assert-shape.js';
import { unreadable } from '../../disk/file-fault.js';
import { FileError } from '../../errors.js';
import type { GridOptions } from '../cf/grid-options.js';
import { selectRequested } from '../cf/select-arrays.js';
import { singleFile } from '../grib/cube/grib-files.js';
import { InventoryFiles } from '../grib/inventory/inventory-files.node.js';
import { openGribFiles } from '../grib/open-grib.js';
import { isGribFolder, openGribFolder } from '../grib/open-grib-files.node.js';
import { openNetcdf3Access } from '../netcdf3/open-netcdf3.js';
import { openNetcdf4Access } from '../netcdf4/open-netcdf4-file.node.js';
import { openZarrFolder } from '../zarr/open-zarr-folder.node.js';
import type { ArrayFile } from './array-file.js';
import type { ArraySelection } from './array-selection.js';
import { swapBytesNatively } from './byte-order.node.js';
import { type ArrayFormat, detectArrayFormat } from './detect-array-format.js';
import { type FileAccess, openFileAccess } from './file-access.node.js';
import type { RandomAccess } from './random-access.js';

const READABLE = 'a NetCDF3, NetCDF4 or other HDF5, or GRIB file, or the folder of a Zarr store or of GRIB files';
const HEAD_BYTES = 65_536;

type OpenAccess = (access: FileAccess, selection: ArraySelection | undefined, path: string) => Promise<ArrayFile>;

const READERS: Record<ArrayFormat, OpenAccess> = {
  netcdf3: (access) => openNetcdf3Access(access, swapBytesNatively),
  netcdf4: (access) => openNetcdf4Access(access),
  grib: (access, selection, path) => {
    const inventories = new InventoryFiles([path]);
    return openGribFiles(
      singleFile(access, (file) => inventories.read(file)),
      selection,
    );
  },
};

/**
 * Opens a file of arrays for reading, NetCDF3, NetCDF4 (or other HDF5) or GRIB, detected from the content alone, or the
 * folder of a Zarr store, or one of GRIB files that belong together; of its values only what is requested is read.
 *
 * Options are those of `gridEnsemble`: if they name a variable or an array, others may be left out of GRIB files beside
 * which index files (`.idx` of NCEP, `.index` of ECMWF) stand. Throws FileError where it cannot be read, FormatError
 * where it is of another format, damaged or cut, PackageError where the library for its format is not installed, and
 * OptionError.
 */
export async function openArrayFile(path: string, options: GridOptions = {}): Promise<ArrayFile> {
  assertKind('path', path, 'text');
  return openSelectedArrays(path, selectRequested(options));
}

/**
 * As `openArrayFile`, for the arrays of a selection: of GRIB files others may be left out. `source` is the name of a
 * file in messages.
 */
export async function openSelectedArrays(path: string, selection?: ArraySelection, source = path): Promise<ArrayFile> {
  const found = await stat(path).catch((cause) => Promise.reject(unreadable(path, cause, READABLE)));
  if (found.isDirectory()) return (await isGribFolder(path)) ? openGribFolder(path, selection) : openZarrFolder(path);
  if (!found.isFile()) throw new FileError({ subject: path, problem: 'is not a file', allowed: READABLE });
  const access = await openFileAccess(path, source);
  try {
    return await READERS[await formatOf(access)](access, selection, path);
  } catch (error) {
    await access.close();
    throw error;
  }
}

async function formatOf(access: RandomAccess): Promise<ArrayFormat> {
  const head = new Uint8Array(Math.min(HEAD_BYTES, access.size));
  await access.read(0, head);
  return detectArrayFormat(head, access.source);
}
