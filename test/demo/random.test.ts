import { describe, expect, it } from 'vitest';
import { createRandomStream, createXoshiro128, murmurHash3 } from '../../src/demo/random.js';

describe('createXoshiro128', () => {
  it('gives the published outputs of the reference implementation from the state 1, 2, 3, 4', () => {
    // The vector of the Rust crate rand_xoshiro, made with xoshiro128starstar.c 1.1.
    const expected = [
      11520, 0, 5927040, 70819200, 2031721883, 1637235492, 1287239034, 3734860849, 3729100597, 4258142804,
    ];
    const random = createXoshiro128([1, 2, 3, 4]);
    expect(expected.map(() => random.nextUint32())).toEqual(expected);
  });

  it('maps the integers to the middles of 2^32 equal parts of (0, 1)', () => {
    const random = createXoshiro128([1, 2, 3, 4]);
    expect(random.nextUniform()).toBe(11520.5 / 4294967296);
    expect(random.nextUniform()).toBe(0.5 / 4294967296);
  });
});

describe('murmurHash3', () => {
  it.each([
    // The usual test vectors of MurmurHash3_x86_32; bytes 21 43 65 87 are the word 0x87654321.
    [[], 0, 0],
    [[], 1, 0x514e28b7],
    [[], 0xffffffff, 0x81f16f39],
    [[0xffffffff], 0, 0x76293b50],
    [[0x87654321], 0, 0xf55b516b],
    [[0x87654321], 0x5082edee, 0x2362f9de],
    [[0x04030201, 0x08070605], 293, 2343089733],
  ])('hashes %j under the seed %i to %i', (words, seed, expected) => {
    expect(murmurHash3(words, seed)).toBe(expected);
  });
});

describe('createRandomStream', () => {
  it('gives equal streams for equal keys and different ones where a word of the key differs', () => {
    const first = (key: number[]) => createRandomStream(key).nextUint32();
    expect(first([1, -5, 7])).toBe(first([1, -5, 7]));
    expect(
      new Set(
        [
          [1, -5, 7],
          [2, -5, 7],
          [1, 5, 7],
          [1, -5, 8],
          [-5, 1, 7],
        ].map(first),
      ).size,
    ).toBe(5);
  });
});
