import type { ArrayFile } from '../array/array-file.js';
import type { RandomAccess } from '../array/random-access.js';
import { Hdf5Handle, type Hdf5Library } from './hdf5-handle.js';
import { listDatasets } from './list-datasets.js';
import { isDimensionOnly, isOfNetcdf, nameDimensions } from './name-dimensions.js';
import { readAttributes, withoutInternal } from './read-attributes.js';
import { createArray } from './stored-array.js';

/**
 * Opens the file that the HDF5 library finds at `path`; `access` detects changes of it. `release` is called when it is
 * closed, or if it cannot be opened. Datasets that have neither plain numbers nor texts (enumerations, compounds,
 * references, half floats and others) are left out, and so are those without values.
 */
export async function openHdf5(
  library: Hdf5Library,
  path: string,
  access: RandomAccess,
  release: () => Promise<void>,
): Promise<ArrayFile> {
  const file = new Hdf5Handle(library, access.source);
  let closing: Promise<void> | undefined;
  const close = () => {
    file.close();
    closing ??= release();
    return closing;
  };
  try {
    file.open(path);
    return createArrayFile(file, access, close);
  } catch (error) {
    await close();
    throw error;
  }
}

function createArrayFile(file: Hdf5Handle, access: RandomAccess, close: () => Promise<void>): ArrayFile {
  const datasets = listDatasets(file).filter(({ metadata }) => metadata.shape !== null);
  const dimensions = nameDimensions(file, datasets);
  const attributes = readAttributes(file, '/');
  const isNetcdf = attributes.has('_NCProperties') || datasets.some(isOfNetcdf);
  const arrays = datasets
    .filter((dataset) => !isDimensionOnly(dataset))
    .map((dataset) => createArray(file, access, dataset, dimensions.get(dataset) ?? []));
  return {
    format: isNetcdf ? 'NetCDF4' : 'HDF5',
    source: file.source,
    attributes: withoutInternal(attributes),
    arrays: new Map(arrays.filter((array) => array !== undefined).map((array) => [array.name, array])),
    close,
  };
}
