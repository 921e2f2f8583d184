import { FileError, isPlumecastError } from '../../errors.js';
import type { ByteRange, EndBytes, StoreKey, StoreReadOptions, VersionedBytes, ZarrStore } from './zarr-store.js';

/** Reads a store; errors name the store and the key. */
export class StoreReader {
  readonly source: string;
  readonly hasRanges: boolean;
  readonly #store: ZarrStore;
  readonly #options: StoreReadOptions;

  constructor(store: ZarrStore, source: string, options: StoreReadOptions) {
    this.source = source;
    this.hasRanges = store.getRange !== undefined;
    this.#store = store;
    this.#options = options;
  }

  /** The name of a key in messages. */
  name(key: string): string {
    return `${this.source}/${key}`;
  }

  /**
   * Undefined if there is no such value. Keys do not begin with a slash. Throws FileError, also for a value of more than
   * `maxBytes`, if the store looks at this limit.
   */
  get(key: string, maxBytes?: number): Promise<Uint8Array | undefined> {
    return this.#read(key, (path) => this.#store.get(path, this.#within(maxBytes)));
  }

  /** Only for stores with ranges. */
  getRange(key: string, range: ByteRange): Promise<Uint8Array | undefined> {
    return this.#read(key, (path) => this.#store.getRange?.(path, range, this.#options));
  }

  /** The last bytes of a value. Only for stores with ranges. */
  async getEnd(key: string, length: number): Promise<EndBytes | undefined> {
    if (this.#store.getEnd !== undefined) {
      return this.#read(key, (path) => this.#store.getEnd?.(path, length, this.#options));
    }
    const bytes = await this.getRange(key, { suffixLength: length });
    return bytes && { bytes };
  }

  /** The version is empty if the store has none. Throws FileError as `get` does. */
  async getVersioned(key: string, maxBytes?: number): Promise<VersionedBytes | undefined> {
    if (this.#store.getVersioned !== undefined) {
      return this.#read(key, (path) => this.#store.getVersioned?.(path, this.#within(maxBytes)));
    }
    const bytes = await this.get(key, maxBytes);
    return bytes === undefined ? undefined : { bytes, version: '' };
  }

  /** The names of the folders in a folder; undefined if the store cannot list. */
  folders(key: string): Promise<readonly string[] | undefined> {
    return this.#read(key, (path) => this.#store.folders?.(path));
  }

  #within(maxBytes: number | undefined): StoreReadOptions {
    return maxBytes === undefined ? this.#options : { ...this.#options, maxBytes };
  }

  async #read<T>(key: string, read: (path: StoreKey) => T | Promise<T>): Promise<T> {
    try {
      return await read(`/${key}`);
    } catch (cause) {
      if (isPlumecastError(cause) || this.#options.signal?.aborted === true) throw cause;
      const problem = `cannot be read: ${(cause as Error).message}`;
      throw new FileError({ subject: this.name(key), problem, allowed: 'a store that can be read', cause });
    }
  }
}
