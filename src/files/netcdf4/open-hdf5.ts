import { limitedMemory } from '../../core/memory-limit.js';
import type { ArrayFile } from '../array/array-file.js';
import type { RandomAccess, ReadyAccess } from '../array/random-access.js';
import { checkSuperblock } from '../hdf5/superblock.js';
import { loadPackage } from '../load-package.js';
import { checkGlobalHeaps } from './check-global-heaps.js';
import { Hdf5Handle } from './hdf5-handle.js';
import type { Hdf5Library } from './library-memory.js';
import { listDatasets } from './list-datasets.js';
import { isDimensionOnly, isOfNetcdf, nameDimensions } from './name-dimensions.js';
import { readAttributes, withoutInternal } from './read-attributes.js';
import { createArray } from './stored-array.js';

/**
 * Opens the HDF5 file that `access` reads, and closes with it; `load` imports h5wasm. Datasets that have neither plain
 * numbers nor texts (enumerations, compounds, references, half floats and others) are left out, and so are those without
 * values.
 */
export async function openHdf5(
  access: ReadyAccess,
  load: () => Promise<{ readonly ready: Promise<Hdf5Library> }>,
): Promise<ArrayFile> {
  let file: Hdf5Handle | undefined;
  let closing: Promise<void> | undefined;
  const close = () => {
    file?.close();
    closing ??= access.close();
    return closing;
  };
  try {
    const base = await checkSuperblock(access);
    await checkGlobalHeaps(access);
    file = new Hdf5Handle(await loadLibrary(access.source, load), access);
    file.open();
    return createArrayFile(file, accessFrom(base, access), close);
  } catch (error) {
    await close();
    throw error;
  }
}

/** Access in which addresses of the file, which count from its superblock, are offsets. */
function accessFrom(base: number, access: RandomAccess): RandomAccess {
  if (base === 0) return access;
  return {
    source: access.source,
    size: access.size - base,
    read: (at, into) => access.read(base + at, into),
    checkUnchanged: () => access.checkUnchanged(),
    close: () => access.close(),
  };
}

async function loadLibrary(
  source: string,
  load: () => Promise<{ readonly ready: Promise<Hdf5Library> }>,
): Promise<Hdf5Library> {
  try {
    return await loadPackage('h5wasm', source, async () => (await load()).ready);
  } catch (error) {
    throw limitedMemory(`${source}: the package h5wasm`, memoryFault()) ?? error;
  }
}

/** Why there can be no memory like the library's, if that is so: it does not say so itself. */
function memoryFault(): unknown {
  try {
    new WebAssembly.Memory({ initial: 256, maximum: 32_768 });
  } catch (cause) {
    return cause;
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
