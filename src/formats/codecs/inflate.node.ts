import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import type { Inflate } from './inflate.js';

/** Decompresses by Node's own zlib, which checks what gzip sums up. */
export const inflate: Inflate = (codec, bytes, maxBytes) => {
  const decompress = codec === 'gzip' ? gunzipSync : brotliDecompressSync;
  const { buffer, byteOffset, length } = decompress(bytes, { maxOutputLength: Math.max(1, maxBytes) });
  // Not a Buffer, whose slices are no copies.
  return new Uint8Array(buffer, byteOffset, length);
};
