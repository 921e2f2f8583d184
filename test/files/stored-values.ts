import { NUMBER_ARRAYS } from '../../src/core/number-arrays.js';
import type { ArrayValues, Box, StoredArray } from '../../src/files/array/array-file.js';

/** Room for so many values of an array. */
function bufferFor(array: StoredArray, length: number): ArrayValues {
  if (array.type === 'text') throw new Error(`${array.name} has texts`);
  return new NUMBER_ARRAYS[array.type](length);
}

/** The values of a box, or of the whole array, as numbers. */
export async function valuesOf(array: StoredArray | undefined, box?: Box): Promise<number[]> {
  if (array === undefined) throw new Error('there is no such array');
  const { start, count } = box ?? wholeBox(array);
  const into = bufferFor(
    array,
    count.reduce((product, length) => product * length, 1),
  );
  await array.read({ start, count }, into);
  return Array.from<number | bigint, number>(into, Number);
}

export function wholeBox({ shape }: StoredArray): Box {
  return { start: shape.map(() => 0), count: shape };
}

/** The values of a box taken one by one out of those of the whole array: the slow twin of `read`. */
export function layoutBox(values: readonly number[], shape: readonly number[], { start, count }: Box): number[] {
  const found: number[] = [];
  function visit(dimension: number, at: number): void {
    if (dimension === shape.length) {
      found.push(values[at]);
      return;
    }
    for (let i = 0; i < count[dimension]; i++) visit(dimension + 1, at * shape[dimension] + start[dimension] + i);
  }
  visit(0, 0);
  return found;
}
