import { beforeAll, describe, expect, it } from 'vitest';
import { loadStoreKernels } from '../../../src/core/store-kernels.js';
import { BlockMemory } from '../../../src/service/blocks/block-memory.js';
import { digestBytes } from '../../reference/block-digest.js';

let blocks: BlockMemory;
beforeAll(async () => {
  blocks = await BlockMemory.load();
});

/** Bytes that are the same in each run. */
function bytesOf(length: number, seed = 1): Uint8Array {
  let state = seed;
  return Uint8Array.from({ length }, () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return state >>> 24;
  });
}

function digestOf(bytes: Uint8Array, place = 0): number {
  blocks.buffer(bytes.length).set(bytes);
  return blocks.digest(bytes.length, place);
}

describe('the digest of a block', () => {
  it('is that of the twin, for any length and seed', async () => {
    const { kernels, memory } = await loadStoreKernels();
    for (const length of [0, 64, 128, 640, 4096]) {
      for (const seed of [0, 1, -5, 0x7fffffff]) {
        const bytes = bytesOf(length, length + 3);
        const address = memory.allocate(Math.max(64, length));
        new Uint8Array(memory.wasm.buffer, address, length).set(bytes);
        expect(kernels.digestBytes(address, length, seed)).toBe(digestBytes(bytes, seed));
      }
    }
  });

  it('differs with any bit, also in the last bytes, and with two bits of one lane', () => {
    const bytes = bytesOf(300);
    const expected = digestOf(bytes);
    for (let bit = 0; bit < bytes.length * 8; bit++) {
      const damaged = Uint8Array.from(bytes);
      damaged[bit >> 3] ^= 1 << (bit % 8);
      expect(digestOf(damaged)).not.toBe(expected);
      damaged[(bit >> 3) + 64] ^= 1 << (bit % 8);
      expect(digestOf(damaged)).not.toBe(expected);
    }
    expect(digestOf(bytes)).toBe(expected);
  });

  it('differs with the place and with the length, also of zeros', () => {
    const zeros = new Uint8Array(100);
    const all = [0, 1, 2, 65_535].flatMap((place) =>
      [96, 100].map((length) => digestOf(zeros.subarray(0, length), place)),
    );
    expect(new Set(all).size).toBe(all.length);
  });

  it('does not depend on what the buffer held before', () => {
    const expected = digestOf(bytesOf(60));
    digestOf(bytesOf(100_000, 9));
    expect(digestOf(bytesOf(60))).toBe(expected);
  });
});
