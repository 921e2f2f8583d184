import type { ArrayFile, Box, StoredArray } from '../../files/array/array-file.js';

/** A file whose arrays record which of their chunks were missing when they were read. */
export interface WatchedArrays {
  readonly file: ArrayFile;
  /** The number of missing chunks of an array, and of all its chunks; undefined if none were missing. */
  absentChunks(name: string): { readonly count: number; readonly of: number } | undefined;
}

/** Wraps a file to record missing chunks. */
export function watchAbsentChunks(file: ArrayFile): WatchedArrays {
  const absent = new Map<string, Set<string>>();
  const watched = (array: StoredArray): StoredArray => {
    const { name, type, dimensions, shape, attributes, chunk, filters } = array;
    const missing = new Set<string>();
    absent.set(name, missing);
    return {
      ...{ name, type, dimensions, shape, attributes, ...(chunk && { chunk }), ...(filters && { filters }) },
      async read(box, into) {
        const boxes = await array.read(box, into);
        if (chunk !== undefined) for (const each of boxes) missing.add(chunkIndex(each, chunk));
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
      // An ensemble that is computed from two arrays is not an array of the file.
      const { shape = [], chunk } = file.arrays.get(name) ?? {};
      const count = absent.get(name)?.size ?? 0;
      if (count === 0 || chunk === undefined) return undefined;
      return { count, of: shape.reduce((product, length, d) => product * Math.ceil(length / chunk[d]), 1) };
    },
  };
}

/** The index of the chunk that contains a box, as text. */
function chunkIndex({ start }: Box, chunk: readonly number[]): string {
  return start.map((index, d) => Math.floor(index / chunk[d])).join();
}
