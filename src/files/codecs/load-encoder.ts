import { loadPackage } from '../load-package.js';
import { lz4Frame } from './lz4-encode.js';

export type Encode = (bytes: Uint8Array) => Uint8Array;

/** The compressions of Arrow's bodies. */
export type BodyCompression = 'lz4' | 'zstd';

/** The default of the zstd command: higher levels take several times longer for a few percent. */
const ZSTD_LEVEL = 3;

/**
 * Started once in a process, also where it has several copies of this module: starting the library again breaks
 * encoders in use.
 */
const STARTED = Symbol.for('plumecast.zstd-encoder');
const started = globalThis as { [STARTED]?: Promise<Encode> };

/**
 * Loads a function that compresses bytes into an LZ4 or Zstandard frame. Throws PackageError if the library for zstd is
 * missing.
 */
export async function loadEncoder(compression: BodyCompression, subject: string): Promise<Encode> {
  if (compression === 'lz4') return lz4Frame;
  started[STARTED] ??= startZstd(subject);
  try {
    return await started[STARTED];
  } catch (cause) {
    started[STARTED] = undefined;
    throw cause;
  }
}

async function startZstd(subject: string): Promise<Encode> {
  const { init, compress } = await loadPackage('@bokuweb/zstd-wasm', subject, () => import('@bokuweb/zstd-wasm'));
  await init();
  return (bytes) => compress(bytes, ZSTD_LEVEL);
}
