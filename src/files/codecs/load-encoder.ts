import { loadPackage } from '../load-package.js';
import { lz4Block } from './lz4-block.js';

type Encode = (bytes: Uint8Array) => Uint8Array;

/** The compressions of Arrow's bodies. */
export type BodyCompression = 'lz4' | 'zstd';

/** The default of the zstd command: higher levels take several times longer for a few percent. */
const ZSTD_LEVEL = 3;

/**
 * Started once in a process, also where it has several copies of this module: starting the library again breaks what is in
 * use of it.
 */
const STARTED = Symbol.for('plumecast.zstd-library');
type Zstd = typeof import('@bokuweb/zstd-wasm');
const started = globalThis as { [STARTED]?: Promise<Zstd> };

/**
 * Loads a function that compresses bytes into an LZ4 or Zstandard frame. Throws PackageError if the library for zstd is
 * missing.
 */
export async function loadEncoder(compression: BodyCompression, subject: string): Promise<Encode> {
  if (compression === 'lz4') return lz4Frame;
  const { compress } = await loadZstd(subject);
  return (bytes) => compress(bytes, ZSTD_LEVEL);
}

/** Loads the library for zstd, ready to use. Throws PackageError if it is missing. */
export async function loadZstd(subject: string): Promise<Zstd> {
  started[STARTED] ??= startZstd(subject);
  try {
    return await started[STARTED];
  } catch (cause) {
    started[STARTED] = undefined;
    throw cause;
  }
}

async function startZstd(subject: string): Promise<Zstd> {
  const zstd = await loadPackage('@bokuweb/zstd-wasm', subject, () => import('@bokuweb/zstd-wasm'));
  await zstd.init();
  return zstd;
}

/** Version 1, independent blocks of at most 4 MiB, and the checksum of these two bytes. */
const HEADER = Uint8Array.of(0x04, 0x22, 0x4d, 0x18, 0x60, 0x70, 0x73);
const MAX_BLOCK_BYTES = 4_194_304;
const UNCOMPRESSED = 0x8000_0000;

/** Compresses bytes into an LZ4 frame. */
export function lz4Frame(bytes: Uint8Array): Uint8Array {
  const blocks: { size: number; block: Uint8Array }[] = [];
  for (let at = 0; at < bytes.length; at += MAX_BLOCK_BYTES) {
    const plain = bytes.subarray(at, at + MAX_BLOCK_BYTES);
    const block = lz4Block(plain);
    const shorter = block.length < plain.length;
    blocks.push(shorter ? { size: block.length, block } : { size: plain.length + UNCOMPRESSED, block: plain });
  }
  const length = blocks.reduce((sum, { block }) => sum + 4 + block.length, HEADER.length + 4);
  const frame = new Uint8Array(length);
  const view = new DataView(frame.buffer);
  frame.set(HEADER);
  let at = HEADER.length;
  for (const { size, block } of blocks) {
    view.setUint32(at, size, true);
    frame.set(block, at + 4);
    at += 4 + block.length;
  }
  return frame;
}
