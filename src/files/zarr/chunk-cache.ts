import { LRUCache } from 'lru-cache';
import { OptionError } from '../../errors.js';
import type { ArrayValues } from '../array/array-file.js';

/** The values of a chunk; undefined if it is not in the store. */
export type CachedValues = ArrayValues | undefined;

/** Approximate memory of an entry besides its values. */
const ENTRY_BYTES = 512;

/**
 * Keeps decoded chunks of any number of stores, and drops the least recently used first. Simultaneous reads of a chunk
 * are done once.
 */
export class ChunkCache {
  readonly #kept: LRUCache<string, { readonly values: CachedValues }>;
  /** Reads in progress. */
  readonly #readings = new Map<string, Promise<CachedValues>>();

  /** Throws OptionError for a cache of no bytes. */
  constructor(bytes: number) {
    if (!Number.isSafeInteger(bytes) || bytes < 1) {
      const allowed = 'an integer of 1 or more';
      throw new OptionError({ subject: 'cache', problem: 'no number of bytes', received: bytes, allowed });
    }
    this.#kept = new LRUCache({
      maxSize: bytes,
      sizeCalculation: ({ values }) => ENTRY_BYTES + (values?.byteLength ?? 0),
    });
  }

  /** The values kept under a name, or else those of `read`, which are kept then; errors are not. */
  async values(name: string, read: () => Promise<CachedValues>): Promise<CachedValues> {
    const kept = this.#kept.get(name);
    if (kept !== undefined) return kept.values;
    const underway = this.#readings.get(name);
    if (underway !== undefined) return underway;
    const reading = read().finally(() => this.#readings.delete(name));
    this.#readings.set(name, reading);
    const values = await reading;
    this.#kept.set(name, { values });
    return values;
  }
}
