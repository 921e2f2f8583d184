import { assertKind } from '../../check/option-checks.js';
import { beginWork, type WorkOptions } from '../../check/work.js';
import { OptionError } from '../../errors.js';
import { product } from '../array/chunk-assembler.js';
import { SUPERBLOCK_BYTES, superblock } from '../hdf5/read-layout.js';
import { checkContent } from './check-content.js';
import { createHeaders, type PlacedArray } from './file-headers.js';
import { GrowingFile } from './growing-file.node.js';
import type { NetcdfArray, NetcdfContent } from './netcdf-content.js';
import { writeArray } from './write-array.node.js';

/** How a NetCDF file is written. */
export interface NetcdfOptions extends WorkOptions {
  /** Level of compression, 1 to 9, or 0 for none. Default 1: level 4 takes half as long again for a few percent. */
  readonly deflate?: number;
}

/**
 * Writes a NetCDF-4 file: HDF5 that NetCDF's libraries recognize, with dimension scales, attributes in their order,
 * shuffled and deflated chunks. Values are written as they arrive: only incomplete chunks are in memory. The same
 * content gives the same bytes, as they contain no times of writing.
 *
 * The file is not valid HDF5 until all of it is written: whatever stops the writer, an incomplete file is not mistaken
 * for a complete one. It is removed where `signal` stops the writer, and else stays. Throws OptionError for content that contradicts itself, FileError if the file
 * cannot be written, and what the iterables of values throw.
 */
export async function writeNetcdf4(path: string, content: NetcdfContent, options: NetcdfOptions = {}): Promise<void> {
  assertKind('path', path, 'text');
  assertKind('options', options, 'object');
  const { work, others } = beginWork(options, 'values');
  const { deflate = 1 } = others;
  checkDeflate(deflate);
  checkContent(content, 'NetCDF');
  const shapeOf = (array: NetcdfArray) => array.dimensions.map((name) => content.dimensions.get(name) as number);
  work.expect(content.arrays.reduce((sum, array) => sum + product(shapeOf(array)), 0));
  const file = await GrowingFile.create(path, work);
  try {
    await file.append(new Uint8Array(SUPERBLOCK_BYTES));
    const arrays: PlacedArray[] = [];
    for (const array of content.arrays) {
      const shape = shapeOf(array);
      arrays.push({ array, shape, storage: await writeArray(file, array, shape, deflate, content.unlimited) });
    }
    await file.align();
    const { bytes, root } = createHeaders(content, arrays, file.length);
    await file.append(bytes);
    await file.begin(superblock(root, file.length));
  } catch (cause) {
    await file.abandon();
    work.check();
    throw cause;
  }
  await file.close();
}

/** Throws OptionError for what is no level of compression. */
function checkDeflate(deflate: number): void {
  if (!(Number.isInteger(deflate) && deflate >= 0 && deflate <= 9)) {
    throw new OptionError({
      subject: 'deflate',
      problem: 'not a level of compression',
      received: deflate,
      allowed: 'a whole number from 1 to 9, or 0 for none',
    });
  }
}
