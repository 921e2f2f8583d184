import { pipeline, Readable } from 'node:stream';
import { constants, createGunzip, gunzipSync } from 'node:zlib';
import { isPlumecastError } from '../../errors.js';
import { damaged } from './gzip.js';

/** Bytes that are decompressed at a time. */
const CHUNK_BYTES = 1 << 18;

/** The first bytes in the first ones of gzip; none where they are damaged, which reading all of them reports. */
export function gunzipStart(head: Uint8Array): Uint8Array {
  try {
    return new Uint8Array(gunzipSync(head, { finishFlush: constants.Z_SYNC_FLUSH }));
  } catch {
    return new Uint8Array(0);
  }
}

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
