import { FormatError } from '../../errors.js';

/** The most bytes that a gzipped table may become if it is read in one piece. */
const MAX_UNPACKED_BYTES = 2 ** 30;

/** Unpacks gzipped bytes. Throws a FormatError if they are truncated or damaged, or become more than 1 GiB. */
export async function unpack(bytes: Uint8Array, source: string): Promise<Uint8Array> {
  const { inflate } = await import('#inflate');
  try {
    return await inflate('gzip', bytes, MAX_UNPACKED_BYTES);
  } catch (cause) {
    throw (cause as RangeError).cause === undefined ? tooLong(source) : damaged(source, cause);
  }
}

/** The error for gzip that is truncated, or whose bytes or checksum are wrong. */
export function damaged(source: string, cause: unknown): FormatError {
  return new FormatError({
    subject: source,
    problem: 'is gzip that is cut or damaged',
    allowed: 'a complete file',
    cause,
  });
}

/** The error for gzip that becomes too long for memory. */
export function tooLong(source: string): FormatError {
  const problem = `is gzip that becomes more than ${MAX_UNPACKED_BYTES} bytes`;
  return new FormatError({ subject: source, problem, allowed: 'at most that, or CSV read part by part' });
}
