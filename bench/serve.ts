/**
 * Requests a second of the service, beside a bare server of node:http with the same headers and body.
 *
 *   node build/bench/serve.js [--seconds 5] [--rounds 5]
 *
 * A store of random values, a new server process for each contestant and round, and a load generator in a process of
 * its own: wrk where the machine has it, else autocannon. Contestants take turns; the ratios are those of medians. The
 * server's processor time for each request does not depend on the load generator. Keys, a rate limit and metrics are
 * on, logs off but in a row of their own; with all of it on, keys and usage are in PostgreSQL, where the machine has it. Two workers are measured beside two servers that have nothing in common.
 */
import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { HAS_POSTGRES, PostgresServer } from '../test/reference/postgres.js';
import { type AnswerTimes, answerTimes, coldReadTimes } from './answer-times.js';
import { keyTimes } from './key-times.js';
import { load } from './request-load.js';
import { CELLS, FORECAST, makeKey, makeStore } from './serve-store.js';
import { type WorkerRates, workerRates } from './serve-workers.js';

const { values: options } = parseArgs({
  options: {
    seconds: { type: 'string', default: '5' },
    rounds: { type: 'string', default: '5' },
  },
});
const WARM_UP_SECONDS = 8;

/**
 * Which server answers, and how many points are requested: those of all cells, or ten. `goal` is the least share of
 * `bare`, in percent.
 */
const CONTESTANTS = [
  { name: 'bare node:http', role: 'bare', points: CELLS, goal: undefined },
  { name: 'statistics of random points', role: 'statistics', points: CELLS, goal: 45 },
  { name: 'random points, all of it on, PostgreSQL', role: 'all', points: CELLS, goal: undefined },
  { name: 'the same with a log of requests', role: 'logged', points: CELLS, goal: undefined },
  { name: 'statistics of ten points, kept responses', role: 'cached', points: 10, goal: 80 },
  { name: 'random points, adapter to the Fetch API', role: 'adapter', points: CELLS, goal: undefined },
] as const;

const NEEDS_DATABASE: ReadonlySet<string> = new Set(['all', 'logged']);

type Contestant = (typeof CONTESTANTS)[number];

/** Resident memory after so many requests of random points, and after all of them. */
const MEMORY_REQUESTS = [20_000, 200_000] as const;

interface Round {
  readonly requestsPerSecond: number;
  /** Processor time of the server for each request. */
  readonly microseconds: number;
}

const postgres = HAS_POSTGRES ? await PostgresServer.start() : undefined;
const folder = await mkdtemp(join(tmpdir(), 'plumecast-bench-'));
try {
  await makeStore(folder);
  const database = await postgres?.database();
  if (database !== undefined) await makeKey(database);
  const contestants = CONTESTANTS.filter(({ role }) => !NEEDS_DATABASE.has(role) || database !== undefined);
  const cold = await coldReadTimes(folder);
  const times = await answerTimes(folder);
  const rounds: Round[][] = contestants.map(() => []);
  for (let round = 0; round < Number(options.rounds); round++) {
    for (const [c, { role, points }] of contestants.entries()) {
      rounds[c].push(await runRound(role, points, database));
    }
  }
  report(contestants, rounds, { cold, parts: times });
  reportWorkers(await workerRates(folder, Number(options.rounds), Number(options.seconds)));
  await reportMemory();
  await reportKeys();
} finally {
  await postgres?.remove();
  await rm(folder, { recursive: true, force: true });
}

/**
 * Each round has a server of its own, since the place of the code in memory makes one process faster than another; it
 * is warmed up until the engine has compiled the functions that are often called.
 */
async function runRound(role: string, points: number, database?: string): Promise<Round> {
  const server = await startServer(role, database);
  try {
    await load(server.port, points, WARM_UP_SECONDS);
    const before = await server.processorTime();
    const { requests, seconds } = await load(server.port, points, Number(options.seconds));
    const microseconds = ((await server.processorTime()) - before) / requests;
    return { requestsPerSecond: requests / seconds, microseconds };
  } finally {
    server.stop();
  }
}

/** Requests random points until each count of `MEMORY_REQUESTS` is reached. */
async function reportMemory(): Promise<void> {
  const server = await startServer('statistics');
  try {
    const found: string[] = [];
    let done = 0;
    for (const count of MEMORY_REQUESTS) {
      while (done < count) done += (await load(server.port, CELLS, 1)).requests;
      found.push(`${((await server.residentBytes()) / 1e6).toFixed(0)} MB after ${done} requests`);
    }
    console.log(`resident memory: ${found.join(', ')}`);
  } finally {
    server.stop();
  }
}

