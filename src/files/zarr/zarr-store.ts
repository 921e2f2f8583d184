/** A path within a store, from its root: `/t2m/0.0`. */
export type StoreKey = `/${string}`;

/** Bytes of a value: `length` from `offset` on, or the last `suffixLength`. */
export type ByteRange = { readonly offset: number; readonly length: number } | { readonly suffixLength: number };

/** A value and what tells it from those that the same key had before or will have: an ETag, a time. */
export interface VersionedBytes {
  readonly bytes: Uint8Array;
  readonly version: string;
}

/** What a store is asked with. */
export interface StoreReadOptions {
  readonly signal?: AbortSignal;
}

type Given<T> = T | undefined | Promise<T | undefined>;

/**
 * What a Zarr hierarchy is read from: values by their keys. Every store that zarrita reads is one: FileSystemStore,
 * ZipFileStore, a Map. Values are not changed. Errors that are thrown become FileErrors which name the key; `undefined`
 * is for keys without a value.
 */
export interface ZarrStore {
  /** What messages call it. */
  readonly source?: string;
  get(key: StoreKey, options?: StoreReadOptions): Given<Uint8Array>;
  /**
   * What is there of a range, fewer bytes where the value ends before it. Without this, sharded arrays are read shard
   * by shard.
   */
  getRange?(key: StoreKey, range: ByteRange, options?: StoreReadOptions): Given<Uint8Array>;
  /** As `get`, where versions can be told apart without reading the bytes. */
  getVersioned?(key: StoreKey, options?: StoreReadOptions): Promise<VersionedBytes | undefined>;
  /** The names of the folders in a folder: how arrays are found without consolidated metadata. */
  folders?(key: StoreKey): Promise<readonly string[]>;
}
