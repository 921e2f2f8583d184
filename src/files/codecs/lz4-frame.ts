import { decodeLz4Block, lz4BlockSize } from './lz4-decode.js';

const MAGIC = 0x184d2204;
const FLAG = {
  version: 0xc0,
  independentBlocks: 0x20,
  blockChecksums: 0x10,
  contentSize: 0x08,
  contentChecksum: 0x04,
  dictionary: 0x01,
};
const VERSION_1 = 0x40;
const UNCOMPRESSED_BIT = 0x80000000;

/**
 * Decompresses an LZ4 frame (lz4_Frame_format.md). Throws a RangeError if it is not of version 1, ends early, needs a
 * dictionary, or if a checksum or the stated size is wrong. A block becomes at most 255 times as long, so the bytes
 * limit the memory.
 */
export function decompressLz4Frame(frame: Uint8Array): Uint8Array<ArrayBuffer> {
  const view = new DataView(frame.buffer, frame.byteOffset, frame.byteLength);
  const flags = view.getUint8(4);
  if (view.getUint32(0, true) !== MAGIC || (flags & FLAG.version) !== VERSION_1)
    throw new RangeError('not an LZ4 frame');
  if ((flags & FLAG.dictionary) !== 0) throw new RangeError('an LZ4 frame that needs a dictionary');
  const hasSize = (flags & FLAG.contentSize) !== 0;
  const { blocks, end } = readBlocks(view, hasSize ? 15 : 7, (flags & FLAG.blockChecksums) !== 0);
  const size = blocks.reduce((sum, block) => sum + (block.isPlain ? block.bytes.length : lz4BlockSize(block.bytes)), 0);
  if (hasSize && view.getBigUint64(6, true) !== BigInt(size)) throw new RangeError('an LZ4 frame of another size');
  const output = new Uint8Array(size);
  const areIndependent = (flags & FLAG.independentBlocks) !== 0;
  let written = 0;
  for (const { bytes, isPlain } of blocks) {
    if (isPlain) output.set(bytes, written);
    written = isPlain ? written + bytes.length : decodeLz4Block(bytes, output, written, areIndependent ? written : 0);
  }
  if ((flags & FLAG.contentChecksum) !== 0 && view.getUint32(end, true) !== xxhash32(output)) throw wrongChecksum();
  return output;
}

interface FrameBlock {
  readonly bytes: Uint8Array;
  readonly isPlain: boolean;
}

function readBlocks(view: DataView, start: number, haveChecksums: boolean): { blocks: FrameBlock[]; end: number } {
  const blocks: FrameBlock[] = [];
  let at = start;
  for (;;) {
    const word = view.getUint32(at, true);
    at += 4;
    if (word === 0) return { blocks, end: at };
    const length = word & ~UNCOMPRESSED_BIT;
    if (length > view.byteLength - at) throw new RangeError('an LZ4 frame that ends early');
    const bytes = new Uint8Array(view.buffer, view.byteOffset + at, length);
    at += length;
    if (haveChecksums) {
      if (view.getUint32(at, true) !== xxhash32(bytes)) throw wrongChecksum();
      at += 4;
    }
    blocks.push({ bytes, isPlain: (word & UNCOMPRESSED_BIT) !== 0 });
  }
}

function wrongChecksum(): RangeError {
  return new RangeError('an LZ4 frame whose checksum is wrong');
}

const PRIME = [0x9e3779b1, 0x85ebca77, 0xc2b2ae3d, 0x27d4eb2f, 0x165667b1];
const LANES = 4;
const STRIPE_BYTES = 16;

/** The 32-bit xxHash of bytes, with the seed 0 (xxhash_spec.md), from 0 to 2 ** 32 - 1. */
export function xxhash32(bytes: Uint8Array): number {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let at = 0;
  let hash = PRIME[4];
  if (bytes.length >= STRIPE_BYTES) {
    const lanes = Int32Array.of(PRIME[0] + PRIME[1], PRIME[1], 0, -PRIME[0]);
    for (const end = bytes.length - STRIPE_BYTES; at <= end; at += STRIPE_BYTES) {
      for (let lane = 0; lane < LANES; lane++) {
        const word = view.getUint32(at + 4 * lane, true);
        lanes[lane] = Math.imul(rotated(lanes[lane] + Math.imul(word, PRIME[1]), 13), PRIME[0]);
      }
    }
    hash = rotated(lanes[0], 1) + rotated(lanes[1], 7) + rotated(lanes[2], 12) + rotated(lanes[3], 18);
  }
  hash = (hash + bytes.length) | 0;
  for (; at + 4 <= bytes.length; at += 4) {
    hash = Math.imul(rotated(hash + Math.imul(view.getUint32(at, true), PRIME[2]), 17), PRIME[3]);
  }
  for (; at < bytes.length; at++) hash = Math.imul(rotated(hash + Math.imul(bytes[at], PRIME[4]), 11), PRIME[0]);
  hash = Math.imul(hash ^ (hash >>> 15), PRIME[1]);
  hash = Math.imul(hash ^ (hash >>> 13), PRIME[2]);
  return (hash ^ (hash >>> 16)) >>> 0;
}

function rotated(word: number, bits: number): number {
  return (word << bits) | (word >>> (32 - bits));
}
