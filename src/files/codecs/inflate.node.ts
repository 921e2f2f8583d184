import { promisify } from 'node:util';
import {
  brotliDecompress,
  brotliDecompressSync,
  gunzip,
  gunzipSync,
  inflateSync,
  inflate as inflateZlib,
} from 'node:zlib';
import type { Inflate, InflateCodec } from './inflate.js';

/** Fewer bytes are decompressed on the calling thread: passing them to another takes longer. */
const SHORT_BYTES = 16_384;
/** The most bytes to allocate at a time: usually all, as the number is known. */
const CHUNK_BYTES = 1 << 26;

type InThread = (bytes: Uint8Array, options: object) => Promise<Uint8Array>;
const CODECS: Record<InflateCodec, { atOnce: typeof gunzipSync; inThread: InThread }> = {
  gzip: { atOnce: gunzipSync, inThread: promisify(gunzip) as InThread },
  deflate: { atOnce: inflateSync, inThread: promisify(inflateZlib) as InThread },
  brotli: { atOnce: brotliDecompressSync, inThread: promisify(brotliDecompress) as InThread },
};

/** Decompresses with Node's own zlib, which checks the checksums of gzip. */
export const inflate: Inflate = async (codec, bytes, maxBytes) => {
  const { atOnce, inThread } = CODECS[codec];
  const options = { maxOutputLength: Math.max(1, maxBytes), chunkSize: Math.min(CHUNK_BYTES, Math.max(64, maxBytes)) };
  try {
    const result = maxBytes <= SHORT_BYTES ? atOnce(bytes, options) : await inThread(bytes, options);
    const { buffer, byteOffset, length } = result;
    // Not a Buffer, whose `slice` does not copy.
    return new Uint8Array(buffer, byteOffset, length);
  } catch (cause) {
    const isTooLong = (cause as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE';
    const problem = isTooLong
      ? `it becomes more than the ${maxBytes} bytes that it can have`
      : (cause as Error).message;
    throw new RangeError(problem, isTooLong ? undefined : { cause });
  }
};
