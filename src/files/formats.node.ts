import { swapBytesNatively } from './array/byte-order.node.js';
import { isReady } from './array/random-access.js';
import { arrowFile } from './arrow/arrow-format.js';
import { csv } from './csv/csv-format.js';
import { randomAccess } from './file-access.js';
import type { ArrayFileFormat, FileFormat, TableFileFormat } from './format.js';
import { FORMATS } from './formats.js';
import { grib } from './grib/grib-format.js';
import { kerchunk } from './kerchunk/kerchunk-format.js';
import { netcdf3 } from './netcdf3/netcdf3-format.js';
import { netcdf4 } from './netcdf4/netcdf4-format.js';
import { parquet } from './parquet/parquet-format.js';
import { zarr } from './zarr/zarr-format.js';

/*
 * What formats have on the disk beside what they have everywhere: folders, index files, Node's own code.
 */

/** A format of tables of which a folder of files may be one table. */
function inParts(format: TableFileFormat): TableFileFormat {
  return {
    ...format,
    matchesFolder: async (folder) => (await import('./part-folder/find-parts.node.js')).isPartFolder(folder, format),
    openFolder: async (folder, options) =>
      (await import('./part-folder/part-folder.node.js')).openPartFolder(folder, options),
  };
}

const netcdf3OnDisk: ArrayFileFormat = {
  ...netcdf3,
  open: async (file) => {
    const { openNetcdf3Access } = await import('./netcdf3/open-netcdf3.js');
    return openNetcdf3Access(await randomAccess(file), swapBytesNatively);
  },
};

const netcdf4OnDisk: ArrayFileFormat = {
  ...netcdf4,
  open: async (file) => {
    if (!isReady(file.random)) return netcdf4.open(file);
    return (await import('./netcdf4/open-hdf5.js')).openHdf5(file.random, () => import('h5wasm/node'));
  },
};

const gribOnDisk: ArrayFileFormat = {
  ...grib,
  matchesFolder: async (folder) => (await import('./grib/open-grib-files.node.js')).isGribFolder(folder),
  open: async (file, options) => (await import('./grib/open-grib-files.node.js')).openGribFile(file, options),
  openFolder: async (folder, options) =>
    (await import('./grib/open-grib-files.node.js')).openGribFolder(folder, options.selection),
};

const zarrOnDisk: ArrayFileFormat = {
  ...zarr,
  openFolder: async ({ path, work }) => (await import('./zarr/open-zarr-folder.node.js')).openFolderStore(path, work),
};

const kerchunkOnDisk: ArrayFileFormat = {
  ...kerchunk,
  open: async (file) => {
    const { path } = file;
    if (path === undefined) return kerchunk.open(file);
    return (await import('./kerchunk/open-reference-file.node.js')).openReferenceFile(path, file);
  },
};

const ON_DISK: readonly FileFormat[] = [
  ...[parquet, csv, arrowFile].map(inParts),
  netcdf3OnDisk,
  netcdf4OnDisk,
  gribOnDisk,
  zarrOnDisk,
  kerchunkOnDisk,
];

/** The formats that are read from the disk, in the order of `FORMATS`. */
export const DISK_FORMATS: readonly FileFormat[] = FORMATS.map(
  (format) => ON_DISK.find(({ name }) => name === format.name) ?? format,
);
