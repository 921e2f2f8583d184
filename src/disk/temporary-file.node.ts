import { createHash, randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import { lstat, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type ProcessIdentity, processState, systemProcesses } from './process-table.node.js';

/*
 * Temporary files are called `.<name>.<pid>-<start time>-<machine>-<random>.tmp`, so that those of a process that was killed can be told
 * from those of one that runs. `<machine>` is a digest of its host, boot and process numbers' namespace.
 */

/** Of other machines, nothing is known but when they last wrote to a file: one that was left alone for so long is left behind. */
const LEFT_MS = 86_400_000;
/** File names may have 255 bytes. */
const MAX_NAME_BYTES = 150;

/** A path in a folder that no other file has. */
export function temporaryPath(folder: string, name: string): string {
  const { self } = systemProcesses;
  const own = [self.pid, self.start ?? 0, machine(self), randomBytes(4).toString('hex')].join('-');
  return join(folder, `.${shortName(name)}.${own}.tmp`);
}

/**
 * Removes the temporary files and folders of a name that processes have left which are gone; those of processes that run stay. What
 * cannot be removed or looked at is passed over.
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

/** Removes a file or folder where the process is told to stop, or ends otherwise, until the function that it returns is called. */
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

/** `own` is what tells whose a file is; releases up to 0.1 wrote `<pid>-<time>`. */
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
