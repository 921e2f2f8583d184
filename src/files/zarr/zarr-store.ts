/** A path within a store, from its root: `/t2m/0.0`. */
export type StoreKey = `/${string}`;

/** Bytes of a value: `length` from `offset` on, or the last `suffixLength`. */
export type ByteRange = { readonly offset: number; readonly length: number } | { readonly suffixLength: number };

/** A value, and a version that distinguishes it from earlier and later values of the same key: an ETag, a time. */
export interface VersionedBytes {
  readonly bytes: Uint8Array;
  readonly version: string;
}

/** The last bytes of a value, and the size of the whole where it is known. */
export interface EndBytes {
  readonly bytes: Uint8Array;
  readonly size?: number;
}

/** All metadata documents of a store, by their keys without a slash before them. */
export interface StoredDocuments {
  readonly byKey: ReadonlyMap<string, Uint8Array>;
  /** Changes when anything in the store does. */
  readonly version: string;
}

/** What an object had when something referred to it. */
export interface ExpectedObject {
  readonly etag?: string;
  /** The second since 1970 at which it was last changed at most. */
  readonly lastModified?: number;
}

/** Options of a read from a store. */
export interface StoreReadOptions {
  readonly signal?: AbortSignal;
  /** A store that can tell rejects a value that is another one, with FileError. */
  readonly expected?: ExpectedObject;
  /** The most bytes that the value can have: a store rejects a longer one before it reads more. */
  readonly maxBytes?: number;
  /** Whether the value never changes, so that it can be kept. */
  readonly isImmutable?: boolean;
}

/**
 * The source of a Zarr hierarchy: values by their keys. Every store that zarrita reads is one: FileSystemStore,
 * ZipFileStore, a Map. Values are not changed. Errors become FileErrors that name the key; `undefined` means that a key
 * has no value.
 */
export interface ZarrStore {
  /** Its name in messages. */
  readonly source?: string;
  /** Where it is, ending with a slash: what its references to other objects begin from. */
  readonly location?: URL;
  /** Opens the objects below an address, which ends with a slash; without this, those at web addresses. */
  below?(prefix: URL): ZarrStore;
  get(key: StoreKey, options?: StoreReadOptions): Uint8Array | undefined | Promise<Uint8Array | undefined>;
  /**
   * The bytes of a range, fewer if the value ends before its end. Without this, sharded arrays are read shard by shard.
   */
  getRange?(
    key: StoreKey,
    range: ByteRange,
    options?: StoreReadOptions,
  ): Uint8Array | undefined | Promise<Uint8Array | undefined>;
  /**
   * The last `length` bytes of a value and its size, with which the places of chunks in a shard are checked. Without
   * this, `getRange` is used.
   */
  getEnd?(
    key: StoreKey,
    length: number,
    options?: StoreReadOptions,
  ): EndBytes | undefined | Promise<EndBytes | undefined>;
  /** Does the same as `get`, and returns the version of the value. */
  getVersioned?(key: StoreKey, options?: StoreReadOptions): Promise<VersionedBytes | undefined>;
  /** All metadata, of a store that has them at hand; nothing else is then read to find arrays. */
  documents?(): Promise<StoredDocuments>;
  /** The names of the folders in a folder: how arrays are found without consolidated metadata. */
  folders?(key: StoreKey): Promise<readonly string[]>;
}
