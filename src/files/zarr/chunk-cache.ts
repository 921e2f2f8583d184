import { LRUCache } from 'lru-cache';
import { OptionError } from '../../errors.js';
import type { ArrayValues } from '../array/array-file.js';

/** The values of a chunk; undefined where it is not in the store. */
export type CachedValues = ArrayValues | undefined;

/** What an entry takes in memory beside its values, about. */
const ENTRY_BYTES = 512;

/**
 * Keeps decoded chunks of any number of stores, the least recently used given up first. What is read by several at a
 * time is read once.
 */
export class ChunkCache {
  readonly #kept: LRUCache<string, { readonly values: CachedValues }>;
  /** Reads that are under way. */
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

  /** What is kept under a name, or what `read` gives, which is kept; what it throws is not. */
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
