import { pipeline, Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { isPlumecastError } from '../../errors.js';
import { damaged } from './gzip.js';

/** Bytes that are decompressed at a time. */
const CHUNK_BYTES = 1 << 18;

/**
 * Decompresses gzip, all members, as the bytes arrive. Throws FormatError if they are truncated or damaged, and what
 * `pieces` throws.
 */
export async function* gunzipPieces(pieces: AsyncIterable<Uint8Array>, source: string): AsyncGenerator<Uint8Array> {
  const gunzip = createGunzip({ chunkSize: CHUNK_BYTES });
  // Errors are thrown when the result is read.
  pipeline(Readable.from(pieces), gunzip, () => {});
  try {
    for await (const piece of gunzip) yield piece;
  } catch (cause) {
    throw isPlumecastError(cause) ? cause : damaged(source, cause);
  }
}
