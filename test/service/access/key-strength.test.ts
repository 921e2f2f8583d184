import { describe, expect, it } from 'vitest';
import { newKey } from '../../../src/service/access/hash-key.js';
import { assertStrong, keyBits } from '../../../src/service/access/key-strength.js';

describe('keyBits', () => {
  it.each([
    ['0f8e5c0d9b7a4e21a63cd0417be29f58', 128],
    ['0f8e5c0d9b7a4e21a63cd0417be29f5', 124],
    ['F8E50C0D9B7A4E21A63CD0417BE29F58', 128],
    ['sk_live_0f8e5c0d9b7a4e21a63cd0417be29f58', 128],
    // A UUID of version 4: six of its bits are fixed.
    ['0f8e5c0d-9b7a-4e21-a63c-d0417be29f58', 122],
    ['4eC39HqLyjWDarjtT1zdp7', 22 * Math.log2(62)],
    ['3141592653589793238462643383279502884197', 40 * Math.log2(10)],
    ['abcdefghabcdefghabcdefghabcdefgh', 8 * Math.log2(26)],
    ['a'.repeat(64), 0],
    ['passwordpasswordpassword', 8 * Math.log2(7)],
    ['0101010101101010100101010010101010010101', 40],
  ])('of "%s" are at most %f', (key, bits) => {
    expect(keyBits(key)).toBeCloseTo(bits, 6);
  });

  it('of keys that the library makes are 192', () => {
    for (let i = 0; i < 2000; i++) expect(keyBits(newKey())).toBeGreaterThan(180);
  });
});

describe('assertStrong', () => {
  it('rejects what can be guessed without repeating it', () => {
    const key = '0f8e5c0d-9b7a-4e21-a63c-d0417be29f58';
    expect(() => assertStrong(key)).toThrow(
      'key: has 122 bits at most, and can be guessed; allowed: random keys of 128',
    );
    try {
      assertStrong(key);
    } catch (error) {
      expect(String(error)).not.toContain(key.slice(0, 8));
    }
    expect(() => assertStrong(newKey())).not.toThrow();
  });
});
