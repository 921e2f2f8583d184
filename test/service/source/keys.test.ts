import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { newKey } from '../../../src/service/access/hash-key.js';
import { hashKey, memoryKeys } from '../../../src/service/source/index.js';
import { holds } from '../../property/fuzz.js';

const record = { id: 'a', owner: 'Ada', downscaling: true };

describe('hashKey', () => {
  // FIPS 180-4 example values of SHA-256, of NIST's Cryptographic Standards and Guidelines.
  it.each([
    ['abc', 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad'],
    [
      'abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq',
      '248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1',
    ],
  ])('is the SHA-256 digest of %s', (key, digest) => {
    expect(hashKey(key)).toBe(digest);
  });

  holds(
    'agrees with that of Node for any text',
    200,
    fc.string({ unit: 'grapheme', minLength: 1, maxLength: 60 }),
    (key) => {
      expect(hashKey(key)).toBe(createHash('sha256').update(key, 'utf8').digest('hex'));
    },
  );

  it('rejects an empty key and one of more than 256 characters, without repeating it', () => {
    expect(hashKey('k'.repeat(256))).toHaveLength(64);
    expect(() => hashKey('')).toThrow('key: is empty or too long; allowed: 1 to 256 characters');
    expect(() => hashKey('k'.repeat(257))).toThrow(/^key: is empty or too long; allowed: 1 to 256 characters$/);
  });
});

describe('newKey', () => {
  it('is pc_ and 32 characters that a URL or a header takes as they are, another each time', () => {
    const keys = Array.from({ length: 500 }, newKey);
    for (const key of keys) expect(key).toMatch(/^pc_[A-Za-z0-9_-]{32}$/);
    expect(new Set(keys).size).toBe(500);
    // All 64 characters come up: 16,000 draws leave one out with a probability of 1e-108.
    expect(new Set(keys.flatMap((key) => [...key.slice(3)])).size).toBe(64);
  });
});

describe('memoryKeys', () => {
  it('finds the record of a key, given as it is or by its hash, and nothing else of it', () => {
    const store = memoryKeys([
      { ...record, key: 'first' },
      { id: 'b', owner: 'Bob', downscaling: false, keyHash: hashKey('second') },
    ]);
    expect(store.find('first')).toEqual(record);
    expect(store.find('second')).toEqual({ id: 'b', owner: 'Bob', downscaling: false });
  });

  it.each([
    ['empty', ''],
    ['unknown', 'other'],
    ['in another case', 'FIRST'],
    ['its own hash', hashKey('first')],
    ['too long', 'k'.repeat(257)],
  ])('finds nothing for a key that is %s', (_, key) => {
    const store = memoryKeys([
      { ...record, key: 'first' },
      { ...record, id: 'long', keyHash: createHash('sha256').update('k'.repeat(257)).digest('hex') },
    ]);
    expect(store.find(key)).toBeUndefined();
  });

  it('finds every key among many', () => {
    const store = memoryKeys(Array.from({ length: 3000 }, (_, i) => ({ ...record, id: `id${i}`, key: `key ${i}` })));
    for (let i = 0; i < 3000; i++) expect(store.find(`key ${i}`)).toMatchObject({ id: `id${i}` });
  });

  it('compares every byte of a hash', () => {
    const hash = hashKey('first');
    const digits = Array.from(hash, (_, i) => i);
    const changed = digits.map((i) => hash.slice(0, i) + (hash[i] === '0' ? '1' : '0') + hash.slice(i + 1));
    const impostors = changed.map((keyHash, i) => ({ id: `impostor${i}`, owner: 'Eve', downscaling: true, keyHash }));
    expect(memoryKeys(impostors).find('first')).toBeUndefined();
    for (const at of [0, 32, 64]) {
      const keys = [...impostors.slice(0, at), { ...record, keyHash: hash }, ...impostors.slice(at)];
      expect(memoryKeys(keys).find('first')).toEqual(record);
    }
  });

  it.each([
    ['an id with a path', { ...record, id: '../a', key: 'k' }, 'key: has an unusable id'],
    ['no owner', { ...record, owner: '', key: 'k' }, 'key a: has an unusable owner'],
    ['an owner with a line break', { ...record, owner: 'Ada\nBob', key: 'k' }, 'key a: has an unusable owner'],
    ['a hash that is none', { ...record, keyHash: 'abc' }, 'key a: has no hash'],
    [
      'downscaling that is a text',
      { ...record, downscaling: 'yes' as unknown as boolean, key: 'k' },
      'key a: downscaling',
    ],
  ])('rejects %s', (_, key, message) => {
    expect(() => memoryKeys([key])).toThrow(message);
  });

  it('rejects ids and keys that occur twice', () => {
    expect(() =>
      memoryKeys([
        { ...record, key: 'x' },
        { ...record, key: 'y' },
      ]),
    ).toThrow('key a: two keys have this id');
    const twice = [
      { ...record, key: 'secret' },
      { ...record, id: 'b', key: 'secret' },
    ];
    expect(() => memoryKeys(twice)).toThrow(/^key b: is the same key as another one; allowed: different keys$/);
  });
});
