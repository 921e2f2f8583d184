import type { ArrayType, ArrayValues, Box, StoredArray } from '../../src/formats/array-file.js';

const CONSTRUCTORS: Record<Exclude<ArrayType, 'text'>, new (length: number) => ArrayValues> = {
  int8: Int8Array,
  uint8: Uint8Array,
  int16: Int16Array,
  uint16: Uint16Array,
  int32: Int32Array,
  uint32: Uint32Array,
  int64: BigInt64Array,
  uint64: BigUint64Array,
  float32: Float32Array,
  float64: Float64Array,
};

/** Room for so many values of an array. */
function roomFor(array: StoredArray, length: number): ArrayValues {
  if (array.type === 'text') throw new Error(`${array.name} has texts`);
  return new CONSTRUCTORS[array.type](length);
}

/** The values of a box, or of the whole array, as numbers. */
export async function valuesOf(array: StoredArray | undefined, box?: Box): Promise<number[]> {
  if (array === undefined) throw new Error('there is no such array');
  const { start, count } = box ?? wholeBox(array);
  const into = roomFor(
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
export function boxOf(values: readonly number[], shape: readonly number[], { start, count }: Box): number[] {
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
