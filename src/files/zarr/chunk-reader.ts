import type { Box } from '../array/array-file.js';
import { touchedChunks } from '../array/chunk-grid.js';
import { forEachLimited } from '../array/for-each-limited.js';
import type { StoreReader } from './store-reader.js';

/** A chunk as it is stored. */
export interface StoredChunk {
  /** In the grid of chunks. */
  readonly place: readonly number[];
  /** What messages call it. */
  readonly name: string;
  /** Undefined where it was never written, or is not in the store. */
  readonly bytes: Uint8Array | undefined;
}

/** Gives stored chunks. */
export interface ChunkReader {
  /** Those that a box touches, each once, several at a time and in any order. Throws FileError and FormatError. */
  forEach(box: Box, use: (chunk: StoredChunk) => Promise<void>): Promise<void>;
}

/** What is known of chunks that are values of the store. */
export interface ChunkKeys {
  readonly chunk: readonly number[];
  key(place: readonly number[]): string;
}

/** Chunks of which each is a value of the store. */
export function plainChunks(store: StoreReader, { chunk, key }: ChunkKeys, concurrency: number): ChunkReader {
  return {
    forEach(box, use) {
      return forEachLimited(touchedChunks(chunk, box), concurrency, async (place) => {
        const at = key(place);
        await use({ place, name: store.name(at), bytes: await store.get(at) });
      });
    },
  };
}
