import { loadPackage } from '../load-package.js';

/**
 * Decompresses gzip or Brotli, and stops beyond `maxBytes`. Throws where the bytes are corrupt, where there are more than that, and
 * where gzip's checksum or length is wrong.
 */
export type Inflate = (
  codec: 'gzip' | 'brotli',
  bytes: Uint8Array,
  maxBytes: number,
) => Uint8Array | Promise<Uint8Array>;

/** Decompresses by the platform's own streams; Brotli, where they have none, by hyparquet-compressors. */
export const inflate: Inflate = async (codec, bytes, maxBytes) => {
  let stream: DecompressionStream;
  try {
    stream = new DecompressionStream(codec as CompressionFormat);
  } catch {
    const { decompressBrotli } = await loadPackage(
      'hyparquet-compressors',
      'Brotli',
      () => import('hyparquet-compressors'),
    );
    return decompressBrotli(bytes, maxBytes);
  }
  const writer = stream.writable.getWriter();
  // What fails here fails the reader, too.
  writer.write(bytes.slice()).catch(() => undefined);
  writer.close().catch(() => undefined);
  const output = new Uint8Array(maxBytes);
  let written = 0;
  const reader: ReadableStreamDefaultReader<Uint8Array> = stream.readable.getReader();
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    if (part.value.length > maxBytes - written) {
      reader.cancel().catch(() => undefined);
      throw new RangeError(`more than ${maxBytes} bytes`);
    }
    output.set(part.value, written);
    written += part.value.length;
  }
  return output.subarray(0, written);
};
