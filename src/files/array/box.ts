import { NUMBER_ARRAYS } from '../../core/number-types.js';
import { OptionError } from '../../errors.js';
import type { ArrayType, ArrayValues, Box } from './array-file.js';

/** The number of elements in a box of these lengths: one if there are no dimensions. */
export function elements(count: readonly number[]): number {
  return count.reduce((product, length) => product * length, 1);
}

/**
 * The bytes of `into` that the values of a box fill. Throws OptionError where the box is not within the array, where
 * the array has texts, and where `into` is of another type or too short.
 */
export function checkedBytes(
  array: { readonly name: string; readonly type: ArrayType; readonly shape: readonly number[] },
  { start, count }: Box,
  into: ArrayValues,
): Uint8Array {
  const { name, type, shape } = array;
  const isWithin = (length: number, dimension: number) => {
    const first = start[dimension];
    const size = count[dimension];
    return Number.isInteger(first) && Number.isInteger(size) && first >= 0 && size >= 0 && first + size <= length;
  };
  if (start.length !== shape.length || count.length !== shape.length || !shape.every(isWithin)) {
    const received = `start ${start.join(', ')} count ${count.join(', ')}`;
    throw new OptionError({
      subject: name,
      problem: 'box is not within the array',
      received,
      allowed: shape.join(' x '),
    });
  }
  if (type === 'text')
    throw new OptionError({ subject: name, problem: 'is an array of texts', allowed: 'readTexts()' });
  const { name: wanted } = NUMBER_ARRAYS[type];
  const length = elements(count);
  if (into.constructor.name !== wanted || into.length < length) {
    const received = `${into.constructor.name} of ${into.length}`;
    throw new OptionError({ subject: name, problem: 'values do not fit', received, allowed: `${wanted} of ${length}` });
  }
  return new Uint8Array(into.buffer, into.byteOffset, length * into.BYTES_PER_ELEMENT);
}

/** The OptionError for `readTexts` of an array of numbers. */
export function notText(name: string): OptionError {
  return new OptionError({ subject: name, problem: 'is an array of numbers', allowed: 'read()' });
}
