import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { casesOf } from '../full-check.js';
import { HAS_POSTGRES, PostgresServer } from '../reference/postgres.js';
import { temporaryFolder } from '../service/source/temporary-folder.js';
import { CLI, plumecast } from './run-command.js';
import { plumecastHere } from './run-here.js';
import { folderWithStore } from './small-store.js';
import { serversOf } from './start-server.js';

const WEEKS = '/v2/forecast/statistics?lat=37.2&lon=-79.8&var=precipitation&granularity=weekly';

describe('--database', () => {
  it.each([
    [[], 'store: missing; allowed: --store, or --database'],
    [['--database', 'mysql://a:hidden@b/c'], 'database: is no address of PostgreSQL'],
    [['--database', 'postgres://a:hidden@b/c', '--database-file', 'f'], 'database: is given twice'],
    [['--database', 'postgres://a:hidden@b/c', '--database', 'postgres://a:hidden@d/c'], ''],
    [['--database', 'postgres://a:hidden@127.0.0.1:1/c'], 'PostgreSQL at 127.0.0.1:1/c: cannot be reached'],
    [['--database-file', '/nowhere/url'], '/nowhere/url: cannot be read'],
  ])('%j', async (args, message) => {
    const { err, out, code } = await plumecastHere('key', 'list', ...args);
    expect(code).not.toBe(0);
    expect(err).toContain(message);
    expect(out + err).not.toContain('hidden');
  });

  it('is not shown by --check-config', async () => {
    const args = ['serve', '--store', 's', '--database', 'postgres://a:hidden@b/c', '--check-config'];
    const { out, err } = await plumecastHere(...args);
    expect(out).toMatch(/^database +\(not shown\) +flag$/m);
    expect(out + err).not.toContain('hidden');
  });
});

describe.skipIf(!HAS_POSTGRES)('keys in PostgreSQL', async () => {
  const { store, remove } = await folderWithStore();
  let server: PostgresServer;
  beforeAll(async () => {
    server = await PostgresServer.start();
  }, 60_000);
  afterAll(async () => {
    await server.remove();
    await remove();
  });
  const serve = serversOf(store);

  /** A new database, the options that name it, and a key in it. */
  async function database() {
    const file = join(temporaryFolder(), 'url');
    writeFileSync(file, `${await server.database()}\n`);
    const place = ['--database-file', file];
    expect((await plumecastHere('database', 'migrate', ...place)).out).toBe(
      'The schema has version 1 now; before 0.\n',
    );
    const { out } = await plumecastHere('key', 'create', ...place, '--owner', 'Example Farms');
    return { place, key: out.trim() };
  }

  it('are managed by the commands of keys and locations', async () => {
    const { place } = await database();
    const many = await plumecastHere('key', 'create', ...place, '--owner', 'b', '--count', '3', '--rate', '5/s');
    const ids = many.out
      .split('\n')
      .slice(1, 4)
      .map((line) => line.split(',')[0]);
    await plumecastHere('key', 'revoke', ...place, ids[0], ids[1]);
    const { out } = await plumecastHere('key', 'rotate', ...place, ids[2], '--overlap', '0');
    expect(out).toMatch(/^pc_/);
    const list = (await plumecastHere('key', 'list', ...place)).out.trimEnd().split('\n');
    expect(list.map((line) => /valid|revoked|expired/.exec(line)?.[0])).toEqual([
      'revoked',
      'valid',
      'revoked',
      'revoked',
      'expired',
      'valid',
    ]);
    await plumecastHere('location', 'add', ...place, '--id', 'field', '--latitude', '1', '--longitude', '2');
    expect((await plumecastHere('location', 'list', ...place)).out).toContain('field');
    expect((await plumecastHere('database', 'migrate', ...place)).out).toBe('The schema has version 1 already.\n');
    const moved = temporaryFolder();
    writeFileSync(join(moved, 'keys.json'), '{"keys": []}');
    await plumecastHere('key', 'create', '--store', moved, '--owner', 'from files');
    await plumecastHere('key', 'import', ...place, join(moved, 'keys.json'));
    expect((await plumecastHere('key', 'list', ...place)).out).toContain('from files');
  });

  it('come from the environment, too', async () => {
    const { place, key } = await database();
    const env = { PATH: process.env.PATH, PLUMECAST_DATABASE_FILE: place[1], PLUMECAST_STORE: '/nowhere' };
    const { stdout } = spawnSync(process.execPath, [CLI, 'key', 'list'], { encoding: 'utf8', env });
    expect(stdout).toContain('Example Farms');
    expect(key).toMatch(/^pc_/);
  });

  it.each(casesOf([1, 2], [1]))(
    'are served by %i workers, and while the database is away, which header and metrics say',
    async (workers) => {
      const { place, key } = await database();
      const { address, out, err } = await serve(
        ...place,
        '--workers',
        `${workers}`,
        '--metrics-port',
        '0',
        '--unknown-key-limit',
        '100/s',
      );
      const ask = (apiKey = key) => fetch(address + WEEKS, { headers: { 'X-Api-Key': apiKey, connection: 'close' } });
      const metrics = await vi.waitFor(() => /^Metrics are at (http:\S+)$/m.exec(out())![1]);
      const age = async () =>
        Number(/^plumecast_keys_age_seconds (\S+)$/m.exec(await (await fetch(metrics)).text())?.[1]);
      // Each worker learns of the key.
      for (let i = 0; i < 8; i++) expect((await ask()).status).toBe(200);
      expect([(await ask('pc_other')).status, (await ask()).headers.get('keys-age'), await age()]).toEqual([
        401,
        null,
        0,
      ]);
      await server.end();
      await vi.waitFor(async () => expect(Number((await ask()).headers.get('keys-age'))).toBeGreaterThan(0), 5000);
      for (let i = 0; i < 8; i++) expect((await ask()).status).toBe(200);
      const unknown = await ask('pc_another');
      expect([unknown.status, unknown.headers.get('retry-after')]).toEqual([503, '30']);
      expect(await unknown.json()).toMatchObject({ code: 'source-unavailable' });
      expect(await age()).toBeGreaterThan(0);
      expect(err()).toContain('PostgreSQL at 127.0.0.1');
      expect(err()).not.toContain('a-secret');
      await server.begin();
      await vi.waitFor(async () => expect(await age()).toBe(0), { timeout: 10_000, interval: 50 });
      await plumecastHere('key', 'revoke', ...place, key);
      await vi.waitFor(async () => expect(await (await ask()).json()).toMatchObject({ code: 'key-revoked' }), 1000);
    },
    60_000,
  );

  it('of another schema are an error that says what to do, and the command ends', async () => {
    const { place } = await database();
    const file = join(temporaryFolder(), 'url');
    writeFileSync(file, await server.database());
    const { code, err } = await plumecast(['serve', '--store', store, '--port', '0', '--database-file', file]);
    expect(code).toBe(1);
    expect(err).toContain(
      'has no tables of plumecast yet: its schema has no version; received 0; allowed: 1, which plumecast database migrate makes',
    );
    // The port is in use: the connections do not keep the process alive.
    const { address } = await serve(...place);
    const port = new URL(address).port;
    expect((await plumecast(['serve', '--store', store, '--port', port, ...place])).err).toContain(
      'is in use by another server',
    );
  });
});
