import { spawnSync } from 'node:child_process';
import { readdirSync, readlinkSync } from 'node:fs';
import { connect } from 'node:net';
import { afterAll, describe, expect, it } from 'vitest';
import { createKey } from '../../src/service/access/key-file.node.js';
import { addLocation } from '../../src/service/access/location-file.node.js';
import { hasProgram } from '../reference/foreign-programs.js';
import { plumecast } from './run-command.js';
import { plumecastHere } from './run-here.js';
import { folderWithStore } from './small-store.js';
import { serversOf } from './start-server.js';

const { folder, store, remove } = await folderWithStore();
await createKey(store, { owner: 'demo', downscaling: false, key: 'demo', demo: true });
const { key } = await createKey(store, { owner: 'Example Farms', downscaling: false });
await addLocation(store, { id: 'field', latitude: 37.2, longitude: -79.8 });

const serve = serversOf(store);
afterAll(remove);

const WEEKS = '/v2/forecast/statistics?lat=37.2&lon=-79.8&var=precipitation&granularity=weekly';
const ask = (url: string, apiKey = key) => fetch(url, { headers: { 'X-Api-Key': apiKey } });

/** The files that this process has open. */
function openFiles(): string[] {
  return readdirSync('/proc/self/fd').flatMap((descriptor) => {
    try {
      return [readlinkSync(`/proc/self/fd/${descriptor}`)];
    } catch {
      // That of the listing itself is closed by now.
      return [];
    }
  });
}

describe('plumecast serve', () => {
  it('answers from a store, with its keys and locations', async () => {
    const { address } = await serve();
    const answer = await ask(address + WEEKS);
    expect(answer.status).toBe(200);
    const { variables } = (await answer.json()) as { variables: { precipitation: { statistics: object } } };
    expect(Object.keys(variables.precipitation.statistics)[0]).toBe('2026-W10');
    expect((await ask(`${address}/v1/forecast/short-term/location/field?var=temp_mean`)).status).toBe(200);
    expect((await ask(address + WEEKS, 'other')).status).toBe(401);
  });

  it('compresses long answers unless it is told not to, limits keys, and serves metrics beside', async () => {
    const server = await serve('--rate-limit', '100/h', '--metrics-port', '0', '--log');
    const response = await ask(server.address + WEEKS);
    const codingOf = async (address: string) =>
      (await fetch(`${address}/openapi.json`)).headers.get('content-encoding');
    expect(await codingOf(server.address)).toMatch(/gzip|zstd/);
    expect(response.headers.get('ratelimit')).toBe('"key";r=99;t=36');
    const [, metrics] = /^Metrics are at (http:\S+)$/m.exec(server.out())!;
    expect(metrics).toContain('http://127.0.0.1:');
    const text = await (await fetch(metrics)).text();
    expect(text).toContain('plumecast_request_duration_seconds_count{endpoint="forecastStatistics",status="200"} 1');
    expect(text).toMatch(/^plumecast_core_memory_bytes [1-9]\d+$/m);
    expect((await ask(`${server.address}/metrics`)).status).toBe(404);
    const { requestId } = JSON.parse(server.err().split('\n')[0]);
    expect(requestId).toBe(response.headers.get('x-request-id'));
    const plain = await serve('--no-compression');
    expect(await codingOf(plain.address)).toBeNull();
  });

  it.skipIf(!hasProgram('curl', '--version'))(
    'prints its address and a working shell command with the key of the demo',
    async () => {
      const server = await serve();
      const [, line] = /\$ (curl .*)\n/.exec(server.out())!;
      expect(line).toContain("'X-Api-Key: demo'");
      const { stdout } = spawnSync('sh', ['-c', line.replace('curl', 'curl --silent --fail --max-time 60')]);
      expect(JSON.parse(stdout.toString())).toMatchObject({ init_time: '2026-03-02T00:00:00Z' });
    },
  );

  it('rejects the keys of the demo if other machines can reach it, and says so', async () => {
    const server = await serve('--host', '0.0.0.0');
    expect((await ask(server.address + WEEKS, 'demo')).status).toBe(401);
    expect((await ask(server.address + WEEKS)).status).toBe(200);
    expect(server.out()).toContain("'X-Api-Key: YOUR-KEY'");
    expect(server.err()).toContain("note: other machines may reach this address, so the demo's keys are rejected");
  });

  it('is mounted at --base-path', async () => {
    const { address } = await serve('--base-path', '/weather');
    expect(address).toMatch(/\/weather$/);
    expect((await ask(address + WEEKS)).status).toBe(200);
    expect((await ask(address.replace('/weather', '') + WEEKS)).status).toBe(404);
  });

  it('exits with an error for a port in use, a folder without a store, and a wrong host', async () => {
    const { address } = await serve();
    const { port } = new URL(address);
    const run = (...args: string[]) => plumecast(['serve', ...args], { cwd: folder });
    expect(run('--store', 'store', '--port', port)).toMatchObject({
      code: 1,
      err: `error: --port: is in use by another server; received ${port}; allowed: a free port, or 0 for any\n`,
    });
    expect(run('--store', 'none', '--port', '0')).toMatchObject({ code: 1, out: '' });
    expect(run('--store', 'store', '--port', '0', '--host', '192.0.2.1')).toMatchObject({
      code: 1,
      err: expect.stringContaining('--host: is not an address of this machine; received "192.0.2.1"'),
    });
    expect(run('--store', 'store', '--port', 'http')).toMatchObject({ code: 2 });
  });

  if (process.platform !== 'linux') console.log('skipped: files that serve leaves open (they are read from /proc)');
  it.skipIf(process.platform !== 'linux')('has no file of the store open after it could not listen', async () => {
    const { port } = new URL((await serve()).address);
    expect((await plumecastHere('serve', '--store', store, '--port', port)).code).toBe(1);
    expect(openFiles().filter((file) => file.startsWith(store))).toEqual([]);
  });

  it('answers HTTP/1.0 without a Host, and an invalid Host with a problem', async () => {
    const { port } = new URL((await serve()).address);
    const raw = async (text: string) => {
      const socket = connect(Number(port), '127.0.0.1').setEncoding('latin1');
      socket.write(text);
      return (await socket.toArray()).join('');
    };
    expect(await raw('GET /health HTTP/1.0\r\n\r\n')).toMatch(/^HTTP\/1\.1 200 OK/);
    const wrong = await raw('GET /health HTTP/1.1\r\nHost: a b\r\nConnection: close\r\n\r\n');
    expect(wrong).toMatch(/^HTTP\/1\.1 400 Bad Request/);
    expect(wrong).toContain('application/problem+json');
  });

  it('logs each request as a line of JSON with --log, without its key', async () => {
    const server = await serve('--log');
    await ask(server.address + WEEKS);
    await ask(`${server.address}/nowhere`);
    await server.end('SIGINT');
    const lines = server
      .err()
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(lines).toMatchObject([
      { method: 'GET', path: '/v2/forecast/statistics', status: 200, owner: 'Example Farms' },
      { method: 'GET', path: '/nowhere', status: 404 },
    ]);
    expect(server.err()).not.toContain(key);
  });
});
