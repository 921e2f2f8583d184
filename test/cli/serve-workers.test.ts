import { readFileSync } from 'node:fs';
import { Agent } from 'node:http';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { createKey, fileKeys } from '../../src/service/access/key-file.node.js';
import { isFullCheck } from '../full-check.js';
import { httpRequest } from '../mounting/http-request.js';
import { plumecast } from './run-command.js';
import { folderWithStore } from './small-store.js';
import { type ServerProcess, serversOf } from './start-server.js';

const { folder, store, remove } = await folderWithStore();
const newKey = async () => (await createKey(store, { owner: 'Example Farms', downscaling: false })).key;
const key = await newKey();
/** That one is revoked. */
const lasting = await newKey();
const serve = serversOf(store);
afterAll(remove);

const WEEKS = '/v2/forecast/statistics?lat=37.2&lon=-79.8&var=precipitation&granularity=weekly';

/** Each request has a connection of its own: the workers take turns. */
const statusOf = async ({ address }: ServerProcess, path = WEEKS, apiKey = key) =>
  (await httpRequest(address, path, { headers: { 'X-Api-Key': apiKey }, agent: new Agent({ keepAlive: false }) }))
    .status;

const statuses = (server: ServerProcess, count: number) =>
  Promise.all(Array.from({ length: count }, () => statusOf(server)));

/** The processes that serve. */
function workersOf({ child }: ServerProcess): number[] {
  const text = readFileSync(`/proc/${child.pid}/task/${child.pid}/children`, 'utf8').trim();
  return text === '' ? [] : text.split(' ').map(Number);
}

describe.skipIf(process.platform !== 'linux')('plumecast serve --workers', () => {
  it('serves one port by several processes, replaces those that end, and ends all of them', async () => {
    const server = await serve('--workers', '2', '--drain-seconds', '0', '--log');
    const workers = workersOf(server);
    expect(workers).toHaveLength(2);
    expect(server.out().match(/Serving/g)).toHaveLength(1);
    expect(await statuses(server, 8)).toEqual(Array(8).fill(200));
    process.kill(workers[0], 'SIGKILL');
    await expect.poll(() => workersOf(server).filter((pid) => !workers.includes(pid)).length).toBe(1);
    expect(await statuses(server, 8)).toEqual(Array(8).fill(200));
    expect(server.err()).toContain(`worker ${workers[0]} has ended (SIGKILL) and is replaced`);
    // One stream of lines, of all processes.
    for (const line of server.err().trim().split('\n')) JSON.parse(line);
    const left = workersOf(server);
    expect(await server.end('SIGTERM')).toEqual({ code: 0, signal: null });
    for (const pid of left) expect(() => process.kill(pid, 0)).toThrow();
  });

  it('replaces all of them at SIGHUP without failing a request; a revoked key is unknown to all', async () => {
    const server = await serve('--workers', '2', '--drain-seconds', '0');
    const before = workersOf(server);
    server.child.kill('SIGHUP');
    const seen = new Set<number>();
    await expect
      .poll(
        async () => {
          seen.add(await statusOf(server));
          const now = workersOf(server);
          return now.length === 2 && now.every((pid) => !before.includes(pid));
        },
        { interval: 20 },
      )
      .toBe(true);
    expect([...seen]).toEqual([200]);
    await fileKeys(store).revoke([key]);
    await expect.poll(async () => [...new Set(await statuses(server, 4))]).toEqual([401]);
    expect(await server.end('SIGINT')).toEqual({ code: 0, signal: null });
  });

  it('allows a key as many requests by all workers together as the limit says', async () => {
    const server = await serve('--workers', '2', '--drain-seconds', '0', '--rate-limit', '30/day');
    const headers = { 'X-Api-Key': lasting };
    const all = await Promise.all(
      Array.from({ length: 60 }, () =>
        httpRequest(server.address, WEEKS, { headers, agent: new Agent({ keepAlive: false }) }),
      ),
    );
    const allowed = all.filter(({ status }) => status === 200).length;
    expect(allowed).toBe(30);
    const rejected = all.find(({ status }) => status === 429)!;
    expect(rejected.headers['ratelimit-policy']).toBe('"key";q=30;w=86400');
    expect(Number(rejected.headers['retry-after'])).toBeGreaterThan(2000);
  });

  if (isFullCheck) {
    it('serves the metrics of all workers at an address of their own, and forgets no counts when one ends', async () => {
      const server = await serve('--workers', '2', '--drain-seconds', '0', '--metrics-port', '0');
      const find = () => /^Metrics are at (http:\S+)/m.exec(server.out())?.[1];
      await expect.poll(find).toBeDefined();
      const metrics = find()!;
      const count = async () => {
        const text = await (await fetch(metrics)).text();
        const counts = text.matchAll(/^plumecast_request_duration_seconds_count\{.*status="200".*\} (\d+)$/gm);
        return [...counts].reduce((sum, [, each]) => sum + Number(each), 0);
      };
      for (let i = 0; i < 10; i++) await statusOf(server, WEEKS, lasting);
      const counted = await count();
      expect(counted).toBe(10);
      const before = workersOf(server);
      process.kill(before[0], 'SIGKILL');
      await expect.poll(() => workersOf(server).filter((pid) => !before.includes(pid)).length).toBe(1);
      expect(await count()).toBe(counted);
      server.child.kill('SIGHUP');
      await expect
        .poll(() => workersOf(server).length === 2 && workersOf(server).every((pid) => !before.includes(pid)))
        .toBe(true);
      expect(await count()).toBe(counted);
      const text = await (await fetch(metrics)).text();
      expect(text).toMatch(/^plumecast_workers_replaced_total 1$/m);
      expect(text).toMatch(/^plumecast_workers 2$/m);
      expect((await fetch(new URL('/', metrics))).status).toBe(404);
      expect((await fetch(metrics, { method: 'POST' })).status).toBe(405);
      expect(await statusOf(server, '/metrics')).toBe(404);
    });
  }

  it('ends with the error of the first one where it cannot serve; a wrong number is an error', async () => {
    const none = join(folder, 'none');
    const failure = (...args: string[]) => serve('--store', none, ...args).catch((error: Error) => error.message);
    const alone = await failure();
    expect(alone).toContain(none);
    expect(await failure('--workers', '2')).toBe(alone);
    expect(plumecast(['serve', '--store', store, '--workers', '0']).err).toContain('1 to 256');
    for (const limit of ['600', '0/min', '1.5/s', '10/week', 'x/min']) {
      expect(plumecast(['serve', '--store', store, '--rate-limit', limit]).err).toContain('such as 600/min');
    }
  });
});
