import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { BatchEvent } from '../../src/batch/batch-event.js';
import { CLI } from '../cli/run-command.js';

/** How a process ended, and what it printed. */
export interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly out: string;
  readonly err: string;
}

/** A `plumecast batch` that runs in a process of its own. */
export interface BatchProcess {
  readonly pid: number;
  kill(signal: NodeJS.Signals): void;
  readonly ended: Promise<Ended>;
}

/** Starts `plumecast batch --json` in `cwd`; `onEvent` is called with each event as it is printed. */
export function startBatch(
  args: readonly string[],
  cwd: string,
  onEvent: (event: BatchEvent) => void = () => {},
): BatchProcess {
  const child = spawn(process.execPath, [CLI, 'batch', ...args, '--json'], {
    cwd,
    env: { ...process.env, NO_COLOR: '1', FORCE_COLOR: undefined },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const printed = { out: '', err: '', reported: 0 };
  child.stderr.on('data', (text) => (printed.err += text));
  child.stdout.on('data', (text) => {
    printed.out += text;
    const whole = printed.out.lastIndexOf('\n') + 1;
    const lines = printed.out.slice(printed.reported, whole).split('\n').slice(0, -1);
    printed.reported = whole;
    for (const line of lines) onEvent(JSON.parse(line));
  });
  const ended = new Promise<Ended>((done) => {
    child.once('close', (code, signal) => done({ code, signal, out: printed.out, err: printed.err }));
  });
  return { pid: child.pid as number, kill: (signal) => child.kill(signal), ended };
}

/**
 * The arguments of a command, with one worker where it is a batch that says no number of them: to start a second one
 * takes longer than to compute small outputs.
 */
export function withOneWorker(args: readonly string[]): readonly string[] {
  return args[0] === 'batch' && !args.includes('--workers') ? [...args, '--workers', '1'] : args;
}

/** The checksum of every file below a folder that has a final name, by path; nothing of a folder that is not there. */
export function checksums(folder: string): Record<string, string> {
  if (!existsSync(folder)) return {};
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  const files = entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .filter((path) => !path.startsWith('.plumecast-batch'));
  return Object.fromEntries(
    files.sort().map((path) => [
      path,
      createHash('sha256')
        .update(readFileSync(join(folder, path)))
        .digest('hex'),
    ]),
  );
}
