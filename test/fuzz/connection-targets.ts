import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { listen } from '../../src/cli/http-server.js';
import { createKey } from '../../src/service/access/key-file.node.js';
import { createListener, type Listener } from '../../src/service/handler/listener/create-listener.node.js';
import { FINE_KEY, fakeAnswers, fakeService, KEY } from '../service/handler/fake-service.js';
import { longHistory } from '../service/handler/long-history.js';

export const TARGETS = ['listener', 'server', 'workers'] as const;

export const KEYS = [KEY, FINE_KEY] as const;

/** What a server says of itself. */
interface ServerState {
  /** The requests that its listener got, or that its metrics count. */
  readonly arrived: number;
  readonly logged: number;
  /** Logged as of a client that has gone. */
  readonly gone: number;
  /** What its queue counts. */
  readonly inFlight: number;
}

/** A server that connections are made to. */
export interface Target {
  readonly name: string;
  readonly port: number;
  state(): Promise<ServerState>;
}

/** Starts the servers of some names, one after the other; each stops when the next is asked for. */
export async function* fuzzTargets(names: readonly string[]): AsyncGenerator<Target> {
  for (const name of names) {
    if (name === 'workers') yield* workers();
    else if (name === 'listener' || name === 'server') yield* ownServer(name);
    else throw new RangeError(`no such target: ${name}; there are ${TARGETS.join(', ')}`);
  }
}

/** A service in this process whose history is long and takes a turn of the event loop. */
async function* ownServer(name: 'listener' | 'server'): AsyncGenerator<Target> {
  let [arrived, logged, gone] = [0, 0, 0];
  // Just long enough to be sent in pieces.
  const history = longHistory(1.5, 13_200);
  const answers = {
    ...fakeAnswers(),
    history: () => new Promise<typeof history>((done) => setImmediate(() => done(history))),
  };
  const onRequest = ({ status }: { status: number }) => {
    logged++;
    if (status === 499) gone++;
  };
  const { handler } = fakeService({ answers, limits: { stalledSeconds: 0.5 }, onRequest });
  const own = createListener(handler);
  const listener: Listener = function counted(this: unknown, request, response) {
    arrived++;
    own.call(this, request, response);
  };
  const server = name === 'server' ? await listen(listener, { host: '127.0.0.1', port: 0 }) : undefined;
  const plain = createServer(listener);
  if (server === undefined) await new Promise<void>((listening) => plain.listen(0, '127.0.0.1', listening));
  const port = server ? Number(new URL(server.address).port) : (plain.address() as AddressInfo).port;
  const state = async () => {
    const { answering, waiting, sending } = await handler.state();
    return { arrived, logged, gone, inFlight: answering + waiting + sending };
  };
  yield { name, port, state };
  await server?.stop(0);
  plain.close().closeAllConnections();
}

/** `plumecast serve --workers 2`, with the demo store. */
async function* workers(): AsyncGenerator<Target> {
  const store = mkdtempSync(join(tmpdir(), 'plumecast-fuzz-'));
  spawnSync(process.execPath, ['dist/cli.js', 'demo', store], { stdio: 'ignore' });
  for (const key of KEYS) await createKey(store, { owner: key, downscaling: false, key });
  const args = ['dist/cli.js', 'serve', '--store', store, '--port', '0', '--workers', '2', '--log'];
  const more = ['--metrics-port', '0', '--drain-seconds', '0'];
  const server = spawn(process.execPath, [...args, ...more], { stdio: ['ignore', 'pipe', 'pipe'] });
  try {
    let [logged, gone] = [0, 0];
    createInterface({ input: server.stderr }).on('line', (line) => {
      // Pages are logged without an id, and are in no metric.
      const { status, requestId } = JSON.parse(line) as { status?: number; requestId?: string };
      if (requestId !== undefined) logged++;
      if (status === 499) gone++;
    });
    let port = 0;
    let metrics = '';
    for await (const line of createInterface({ input: server.stdout })) {
      port = Number(/^Serving .* at http:\S+?:(\d+)/.exec(line)?.[1] ?? port);
      [, metrics = ''] = /^Metrics are at (\S+)/.exec(line) ?? [];
      if (metrics !== '') break;
    }
    const state = async () => ({ ...countsOf(await (await fetch(metrics)).text()), logged, gone });
    yield { name: 'workers', port, state };
  } finally {
    const ended = new Promise((done) => server.once('exit', done));
    server.kill('SIGKILL');
    await ended;
    rmSync(store, { recursive: true, force: true });
  }
}

/** The requests that metrics count, and those that are answered, wait or are sent. */
function countsOf(metrics: string): Pick<ServerState, 'arrived' | 'inFlight'> {
  const sum = (name: string) => {
    const rows = metrics.matchAll(new RegExp(`^${name}(?:\\{.*\\})? (\\d+)$`, 'gm'));
    return [...rows].reduce((total, [, value]) => total + Number(value), 0);
  };
  const inFlight = ['requests_answering', 'requests_waiting', 'responses_sending'].map((name) =>
    sum(`plumecast_${name}`),
  );
  return { arrived: sum('plumecast_request_duration_seconds_count'), inFlight: inFlight.reduce((a, b) => a + b) };
}
