import { performance } from 'node:perf_hooks';
import { type Core, loadCore } from '../src/core/load.js';
import { computeStatistics } from '../src/statistics/compute.js';
import { createPool } from '../src/threads/create-pool.js';
import type { Pool } from '../src/threads/pool.js';
import { copyIntoCore, statisticsRequest } from './fields.js';
import { createMembers, fillMembers, firstCells, type Members } from './members.js';
import { WORKLOADS, type Workload } from './workloads.js';

/** Milliseconds of a turn, at least: short jobs are repeated. */
const MIN_TURN = 10;

interface Threads {
  readonly core: Core;
  readonly one: Pool;
  /** A second pool of one worker, independent of the first. */
  readonly other: Pool;
  readonly two: Pool;
}

/**
 * One thread beside pools of one and two workers, which take turns: a Markdown table of nanoseconds per output, the
 * best of `turns` turns. Values lie in the memory that is computed in. Two pools of one worker that work at the same
 * time, each on its own memory and values, show the most that this machine gains from two threads.
 */
export async function poolReport(sizes: readonly number[], turns: number): Promise<string> {
  const [one, other, two] = await Promise.all([1, 1, 2].map((threads) => createPool({ threads })));
  if (two.threads !== 2) throw new Error(`the pool has ${two.threads} workers, not two`);
  const threads = { core: await loadCore(), one, other, two };
  const members = createMembers(Math.max(...sizes));
  const rows: string[] = [];
  for (const workload of WORKLOADS) {
    fillMembers(members, workload.data);
    for (const cells of sizes) rows.push(await row(workload, cells, firstCells(members, cells), threads, turns));
  }
  await Promise.all([one, other, two].map((pool) => pool.close()));
  return [
    '### Several threads: nanoseconds per output, and times as fast as one thread',
    '',
    '| | cells | one thread | pool of 1 | pool of 2 | | two apart |',
    '|---|---:|---:|---:|---:|---:|---:|',
    ...rows,
  ].join('\n');
}

async function row(workload: Workload, cells: number, part: Members, threads: Threads, turns: number): Promise<string> {
  const { core, one, other, two } = threads;
  const { rule, windows } = workload;
  const request = statisticsRequest(rule);
  const cores = [core, one.core, other.core, two.core];
  const marks = cores.map(({ memory }) => memory.mark());
  const [alone, inOne, inOther, inTwo] = cores.map((owner) => copyIntoCore(owner, part));
  const times = await bestTimes(turns, [
    () => computeStatistics(core, alone, windows, request),
    () => one.computeStatistics(inOne, windows, request),
    () => two.computeStatistics(inTwo, windows, request),
    () =>
      Promise.all([one.computeStatistics(inOne, windows, request), other.computeStatistics(inOther, windows, request)]),
  ]);
  cores.forEach(({ memory }, i) => {
    memory.release(marks[i]);
  });
  const perOutput = times.map((milliseconds) => (milliseconds * 1e6) / (cells * windows.count));
  const [byThread, byOne, byTwo, apart] = perOutput;
  const figures = [byThread, byOne, byTwo].map(timeText);
  const ratios = [byThread / byTwo, (2 * byOne) / apart].map((times) => `${times.toFixed(2)}×`);
  const columns = [workload.key, cells.toLocaleString('en'), ...figures, ...ratios];
  return `| ${columns.join(' | ')} |`;
}

/** The shortest milliseconds of each run, all of which take turns; the first turn warms up. */
async function bestTimes(turns: number, runs: readonly (() => unknown)[]): Promise<number[]> {
  const best = runs.map(() => Number.POSITIVE_INFINITY);
  for (let turn = 0; turn <= turns; turn++) {
    for (const [r, run] of runs.entries()) {
      const from = performance.now();
      let spent = 0;
      for (let before = 0; spent < MIN_TURN; ) {
        await run();
        spent = performance.now() - from;
        if (turn > 0) best[r] = Math.min(best[r], spent - before);
        before = spent;
      }
    }
  }
  return best;
}

function timeText(x: number): string {
  return x.toFixed(x < 100 ? 1 : 0);
}