interface Server {
  readonly port: number;
  /** Microseconds of processor time since the start. */
  processorTime(): Promise<number>;
  residentBytes(): Promise<number>;
  stop(): void;
}

async function startServer(role: string, database = ''): Promise<Server> {
  const script = fileURLToPath(new URL('serve-target.js', import.meta.url));
  // Node's space for young objects is kept from doubling, because its growth is not that of the service.
  const args = ['--max-semi-space-size=8', script, role, folder, database];
  const child = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'inherit'] });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const next = async () => JSON.parse((await lines.next()).value);
  const { port } = await next();
  const state = () => {
    child.stdin.write('state\n');
    return next();
  };
  return {
    port,
    processorTime: async () => (await state()).microseconds,
    residentBytes: async () => (await state()).residentBytes,
    stop: () => child.kill(),
  };
}

interface Measured {
  readonly cold: readonly number[] | undefined;
  readonly parts: AnswerTimes;
}

function report(contestants: readonly Contestant[], rounds: readonly Round[][], { cold, parts }: Measured): void {
  const shape = `${CELLS} cells of ${FORECAST.members} members x ${FORECAST.days} days`;
  console.log(`weekly precipitation of a point, ${shape}, Node ${process.versions.node}`);
  const rates = rounds.map((all) => median(all.map(({ requestsPerSecond }) => requestsPerSecond)));
  const times = rounds.map((all) => median(all.map(({ microseconds }) => microseconds)));
  const random = times[contestants.findIndex(({ role }) => role === 'statistics')];
  contestants.forEach(({ name, goal, role }, c) => {
    const rate = `${rates[c].toFixed(0).padStart(6)} requests/s`;
    const time = `${times[c].toFixed(1).padStart(5)} us of processor`;
    const share = `${((100 * rates[c]) / rates[0]).toFixed(0)} %`;
    console.log(`${name.padEnd(42)} ${rate}  ${time}  ${share}${goal ? ` (goal: at least ${goal} %)` : ''}`);
    if (!NEEDS_DATABASE.has(role)) return;
    const most = role === 'all' ? ' (goal: at most 1.05)' : '';
    console.log(`  ${(times[c] / random).toFixed(3)} times the processor time without it${most}`);
  });
  if (cold === undefined) console.log('skipped: cold reads (pages can only be dropped by root)');
  else {
    const [middle, slowest] = [median(cold), cold[cold.length - 1]].map((time) => `${(1000 * time).toFixed(0)} us`);
    console.log(`a cold read of one place: median ${middle}, slowest of ${cold.length} ${slowest}`);
  }
  const { read, answer, json, prepared, hundred, hundredFetch, history } = parts;
  const ms = (microseconds: number) => `${(microseconds / 1000).toFixed(2)} ms`;
  const reading = `finding and reading a place ${read.toFixed(1)} us`;
  const computing = `computing weekly statistics beside it ${(answer - read).toFixed(1)} us`;
  console.log('in one process, warm files, medians of runs of 200:');
  console.log(`  ${reading}, ${computing}, writing them as JSON ${json.toFixed(1)} us`);
  console.log(`  all of it ${(answer + json).toFixed(1)} us, prepared ${prepared.toFixed(1)} us (goal: at most 15)`);
  console.log(`  a hundred points: ${ms(hundred)} (goal: at most 1.2), as a Response ${ms(hundredFetch)}`);
  console.log(`  thirty years of daily history as a Response: ${ms(history)} (goal: at most 1.5)`);
}

async function reportKeys(): Promise<void> {
  const { map, hashed, files, database, first } = await keyTimes();
  const us = (microseconds: number) => `${microseconds.toFixed(2)} us`;
  console.log(
    `a key among a million, used before: in files ${us(files)}, in a database ${us(database)} (goal: at most 1)`,
  );
  console.log(
    `  for the first time ${us(first)}; in a Map of keys ${us(map)}, in a Map of their SHA-256 ${us(hashed)}`,
  );
}

function reportWorkers(rounds: readonly WorkerRates[]): void {
  const one = median(rounds.map((rates) => rates.one));
  const times = (rate: number) => `${rate.toFixed(0)} requests/s, ${(rate / one).toFixed(2)} times`;
  console.log(`plumecast serve, random points: ${one.toFixed(0)} requests/s`);
  console.log(`  two workers: ${times(median(rounds.map(({ workers }) => workers)))} (goal: 1.7, or as two servers)`);
  console.log(`  two unrelated servers: ${times(median(rounds.map(({ servers }) => servers)))}`);
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[values.length >> 1];
}
