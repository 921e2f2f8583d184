import { createHash, randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import { lstat, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
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
  const own = [self.pid, self.start ?? 0, machine(self), randomBytes(4).toString('hex')].join('-');
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

/** Removes a file or folder if the process gets a signal to stop, or ends, before the returned function is called. */
export function removeWhenStopped(path: string): () => void {
  const remove = () => rmSync(path, { recursive: true, force: true });
  const stop = (signal: NodeJS.Signals) => {
    remove();
    process.kill(process.pid, signal);
  };
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
  for (const signal of signals) process.once(signal, stop);
  process.once('exit', remove);
  return () => {
    for (const signal of signals) process.off(signal, stop);
    process.off('exit', remove);
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

function machine({ host, boot, namespace }: ProcessIdentity): string {
  return createHash('sha256').update([host, boot, namespace].join(' ')).digest('hex').slice(0, 8);
}

function shortName(name: string): string {
  if (Buffer.byteLength(name) <= MAX_NAME_BYTES) return name;
  return createHash('sha256').update(name).digest('hex').slice(0, 16);
}
