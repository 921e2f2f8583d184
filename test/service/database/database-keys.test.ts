import { describe, expect, it } from 'vitest';
import { hashKey } from '../../../src/service/access/hash-key.js';
import type { KeyRecord } from '../../../src/service/access/key-store.js';
import { DatabaseKeys } from '../../../src/service/database/database-keys.node.js';
import { KnownRows } from '../../../src/service/database/known-rows.node.js';

/** Keys of a table that can be changed, with a watch of which the database may be away. */
function keysOf(table: Map<string, KeyRecord>) {
  const watch = { epoch: 1, isLive: true, ageSeconds: 0 };
  let questions = 0;
  const rows = new KnownRows<KeyRecord>({
    ...{ subject: 'database', watch, graceSeconds: 60 },
    read: async (hash) => {
      questions++;
      return table.get(hash);
    },
  });
  return { keys: new DatabaseKeys(rows, watch), watch, questions: () => questions };
}

const record: KeyRecord = { id: 'a', owner: 'Ada', downscaling: false };

describe('DatabaseKeys', () => {
  it('asks the database once for a key, and answers at once afterwards', async () => {
    const { keys, questions } = keysOf(new Map([[hashKey('k'), record]]));
    expect(keys.find('k')).toBeInstanceOf(Promise);
    expect(await keys.find('k')).toBe(record);
    for (let i = 0; i < 3; i++) expect(keys.find('k')).toBe(record);
    expect(questions()).toBe(1);
  });

  it('forgets a key that has changed, however often it was found', async () => {
    const table = new Map([[hashKey('k'), record]]);
    const { keys } = keysOf(table);
    for (let i = 0; i < 3; i++) await keys.find('k');
    const revoked = { ...record, revoked: new Date() };
    table.set(hashKey('k'), revoked);
    keys.forget(hashKey('k'));
    for (let i = 0; i < 3; i++) expect(await keys.find('k')).toBe(revoked);
  });

  it('uses nothing that it remembers once changes may have been missed', async () => {
    const table = new Map([[hashKey('k'), record]]);
    const { keys, watch } = keysOf(table);
    for (let i = 0; i < 3; i++) await keys.find('k');
    table.clear();
    Object.assign(watch, { isLive: false, ageSeconds: 59 });
    expect(keys.find('k')).toBe(record);
    watch.ageSeconds = 61;
    expect(() => keys.find('k')).toThrow('database: cannot be reached for longer than 60 s');
    Object.assign(watch, { epoch: 2, isLive: true, ageSeconds: 0 });
    expect(await keys.find('k')).toBeUndefined();
  });
});
