/**
 * Requests a second of the service beside the same adapter answering a constant body.
 *
 *   node build/bench/serve.js [--cells 10000] [--seconds 5] [--rounds 5]
 *
 * A store of random values, a new server process for each contestant and round, and a load generator in a process of its own. Contestants
 * take turns; the ratios are of medians. The server's processor time for each request is told beside: it does not depend on the generator.
 */
import { spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { dayNumber } from '../src/period/day.js';
import { beginUpdate, createKey, openStore } from '../src/service/node.js';
import { type AnswerTimes, answerTimes } from './answer-times.js';
import { randomBlocks, squareGrid } from './serve-data.js';

const { values: requested } = parseArgs({
  options: {
    cells: { type: 'string', default: '10000' },
    seconds: { type: 'string', default: '5' },
    rounds: { type: 'string', default: '5' },
  },
});
const CELLS = Number(requested.cells);
const ROUNDS = Number(requested.rounds);
const WARM_UP_SECONDS = 8;
const HISTORY_CELLS = 100;
const AXIS = { firstDay: 20_514, days: 215, members: 31 };
const KEY = 'a-key-of-the-benchmark';

/** Who answers, and which points are asked: of the whole grid, or ten. */
const CONTESTANTS = [
  { name: 'constant body', role: 'constant', points: CELLS, least: undefined },
  { name: 'statistics of random points', role: 'statistics', points: CELLS, least: 50 },
  { name: 'statistics of ten points, kept responses', role: 'cached', points: 10, least: 80 },
] as const;

interface Round {
  readonly requestsPerSecond: number;
  readonly microseconds: number;
}

const dir = await mkdtemp(join(tmpdir(), 'plumecast-bench-'));
try {
  await makeStore(dir);
  const cold = await readCold(dir);
  const times = await answerTimes(dir, KEY, CELLS);
  const rounds: Round[][] = CONTESTANTS.map(() => []);
  for (let round = 0; round < ROUNDS; round++) {
    for (const [c, { role, points }] of CONTESTANTS.entries()) rounds[c].push(await oneRound(role, points));
  }
  report(rounds, cold, times);
} finally {
  await rm(dir, { recursive: true, force: true });
}

async function makeStore(store: string): Promise<void> {
  const update = await beginUpdate(store);
  const initTime = '2026-03-02T00:00:00Z';
  update.setForecast({ initTime, version: 'bench', generation: 'bench', horizonInitTimes: {} });
  await update.write('timeline', {
    ...{ slug: 'precipitation', units: 'mm', axis: AXIS },
    places: squareGrid(CELLS),
    blocks: randomBlocks(CELLS, AXIS.days * AXIS.members),
  });
  const history = { firstDay: dayNumber(1993, 1, 1), days: 12_113, members: 1 };
  await update.write('reanalysis', {
    ...{ slug: 'precipitation', units: 'mm', axis: history },
    places: squareGrid(HISTORY_CELLS),
    blocks: randomBlocks(HISTORY_CELLS, history.days),
  });
  await update.commit();
  await createKey(store, { owner: 'bench', downscaling: false, key: KEY });
}

interface Server {
  readonly port: number;
  /** Microseconds of processor time that it has taken. */
  processorTime(): Promise<number>;
  stop(): void;
}

async function startServer(role: string): Promise<Server> {
  const child = spawn(process.execPath, [sibling('serve-target.js'), role, dir], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const next = async () => JSON.parse((await lines.next()).value);
  const { port } = await next();
  return {
    port,
    async processorTime() {
      child.stdin.write('cpu\n');
      return (await next()).microseconds;
    },
    stop: () => child.kill(),
  };
}

/** A server of its own for each round, as one process may be luckier than another with where its code lies; warmed up until the engine has compiled what is often used. */
async function oneRound(role: string, points: number): Promise<Round> {
  const server = await startServer(role);
  try {
    await load(server.port, points, WARM_UP_SECONDS);
    const before = await server.processorTime();
    const { requests, seconds } = await load(server.port, points, Number(requested.seconds));
    const microseconds = ((await server.processorTime()) - before) / requests;
    return { requestsPerSecond: requests / seconds, microseconds };
  } finally {
    server.stop();
  }
}

async function load(port: number, points: number, seconds: number): Promise<{ requests: number; seconds: number }> {
  const args = [
    fileURLToPath(new URL('../../bench/serve-load.mjs', import.meta.url)),
    port,
    points,
    CELLS,
    seconds,
    KEY,
  ];
  const child = spawn(process.execPath, args.map(String), { stdio: ['ignore', 'pipe', 'inherit'] });
  let text = '';
  for await (const chunk of child.stdout) text += chunk;
  return JSON.parse(text);
}

/** Milliseconds of reads whose pages are not in memory; undefined where this process may not drop them. */
async function readCold(store: string): Promise<number[] | undefined> {
  const opened = await openStore(store);
  try {
    const { forecast } = await opened.snapshot();
    const into = new Float32Array(AXIS.days * AXIS.members);
    const times: number[] = [];
    for (let i = 0; i < 50; i++) {
      await writeFile('/proc/sys/vm/drop_caches', '3');
      const from = performance.now();
      await forecast?.timeline.read('precipitation', Math.floor((i * CELLS) / 50), into);
      times.push(performance.now() - from);
    }
    return times.sort((a, b) => a - b);
  } catch {
    return undefined;
  } finally {
    await opened.close();
  }
}

function sibling(name: string): string {
  return fileURLToPath(new URL(name, import.meta.url));
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[values.length >> 1];
}

function report(rounds: readonly Round[][], cold: readonly number[] | undefined, parts: AnswerTimes): void {
  const rates = rounds.map((all) => median(all.map(({ requestsPerSecond }) => requestsPerSecond)));
  const times = rounds.map((all) => median(all.map(({ microseconds }) => microseconds)));
  console.log(
    `weekly precipitation of a point, ${CELLS} cells of ${AXIS.members} members x ${AXIS.days} days, Node ${process.versions.node}`,
  );
  CONTESTANTS.forEach(({ name, least }, c) => {
    const goal = least === undefined ? '' : ` (goal: at least ${least} %)`;
    const share = `${((100 * rates[c]) / rates[0]).toFixed(0)} %${goal}`;
    console.log(
      `${name.padEnd(42)} ${rates[c].toFixed(0).padStart(6)} requests/s  ${times[c].toFixed(1).padStart(5)} us of processor  ${share}`,
    );
  });
  if (cold === undefined) console.log('skipped: cold reads (pages can only be dropped by root)');
  else {
    console.log(
      `a cold read of one place: median ${(1000 * median(cold)).toFixed(0)} us, slowest of ${cold.length} ${(1000 * cold[cold.length - 1]).toFixed(0)} us`,
    );
  }
  const { read, answer, json, history } = parts;
  console.log(
    [
      'in one process, warm files, medians of runs of 200:',
      `  finding and reading a place ${read.toFixed(1)} us, computing weekly statistics beside it ${(answer - read).toFixed(1)} us (goal: at most 30), writing them as JSON ${json.toFixed(1)} us`,
      `  thirty years of daily history as a response: ${(history / 1000).toFixed(1)} ms (goal: at most 20)`,
    ].join('\n'),
  );
}
