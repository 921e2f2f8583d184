import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { hashKey } from '../../../src/service/access/hash-key.js';
import { KeyTable } from '../../../src/service/access/key-table.js';
import { memoryKeys } from '../../../src/service/source/index.js';
import { isFullCheck } from '../../full-check.js';

const day = (text: string) => new Date(`${text}T00:00:00Z`);

describe('KeyTable', () => {
  it.each([0, 1, 2, 3, isFullCheck ? 20_000 : 2000])(
    'finds each of %i keys, again and again, and no other',
    (count) => {
      const keys = Array.from({ length: count }, (_, i) => ({ key: `key ${i}`, id: `id-${i}` }));
      const table = new KeyTable(
        keys.map(({ key, id }) => ({ id, owner: 'me', downscaling: false, keyHash: hashKey(key) })),
      );
      for (let round = 0; round < 2; round++) {
        for (const { key, id } of keys) expect(table.find(key)?.id).toBe(id);
        for (let i = 0; i < 200; i++) expect(table.find(randomBytes(24).toString('base64'))).toBeUndefined();
      }
      for (const wrong of ['', 'x'.repeat(257)]) expect(table.find(wrong)).toBeUndefined();
    },
  );

  it('tells keys apart whose hashes differ in the last bits alone, where they lie together', () => {
    const hash = hashKey('first');
    const others = ['0', '1', '2', '3'].map((digit) => `${hash.slice(0, -1)}${digit}`);
    const hashes = [...others.filter((other) => other !== hash), hash];
    const table = new KeyTable(hashes.map((keyHash, i) => ({ id: `${i}`, owner: 'me', downscaling: false, keyHash })));
    expect(table.find('first')?.id).toBe(`${hashes.length - 1}`);
    const without = new KeyTable(
      others
        .filter((other) => other !== hash)
        .map((keyHash, i) => ({ id: `${i}`, owner: 'me', downscaling: false, keyHash })),
    );
    expect(without.find('first')).toBeUndefined();
  });
});

describe('memoryKeys', () => {
  const key = { id: 'a', owner: 'me', downscaling: false, key: 'k' };

  it('keeps when a key is valid, and its rate', () => {
    const terms = { starts: day('2026-01-01'), expires: day('2027-01-01'), rate: { requests: 5, windowSeconds: 60 } };
    expect(memoryKeys([{ ...key, ...terms }]).find('k')).toEqual({
      id: 'a',
      owner: 'me',
      downscaling: false,
      ...terms,
    });
  });

  it.each([
    [{ starts: '2026-01-01' }, 'key a: starts is no time; received "2026-01-01"; allowed: a Date that is valid'],
    [{ expires: new Date(Number.NaN) }, 'key a: expires is no time'],
    [{ starts: day('2027-01-01'), expires: day('2026-01-01') }, 'key a: expires before it starts'],
    [{ rate: { requests: 0.5, windowSeconds: 60 } }, 'key a rate.requests'],
    [{ rate: { requests: 5, windowSeconds: 0 } }, 'key a rate.windowSeconds: is no time'],
  ])('rejects %o', (terms, message) => {
    expect(() => memoryKeys([{ ...key, ...(terms as object) }])).toThrow(message);
  });
});
