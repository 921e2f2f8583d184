import { OptionError } from '../../errors.js';
import type { ArrayFile, StoredArray } from '../array/array-file.js';
import { toPlainArray } from './coordinates.js';

/**
 * Returns the file with a dimension of members, which keep the names of its coordinate, or else are
 * numbered. Throws OptionError where no array has the dimension.
 */
export function withMemberDimension(file: ArrayFile, name: string | undefined): ArrayFile {
  if (name === undefined) return file;
  const along = [...file.arrays.values()].find(({ dimensions }) => dimensions.includes(name));
  if (along === undefined) {
    const known = new Set([...file.arrays.values()].flatMap(({ dimensions }) => dimensions));
    throw new OptionError({
      ...{ subject: `${file.source}, memberDimension`, problem: 'the file has no such dimension', received: name },
      allowed: [...known].join(', '),
    });
  }
  const own = file.arrays.get(name);
  const isOwn = own?.dimensions.length === 1 && own.dimensions[0] === name;
  const length = along.shape[along.dimensions.indexOf(name)];
  const plain = isOwn ? toPlainArray(own) : numbers(name, length);
  const attributes = new Map([...plain.attributes, ['standard_name', 'realization'] as const]);
  const arrays = new Map([...file.arrays, [name, { ...plain, attributes }] as const]);
  const { format, source, attributes: ofFile, notices, notes, runs } = file;
  return { format, source, attributes: ofFile, notices, notes, runs, arrays, close: () => file.close() };
}

/** An array of the numbers from 0 on along its dimension. */
function numbers(name: string, length: number): StoredArray {
  return {
    ...{ name, type: 'int32', dimensions: [name], shape: [length], attributes: new Map() },
    read: async ({ start: [start], count: [count] }, into) => {
      for (let i = 0; i < count; i++) (into as Int32Array)[i] = start + i;
      return [];
    },
    readTexts: () => Promise.reject(new TypeError('numbers are no texts')),
  };
}
