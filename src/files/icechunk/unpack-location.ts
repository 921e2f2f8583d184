import { loadZstd } from '../codecs/load-encoder.js';
import { zstdSizes } from '../codecs/zstd-frame.js';

/**
 * Decompresses Zstandard with a dictionary. Rejects where it is cut or damaged, or becomes more than `maxBytes` bytes, and
 * with PackageError where the package is not installed.
 */
export async function unpackLocation(bytes: Uint8Array, dictionary: Uint8Array, maxBytes: number): Promise<Uint8Array> {
  const { stated, unstated } = zstdSizes(bytes);
  if (stated + unstated > maxBytes) throw new RangeError(`it becomes ${stated + unstated} bytes, not ${maxBytes}`);
  const zstd = await loadZstd('packed addresses');
  const context = zstd.createDCtx();
  try {
    return zstd.decompressUsingDict(context, bytes, dictionary);
  } finally {
    zstd.freeDCtx(context);
  }
}
