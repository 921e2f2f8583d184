import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import type { NewKey } from '../../../src/service/access/key-register.js';
import { databaseKeys } from '../../../src/service/database/key-rows.node.js';
import { databaseLocations } from '../../../src/service/database/location-rows.node.js';
import {
  migrateDatabase,
  type OpenDatabaseOptions,
  openDatabase,
} from '../../../src/service/database/open-database.node.js';
import { hashKey } from '../../../src/service/source/index.js';
import { HAS_POSTGRES, PostgresServer } from '../../reference/postgres.js';

const ada: NewKey = { owner: 'Ada', downscaling: true };
const DAY = 86_400;

describe('the address of a database', () => {
  it.each(['', 'mysql://a:hidden@b/c', 'postgres//x:hidden@y', 'file'])(
    'is not "%s", and no error repeats it',
    async (url) => {
      const error = await openDatabase(url).catch((reason) => reason);
      expect(error).toMatchObject({ tag: 'option' });
      expect(JSON.stringify(error) + error.message + error.stack).not.toContain('hidden');
    },
  );

  it('that cannot be reached is a FileError without the password', async () => {
    const url = 'postgres://weather:hidden@127.0.0.1:1/weather';
    for (const call of [() => openDatabase(url), () => databaseKeys(url).list(), () => migrateDatabase(url)]) {
      const error = await call().catch((reason) => reason);
      expect(error.message).toContain('PostgreSQL at 127.0.0.1:1/weather: cannot be reached: nothing listens there');
      expect(error.tag).toBe('file');
      expect(error.message + error.stack).not.toContain('hidden');
    }
  });
});

