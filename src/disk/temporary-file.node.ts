import { type ChildProcess, spawn } from 'node:child_process';
import { rmSync } from 'node:fs';
import { lstat, readdir, rm } from 'node:fs/promises';
import type { Socket } from 'node:net';
import { join, resolve } from 'node:path';
import { Digest } from '../check/digest.js';
import { type ProcessIdentity, processState, systemProcesses } from './process-table.node.js';

/*
 * Temporary files are called `.<name>.<pid>-<start time>-<machine>-<random>.tmp`, so that the files of a process that
 * was killed can be found. `<machine>` is a digest of its host, its boot id and its namespace of process numbers.
 */

/**
 * Whether a process of another machine runs is not known: its file counts as left behind if nothing wrote to it for
 * this long.
 */
const LEFT_MS = 86_400_000;
/** File names may have 255 bytes. */
const MAX_NAME_BYTES = 150;

/** Makes a path in a folder that no other file has. */
export function temporaryPath(folder: string, name: string): string {
  const { self } = systemProcesses;
  const own = [self.pid, self.start ?? 0, machine(self), randomDigits()].join('-');
  return join(folder, `.${shortName(name)}.${own}.tmp`);
}

/**
 * Removes the temporary files and folders of a name whose processes have ended; those of running processes stay. Files
 * that cannot be read or removed are skipped.
 */
export async function removeLeftTemporaries(folder: string, name: string): Promise<void> {
  const [begin, end] = [`.${shortName(name)}.`, '.tmp'];
  const entries = await readdir(folder).catch(() => []);
  for (const entry of entries) {
    if (!entry.startsWith(begin) || !entry.endsWith(end)) continue;
    const path = join(folder, entry);
    const isLeft = await isLeftBehind(path, entry.slice(begin.length, -end.length)).catch(() => false);
    if (isLeft) await rm(path, { recursive: true, force: true }).catch(() => {});
  }
}

/**
 * What a guard does: it waits for a line, and removes its path if its input ends without one, as it does when the
 * process that started it ends in any way. Signals that a terminal sends to both are for that process.
 */
const GUARD = 'trap "" HUP INT TERM; read -r line || rm -rf -- "$1"';

/**
 * Removes a file or folder if the process ends, also by a signal, before the returned function is called. A handler of
 * signals would run only when the thread is idle, so that Ctrl-C would be ignored while it computes: signals keep their
 * default action, and a shell that waits for the end of the process removes the path. Where there is no shell, handlers
 * do it.
 */
export function removeWhenStopped(path: string): () => void {
  const remove = () => rmSync(path, { recursive: true, force: true });
  process.once('exit', remove);
  let stopHandling = () => {};
  let isOver = false;
  const guard = startGuard(path, () => {
    if (!isOver) stopHandling = removeBySignal(remove);
  });
  return () => {
    isOver = true;
    process.off('exit', remove);
    stopHandling();
    guard?.stdin?.end('\n');
  };
}

/** Starts the shell that removes a path; calls `failed`, at once or later, if there is none. */
function startGuard(path: string, failed: () => void): ChildProcess | undefined {
  if (process.platform === 'win32') {
    failed();
    return undefined;
  }
  const guard = spawn('/bin/sh', ['-c', GUARD, 'plumecast', resolve(path)], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  guard.once('error', failed);
  guard.unref();
  // It may end before it is told to.
  guard.stdin?.on('error', () => {});
  (guard.stdin as Socket).unref();
  return guard;
}

/** Calls `remove` when the process gets a signal to stop, until the returned function is called. */
function removeBySignal(remove: () => void): () => void {
  const stop = (signal: NodeJS.Signals) => {
    remove();
    process.kill(process.pid, signal);
  };
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
  for (const signal of signals) process.once(signal, stop);
  return () => {
    for (const signal of signals) process.off(signal, stop);
  };
}

/** `own` is the part of the name that identifies the process; releases up to 0.1 wrote `<pid>-<time>`. */
async function isLeftBehind(path: string, own: string): Promise<boolean> {
  const { mtimeMs } = await lstat(path);
  const [, pid, start, of] = /^(\d+)-(\d+)-([0-9a-f]{8})-[0-9a-f]{8}$/.exec(own) ?? [];
  const { self } = systemProcesses;
  if (of === machine(self)) {
    const holder = { ...self, pid: Number(pid), start: start === '0' ? undefined : start };
    return processState(holder, mtimeMs, systemProcesses) === 'gone';
  }
  return /^\d+-[0-9a-z-]+$/.test(own) && Date.now() - mtimeMs > LEFT_MS;
}

/** Eight of them: one process needs no more to tell its files apart. */
function randomDigits(): string {
  return Math.floor(Math.random() * 2 ** 32)
    .toString(16)
    .padStart(8, '0');
}

function machine({ host, boot, namespace }: ProcessIdentity): string {
  return new Digest().text([host, boot, namespace].join(' ')).toString().slice(0, 8);
}

function shortName(name: string): string {
  if (Buffer.byteLength(name) <= MAX_NAME_BYTES) return name;
  return new Digest().text(name).toString();
}
