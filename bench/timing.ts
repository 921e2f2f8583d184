import { performance } from 'node:perf_hooks';

/** Something to time. */
export interface Job {
  readonly name: string;
  readonly run: () => void;
}

/** A job runs for so many milliseconds before it is timed: engines compile what runs often in the meantime. */
const WARM_UP = 10;

/**
 * The median milliseconds of each job. All jobs take turns, so that a busy machine slows all of them; the first turn
 * warms up.
 */
export function medianTurns(jobs: readonly Job[], turns: number): number[] {
  const times: number[][] = jobs.map(() => []);
  for (let turn = 0; turn <= turns; turn++) {
    jobs.forEach(({ name, run }, j) => {
      showProgress(`${name}, turn ${turn}`);
      const from = performance.now();
      run();
      if (turn > 0) times[j].push(performance.now() - from);
      else while (performance.now() - from < WARM_UP) run();
    });
  }
  showProgress('');
  return times.map((all) => all.sort((a, b) => a - b)[all.length >> 1]);
}

/** Milliseconds after which no further turn begins; a run that takes as long needs no warm-up. */
const ENOUGH = 1_500;

/** The median nanoseconds of up to `turns` runs, at least one, after one that warms up. */
export async function medianRun(turns: number, run: () => unknown): Promise<number> {
  const begin = performance.now();
  await run();
  const times: number[] = [];
  const first = performance.now() - begin;
  if (first >= ENOUGH) return 1e6 * first;
  do {
    const from = performance.now();
    await run();
    times.push(performance.now() - from);
  } while (times.length < turns && performance.now() - begin < ENOUGH);
  return 1e6 * times.sort((a, b) => a - b)[times.length >> 1];
}

/** Shows one line on the terminal, which the next one replaces; nothing where standard error is no terminal. */
export function showProgress(text: string): void {
  if (process.stderr.isTTY) process.stderr.write(`\r\x1b[K${text}`);
}

const start = performance.now();

/** Prints a line that stays on standard error, with the seconds since the start. */
export function announce(text: string): void {
  const clear = process.stderr.isTTY ? '\r\x1b[K' : '';
  process.stderr.write(`${clear}${((performance.now() - start) / 1000).toFixed(0).padStart(4)} s  ${text}\n`);
}
