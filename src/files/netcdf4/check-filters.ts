import type { Filter } from 'h5wasm';
import { FormatError } from '../../errors.js';
import type { Hdf5Handle } from './hdf5-handle.js';
import type { Hdf5Dataset } from './list-datasets.js';

/** The filters that h5wasm's HDF5 library decodes, by their numbers. */
const DECODED = new Set([1, 2, 3, 4, 5, 6]);
const NBIT = 5;
const READABLE =
  'deflate, shuffle, fletcher32, szip, scaleoffset and nbit; `nccopy -F none` or `h5repack -f NONE` takes others off where they are installed';

/**
 * Checks that the values of a dataset can be decoded: HDF5 leaves memory as it was where it has no decoder.
 *
 * Throws FormatError that names a filter that is not decoded, or the other files whose values a virtual dataset shows: HDF5 takes those
 * that are not there for missing values.
 */
export function checkFilters(file: Hdf5Handle, { path, metadata }: Hdf5Dataset, subject: string): void {
  const filters = file.ask(subject, (library, id) => library.get_dataset_filters(id, path));
  const unknown = filters.find((filter) => !DECODED.has(filter.id) || hasFewerBits(filter));
  if (unknown !== undefined) {
    const problem = `is stored with the filter ${unknown.name || 'without a name'} (${unknown.id}), which is not decoded`;
    throw new FormatError({ subject, problem, allowed: READABLE });
  }
  const others = metadata.virtual_sources?.map((source) => source.file_name);
  if (others !== undefined) {
    const problem = 'is virtual: its values are in other files';
    throw new FormatError({ subject, problem, received: others, allowed: 'those files' });
  }
}

/** Whether numbers have fewer bits than their bytes have: their parameters are count, flag, count, class, size, order, bits. */
function hasFewerBits({ id, cd_values: parameters }: Filter): boolean {
  return id === NBIT && parameters[6] !== parameters[4] * 8;
}
