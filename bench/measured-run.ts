import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';

/** What a process took. */
export interface Run {
  readonly seconds: number;
  /** Bytes; undefined where /usr/bin/time is missing. */
  readonly peak: number | undefined;
  readonly out: string;
}

/** Runs a program and measures its time and memory; throws where it fails. */
export function run(program: string, args: readonly string[]): Run {
  const timed = existsSync('/usr/bin/time');
  const [file, rest] = timed ? ['/usr/bin/time', ['-f', 'peak %M', program, ...args]] : [program, args];
  const started = performance.now();
  const { status, stdout, stderr } = spawnSync(file, rest, { encoding: 'utf8', maxBuffer: 2 ** 26 });
  const seconds = (performance.now() - started) / 1000;
  if (status !== 0) throw new Error(`${program} ${args.join(' ')} failed: ${stderr}`);
  const peak = /peak (\d+)/.exec(stderr)?.[1];
  return { seconds, peak: peak === undefined ? undefined : Number(peak) * 1024, out: stdout };
}

/** The fastest of several runs. */
export function best(rounds: number, make: () => Run): Run {
  return Array.from({ length: rounds }, make).reduce((a, b) => (a.seconds <= b.seconds ? a : b));
}
