import { forEachLimited } from '../../check/work.js';
import type { Box } from '../array/array-file.js';
import { touchedChunks } from '../array/copy-box.js';
import type { StoreReader } from './store-reader.js';

/** A chunk as it is stored. */
export interface StoredChunk {
  /** In the grid of chunks. */
  readonly place: readonly number[];
  /** Its name in messages. */
  readonly name: string;
  /** Undefined if it was never written, or is not in the store. */
  readonly bytes: Uint8Array | undefined;
}

/** Reads stored chunks. */
export interface ChunkReader {
  /**
   * Reads the chunks that overlap a box, each once, several at a time and in any order. Throws FileError and
   * FormatError.
   */
  forEach(box: Box, use: (chunk: StoredChunk) => Promise<void>): Promise<void>;
}

/** The shape and the keys of chunks that are values of the store. */
export interface ChunkKeys {
  readonly chunk: readonly number[];
  /** The most bytes of a chunk as it is stored; of one in a shard, where there are shards. */
  readonly maxBytes: number;
  key(place: readonly number[]): string;
}

/** Creates a reader of chunks, each of which is a value of the store. */
export function createPlainReader(
  store: StoreReader,
  { chunk, maxBytes, key }: ChunkKeys,
  concurrency: number,
): ChunkReader {
  return {
    forEach(box, use) {
      return forEachLimited(touchedChunks(chunk, box), concurrency, async (place) => {
        const at = key(place);
        await use({ place, name: store.name(at), bytes: await store.get(at, maxBytes) });
      });
    },
  };
}
