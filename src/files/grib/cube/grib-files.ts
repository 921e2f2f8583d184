import type { RandomAccess } from '../../array/random-access.js';

/** The GRIB files that are read together. */
export interface GribFiles {
  /** What they are called together in messages. */
  readonly source: string;
  readonly count: number;
  /** Does work with an open file; it may be closed afterwards. Throws FileError where it cannot be read. */
  use<T>(file: number, work: (access: RandomAccess) => Promise<T>): Promise<T>;
  /** The member of a file whose messages do not state one; undefined where none is known. */
  memberOf?(file: number): number | undefined;
  /** Reads the index file that stands beside a file; undefined where there is none. */
  readInventory?(file: number): Promise<InventoryText | undefined>;
  close(): Promise<void>;
}

/** The text of an index file of NCEP's (`.idx`) or ECMWF's form (`.index`). */
export interface InventoryText {
  readonly source: string;
  /** Undefined where it cannot be read or is too long. */
  readonly text: string | undefined;
}

/** A file that is open, or bytes in memory. */
export function singleFile(access: RandomAccess, readInventory?: GribFiles['readInventory']): GribFiles {
  return {
    ...{ source: access.source, count: 1, use: (_, work) => work(access), close: () => access.close() },
    ...(readInventory && { readInventory }),
  };
}
