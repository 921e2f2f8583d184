/*
 * What a store is kept in: objects, which are written once and never changed, and one manifest, which is replaced. All
 * access to a store goes through these calls, so that it may lie in a folder or in a bucket: get a range, put if absent,
 * list, delete, and replace the manifest if it is unchanged.
 */

/** The manifest as it was read: its bytes, and a tag that changes with them. */
export interface TaggedManifest {
  readonly bytes: Uint8Array;
  readonly tag: string;
}

/** An object as it is listed. */
export interface ListedObject {
  readonly name: string;
  readonly bytes: number;
  /**
   * The seconds since it was written, by the clock of what keeps it, whatever the clock here says. Without it, what updates
   * left that were stopped is never removed.
   */
  readonly ageSeconds?: number | undefined;
}

/** The name of the manifest. */
export const MANIFEST_FILE = 'store.json';

/**
 * What keeps the objects of a store: a folder, a bucket, or whatever a program brings. Names are paths below the store, with
 * slashes: letters, digits, `.`, `_` and `-` between them.
 */
export interface StoreAccess {
  /** What messages call an object: its path or address, without secrets; of the store itself without a name. */
  describe(name?: string): string;
  /**
   * Fills `into` with the bytes of an object from `at` on. Rejects with FileError where there is no such object, whose cause
   * has the code ENOENT then, or it cannot be read now, and with FormatError where it ends before.
   */
  get(name: string, at: number, into: Uint8Array<ArrayBuffer>): Promise<void>;
  /** Like `get`, at once; false, with nothing read, where that is not possible now. Throws as `get` rejects. */
  getNow?(name: string, at: number, into: Uint8Array<ArrayBuffer>): boolean;
  /** Gives up what is kept open of an object that was read. */
  giveUp?(name: string): void;
  /** Something of an object was damaged: the next read asks for it again, so that a repaired one works. */
  doubt?(name: string): void;
  /**
   * Writes an object: it is there completely, or not at all. Rejects with FileError where there is one of that name, or it
   * cannot be written, and with what the pieces throw. A piece is valid until the next one is requested.
   */
  put(name: string, pieces: Iterable<Uint8Array> | AsyncIterable<Uint8Array>): Promise<void>;
  /** Lists the objects whose names begin with a text that ends with a slash, or the one of that name. */
  list(prefix: string): Promise<readonly ListedObject[]>;
  /** Deletes an object; does nothing where there is none. */
  delete(name: string): Promise<void>;
  /** Reads the manifest, `store.json`; undefined where there is none. Rejects with FileError where that is not known now. */
  readManifest(): Promise<TaggedManifest | undefined>;
  /**
   * Replaces the manifest where its tag is still `tag`, undefined for none; returns whether it did: of several at the same
   * time with one tag, one does. All objects that were put are safe before. Readers always see the manifest before or the
   * new one.
   */
  replaceManifest(bytes: Uint8Array, tag: string | undefined): Promise<boolean>;
  /** Ends what is kept open. */
  close?(): Promise<void>;
}

/** The path of a folder, an address such as `s3://BUCKET/PREFIX`, or what keeps the objects of a store. */
export type StorePlace = string | StoreAccess;
