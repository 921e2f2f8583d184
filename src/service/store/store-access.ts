/*
 * What a store is kept in: objects, which are written once and never changed, and one manifest, which is replaced. All
 * access to a store goes through these calls, so that it may lie in a folder or in a bucket: get a range, put if absent,
 * list, delete, and replace the manifest if it is unchanged.
 */

type Bytes = Uint8Array<ArrayBuffer>;

/** The manifest as it was read: its bytes, and a tag that changes with them. */
export interface TaggedManifest {
  readonly bytes: Uint8Array;
  readonly tag: string;
}

/** An object as it is listed. */
export interface ListedObject {
  readonly name: string;
  readonly bytes: number;
}

/** Names are paths below the store, with slashes. */
export interface StoreAccess {
  /** What messages call an object: its path or address; of the store itself without a name. */
  describe(name?: string): string;
  /**
   * Fills `into` with the bytes of an object from `at` on. Rejects with FileError where there is no such object, or it
   * cannot be read now, and with FormatError where it ends before.
   */
  get(name: string, at: number, into: Bytes): Promise<void>;
  /** Like `get`, at once; false, with nothing read, where that is not possible now. Throws as `get` rejects. */
  getNow(name: string, at: number, into: Bytes): boolean;
  /** Gives up what is kept open of an object, so that the next read opens it again: a repaired one works. */
  giveUp(name: string): void;
  /**
   * Writes an object: it is there completely, or not at all. Rejects with FileError where there is one of that name, or it
   * cannot be written, and with what the pieces throw.
   */
  put(name: string, pieces: Iterable<Uint8Array> | AsyncIterable<Uint8Array>): Promise<void>;
  /** Lists the objects whose names begin with a text that ends with a slash, or the one of that name. */
  list(prefix: string): Promise<readonly ListedObject[]>;
  /** Deletes an object; does nothing where there is none. */
  delete(name: string): Promise<void>;
  /** Reads the manifest; undefined where there is none. */
  readManifest(): Promise<TaggedManifest | undefined>;
  /**
   * Replaces the manifest where its tag is still `tag`, undefined for none; returns whether it did. All objects that were
   * put are safe before. Readers always see the manifest before or the new one.
   */
  replaceManifest(bytes: Uint8Array, tag: string | undefined): Promise<boolean>;
}
