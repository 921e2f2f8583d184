import type { Work } from '../../check/work.js';
import { FormatError } from '../../errors.js';

/** The place of bytes within a value or a file. */
export interface ByteSpan {
  readonly offset: number;
  readonly length: number;
}

/** Bytes that can be read range by range: a file that is open, or bytes in memory. */
export interface RandomAccess {
  /** The name in messages. */
  readonly source: string;
  /** The number of bytes when it was opened. */
  readonly size: number;
  /**
   * Fills `into` with the bytes from `at` on. Throws FormatError where there are not as many, and FileError where they
   * cannot be had.
   */
  read(at: number, into: Uint8Array): Promise<void>;
  /** Of a file that is elsewhere: brings bytes that will be read, together. They must be in the file. */
  fetch?(spans: readonly ByteSpan[]): Promise<void>;
  /** Throws FileError if the bytes may have changed since it was opened. */
  checkUnchanged(): Promise<void>;
  close(): Promise<void>;
}

/** `RandomAccess` that can also be read without waiting, as libraries in C do. */
export interface ReadyAccess extends RandomAccess {
  /**
   * Fills the beginning of `into` with the bytes from `at` on, and returns their number: 0 at the end. Throws FileError
   * where they cannot be had, and `BytesElsewhere` where they must be fetched first.
   */
  readNow(at: number, into: Uint8Array): number;
}

export function isReady(access: RandomAccess | undefined): access is ReadyAccess {
  return access !== undefined && 'readNow' in access;
}

/** Access to bytes in memory; they are not copied, and must not change. `work` reads them, and pauses before it does. */
export function bytesAccess(bytes: Uint8Array, source: string, work?: Work): ReadyAccess {
  return {
    source,
    size: bytes.length,
    async read(at, into) {
      if (at + into.length > bytes.length) throw endsEarly(source, bytes.length, at + into.length);
      if (work?.isDue) await work.pause();
      into.set(bytes.subarray(at, at + into.length));
      work?.advance(into.length);
    },
    readNow(at, into) {
      const found = bytes.subarray(at, at + into.length);
      into.set(found);
      return found.length;
    },
    async checkUnchanged() {},
    async close() {},
  };
}

/** The FormatError for a file of `size` bytes whose content requires `needed`. */
export function endsEarly(source: string, size: number, needed: number): FormatError {
  return new FormatError({
    subject: source,
    problem: `is truncated: it has ${size} bytes and needs ${needed}`,
    allowed: 'a complete file',
  });
}
