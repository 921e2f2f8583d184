import { assertKind, assertShape, assertShapes } from '../../check/assert-shape.js';
import { assertOneOf } from '../../check/option-checks.js';
import { NUMBER_ARRAYS } from '../../core/number-types.js';
import { OptionError } from '../../errors.js';
import { product } from './chunk-assembler.js';
import type { NetcdfArray, NetcdfContent } from './netcdf-content.js';

const NAME = /^[A-Za-z_][A-Za-z0-9_.@+-]*$/;

/** Throws OptionError if content contradicts itself, or NetCDF cannot store it. */
export function checkContent(content: NetcdfContent, deflate: number): void {
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
