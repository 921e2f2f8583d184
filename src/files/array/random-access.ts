import { FormatError } from '../../errors.js';

/** Bytes that can be read range by range: a file that is open, or bytes in memory. */
export interface RandomAccess {
  /** As messages name it. */
  readonly source: string;
  /** How many bytes there were when it was opened. */
  readonly size: number;
  /** Fills `into` with the bytes from `at` on. Throws FormatError where there are not as many, and FileError where they cannot be had. */
  read(at: number, into: Uint8Array): Promise<void>;
  /** Throws FileError where the bytes may be others than when it was opened. */
  checkUnchanged(): Promise<void>;
  close(): Promise<void>;
}

/** Bytes in memory as `RandomAccess`; they are not copied, and must not change. */
export function bytesAccess(bytes: Uint8Array, source: string): RandomAccess {
  return {
    source,
    size: bytes.length,
    async read(at, into) {
      if (at + into.length > bytes.length) throw endsEarly(source, bytes.length, at + into.length);
      into.set(bytes.subarray(at, at + into.length));
    },
    async checkUnchanged() {},
    async close() {},
  };
}

/** The FormatError for a file of `size` bytes whose content says that it has `needed`. */
export function endsEarly(source: string, size: number, needed: number): FormatError {
  return new FormatError({
    subject: source,
    problem: `is truncated: it has ${size} bytes and needs ${needed}`,
    allowed: 'a whole file',
  });
}
