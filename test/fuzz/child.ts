import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { type Finding, MAX_CPU_SECONDS, MAX_IDLE_SECONDS, type Outcome, REPORT_FD, type Task } from './outcome.js';

/** Clock ticks a second of the times in /proc. */
const TICKS = 100;
const POLL_MILLISECONDS = 200;
/** Resident memory at which a process is ended before the machine suffers. */
const MAX_RESIDENT_BYTES = 3_000_000_000;

/** Called with each case as it ends. */
export interface Listener {
  ended(outcome: Outcome): void;
  found(finding: Finding): void;
}

/**
 * Runs cases in a process of its own, which is begun anew behind each that hangs, crashes or floods it. Returns the
 * number of the case after the last.
 */
export async function runCases(worker: string, task: Omit<Task, 'work'>, listener: Listener): Promise<number> {
  const until = performance.now() + task.milliseconds;
  for (let { from } = task; from < task.to; ) {
    const milliseconds = until - performance.now();
    if (milliseconds <= 0) return from;
    const next = await runProcess(worker, { ...task, from, milliseconds }, listener);
    if (next === undefined) throw new Error(`the process of ${task.reader} does not begin`);
    from = next.at;
    if (next.isDone) return from;
  }
  return task.to;
}

async function runProcess(
  worker: string,
  task: Omit<Task, 'work'>,
  listener: Listener,
): Promise<{ at: number; isDone: boolean } | undefined> {
  const work = await mkdtemp(join(tmpdir(), 'plumecast-fuzz-'));
  const args = ['--enable-source-maps', '--max-old-space-size=1024', worker, JSON.stringify({ ...task, work })];
  const stdio = ['ignore', 'inherit', task.verbose ? 'inherit' : 'pipe', 'pipe'] as const;
  const child = spawn(process.execPath, args, { stdio: [...stdio], env: { ...process.env, TMPDIR: work } });
  let errors = '';
  child.stderr?.on('data', (data) => {
    errors = (errors + data).slice(-2000);
  });
  let at: number | undefined;
  let isRunning = false;
  let isDone = false;
  const watch = new Watch(child, () => (isRunning ? at : undefined));
  for await (const line of createInterface({ input: child.stdio[REPORT_FD] as Readable })) {
    if (line.startsWith('s')) [at, isRunning] = [Number(line.slice(1)), true];
    else if (line.startsWith('b')) listener.found(JSON.parse(line.slice(1)));
    else if (line === 'd') isDone = true;
    else {
      isRunning = false;
      listener.ended(line === 'f' ? 'result' : line === 't' ? 'typed' : 'untyped');
    }
  }
  const [code, signal] = await watch.exit;
  if (!task.verbose) await rm(work, { recursive: true, force: true });
  if (at === undefined) {
    console.error(errors);
    return undefined;
  }
  if (isRunning) {
    const outcome = watch.reason ?? (code === 0 || code === 13 ? 'hang' : 'crash');
    const detail = watch.reason === undefined ? `code ${code}, signal ${signal}: ${lastError(errors)}` : watch.detail;
    listener.found({ outcome, index: at, seed: '', door: '', detail });
    listener.ended(outcome);
  }
  return { at: at + 1, isDone };
}

function lastError(text: string): string {
  return text.split('\n').find((line) => /error|fatal|abort/i.test(line)) ?? text.trim().split('\n').at(-1) ?? '';
}

/** Ends a process whose case takes too much of the processor's time, too long without it, or too much memory. */
class Watch {
  reason?: 'hang' | 'flood';
  detail = '';
  readonly exit: Promise<[number | null, NodeJS.Signals | null]>;
  #case?: number;
  #cpu = 0;
  #since = 0;

  constructor(child: ChildProcess, current: () => number | undefined) {
    const timer = setInterval(() => this.#look(child, current()), POLL_MILLISECONDS);
    this.exit = new Promise((resolve) => {
      child.once('exit', (...result) => {
        clearInterval(timer);
        resolve(result);
      });
    });
  }

  #look(child: ChildProcess, current: number | undefined): void {
    if (current === undefined || child.pid === undefined || this.reason !== undefined) return;
    const usage = usageOf(child.pid);
    if (usage === undefined) return;
    if (current !== this.#case) [this.#case, this.#cpu, this.#since] = [current, usage.seconds, performance.now()];
    const seconds = usage.seconds - this.#cpu;
    const idle = (performance.now() - this.#since) / 1000;
    if (usage.bytes > MAX_RESIDENT_BYTES) this.reason = 'flood';
    else if (seconds > MAX_CPU_SECONDS || idle > MAX_IDLE_SECONDS) this.reason = 'hang';
    else return;
    this.detail = `${Math.round(usage.bytes / 1e6)} MB, ${seconds.toFixed(0)} s of the processor`;
    child.kill('SIGKILL');
  }
}

function usageOf(pid: number): { seconds: number; bytes: number } | undefined {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ');
    return { seconds: (Number(fields[11]) + Number(fields[12])) / TICKS, bytes: Number(fields[21]) * 4096 };
  } catch {
    return undefined;
  }
}
