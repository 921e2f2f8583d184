import fc from 'fast-check';
import { decompress } from 'fzstd';
import { describe, expect, test } from 'vitest';
import { giveTableKernels, takeTableKernels } from '../../../src/core/table-kernels.js';
import { loadEncoder } from '../../../src/files/codecs/load-encoder.js';
import { decompressZstd } from '../../../src/files/codecs/zstd.js';
import { isFullCheck } from '../../full-check.js';

const encode = await loadEncoder('zstd', 'test');
const MAGIC = [0x28, 0xb5, 0x2f, 0xfd];
/** A frame without a size, a window of 1 KiB, and one block of the given kind: 0 raw, 1 repeated, 2 compressed. */
const frame = (kind: number, size: number, bytes: number[], descriptor = 0) => {
  const header = (size << 3) | (kind << 1) | 1;
  return Uint8Array.from([...MAGIC, descriptor, 0, header & 255, (header >> 8) & 255, header >> 16, ...bytes]);
};
/** What kernels find wrong. */
const CORRUPT = 'Zstandard frames are corrupt, need a dictionary, or become more than ';
const compressed = (...bytes: number[]) => frame(2, bytes.length, bytes);

/** Bytes as tables have them: texts, numbers in steps, repeated and random ones. */
const contents = fc
  .array(
    fc.oneof(
      fc.uint8Array({ maxLength: 300 }),
      fc.tuple(fc.nat(255), fc.nat(6_000)).map(([byte, count]) => new Uint8Array(count).fill(byte)),
      fc
        .tuple(fc.nat(3), fc.nat(2_000))
        .map(([kinds, count]) => Uint8Array.from({ length: count }, (_, i) => (i * i) % (kinds + 2))),
      fc
        .nat(3_000)
        .map((count) => new Uint8Array(Float64Array.from({ length: count }, (_, i) => Math.round(i / 7) / 10).buffer)),
      fc
        .nat(400)
        .map((count) => new TextEncoder().encode(Array.from({ length: count }, (_, i) => `member ${i % 31}`).join())),
    ),
    { maxLength: 5 },
  )
  .map((parts) => Uint8Array.from(parts.flatMap((part) => [...part])));

describe('decompressZstd', () => {
  test('gives the bytes that were compressed, as the library does', async () => {
    await fc.assert(
      fc.asyncProperty(contents, async (bytes) => {
        const stored = encode(bytes);
        expect(Buffer.compare(await decompressZstd(stored, bytes.length), bytes)).toBe(0);
        expect(Buffer.compare(decompress(stored), bytes)).toBe(0);
      }),
      { numRuns: isFullCheck ? 40 : 13, seed: 20_261_122 },
    );
  });

  test('never gives more bytes than are allowed, and always ends, whatever is changed', async () => {
    const changes = fc.array(fc.tuple(fc.nat(), fc.nat(255)), { minLength: 1, maxLength: 4 });
    await fc.assert(
      fc.asyncProperty(contents, changes, async (bytes, mutations) => {
        const stored = encode(bytes).slice();
        for (const [at, value] of mutations) stored[at % stored.length] = value;
        const found = await decompressZstd(stored, bytes.length).catch((error) => error);
        if (found instanceof Uint8Array) expect(found.length).toBeLessThanOrEqual(bytes.length);
        else expect(found).toBeInstanceOf(RangeError);
      }),
      { numRuns: isFullCheck ? 150 : 50, seed: 20_261_122 },
    );
  });

  test('reads frames one after the other, and passes over what is to be skipped', async () => {
    const skipped = Uint8Array.of(0x5a, 0x2a, 0x4d, 0x18, 3, 0, 0, 0, 1, 2, 3);
    const bytes = Uint8Array.from([...frame(0, 2, [7, 8]), ...skipped, ...frame(1, 3, [9])]);
    expect([...(await decompressZstd(bytes, 5))]).toEqual([7, 8, 9, 9, 9]);
  });

  test('gives fewer bytes where frames have fewer than are allowed', async () => {
    expect([...(await decompressZstd(frame(0, 2, [7, 8]), 1_000))]).toEqual([7, 8]);
  });

  test('checks a checksum where there is one', async () => {
    // xxHash64 of "abc" is 44bc2cf5ad770999 (xxhash's own test of XXH64).
    const checked = [...frame(0, 3, [97, 98, 99], 4), 0x99, 0x09, 0x77, 0xad];
    expect([...(await decompressZstd(Uint8Array.from(checked), 3))]).toEqual([97, 98, 99]);
    checked[checked.length - 1] ^= 1;
    await expect(decompressZstd(Uint8Array.from(checked), 3)).rejects.toThrow(CORRUPT);
  });

  test('takes memory for what the blocks of a frame can need, not for what is allowed', async () => {
    const tools = await takeTableKernels();
    giveTableKernels(tools);
    const before = tools.memory.wasm.buffer.byteLength;
    expect([...(await decompressZstd(frame(1, 3, [9]), 2 ** 31))]).toEqual([9, 9, 9]);
    const same = await takeTableKernels();
    giveTableKernels(same);
    expect(same).toBe(tools);
    expect(same.memory.wasm.buffer.byteLength - before).toBeLessThan(2 ** 20);
  });

  test.each<[string, Uint8Array, string]>([
    ['another format', Uint8Array.of(1, 2, 3, 4, 5, 6, 7, 8), 'not a Zstandard frame'],
    ['bytes that are cut', frame(0, 9, [1, 2]), 'ends before its 18 bytes'],
    ['no bytes', new Uint8Array(), 'a Zstandard frame that is cut'],
    ['a header that is cut', frame(0, 9, [1, 2]).subarray(0, 8), 'a Zstandard frame that is cut'],
    ['more bytes than are allowed', frame(1, 100_000, [7]), CORRUPT],
    ['more bytes than it says', Uint8Array.of(...MAGIC, 0x20, 3, 0x43, 0, 0, 7), CORRUPT],
    ['fewer bytes than it says', Uint8Array.of(...MAGIC, 0x20, 9, 0x43, 0, 0, 7), 'a frame of 8 bytes at most says 9'],
    ['a size that is more than is allowed', Uint8Array.of(...MAGIC, 0x20, 9, 0x4b, 0, 0, 7), 'it becomes 9 bytes'],
    ['an unknown block', frame(3, 1, [7]), 'a block of an unknown type'],
    ['a dictionary', Uint8Array.of(...MAGIC, 0x21, 5, 8, 0x43, 0, 0, 7), CORRUPT],
    ['an unknown version', frame(0, 2, [7, 8], 8), CORRUPT],
    ['literals that are cut', compressed(0x50, 1), CORRUPT],
    ['literals without codes', compressed(0x13, 0x40, 0, 1, 0), CORRUPT],
    // One symbol has all 32 states: each takes no bits, and weights would never end.
    ['weights of no bits', compressed(0x12, 0x80, 1, 4, 0xf0, 3, 0, 4, 1, 0), CORRUPT],
    // 65,535 sequences by codes that are repeated, each of the longest match, from no bits.
    ['matches without end', compressed(0x10, 7, 7, 255, 255, 255, 0x54, 0, 0, 52, 1), CORRUPT],
  ])('rejects %s', async (_, bytes, message) => {
    const found = decompressZstd(bytes, 8);
    await expect(found).rejects.toThrow(RangeError);
    await expect(found).rejects.toThrow(message);
  });
});
