import { assertKind, assertOneOf, assertShape, assertShapes } from '../../check/option-checks.js';
import { beginWork, type WorkOptions } from '../../check/work.js';
import { NUMBER_ARRAYS } from '../../core/number-arrays.js';
import { OptionError } from '../../errors.js';
import { SUPERBLOCK_BYTES, superblock } from '../hdf5/read-layout.js';
import { product } from './chunk-assembler.js';
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
  checkContent(content, deflate);
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

const NAME = /^[A-Za-z_][A-Za-z0-9_.@+-]*$/;

/** Throws OptionError if content contradicts itself, or NetCDF cannot store it. */
function checkContent(content: NetcdfContent, deflate: number): void {
  assertShape('content', content, { dimensions: 'map', attributes: 'map', arrays: 'list', unlimited: 'text?' });
  assertShapes('content.arrays', content.arrays, {
    name: 'text',
    type: 'text',
    dimensions: 'texts',
    attributes: 'map',
  });
  const { dimensions, arrays } = content;
  if (!(Number.isInteger(deflate) && deflate >= 0 && deflate <= 9)) {
    throw new OptionError({
      subject: 'deflate',
      problem: 'not a level of compression',
      received: deflate,
      allowed: 'a whole number from 1 to 9, or 0 for none',
    });
  }
  for (const [name, length] of dimensions) {
    checkName(name);
    if (!(Number.isInteger(length) && length >= 1)) reject(name, 'the dimension has no length', length);
  }
  const { unlimited } = content;
  const growing = arrays.find(({ name }) => name === unlimited);
  if (unlimited !== undefined && growing?.dimensions[0] !== unlimited) {
    reject(unlimited, 'the unlimited dimension has no coordinates');
  }
  const names = new Set<string>();
  for (const array of arrays) {
    checkName(array.name);
    if (names.has(array.name)) reject(array.name, 'there are two arrays of this name');
    names.add(array.name);
    checkArray(array, dimensions);
  }
  for (const name of dimensions.keys()) {
    const array = arrays.find((candidate) => candidate.name === name);
    if (array === undefined || (array.dimensions.length === 1 && array.dimensions[0] === name)) continue;
    reject(name, 'the array has the name of a dimension, but does not lie along it');
  }
}

function checkArray(
  { name, type, dimensions: along, values, chunk }: NetcdfArray,
  dimensions: ReadonlyMap<string, number>,
): void {
  assertOneOf(`NetCDF ${name}, type`, type, ['text', ...Object.keys(NUMBER_ARRAYS)]);
  if (!ArrayBuffer.isView(values)) assertKind(`NetCDF ${name}, values`, values, 'iterable');
  assertKind(`NetCDF ${name}, chunk`, chunk, 'list?');
  const shape = along.map((dimension) => {
    const length = dimensions.get(dimension);
    return length ?? reject(name, 'has a dimension that is not defined', dimension);
  });
  const count = type === 'text' || ArrayBuffer.isView(values) ? (values as { length?: number }).length : undefined;
  if (type === 'text' && count === undefined) reject(name, 'texts cannot be given in boxes');
  if (count !== undefined && count !== product(shape))
    reject(name, 'has another number of values than its shape', count);
  if (along.length === 0 && count === undefined) reject(name, 'a single value cannot be given in boxes');
  if (chunk === undefined) return;
  const fits =
    chunk.length === shape.length && chunk.every((size, d) => Number.isInteger(size) && size >= 1 && size <= shape[d]);
  if (!fits) reject(name, 'its chunks do not fit its shape', chunk);
}

function checkName(name: string): void {
  if (typeof name !== 'string' || !NAME.test(name)) reject(name, 'is not a name that NetCDF programs accept');
}

function reject(name: string, problem: string, received?: unknown): never {
  throw new OptionError({ subject: `NetCDF ${name}`, problem, ...(received !== undefined && { received }) });
}
