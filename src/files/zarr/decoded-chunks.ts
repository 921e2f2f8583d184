import type { ArrayValues, Box } from '../array/array-file.js';
import { touchedChunks } from '../array/chunk-grid.js';
import { forEachLimited } from '../array/for-each-limited.js';
import type { ChunkCache } from './chunk-cache.js';
import type { OpenChunks } from './open-chunks.js';

/** Uses the values of the chunk at a place in the grid of chunks; undefined if it is not in the store. */
export type UseChunk = (place: readonly number[], values: ArrayValues | undefined) => void;

/** The cache for decoded chunks of an array, and their name in it. */
export interface KeptChunks {
  readonly cache: ChunkCache;
  readonly name: string;
}

/**
 * Reads and decodes the chunks that overlap a box, each once, several at a time and in any order. Throws FileError and
 * FormatError.
 */
export function forEachDecoded({ reader, chain }: OpenChunks, box: Box, use: UseChunk): Promise<void> {
  return reader.forEach(box, async ({ place, name, bytes }) => {
    use(place, bytes && (await chain.numbers(bytes, name)));
  });
}

/** Does the same as `forEachDecoded` with a cache. */
export function forEachKept(
  chunks: OpenChunks,
  { cache, name }: KeptChunks,
  concurrency: number,
  box: Box,
  use: UseChunk,
): Promise<void> {
  return forEachLimited(touchedChunks(chunks.shape, box), concurrency, async (place) => {
    use(place, await cache.values(`${name} ${place}`, () => readChunk(chunks, place)));
  });
}

/** Reads a single chunk. */
async function readChunk(chunks: OpenChunks, place: readonly number[]): Promise<ArrayValues | undefined> {
  const first = { start: place.map((at, d) => at * chunks.shape[d]), count: place.map(() => 1) };
  let found: ArrayValues | undefined;
  await forEachDecoded(chunks, first, (_, values) => {
    found = values;
  });
  // A cached view must not keep a much larger buffer in memory.
  return found && found.buffer.byteLength > 2 * found.byteLength ? found.slice() : found;
}
