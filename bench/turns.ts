import { performance } from 'node:perf_hooks';

/** Something to time. */
export interface Job {
  readonly name: string;
  readonly run: () => void;
}

/** The median milliseconds of each job, all of which take turns so that a busy machine is fair to them; the first turn warms up. */
export function medianTurns(jobs: readonly Job[], turns: number): number[] {
  const times: number[][] = jobs.map(() => []);
  for (let turn = 0; turn <= turns; turn++) {
    jobs.forEach(({ name, run }, j) => {
      if (process.stderr.isTTY) process.stderr.write(`\r\x1b[K${name}, turn ${turn}`);
      const from = performance.now();
      run();
      if (turn > 0) times[j].push(performance.now() - from);
    });
  }
  if (process.stderr.isTTY) process.stderr.write('\r\x1b[K');
  return times.map((all) => all.sort((a, b) => a - b)[all.length >> 1]);
}
