import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SipHash } from '../../../src/service/access/remembered-keys.js';
import { holds } from '../../property/fuzz.js';
import { slowSipHash } from '../../reference/sip-hash.js';

function hashOf(key: Uint8Array, text: string): string {
  const hash = new SipHash(key);
  expect(hash.hash(text)).toBe(true);
  return Buffer.from(hash.words.buffer).toString('hex');
}

describe('SipHash', () => {
  // `vectors_sip128` of its authors' reference implementation: the bytes 0, 1, 2 ... with the key 0 to 15.
  const key = Uint8Array.from({ length: 16 }, (_, i) => i);
  it.each([
    [0, 'a3817f04ba25a8e66df67214c7550293'],
    [1, 'da87c1d86b99af44347659119b22fc45'],
    [7, 'a1f1ebbed8dbc153c0b84aa61ff08239'],
    [8, '3b62a9ba6258f5610f83e264f31497b4'],
    [15, '5493e99933b0a8117e08ec0f97cfc3d9'],
    [16, '6ee2a4ca67b054bbfd3315bf85230577'],
    [63, '5150d1772f50834a503e069a973fbd7c'],
  ])('has the published hash of %i bytes', (length, expected) => {
    const bytes = Uint8Array.from({ length }, (_, i) => i);
    expect(hashOf(key, String.fromCharCode(...bytes))).toBe(expected);
    expect(slowSipHash(key, bytes)).toBe(expected);
  });

  holds(
    'agrees with its slow twin for ASCII texts of every length of keys',
    500,
    fc.tuple(fc.uint8Array({ minLength: 16, maxLength: 16 }), fc.string({ unit: 'binary-ascii', maxLength: 256 })),
    ([secret, text]) => {
      expect(hashOf(secret, text)).toBe(slowSipHash(secret, new TextEncoder().encode(text)));
    },
  );

  it('has no hash of a text with other characters, which could have that of another text', () => {
    const hash = new SipHash(key);
    for (const text of ['\x80', 'key\u0100', 'a key \u{1f511}']) expect(hash.hash(text)).toBe(false);
  });
});
