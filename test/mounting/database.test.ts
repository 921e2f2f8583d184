import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { hashKey } from 'plumecast/service';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { HAS_POSTGRES, PostgresServer } from '../reference/postgres.js';
import { writeServedStore } from './served-store.js';
import { type ServerProcess, startServer } from './server-process.js';

const FORECAST = '/weather/v2/forecast/statistics?lat=37.2&lon=-79.8&var=precipitation';

describe.skipIf(!HAS_POSTGRES)('docs/mounting/database.mjs', () => {
  let postgres: PostgresServer;
  let store: string;
  let url: string;
  const servers: ServerProcess[] = [];
  beforeAll(async () => {
    store = await mkdtemp(join(tmpdir(), 'plumecast-mounting-'));
    await writeServedStore(store);
    postgres = await PostgresServer.start();
    url = await postgres.database();
    await postgres.query(await readFile(join('docs', 'mounting', 'database.sql'), 'utf8'), url);
    await postgres.query(
      `INSERT INTO api_keys VALUES
         ('${hashKey('good')}', 'a', 'farm', false, null, null), ('${hashKey('few')}', 'b', 'farm', false, null, 5),
         ('${hashKey('old')}', 'c', 'farm', false, '2020-01-01', null), ('${hashKey('other')}', 'd', 'other', false, null, null);
       INSERT INTO fields VALUES ('field', 37.2, -79.8, 'farm'), ('everybodys', 37, -80, null)`,
      url,
    );
    process.env.DATABASE_URL = url;
    for (let i = 0; i < 2; i++) {
      servers.push(await startServer([process.execPath, join('docs', 'mounting', 'database.mjs'), store]));
    }
  }, 60_000);
  afterAll(async () => {
    for (const server of servers) expect(await server.end()).toBe(0);
    delete process.env.DATABASE_URL;
    await postgres?.remove();
    await rm(store, { recursive: true, force: true });
  });

  const ask = (key: string, path = FORECAST, server = 0) =>
    fetch(servers[server].address + path, { headers: { 'x-api-key': key, connection: 'close' } });

  it('finds keys, whose changes take effect within a second', async () => {
    expect((await ask('good')).status).toBe(200);
    expect(await (await ask('none')).json()).toMatchObject({ code: 'key-unknown' });
    expect(await (await ask('old')).json()).toMatchObject({ code: 'key-expired' });
    await postgres.query("UPDATE api_keys SET expires = '2020-01-01' WHERE id = 'a'", url);
    await vi.waitFor(async () => expect((await ask('good')).status).toBe(401), { timeout: 2000, interval: 100 });
    await postgres.query("UPDATE api_keys SET expires = null WHERE id = 'a'", url);
    await vi.waitFor(async () => expect((await ask('good')).status).toBe(200), { timeout: 2000, interval: 100 });
  });

  it('finds locations by their owners', async () => {
    const path = (id: string) => `/weather/v1/forecast/short-term/location/${id}?var=temp_mean`;
    const statuses = async (key: string) => [
      (await ask(key, path('field'))).status,
      (await ask(key, path('everybodys'))).status,
    ];
    expect([await statuses('good'), await statuses('other')]).toEqual([
      [200, 200],
      [404, 200],
    ]);
  });

  it('limits a key on all servers together', async () => {
    const answers = await Promise.all(Array.from({ length: 12 }, (_, i) => ask('few', FORECAST, i % 2)));
    expect(answers.map(({ status }) => status).sort()).toEqual([...Array(5).fill(200), ...Array(7).fill(429)]);
    expect(answers.find(({ status }) => status === 429)?.headers.get('ratelimit-policy')).toBe('"key";q=5;w=60');
  });
});
