import { Bench } from 'tinybench';
import type { Contestant, Results } from './contestant.js';
import type { Members } from './data.js';
import { DAYS, type Workload } from './workloads.js';

/** How long to measure. */
export interface Effort {
  /** How often the contestants take turns. */
  readonly rounds: number;
  /** Milliseconds of a turn, at least. */
  readonly time: number;
  /** Runs of a turn, at least. */
  readonly runs: number;
}

/** One number of every run, added up and printed, so that no engine may leave out the work. */
let sink = 0;

export function observed(): number {
  return sink;
}

/** The median of nanoseconds per output: one cell and window. */
export async function nanosecondsPerOutput(
  contestant: Contestant,
  workload: Workload,
  parts: readonly Members[],
  { time, runs }: Effort,
): Promise<number> {
  const run = contestant.prepare(workload, parts);
  let next = 0;
  const bench = new Bench({ time, iterations: runs, warmupTime: time / 2, warmupIterations: 1 });
  bench.add(contestant.name, () => observe(run(next++ % parts.length)), { async: false });
  const [task] = await bench.run();
  const { result } = task;
  if (result.state === 'errored') throw result.error;
  if (result.state !== 'completed') throw new Error(`${contestant.name}: not measured, but ${result.state}`);
  const outputs = (parts[0][0].length / DAYS) * workload.windows.count;
  return (result.latency.p50 * 1e6) / outputs;
}

function observe(results: Results): void {
  const last = results[results.length - 1];
  sink += last[last.length - 1];
}
