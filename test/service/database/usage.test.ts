import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import type { KeyUsage } from '../../../src/service/access/usage.js';
import { databaseKeys } from '../../../src/service/database/key-rows.node.js';
import { migrateDatabase, openDatabase } from '../../../src/service/database/open-database.node.js';
import { databaseUsage } from '../../../src/service/database/usage-rows.node.js';
import { HAS_POSTGRES, PostgresServer } from '../../reference/postgres.js';

const used = (requests: number, hour = 12): KeyUsage => ({
  ...{ requests, cost: 2 * requests, bytes: 3_000_000_000 * requests, lastUsed: new Date(Date.UTC(2026, 2, 2, hour)) },
});

describe.skipIf(!HAS_POSTGRES)('usage in PostgreSQL', () => {
  let server: PostgresServer;
  beforeAll(async () => {
    server = await PostgresServer.start();
  }, 60_000);
  afterAll(() => server.remove());

  it('is the sum of all that servers add at the same time', async () => {
    const url = await server.database();
    await migrateDatabase(url);
    const databases = await Promise.all(Array.from({ length: 3 }, () => openDatabase(url)));
    onTestFinished(async () => {
      await Promise.all(databases.map((database) => database.close()));
    });
    const keys = Array.from({ length: 50 }, (_, i) => `key-${i}`);
    const rounds = Array.from({ length: 10 }, (_, round) =>
      databases.map(({ usage }, i) => {
        // Each in another order, which must not be a deadlock.
        const order = [...keys].sort(() => ((round + i) % 2) - 0.5);
        return usage.add('2026-03-02', new Map(order.map((key) => [key, used(1, round + i)])));
      }),
    );
    await Promise.all(rounds.flat());
    const rows = await databaseUsage(url).read('2026-03-01', '2026-03-31');
    expect(rows).toHaveLength(50);
    expect(rows[0]).toEqual({ day: '2026-03-02', keyId: 'key-0', ...used(30, 11) });
    const [{ usage }] = databases;
    expect(await usage.add('2026-03-02', new Map([['key-1', used(1)]]))).toEqual(new Map([['key-1', 62]]));
    expect([await usage.costOf('2026-03-02', 'key-1'), await usage.costOf('2026-03-03', 'key-1')]).toEqual([62, 0]);
    expect(await usage.read('2026-03-03', '2026-03-31')).toEqual([]);
  });

  it('days are those in UTC, whatever the time zone of the server', async () => {
    const url = await server.database();
    await migrateDatabase(url);
    await server.query(`ALTER DATABASE ${new URL(url).pathname.slice(1)} SET timezone = 'Pacific/Kiritimati'`);
    await databaseUsage(url).add('2026-03-02', new Map([['a', used(1, 23)]]));
    expect(await databaseUsage(url).read('2026-03-02', '2026-03-02')).toEqual([
      { day: '2026-03-02', keyId: 'a', ...used(1, 23) },
    ]);
  });

  it('a key keeps its quota', async () => {
    const url = await server.database();
    await migrateDatabase(url);
    const [{ key, record }] = await databaseKeys(url).create([
      { owner: 'a', downscaling: false, dailyQuota: 5_000_000_000 },
    ]);
    expect(record.dailyQuota).toBe(5_000_000_000);
    const [successor] = await databaseKeys(url).rotate([record.id], 10);
    expect(successor.record.dailyQuota).toBe(5_000_000_000);
    const database = await openDatabase(url);
    onTestFinished(() => database.close());
    expect(await database.keys.find(key as string)).toMatchObject({ dailyQuota: 5_000_000_000 });
  });

  it('in a database that is away is a FileError', async () => {
    await expect(databaseUsage('postgres://a:b@127.0.0.1:1/c').read('2026-03-01', '2026-03-02')).rejects.toMatchObject({
      tag: 'file',
    });
  });
});
