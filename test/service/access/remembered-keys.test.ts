import { describe, expect, it } from 'vitest';
import { RememberedKeys } from '../../../src/service/access/remembered-keys.js';

const record = { id: 'a', owner: 'Ada', downscaling: true };

describe('RememberedKeys', () => {
  it('finds what was remembered, and nothing else', () => {
    const keys = new RememberedKeys();
    expect(keys.find('first')).toBeUndefined();
    keys.remember('first', record);
    expect(keys.find('first')).toBe(record);
    for (const other of ['', 'First', 'first ', 'firs', 'second']) expect(keys.find(other)).toBeUndefined();
  });

  it('neither remembers nor finds keys with other than ASCII characters', () => {
    const keys = new RememberedKeys();
    keys.remember('k', record);
    keys.remember('schl\u00fcssel', record);
    // Their lowest bytes are those of a remembered key.
    for (const key of ['\u016b', '\u006b\u0300', 'schl\u00fcssel']) expect(keys.find(key)).toBeUndefined();
  });

  it('remembers at most 1,024 keys: new ones take the places of others', () => {
    const keys = new RememberedKeys();
    const all = Array.from({ length: 20_000 }, (_, i) => `key ${i}`);
    for (const key of all) {
      keys.remember(key, { ...record, id: key });
      expect(keys.find(key)?.id).toBe(key);
    }
    const left = all.filter((key) => keys.find(key) !== undefined);
    expect(left.length).toBeLessThanOrEqual(1024);
    for (const key of left) expect(keys.find(key)?.id).toBe(key);
  });

  it('remembers all but a few of as many keys as are announced', () => {
    for (const count of [1500, 4000]) {
      const keys = new RememberedKeys(count);
      const all = Array.from({ length: count }, (_, i) => `key ${i}`);
      for (const key of all) keys.remember(key, { ...record, id: key });
      const left = all.filter((key) => keys.find(key)?.id === key);
      expect(left.length).toBeGreaterThan(0.98 * count);
    }
  });

  it('replaces what it remembers of a key', () => {
    const keys = new RememberedKeys();
    for (const owner of ['Ada', 'Grace']) {
      keys.remember('k', { ...record, owner });
      expect(keys.find('k')?.owner).toBe(owner);
    }
  });

  it('has a secret of its own: another one keeps other keys when there are many', () => {
    const left = Array.from({ length: 2 }, () => {
      const keys = new RememberedKeys();
      const all = Array.from({ length: 3000 }, (_, i) => `key ${i}`);
      for (const key of all) keys.remember(key, record);
      return all.filter((key) => keys.find(key)).join();
    });
    expect(left[0]).not.toBe(left[1]);
  });
});
