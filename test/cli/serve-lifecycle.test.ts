import { renameSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, describe, expect, it } from 'vitest';
import { createKey } from '../../src/service/access/key-file.node.js';
import { isFullCheck } from '../full-check.js';
import { plumecast } from './run-command.js';
import { folderWithStore } from './small-store.js';
import { type ServerProcess, serversOf } from './start-server.js';

const { folder, store, remove } = await folderWithStore();
const { key } = await createKey(store, { owner: 'Example Farms', downscaling: false });

const serve = serversOf(store);
afterAll(remove);

const WEEKS = '/v2/forecast/statistics?lat=37.2&lon=-79.8&var=precipitation&granularity=weekly';
const ask = (url: string, apiKey = key) => fetch(url, { headers: { 'X-Api-Key': apiKey } });

/** Everything that comes over a connection until it is closed. */
async function received(socket: AsyncIterable<Buffer>): Promise<string> {
  let text = '';
  for await (const chunk of socket) text += chunk;
  return text;
}

describe('plumecast serve', () => {
  it('finishes a request that has partly arrived when it is stopped, and exits 0', async () => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) {
      const server = await serve(...(signal === 'SIGTERM' ? ['--drain-seconds', '0'] : []));
      const kept = await ask(server.address + WEEKS);
      await kept.arrayBuffer();
      const socket = connect(Number(new URL(server.address).port), '127.0.0.1');
      socket.write(`GET ${WEEKS} HTTP/1.1\r\nHost: localhost\r\n`);
      await wait(100);
      const ended = server.end(signal);
      await wait(100);
      await expect(fetch(server.address)).rejects.toThrow();
      socket.write(`X-Api-Key: ${key}\r\n\r\n`);
      const answer = await received(socket);
      expect(answer).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
      expect(answer).toContain('2026-W16');
      expect(await ended).toEqual({ code: 0, signal: null });
    }
  });

  it('ends after --shutdown-seconds even if requests are not finished, and at once at a second signal', async () => {
    const half = async (server: ServerProcess) => {
      const socket = connect(Number(new URL(server.address).port), '127.0.0.1');
      socket.on('error', () => undefined);
      socket.write('GET / HTTP/1.1\r\n');
      await wait(100);
    };
    const limited = await serve('--drain-seconds', '0', '--shutdown-seconds', '0.2');
    await half(limited);
    expect(await limited.end()).toEqual({ code: 0, signal: null });

    const patient = await serve('--shutdown-seconds', '60');
    await half(patient);
    const ended = patient.end();
    await wait(100);
    patient.child.kill('SIGINT');
    expect(await ended).toEqual({ code: null, signal: 'SIGINT' });
  });

  if (isFullCheck) {
    it('is not ready for --drain-seconds after SIGTERM, but serves until it ends', async () => {
      const server = await serve('--drain-seconds', '1');
      expect((await fetch(`${server.address}/ready`)).status).toBe(200);
      const ended = server.end('SIGTERM');
      await wait(100);
      const ready = await fetch(`${server.address}/ready`);
      expect([ready.status, await ready.json()]).toMatchObject([503, { code: 'draining' }]);
      expect((await fetch(`${server.address}/health`)).status).toBe(200);
      const response = await ask(server.address + WEEKS);
      expect([response.status, response.headers.get('connection')]).toEqual([200, 'close']);
      await response.arrayBuffer();
      expect(await ended).toEqual({ code: 0, signal: null });
    });
  }

  it('ends at once at a second signal while it drains', async () => {
    const server = await serve('--drain-seconds', '60');
    const ended = server.end('SIGTERM');
    await wait(100);
    server.child.kill('SIGTERM');
    expect(await ended).toEqual({ code: null, signal: 'SIGTERM' });
  });

  it('serves a new forecast after it is ingested, and accepts a new key after it is created', async () => {
    const server = await serve();
    const generation = async () =>
      ((await (await ask(server.address + WEEKS)).json()) as { generation: string }).generation;
    const before = await generation();
    const short = ['--short-term', 'short-temp_mean.arrow', 'short-precipitation.arrow'];
    plumecast(['ingest', '--store', 'store', ...short, '--replace', '--generation', 'next'], { cwd: folder });
    const { key: other } = await createKey(store, { owner: 'Other Farms', downscaling: false });
    await wait(1500);
    // What was looked at last is looked at again at the next request.
    await generation();
    await wait(100);
    expect([before === 'next', await generation()]).toEqual([false, 'next']);
    expect((await ask(server.address + WEEKS, other)).status).toBe(200);
  });

  it('continues with its forecast while the store cannot be read, and reports that once', async () => {
    const server = await serve();
    renameSync(join(store, 'store.json'), join(store, 'away.json'));
    for (let second = 0; second < 2; second++) {
      await wait(1100);
      for (let i = 0; i < 3; i++) expect((await ask(server.address + WEEKS)).status).toBe(200);
    }
    renameSync(join(store, 'away.json'), join(store, 'store.json'));
    expect(server.err().match(/^error: .*store/gm)).toHaveLength(1);
  });
});
