import { FileError, isPlumecastError } from '../../errors.js';
import type { ByteRange, StoreKey, StoreReadOptions, VersionedBytes, ZarrStore } from './zarr-store.js';

/** Reads a store, and tells what fails by the name of the store and the key. */
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

  /** What messages call the value of a key. */
  name(key: string): string {
    return `${this.source}/${key}`;
  }

  /** Undefined where there is none. Keys are without a slash before them. Throws FileError. */
  get(key: string): Promise<Uint8Array | undefined> {
    return this.#reported(key, (path) => this.#store.get(path, this.#options));
  }

  /** Only where the store has ranges. */
  getRange(key: string, range: ByteRange): Promise<Uint8Array | undefined> {
    return this.#reported(key, (path) => this.#store.getRange?.(path, range, this.#options));
  }

  /** The version is empty where the store has none. */
  async getVersioned(key: string): Promise<VersionedBytes | undefined> {
    if (this.#store.getVersioned !== undefined) {
      return this.#reported(key, (path) => this.#store.getVersioned?.(path, this.#options));
    }
    const bytes = await this.get(key);
    return bytes === undefined ? undefined : { bytes, version: '' };
  }

  /** The names of the folders in a folder; undefined where the store cannot list. */
  folders(key: string): Promise<readonly string[] | undefined> {
    return this.#reported(key, (path) => this.#store.folders?.(path));
  }

  async #reported<T>(key: string, ask: (path: StoreKey) => T | Promise<T>): Promise<T> {
    try {
      return await ask(`/${key}`);
    } catch (cause) {
      if (isPlumecastError(cause) || this.#options.signal?.aborted === true) throw cause;
      const problem = `cannot be read: ${(cause as Error).message}`;
      throw new FileError({ subject: this.name(key), problem, allowed: 'a store that can be read', cause });
    }
  }
}