describe.skipIf(!HAS_POSTGRES)('keys and locations in PostgreSQL', () => {
  let server: PostgresServer;
  beforeAll(async () => {
    server = await PostgresServer.start();
  }, 60_000);
  afterAll(() => server.remove());

  /** A new database with the tables. */
  async function migrated() {
    const url = await server.database();
    await migrateDatabase(url);
    return url;
  }

  async function opened(url: string, options: OpenDatabaseOptions = {}) {
    const database = await openDatabase(url, options);
    onTestFinished(() => database.close());
    return database;
  }

  /** Waits for what has to become so within a second. */
  const withinASecond = (check: () => Promise<void>) => vi.waitFor(check, { timeout: 1000, interval: 20 });

  describe('migrateDatabase', () => {
    it('makes the tables once, also where several do it at the same time', async () => {
      const url = await server.database();
      const all = await Promise.all(Array.from({ length: 4 }, () => migrateDatabase(url)));
      expect(all.map(({ from }) => from).sort()).toEqual([0, 1, 1, 1]);
      expect(await databaseKeys(url).list()).toEqual([]);
    });

    it('leaves what is there, and rejects a later version', async () => {
      const url = await migrated();
      await databaseKeys(url).create([ada]);
      expect(await migrateDatabase(url)).toEqual({ from: 1, to: 1 });
      expect(await databaseKeys(url).list()).toHaveLength(1);
      await server.query('UPDATE plumecast.schema_version SET version = 9', url);
      const message =
        'was migrated by a later version of plumecast: its schema has another version; received 9; allowed: 1';
      for (const call of [
        () => openDatabase(url),
        () => databaseKeys(url).list(),
        () => databaseLocations(url).list(),
        () => migrateDatabase(url),
      ]) {
        await expect(call()).rejects.toThrow(message);
      }
    });

    it('is needed first, which errors say', async () => {
      const url = await server.database();
      const message = /has no tables of plumecast yet.*received 0; allowed: 1, which plumecast database migrate makes/;
      await expect(openDatabase(url)).rejects.toThrow(message);
      await expect(databaseKeys(url).create([ada])).rejects.toThrow(message);
    });
  });

  describe('the register of keys', () => {
    it('keeps all that is known of a key, and not itself', async () => {
      const url = await migrated();
      const terms = {
        note: 'asked by mail',
        starts: new Date('2026-01-01T00:00:00Z'),
        expires: new Date('2027-01-01T06:30:00.125Z'),
        rate: { requests: 3_000_000_000, windowSeconds: 0.5 },
      };
      const [{ key, record }] = await databaseKeys(url).create([{ ...ada, ...terms }]);
      expect(await databaseKeys(url).list()).toEqual([record]);
      expect(record).toEqual({ ...ada, ...terms, id: record.id, demo: false, created: expect.any(Date) });
      const { keys } = await opened(url);
      const { note: _, ...known } = terms;
      expect(await keys.find(key as string)).toEqual({ ...ada, ...known, id: record.id });
      const text = JSON.stringify(
        await server.query("SELECT *, encode(key_hash, 'hex') AS hex FROM plumecast.keys", url),
      );
      expect([text.includes(hashKey(key as string)), text.includes(key as string)]).toEqual([true, false]);
    });

    it('makes 10,000 at once, in their order, and finds each', async () => {
      const url = await migrated();
      const created = await databaseKeys(url).create(Array.from({ length: 10_000 }, () => ada));
      expect((await databaseKeys(url).list()).map(({ id }) => id)).toEqual(created.map(({ record }) => record.id));
      const { keys } = await opened(url);
      for (const { key, record } of created.slice(-500)) expect((await keys.find(key as string))?.id).toBe(record.id);
    });

    it('creates all or none', async () => {
      const url = await migrated();
      const [{ key, record }] = await databaseKeys(url).create([ada]);
      const { create } = databaseKeys(url);
      await expect(create([ada, { ...ada, key: key as string }])).rejects.toThrow('is the same key as another one');
      await expect(create([ada, { ...ada, id: record.id }])).rejects.toThrow('two keys have this id');
      await expect(Promise.resolve().then(() => create([{ ...ada, owner: '' }]))).rejects.toThrow(
        'has an unusable owner',
      );
      expect(await databaseKeys(url).list()).toEqual([record]);
    });

    it('rotates and revokes as in files', async () => {
      const url = await migrated();
      const { create, rotate, revoke, list } = databaseKeys(url);
      const [first, second] = (await create([{ ...ada, note: 'n' }, ada])).map(({ record }) => record.id);
      const [{ record }] = await rotate([first], 2 * DAY);
      expect(record).toMatchObject({ ...ada, note: 'n' });
      const before = await list();
      expect(before[0].replacedBy).toBe(record.id);
      expect(Math.abs(before[0].expires!.getTime() - Date.now() - 2 * DAY * 1000)).toBeLessThan(5000);
      await expect(rotate([second, first], 0)).rejects.toThrow('was replaced by');
      await expect(revoke([second, 'none'])).rejects.toThrow('key: unknown');
      expect(await list()).toEqual(before);
      const [revoked] = await revoke([second]);
      expect(revoked.revoked).toBeInstanceOf(Date);
      expect(await revoke([second])).toEqual([revoked]);
    });
  });

  it('locations are added, listed and removed as in files, and belong to owners', async () => {
    const url = await migrated();
    const { add, list, remove } = databaseLocations(url);
    const [field, plot] = [
      { id: 'field', latitude: 37.3, longitude: -79.84 },
      { id: 'plot', latitude: -33.9, longitude: 151.2, owner: 'Ada' },
    ];
    for (const location of [field, plot, plot]) await add(location);
    expect(await list()).toEqual([field, plot]);
    await expect(add({ ...field, latitude: 1 })).rejects.toThrow('there is another location with this id');
    await expect(add({ ...field, id: 'a b' })).rejects.toThrow('has an unusable id');
    const { locations } = await opened(url);
    const find = async (id: string, owner: string) => locations.find(id, owner);
    expect([await find('field', 'any'), await find('plot', 'Ada'), await find('plot', 'any')]).toEqual([
      field,
      plot,
      undefined,
    ]);
    expect(await find('none', 'any')).toBeUndefined();
    await add({ ...field, id: 'none' });
    await remove('plot');
    await withinASecond(async () => {
      expect(await find('plot', 'Ada')).toBeUndefined();
      expect(await find('none', 'any')).toBeDefined();
    });
    await expect(remove('plot')).rejects.toThrow('location: unknown');
  });

  describe('openDatabase', () => {
    it('sees within a second what was created, revoked, changed and deleted, and answers at once what it knows', async () => {
      const url = await migrated();
      const { keys } = await opened(url);
      const key = 'pc_0123456789abcdef0123456789abcdef';
      for (let i = 0; i < 3; i++) expect(await keys.find(key)).toBeUndefined();
      expect(keys.find(key)).toBeUndefined();
      const [{ record }] = await databaseKeys(url).create([{ ...ada, key }]);
      await withinASecond(async () => expect(await keys.find(key)).toMatchObject({ id: record.id }));
      expect(keys.find(key)).toMatchObject({ id: record.id });
      expect(keys.ageSeconds?.()).toBe(0);
      await server.query("UPDATE plumecast.keys SET owner = 'Grace'", url);
      await withinASecond(async () => expect((await keys.find(key))?.owner).toBe('Grace'));
      await databaseKeys(url).revoke([key]);
      await withinASecond(async () => expect((await keys.find(key))?.revoked).toBeInstanceOf(Date));
      await server.query('DELETE FROM plumecast.keys', url);
      await withinASecond(async () => expect(await keys.find(key)).toBeUndefined());
      for (const wrong of ['', 'x'.repeat(257)]) expect(keys.find(wrong)).toBeUndefined();
    });

    it('treats demo keys as unknown where they are rejected', async () => {
      const url = await migrated();
      await databaseKeys(url).create([{ ...ada, key: 'demo', demo: true }]);
      expect(await (await opened(url)).keys.find('demo')).toMatchObject(ada);
      expect(await (await opened(url, { rejectDemoKeys: true })).keys.find('demo')).toBeUndefined();
    });

    it('rejects options that cannot be used', async () => {
      await expect(openDatabase(server.url(), { graceSeconds: -1 })).rejects.toThrow('graceSeconds: is no time');
    });

    it('says what is wrong with the user or the database', async () => {
      await expect(openDatabase(server.url('nothing'))).rejects.toThrow('has no such database');
    });
  });
});

