import { Work } from '../../check/work.js';
import { FileError, isPlumecastError } from '../../errors.js';
import type {
  ByteRange,
  EndBytes,
  StoredDocuments,
  StoreKey,
  StoreReadOptions,
  VersionedBytes,
  ZarrStore,
} from './zarr-store.js';

/** Reads a store; errors name the store and the key. `work` pauses before each read, and ends it. */
export class StoreReader {
  readonly source: string;
  readonly hasRanges: boolean;
  readonly #store: ZarrStore;
  readonly #work: Work;
  readonly #isImmutable: ((key: string) => boolean) | undefined;

  /** With `isImmutable`, keys whose values never change. */
  constructor(store: ZarrStore, source: string, work = new Work({}, 'bytes'), isImmutable?: (key: string) => boolean) {
    this.#isImmutable = isImmutable;
    this.source = source;
    this.hasRanges = store.getRange !== undefined;
    this.#store = store;
    this.#work = work;
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
    return this.#read(key, (path) => this.#store.get(path, this.#within(key, maxBytes)));
  }

  /** Only for stores with ranges. */
  getRange(key: string, range: ByteRange): Promise<Uint8Array | undefined> {
    return this.#read(key, (path) => this.#store.getRange?.(path, range, this.#within(key)));
  }

  /** The last bytes of a value. Only for stores with ranges. */
  async getEnd(key: string, length: number): Promise<EndBytes | undefined> {
    if (this.#store.getEnd !== undefined) {
      return this.#read(key, (path) => this.#store.getEnd?.(path, length, this.#within(key)));
    }
    const bytes = await this.getRange(key, { suffixLength: length });
    return bytes && { bytes };
  }

  /** The version is empty if the store has none. Throws FileError as `get` does. */
  async getVersioned(key: string, maxBytes?: number): Promise<VersionedBytes | undefined> {
    if (this.#store.getVersioned !== undefined) {
      return this.#read(key, (path) => this.#store.getVersioned?.(path, this.#within(key, maxBytes)));
    }
    const bytes = await this.get(key, maxBytes);
    return bytes === undefined ? undefined : { bytes, version: '' };
  }

  /** All metadata, if the store has them at hand. */
  async documents(): Promise<StoredDocuments | undefined> {
    return this.#store.documents && this.#read('', () => this.#store.documents?.());
  }

  /** The names of the folders in a folder; undefined if the store cannot list. */
  folders(key: string): Promise<readonly string[] | undefined> {
    return this.#read(key, (path) => this.#store.folders?.(path));
  }

  #within(key: string, maxBytes?: number): StoreReadOptions {
    const { signal } = this.#work;
    const isImmutable = this.#isImmutable?.(key) ?? false;
    return {
      ...(signal !== undefined && { signal }),
      ...(maxBytes !== undefined && { maxBytes }),
      ...(isImmutable && { isImmutable }),
    };
  }

  async #read<T>(key: string, read: (path: StoreKey) => T | Promise<T>): Promise<T> {
    await this.#work.pause();
    try {
      const found = await this.#work.orAborted(Promise.resolve(read(`/${key}`)));
      this.#work.advance(storedBytes(found));
      return found;
    } catch (cause) {
      this.#work.check();
      if (isPlumecastError(cause)) throw cause;
      const problem = `cannot be read: ${(cause as Error).message}`;
      throw new FileError({ subject: this.name(key), problem, allowed: 'a store that can be read', cause });
    }
  }
}

/** The bytes that a store gave. */
function storedBytes(found: unknown): number {
  if (found instanceof Uint8Array) return found.length;
  const { bytes } = (found ?? {}) as { readonly bytes?: unknown };
  return bytes instanceof Uint8Array ? bytes.length : 0;
}
