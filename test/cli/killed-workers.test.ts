import { readFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, describe, expect, it } from 'vitest';
import { createKey } from '../../src/service/access/key-file.node.js';
import { isFullCheck } from '../full-check.js';
import { folderWithStore } from './small-store.js';
import { type ServerProcess, serversOf } from './start-server.js';

const { store, remove } = await folderWithStore();
const { key } = await createKey(store, { owner: 'Example Farms', downscaling: false });
const serve = serversOf(store);
afterAll(remove);

const KILLS = isFullCheck ? 50 : 2;
/** They wait for the worker that is left, too: many on a busy machine would take it longer than 5 s. */
const CLIENTS = isFullCheck ? 40 : 12;
const REQUEST = `GET /v2/forecast?lat=37.2&lon=-79.8 HTTP/1.1\r\nHost: here\r\nX-Api-Key: ${key}\r\nConnection: close\r\n\r\n`;

function workersOf({ child }: ServerProcess): number[] {
  const text = readFileSync(`/proc/${child.pid}/task/${child.pid}/children`, 'utf8').trim();
  return text === '' ? [] : text.split(' ').map(Number);
}

/**
 * With port 0, workers that start when there is no other would get another port. None that clients get as their own:
 * while no worker listens, a connection from a port to itself is possible.
 */
async function freePort(): Promise<number> {
  const [lowest] = readFileSync('/proc/sys/net/ipv4/ip_local_port_range', 'utf8').split('\t').map(Number);
  for (let port = lowest - 1 - (process.pid % 1000); port > 1024; port--) {
    const server = createServer().listen(port, '127.0.0.1');
    const isFree = await new Promise<boolean>((done) => {
      server.once('error', () => done(false)).once('listening', () => server.close(() => done(true)));
    });
    if (isFree) return port;
  }
  throw new Error('no port is free');
}

/** Clients that ask again and again, each on a connection of its own, and how their connections ended. */
class Clients {
  readonly open = new Map<number, number>();
  answered = 0;
  broken = 0;
  readonly #port: number;
  #next = 0;
  #isOver = false;

  constructor(port: number) {
    this.#port = port;
    for (let i = 0; i < CLIENTS; i++) this.#ask();
  }

  end(): void {
    this.#isOver = true;
  }

  #ask(): void {
    if (this.#isOver) return;
    const id = this.#next++;
    this.open.set(id, performance.now());
    let text = '';
    const socket = connect(this.#port, '127.0.0.1', () => socket.write(REQUEST));
    socket.on('data', (chunk) => {
      text += chunk.toString('latin1');
    });
    socket.on('error', () => undefined);
    socket.once('close', () => {
      this.open.delete(id);
      if (text.startsWith('HTTP/1.1 200')) this.answered++;
      else this.broken++;
      // Where nobody listens, not at once again.
      setTimeout(() => this.#ask(), text === '' ? 20 : 0);
    });
  }
}

describe.skipIf(process.platform !== 'linux')('a worker that is killed under load', () => {
  it(`leaves no client without an answer or the end of its connection: ${KILLS} kills`, {
    timeout: 600_000,
  }, async () => {
    const port = await freePort();
    const server = await serve('--workers', '2', '--port', `${port}`, '--drain-seconds', '0');
    const clients = new Clients(port);
    for (let kill = 0; kill < KILLS; kill++) {
      const before = clients.answered;
      await expect.poll(() => clients.answered > before, { timeout: 120_000 }).toBe(true);
      const [worker] = workersOf(server);
      if (kill % 2 === 0) {
        // What it is handed now it does not take before it ends.
        process.kill(worker, 'SIGSTOP');
        await wait(200);
      }
      process.kill(worker, 'SIGKILL');
      const killed = performance.now();
      const isOpen = () => [...clients.open.values()].some((from) => from < killed);
      for (let i = 0; i < 100 && isOpen(); i++) await wait(50);
      expect(isOpen(), `a connection of before kill ${kill + 1} is still open after 5 s`).toBe(false);
      await expect.poll(() => workersOf(server).length, { timeout: 120_000 }).toBe(2);
    }
    clients.end();
    expect(clients.answered).toBeGreaterThan(KILLS);
  });
});
