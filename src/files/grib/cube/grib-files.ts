import type { RandomAccess } from '../../array/random-access.js';

/** The GRIB files that are read together. */
export interface GribFiles {
  /** What they are called together in messages. */
  readonly source: string;
  readonly count: number;
  /** Does work with an open file; it may be closed afterwards. Throws FileError where it cannot be read. */
  use<T>(file: number, work: (access: RandomAccess) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

/** A file that is open, or bytes in memory. */
export function singleFile(access: RandomAccess): GribFiles {
  return { source: access.source, count: 1, use: (_, work) => work(access), close: () => access.close() };
}