describe.skipIf(!HAS_POSTGRES)('while PostgreSQL is away', () => {
  let server: PostgresServer;
  beforeAll(async () => {
    server = await PostgresServer.start();
  }, 60_000);
  afterAll(() => server.remove());

  it('known keys go on for the stated time and no longer, others are faults, and changes are seen when it is back', async () => {
    const url = await server.database();
    await migrateDatabase(url);
    const [known, revoked, other] = await databaseKeys(url).create([ada, ada, ada]);
    const onFault = vi.fn();
    const patient = await openDatabase(url, { onFault });
    const strict = await openDatabase(url, { graceSeconds: 0.5 });
    onTestFinished(async () => {
      await Promise.all([patient.close(), strict.close()]);
    });
    const find = async ({ keys }: typeof patient, { key }: { key: string | undefined }) => keys.find(key as string);
    for (const key of [known, revoked]) {
      for (const database of [patient, strict]) {
        await find(database, key);
        await find(database, key);
      }
    }
    await server.end();
    await vi.waitFor(() => expect(patient.keys.ageSeconds?.()).toBeGreaterThan(0), 4000);
    expect(await find(patient, known)).toMatchObject({ id: known.record.id });
    expect(patient.keys.find(known.key as string)).toMatchObject({ id: known.record.id });
    await expect(find(patient, other)).rejects.toThrow(/^PostgreSQL at 127.0.0.1:\d+\/weather_1: cannot be reached/);
    await expect(Promise.resolve().then(() => patient.locations.find('a', 'b'))).rejects.toMatchObject({ tag: 'file' });
    await setTimeout(600);
    await expect(find(strict, known)).rejects.toThrow('cannot be reached for longer than 0.5 s');
    expect(await find(patient, revoked)).toMatchObject({ id: revoked.record.id });
    expect(onFault).toHaveBeenCalledTimes(1);
    expect(onFault.mock.calls[0][0].message).not.toContain('a-secret');
    await server.begin();
    await databaseKeys(url).revoke([revoked.record.id]);
    await vi.waitFor(() => expect(patient.keys.ageSeconds?.()).toBe(0), { timeout: 5000, interval: 20 });
    expect((await find(patient, revoked))?.revoked).toBeInstanceOf(Date);
    expect(await find(patient, other)).toMatchObject({ id: other.record.id });
    await vi.waitFor(async () => expect(await find(strict, known)).toMatchObject({ id: known.record.id }), 5000);
  }, 60_000);
});
