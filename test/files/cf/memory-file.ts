import { NUMBER_ARRAYS } from '../../../src/core/number-arrays.js';
import type {
  ArrayFile,
  ArrayType,
  ArrayValues,
  AttributeValue,
  Box,
  StoredArray,
  UnreadAttribute,
} from '../../../src/files/array/array-file.js';

/** An array of a file in memory: its dimensions with their lengths, and its values in their order. */
export interface MemoryArray {
  readonly type?: ArrayType;
  readonly dimensions?: Readonly<Record<string, number>>;
  readonly values: ArrayLike<number> | readonly string[] | readonly bigint[];
  readonly attributes?: Readonly<Record<string, AttributeValue | UnreadAttribute>>;
  readonly chunk?: readonly number[];
  readonly chunkPart?: readonly number[];
  /** Whether an element was ever written; all are by default. */
  readonly isThere?: (index: readonly number[]) => boolean;
}

/**
 * A record of reads: how often each chunk was decoded, the boxes of each array, and the largest number of bytes at
 * once.
 */
export interface MemoryReads {
  readonly chunks: Map<string, number>;
  readonly boxes: Map<string, Box[]>;
}

/** A file of arrays in memory, and a record of what is read from it. */
export function memoryFile(
  arrays: Readonly<Record<string, MemoryArray>>,
  attributes: Readonly<Record<string, AttributeValue | UnreadAttribute>> = {},
): ArrayFile & { reads: MemoryReads } {
  const reads: MemoryReads = { chunks: new Map(), boxes: new Map() };
  return {
    format: 'memory',
    source: 'test.nc',
    attributes: new Map(Object.entries(attributes)),
    arrays: new Map(Object.entries(arrays).map(([name, array]) => [name, storedArray(name, array, reads)])),
    close: async () => {},
    reads,
  };
}

function storedArray(name: string, array: MemoryArray, reads: MemoryReads): StoredArray {
  const { dimensions = {}, values, attributes = {}, chunk, chunkPart, isThere } = array;
  const shape = Object.values(dimensions);
  const isText = typeof values[0] === 'string';
  const type = array.type ?? (isText ? 'text' : 'float64');
  const size = shape.reduce((product, n) => product * n, 1);
  if (values.length !== size) throw new Error(`${name} has ${values.length} values for ${size} elements`);
  return {
    ...{ name, type, shape, chunk, chunkPart, dimensions: Object.keys(dimensions) },
    attributes: new Map(Object.entries(attributes)),
    async read(box, into) {
      if (!isText && !(into instanceof NUMBER_ARRAYS[type as Exclude<ArrayType, 'text'>]))
        throw new Error(`${name}: wrong type`);
      reads.boxes.set(name, [...(reads.boxes.get(name) ?? []), box]);
      for (const key of chunksOf(box, chunk))
        reads.chunks.set(`${name} ${key}`, (reads.chunks.get(`${name} ${key}`) ?? 0) + 1);
      return readBox(shape, values as ArrayLike<number>, box, into, isThere);
    },
    readTexts: async () => values as readonly string[],
  };
}

function readBox(
  shape: readonly number[],
  values: ArrayLike<number>,
  { start, count }: Box,
  into: ArrayValues,
  isThere?: (index: readonly number[]) => boolean,
): Box[] {
  const absent: Box[] = [];
  const size = count.reduce((product, n) => product * n, 1);
  for (let i = 0; i < size; i++) {
    const index: number[] = [];
    for (let d = shape.length - 1, rest = i; d >= 0; d--) {
      if (start[d] + count[d] > shape[d] || start[d] < 0) throw new Error('a box beyond the array');
      index.unshift(start[d] + (rest % count[d]));
      rest = Math.floor(rest / count[d]);
    }
    if (isThere !== undefined && !isThere(index)) absent.push({ start: index, count: index.map(() => 1) });
    else into[i] = values[index.reduce((flat, place, d) => flat * shape[d] + place, 0)];
  }
  return absent;
}

/** The chunks that a box touches, by their place. */
export function chunksOf({ start, count }: Box, chunk: readonly number[] | undefined): string[] {
  if (chunk === undefined) return [];
  let keys = [''];
  for (const [d, length] of chunk.entries()) {
    const from = Math.floor(start[d] / length);
    const to = Math.floor((start[d] + count[d] - 1) / length);
    keys = keys.flatMap((key) => Array.from({ length: to - from + 1 }, (_, i) => `${key}.${from + i}`));
  }
  return keys;
}

/** The arguments of one array of each coordinate that most files have. */
export function coordinates(
  names: Readonly<Record<string, readonly number[]>>,
  time: { units: string; calendar?: string; [name: string]: AttributeValue | undefined },
): Record<string, MemoryArray> {
  const units: Record<string, Record<string, AttributeValue>> = {
    time: time as Record<string, AttributeValue>,
    latitude: { units: 'degrees_north' },
    longitude: { units: 'degrees_east' },
    lat: { units: 'degrees_north' },
    lon: { units: 'degrees_east' },
  };
  return Object.fromEntries(
    Object.entries(names).map(([name, values]) => [
      name,
      { dimensions: { [name]: values.length }, values, attributes: units[name] ?? {} },
    ]),
  );
}
