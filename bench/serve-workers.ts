import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { load } from './request-load.js';
import { CELLS } from './serve-store.js';

/** Requests a second of `plumecast serve`: of one process, of two workers, and of two servers of their own together. */
export interface WorkerRates {
  readonly one: number;
  readonly workers: number;
  readonly servers: number;
}

const CONNECTIONS = 32;
const WARM_UP_SECONDS = 8;

/** Measures one round after the other, each with new servers of the store in `folder`. */
export async function workerRates(folder: string, rounds: number, seconds: number): Promise<WorkerRates[]> {
  const rates: WorkerRates[] = [];
  for (let round = 0; round < rounds; round++) {
    rates.push({
      one: await rateOf([await start(folder, 1)], seconds),
      workers: await rateOf([await start(folder, 2)], seconds),
      servers: await rateOf([await start(folder, 1), await start(folder, 1)], seconds),
    });
  }
  return rates;
}

interface Server {
  readonly child: ChildProcess;
  readonly port: number;
}

/** The requests a second that servers answer together, by as many connections as one server has. */
async function rateOf(servers: readonly Server[], seconds: number): Promise<number> {
  const connections = CONNECTIONS / servers.length;
  const loads = (duration: number) => Promise.all(servers.map(({ port }) => load(port, CELLS, duration, connections)));
  try {
    await loads(WARM_UP_SECONDS);
    return (await loads(seconds)).reduce((sum, done) => sum + done.requests / done.seconds, 0);
  } finally {
    for (const { child } of servers) child.kill();
  }
}

async function start(folder: string, workers: number): Promise<Server> {
  const cli = fileURLToPath(new URL('../../dist/cli.js', import.meta.url));
  const args = ['--store', folder, '--port', '0', '--workers', `${workers}`, '--drain-seconds', '0'];
  const limits = ['--rate-limit', '1000000000/min', '--metrics-port', '0', '--response-cache', '0'];
  const child = spawn(process.execPath, ['--max-semi-space-size=8', cli, 'serve', ...args, ...limits], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  for await (const line of createInterface({ input: child.stdout })) {
    const [, port] = /^Serving .*:(\d+)/.exec(line) ?? [];
    if (port !== undefined) return { child, port: Number(port) };
  }
  throw new Error('the server has ended');
}
