import { assertKind, assertOneOf, assertShape, assertShapes } from '../../check/option-checks.js';
import { NUMBER_ARRAYS } from '../../core/number-arrays.js';
import { OptionError, unusable, withKeys } from '../../errors.js';
import { product } from '../array/chunk-assembler.js';
import type { NetcdfArray, NetcdfContent } from './netcdf-content.js';

/** The formats that content is written in, as messages call them. */
export type ContentFormat = 'NetCDF' | 'Zarr';

const NAME = /^[A-Za-z_][A-Za-z0-9_.@+-]*$/;

/** Throws OptionError, by the name of the format to write, if content contradicts itself or cannot be stored. */
export function checkContent(content: NetcdfContent, format: ContentFormat): void {
  const reject = rejectOf(format);
  if (!(Object(content).dimensions instanceof Map)) {
    throw unusable('content', withKeys(content), 'an Arrow table, or an object with dimensions, attributes, arrays');
  }
  assertShape('content', content, { dimensions: 'map', attributes: 'map', arrays: 'list', unlimited: 'text?' });
  assertShapes('content.arrays', content.arrays, {
    name: 'text',
    type: 'text',
    dimensions: 'texts',
    attributes: 'map',
  });
  const { dimensions, arrays } = content;
  for (const [name, length] of dimensions) {
    checkName(name, reject);
    if (!(Number.isInteger(length) && length >= 1)) reject(name, 'the dimension has no length', length);
  }
  const { unlimited } = content;
  const growing = arrays.find(({ name }) => name === unlimited);
  if (unlimited !== undefined && growing?.dimensions[0] !== unlimited) {
    reject(unlimited, 'the unlimited dimension has no coordinates');
  }
  const names = new Set<string>();
  for (const array of arrays) {
    checkName(array.name, reject);
    if (names.has(array.name)) reject(array.name, 'there are two arrays of this name');
    names.add(array.name);
    checkArray(array, dimensions, format);
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
  format: ContentFormat,
): void {
  const reject = rejectOf(format);
  assertOneOf(`${format} ${name}, type`, type, ['text', ...Object.keys(NUMBER_ARRAYS)]);
  if (!ArrayBuffer.isView(values)) assertKind(`${format} ${name}, values`, values, 'iterable');
  assertKind(`${format} ${name}, chunk`, chunk, 'list?');
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

function checkName(name: string, reject: Reject): void {
  if (typeof name !== 'string' || !NAME.test(name)) reject(name, 'is not a name that NetCDF programs accept');
}

type Reject = (name: string, problem: string, received?: unknown) => never;

function rejectOf(format: ContentFormat): Reject {
  return (name, problem, received) => {
    throw new OptionError({ subject: `${format} ${name}`, problem, ...(received !== undefined && { received }) });
  };
}
