import { loadPackage } from '../load-package.js';
import { lz4Frame } from './lz4-encode.js';

export type Encode = (bytes: Uint8Array) => Uint8Array;

/** The compressions of Arrow's bodies. */
export type BodyCompression = 'lz4' | 'zstd';

/** What zstd's own command uses: higher levels take several times longer for a few percent. */
const ZSTD_LEVEL = 3;

/** Started once for all: starting the library again takes it from those who are using it. */
let zstd: Promise<Encode> | undefined;

/**
 * A function that compresses bytes into an LZ4 or Zstandard frame. Throws PackageError where the library for zstd is
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
