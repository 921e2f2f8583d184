import { assertKind } from '../check/option-checks.js';
import { beginWork, type WorkOptions } from '../check/work.js';
import type { ArrayFile } from './array/array-file.js';
import type { GridOptions } from './cf/grid-options.js';
import { selectRequested } from './cf/select-arrays.js';
import { assertFormats, type FormatsOption } from './open-source.js';
import { openArrays } from './open-source.node.js';

/**
 * Opens a file of arrays for reading, NetCDF3, NetCDF4 (or other HDF5) or GRIB, detected from the content alone, or the
 * folder of a Zarr store, or one of GRIB files that belong together; of its values only what is requested is read.
 *
 * Options are the same as of `gridEnsemble`: if they name a variable or an array, others may be left out of GRIB files beside
 * which index files (`.idx` of NCEP, `.index` of ECMWF) stand. `formats` are formats of your own. Throws FileError where
 * it cannot be read, FormatError where it is of another format, damaged or cut, PackageError where the library for its
 * format is not installed, and OptionError.
 */
export async function openArrayFile(
  path: string,
  options: GridOptions & FormatsOption & WorkOptions = {},
): Promise<ArrayFile> {
  assertKind('path', path, 'text');
  const { work, others } = beginWork(options, 'bytes');
  const { formats, ...requested } = others;
  assertFormats(formats);
  const selection = selectRequested(requested);
  return work.run(() => openArrays(path, { formats, work, selection }));
}
