/** A stream of pseudo-random numbers; each call advances its state. */
export interface RandomStream {
  /** An integer, uniform on 0 to 2^32 - 1. */
  nextUint32(): number;
  /** A number uniform on the open interval (0, 1), with 32 random bits; exact in every engine. */
  nextUniform(): number;
}

/**
 * Opens the stream of random numbers that belongs to `key`, a list of integers (each taken modulo 2^32).
 * The same key gives the same stream everywhere; streams of different keys are independent for all purposes here.
 *
 * The generator is xoshiro128** (Blackman and Vigna 2021, ACM Trans. Math. Softw. 47(4)); its four state words are
 * hashes of the key under four seeds.
 */
export function createRandomStream(key: readonly number[]): RandomStream {
  return createXoshiro128([0, 1, 2, 3].map((seed) => murmurHash3(key, seed)));
}

/**
 * The generator xoshiro128** 1.1 from a state of four 32-bit words, not all zero.
 * Source: Blackman and Vigna 2021, https://prng.di.unimi.it/xoshiro128starstar.c (public domain).
 */
export function createXoshiro128(state: readonly number[]): RandomStream {
  let [a, b, c, d] = state;
  const nextUint32 = () => {
    const result = Math.imul(rotateLeft(Math.imul(b, 5), 7), 9) >>> 0;
    const shifted = b << 9;
    c ^= a;
    d ^= b;
    b ^= c;
    a ^= d;
    c ^= shifted;
    d = rotateLeft(d, 11);
    return result;
  };
  return { nextUint32, nextUniform: () => (nextUint32() + 0.5) / 2 ** 32 };
}

/**
 * The 32-bit hash MurmurHash3_x86_32 of 32-bit words (taken as little-endian bytes), as an unsigned integer.
 * Source: Appleby 2011, https://github.com/aappleby/smhasher (public domain).
 */
export function murmurHash3(words: readonly number[], seed: number): number {
  let hash = seed;
  for (const word of words) {
    hash ^= Math.imul(rotateLeft(Math.imul(word, 0xcc9e2d51), 15), 0x1b873593);
    hash = Math.imul(rotateLeft(hash, 13), 5) + 0xe6546b64;
  }
  hash ^= 4 * words.length;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

function rotateLeft(word: number, bits: number): number {
  return (word << bits) | (word >>> (32 - bits));
}
