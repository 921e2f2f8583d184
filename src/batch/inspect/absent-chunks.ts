import type { ArrayFile, Box, StoredArray } from '../../files/array/array-file.js';

/** A file whose arrays remember which of their chunks were not there when they were read. */
export interface WatchedArrays {
  readonly file: ArrayFile;
  /** The chunks of an array that were not there, and how many it has; undefined where all were. */
  absentChunks(name: string): { readonly count: number; readonly of: number } | undefined;
}

export function watchAbsentChunks(file: ArrayFile): WatchedArrays {
  const absent = new Map<string, Set<string>>();
  const watched = (array: StoredArray): StoredArray => {
    const { name, type, dimensions, shape, attributes, chunk, filters } = array;
    const seen = new Set<string>();
    absent.set(name, seen);
    return {
      ...{ name, type, dimensions, shape, attributes, ...(chunk && { chunk }), ...(filters && { filters }) },
      async read(box, into) {
        const boxes = await array.read(box, into);
        if (chunk !== undefined) for (const each of boxes) seen.add(placeOf(each, chunk));
        return boxes;
      },
      readTexts: () => array.readTexts(),
    };
  };
  const arrays = new Map([...file.arrays].map(([name, array]) => [name, watched(array)]));
  const { format, source, attributes } = file;
  return {
    file: { format, source, attributes, arrays, close: () => file.close() },
    absentChunks(name) {
      // An ensemble that is computed from two arrays has none of its own.
      const { shape = [], chunk } = file.arrays.get(name) ?? {};
      const count = absent.get(name)?.size ?? 0;
      if (count === 0 || chunk === undefined) return undefined;
      return { count, of: shape.reduce((product, length, d) => product * Math.ceil(length / chunk[d]), 1) };
    },
  };
}

/** Which chunk a box within it is of. */
function placeOf({ start }: Box, chunk: readonly number[]): string {
  return start.map((index, d) => Math.floor(index / chunk[d])).join();
}
