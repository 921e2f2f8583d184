import { loadPackage } from '../load-package.js';
import { lz4Frame } from './lz4-encode.js';

export type Encode = (bytes: Uint8Array) => Uint8Array;

/** The compressions of Arrow's bodies. */
export type BodyCompression = 'lz4' | 'zstd';

/** The default of the zstd command: higher levels take several times longer for a few percent. */
const ZSTD_LEVEL = 3;

/** Started once: starting the library again breaks encoders in use. */
let zstd: Promise<Encode> | undefined;

/**
 * Loads a function that compresses bytes into an LZ4 or Zstandard frame. Throws PackageError if the library for zstd is
 * missing.
 */
export async function loadEncoder(compression: BodyCompression, subject: string): Promise<Encode> {
  if (compression === 'lz4') return lz4Frame;
  zstd ??= startZstd(subject);
  try {
    return await zstd;
  } catch (cause) {
    zstd = undefined;
    throw cause;
  }
}

async function startZstd(subject: string): Promise<Encode> {
  const { init, compress } = await loadPackage('@bokuweb/zstd-wasm', subject, () => import('@bokuweb/zstd-wasm'));
  await init();
  return (bytes) => compress(bytes, ZSTD_LEVEL);
}
