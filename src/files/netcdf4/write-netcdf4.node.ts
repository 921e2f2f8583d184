import { assertKind } from '../../check/assert-shape.js';
import { SUPERBLOCK_BYTES, superblock } from '../hdf5/superblock.js';
import { checkContent } from './check-content.js';
import { createHeaders, type PlacedArray } from './file-headers.js';
import { GrowingFile } from './growing-file.node.js';
import type { NetcdfContent } from './netcdf-content.js';
import { writeArray } from './write-array.node.js';

export interface NetcdfOptions {
  /** Level of compression, 1 to 9, or 0 for none. Default 1: level 4 takes half as long again for a few percent. */
  readonly deflate?: number;
}

/**
 * Writes a NetCDF-4 file: HDF5 that NetCDF's libraries recognize, with dimension scales, attributes in their order,
 * shuffled and deflated chunks. Values are written as they arrive: only incomplete chunks are in memory. The same
 * content gives the same bytes, as they contain no times of writing.
 *
 * The file is not valid HDF5 until all of it is written: whatever stops the writer, an incomplete file is not mistaken
 * for a complete one. It is not removed. Throws OptionError for content that contradicts itself, FileError if the file
 * cannot be written, and what the iterables of values throw.
 */
export async function writeNetcdf4(path: string, content: NetcdfContent, options: NetcdfOptions = {}): Promise<void> {
  assertKind('path', path, 'text');
  assertKind('options', options, 'object');
  const { deflate = 1 } = options;
  checkContent(content, deflate);
  const file = await GrowingFile.create(path);
  try {
    await file.append(new Uint8Array(SUPERBLOCK_BYTES));
    const arrays: PlacedArray[] = [];
    for (const array of content.arrays) {
      const shape = array.dimensions.map((name) => content.dimensions.get(name) as number);
      arrays.push({ array, shape, storage: await writeArray(file, array, shape, deflate, content.unlimited) });
    }
    await file.align();
    const { bytes, root } = createHeaders(content, arrays, file.length);
    await file.append(bytes);
    await file.begin(superblock(root, file.length));
  } catch (cause) {
    await file.abandon();
    throw cause;
  }
  await file.close();
}
