import { afterAll, describe, expect, it, vi } from 'vitest';
import { isFullCheck } from '../full-check.js';
import { HAS_POSTGRES, PostgresServer } from '../reference/postgres.js';
import { plumecastHere } from './run-here.js';
import { folderWithStore } from './small-store.js';
import { serversOf } from './start-server.js';

const WEEKS = '/v2/forecast/statistics?lat=37.2&lon=-79.8&var=precipitation&end_date=2026-03-08';

describe('plumecast serve --usage', async () => {
  const { store, remove } = await folderWithStore();
  afterAll(remove);
  const serve = serversOf(store);

  /** The rows of the usage of keys, by owner. */
  async function usage(place: readonly string[]) {
    const { out } = await plumecastHere('key', 'usage', ...place);
    const [head, ...lines] = out.trimEnd().split('\n');
    expect(head).toBe('day,key_id,owner,requests,cost,bytes,last_used');
    return Object.fromEntries(lines.map((line) => [line.split(',')[2], line.split(',').slice(3, 6).map(Number)]));
  }

  const create = async (place: readonly string[], ...args: string[]) =>
    (await plumecastHere('key', 'create', ...place, ...args)).out.trim();

  it('keeps what keys use over a stop and a start, by several workers, and tells it to Prometheus', async () => {
    const place = ['--store', store];
    const [farms, other] = [
      await create(place, '--owner', 'farms'),
      await create(place, '--owner', 'other', '--quota', '3'),
    ];
    let bytes = 0;
    for (let round = 1; round <= 2; round++) {
      const server = await serve('--usage', '--workers', '2', '--metrics-port', '0', '--drain-seconds', '0');
      const ask = (key: string) =>
        fetch(server.address + WEEKS, { headers: { 'x-api-key': key, connection: 'close' } });
      for (let i = 0; i < 10; i++) bytes += (await (await ask(farms)).arrayBuffer()).byteLength;
      const metrics = await vi.waitFor(() => /^Metrics are at (http:\S+)$/m.exec(server.out())![1]);
      const text = await (await fetch(metrics)).text();
      expect(text).toMatch(/^plumecast_key_requests_total\{key_id="[\da-f]{12}",owner="farms"\} 10$/m);
      expect(text).toMatch(/^plumecast_key_cost_total\{key_id="[\da-f]{12}",owner="farms"\} 10$/m);
      await ask(other);
      expect((await server.end()).code).toBe(0);
      expect(await usage(place)).toEqual({
        farms: [10 * round, 10 * round, bytes],
        other: [round, round, expect.any(Number)],
      });
    }
    // What was used before counts: one of three is left.
    const server = await serve('--usage');
    const ask = (key: string) => fetch(server.address + WEEKS, { headers: { 'x-api-key': key } });
    expect((await ask(other)).headers.get('ratelimit')).toMatch(/^"day";r=1;t=\d+$/);
    expect(await (await ask(other)).json()).toMatchObject({ code: 'quota-exceeded' });
    expect((await plumecastHere('key', 'list', ...place)).out).toMatch(/other .* 3 +\d{4}-\S+Z +\d{4}-\S+Z$/m);
  }, 60_000);

  if (isFullCheck) {
    it('adds it every two seconds: a server that is killed loses no more', async () => {
      const place = ['--store', store];
      const key = await create(place, '--owner', 'killed');
      const server = await serve('--usage');
      for (let i = 0; i < 5; i++) await fetch(server.address + WEEKS, { headers: { 'x-api-key': key } });
      await vi.waitFor(async () => expect((await usage(place)).killed?.[0]).toBe(5), { timeout: 5000, interval: 100 });
      await server.end('SIGKILL');
      expect((await usage(place)).killed[0]).toBe(5);
    });
  }

  it.skipIf(!HAS_POSTGRES)(
    'is always kept in a database',
    async () => {
      const postgres = await PostgresServer.start();
      try {
        const place = ['--database', await postgres.database()];
        await plumecastHere('database', 'migrate', ...place);
        const key = await create(place, '--owner', 'farms', '--quota', '100');
        const server = await serve(...place, '--workers', '2', '--drain-seconds', '0');
        for (let i = 0; i < 10; i++) {
          const response = await fetch(server.address + WEEKS, { headers: { 'x-api-key': key, connection: 'close' } });
          expect(response.status).toBe(200);
        }
        await server.end();
        expect((await usage(place)).farms.slice(0, 2)).toEqual([10, 10]);
      } finally {
        await postgres.remove();
      }
    },
    60_000,
  );
});
