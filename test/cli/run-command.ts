import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { MessageChannel, type MessagePort, receiveMessageOnPort, Worker } from 'node:worker_threads';

/** The built command. */
export const CLI = fileURLToPath(new URL('../../dist/cli.js', import.meta.url));

/** No command of the tests takes as long: one that does not end would stop all tests, as this thread waits for it. */
const MAX_MILLISECONDS = 120_000;

/** What a command printed, and its exit code. */
export interface Outcome {
  code: number | null;
  out: string;
  err: string;
}

/** Where a script runs, and what is on its standard input. */
interface Surroundings {
  cwd?: string;
  input?: string | Uint8Array;
}

/** Runs the built command in `cwd` with `input` on standard input, in a process that runs others after it. */
export function plumecast(args: readonly string[], surroundings: Surroundings = {}): Outcome {
  return runScript(CLI, args, surroundings);
}

/** Runs a module as `plumecast` runs the command: until it is evaluated, after others in the same process. */
export function runScript(
  path: string,
  args: readonly string[],
  { cwd = process.cwd(), input = '' }: Surroundings = {},
): Outcome {
  bridge ??= openBridge();
  const { flag, port } = bridge;
  Atomics.store(flag, 0, 0);
  port.postMessage({ command: path, args, cwd, input: Buffer.from(input as string) });
  if (Atomics.wait(flag, 0, 0, MAX_MILLISECONDS) === 'timed-out') throw new Error(`${path} ${args.join(' ')}: no end`);
  return receiveMessageOnPort(port)?.message as Outcome;
}

let bridge: { port: MessagePort; flag: Int32Array } | undefined;

/** A thread that talks with the process of the commands, so that this one can wait for it. */
function openBridge(): { port: MessagePort; flag: Int32Array } {
  const { port1, port2 } = new MessageChannel();
  const flag = new Int32Array(new SharedArrayBuffer(4));
  const script = new URL('warm-bridge.mjs', import.meta.url);
  new Worker(script, { workerData: { port: port2, flag }, transferList: [port2] }).unref();
  port1.unref();
  return { port: port1, flag };
}

/** A folder of its own for a test file, with the given files in it. */
export function folderWith(files: Record<string, string | Uint8Array>): { folder: string; remove: () => void } {
  const folder = mkdtempSync(join(tmpdir(), 'plumecast-test-'));
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), content);
  }
  return { folder, remove: () => rmSync(folder, { recursive: true }) };
}

/** A CSV of `days` days from Monday 2024-01-01 on for three members: member k has k on every day. */
export function threeMembers(days: number, header = 'date,m01,m02,m03'): string {
  const rows = Array.from(
    { length: days },
    (_, d) => `${new Date(Date.UTC(2024, 0, 1 + d)).toISOString().slice(0, 10)},1,2,3`,
  );
  return `${[header, ...rows].join('\n')}\n`;
}
