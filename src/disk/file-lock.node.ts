import { randomBytes } from 'node:crypto';
import { closeSync, openSync, rmSync, writeSync } from 'node:fs';
import { lstat, open, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { FileError } from '../errors.js';
import { unreadable, unwritable } from './file-fault.js';
import { type ProcessIdentity, type ProcessTable, processState, systemProcesses } from './process-table.node.js';

/*
 * A lock is a file that only one process can create. It holds one line:
 *
 *   <pid> <host> <start time> <boot id> <pid namespace> <random>
 *
 * with - for a part that is not known; releases up to 0.1 wrote only the first two. The lock of a process that has
 * ended is taken over at once. Whether a process of another container or machine has ended cannot be seen: while it
 * runs, it rewrites its lock every few seconds, and after 15 seconds without that it counts as ended. So does the
 * writer of a file that is not a lock, such as an empty one, whose process was killed before it wrote to it.
 */

/** A lock that this process holds until it releases it. */
export interface FileLock {
  /** Throws FileError if the lock file is gone, or another process has taken it over. */
  assertHeld(): Promise<void>;
  /** Never rejects: a lock file that cannot be removed is ignored by others once this process has ended. */
  release(): Promise<void>;
}

export interface LockOptions {
  /** What the error says if another process has the lock, before the name of that process: `is being updated by`. */
  readonly problem: string;
  /** The subject of that error; by default the path of the lock. */
  readonly subject?: string;
  /** How long to wait for a process that has the lock, in milliseconds. Default 0. */
  readonly patienceMs?: number;
  readonly processes?: ProcessTable;
}

const LOCK_FILE = 'update.lock';
const BEAT_MS = 3000;
const SILENCE_MS = 15_000;
const TAKEOVER_PATIENCE_MS = 4000;
/** The pause between two checks, for a process that runs, and for one that may have ended. */
const PAUSE_MS = 10;
const LONG_PAUSE_MS = 200;
/** Locks are shorter than this; no more is read of other files. */
const MAX_LOCK_BYTES = 1024;

/** Takes the lock of a folder. Rejects with a FileError that names the other process, if one has the lock. */
export function lockFolder(
  dir: string,
  problem: string,
  options: Pick<LockOptions, 'patienceMs' | 'processes'> = {},
): Promise<FileLock> {
  return takeLock(join(dir, LOCK_FILE), { ...options, subject: dir, problem });
}

/** Whether a process holds a lock, or may do so: one of another machine that renewed it lately. */
export async function isLockHeld(path: string, processes: ProcessTable = systemProcesses): Promise<boolean> {
  const found = await readLock(path);
  if (found === undefined) return false;
  const state = lockState(found, processes);
  return state === 'running' || (state === 'unknown' && Date.now() - found.writtenAt < SILENCE_MS);
}

/** Takes a lock. Rejects with a FileError that names the other process, if it does not release the lock in time. */
export async function takeLock(path: string, options: LockOptions): Promise<FileLock> {
  const { processes = systemProcesses, patienceMs = 0 } = options;
  const own = lockText(processes.self);
  const began = performance.now();
  let first: FoundLock | undefined;
  for (;;) {
    const file = create(path, own);
    if (file !== undefined) return new HeldLock(path, own, file);
    const found = await readLock(path);
    if (found === undefined) continue;
    first ??= found;
    const state = lockState(found, processes);
    const isLeft = state !== 'running' && (await removeLeft(path, found, state === 'gone' ? 0 : SILENCE_MS, processes));
    if (isLeft) continue;
    const isAlive = state === 'running' || !isSame(found, first);
    if (performance.now() - began >= (isAlive ? patienceMs : SILENCE_MS)) throw heldError(path, found, options);
    await sleep(isAlive ? PAUSE_MS : LONG_PAUSE_MS);
  }
}

/** A lock file that exists already. */
interface FoundLock {
  readonly text: string;
  /** Undefined if the file is not a lock. */
  readonly holder: ProcessIdentity | undefined;
  /** When it was last written, in milliseconds since 1970. */
  readonly writtenAt: number;
  readonly inode: number;
}

class HeldLock implements FileLock {
  readonly #path: string;
  readonly #own: string;
  readonly #file: number;
  readonly #beat: NodeJS.Timeout;
  #isOver = false;

  /** `file` is the descriptor of the open lock file. */
  constructor(path: string, own: string, file: number) {
    this.#path = path;
    this.#own = own;
    this.#file = file;
    // If the lock was taken over, its path names another file, and this write changes nothing there.
    this.#beat = setInterval(() => {
      try {
        writeSync(file, own, 0);
      } catch {}
    }, BEAT_MS).unref();
  }

  async assertHeld(): Promise<void> {
    const text = await readFile(this.#path, 'utf8').catch((cause) => {
      throw unwritable(this.#path, cause);
    });
    if (text === this.#own) return;
    throw new FileError({
      subject: this.#path,
      problem: 'was taken over by another process, as this one did not renew it for too long',
      received: text,
      allowed: 'one process at a time',
    });
  }

  async release(): Promise<void> {
    if (this.#isOver) return;
    this.#isOver = true;
    clearInterval(this.#beat);
    closeQuietly(this.#file);
    const text = await readFile(this.#path, 'utf8').catch(() => undefined);
    if (text === this.#own) await rm(this.#path, { force: true }).catch(() => {});
  }
}

/**
 * Creates the file of a lock, and returns its descriptor; undefined if it exists already. Between creating and writing
 * nothing else runs: a process that is killed there leaves an empty file, which holds up the next one for 15 seconds.
 */
function create(path: string, own: string): number | undefined {
  let file: number;
  try {
    file = openSync(path, 'wx');
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'EEXIST') return undefined;
    throw unwritable(path, cause);
  }
  try {
    writeSync(file, own);
    return file;
  } catch (cause) {
    // On a full disk.
    closeQuietly(file);
    rmSync(path, { force: true });
    throw unwritable(path, cause);
  }
}

function closeQuietly(file: number): void {
  try {
    closeSync(file);
  } catch {}
}

/** The line of a lock of a process. */
export function lockText({ pid, host, start, boot, namespace }: ProcessIdentity): string {
  const token = randomBytes(6).toString('hex');
  return [pid, host, start, boot, namespace, token].map((part) => part ?? '-').join(' ');
}

const LOCK = /^(?<pid>[1-9]\d{0,9})(?: (?<host>\S+)(?: (?<start>\S+) (?<boot>\S+) (?<namespace>\S+) \S+)?)?\s*$/;

const LOCK_ALLOWED = 'the file of a lock, or none';

/** Reads a lock; undefined if it has been released. */
async function readLock(path: string): Promise<FoundLock | undefined> {
  try {
    const status = await lstat(path);
    if (!status.isFile())
      throw new FileError({ subject: path, problem: 'is not a regular file', allowed: LOCK_ALLOWED });
    const { mtimeMs: writtenAt, ino: inode } = status;
    const file = await open(path);
    try {
      const { buffer, bytesRead } = await file.read(Buffer.alloc(MAX_LOCK_BYTES), 0, MAX_LOCK_BYTES, 0);
      const text = buffer.toString('utf8', 0, bytesRead);
      return { text, holder: parseLock(text), writtenAt, inode };
    } finally {
      await file.close();
    }
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw unreadable(path, cause, LOCK_ALLOWED);
  }
}

/** The process that has a lock; undefined for a text that is none. */
export function parseLock(text: string): ProcessIdentity | undefined {
  const { pid, host, start, boot, namespace } = LOCK.exec(text)?.groups ?? {};
  if (pid === undefined || Number(pid) >= 2 ** 31) return undefined;
  const known = (part: string | undefined) => (part === '-' ? undefined : part);
  return { pid: Number(pid), host: known(host), start: known(start), boot: known(boot), namespace: known(namespace) };
}

function lockState({ holder, writtenAt, text }: FoundLock, processes: ProcessTable): 'running' | 'gone' | 'unknown' {
  if (holder === undefined) return 'unknown';
  const state = processState(holder, writtenAt, processes);
  // Releases up to 0.1 did not renew their locks.
  const isRenewed = text.split(' ').length > 2;
  return state === 'out of sight' ? (isRenewed ? 'unknown' : 'running') : state;
}

/**
 * Removes the lock of a process that has ended, if it is still the same and at least `ageMs` old; returns whether it
 * did. Only one process at a time checks and removes: otherwise a slower one would remove the new lock of a faster one.
 */
async function removeLeft(path: string, left: FoundLock, ageMs: number, processes: ProcessTable): Promise<boolean> {
  const gate = `${path}.takeover`;
  const patienceMs = TAKEOVER_PATIENCE_MS;
  const lock = await takeLock(gate, { problem: 'is being taken over by', patienceMs, processes });
  try {
    const found = await readLock(path);
    if (found === undefined || !isSame(found, left)) return false;
    // By the clock of the file system, which may be that of another machine.
    if (ageMs > 0 && (await stat(gate)).mtimeMs - found.writtenAt < ageMs) return false;
    await rm(path, { force: true });
    return true;
  } catch (cause) {
    throw unwritable(path, cause);
  } finally {
    await lock.release();
  }
}

function isSame(a: FoundLock, b: FoundLock): boolean {
  return a.text === b.text && a.inode === b.inode && a.writtenAt === b.writtenAt;
}

function heldError(path: string, { holder }: FoundLock, { subject = path, problem }: LockOptions): FileError {
  const name = `process ${holder?.pid ?? 'unknown'} on ${holder?.host ?? 'this machine'}`;
  const allowed = `one at a time; if that process has ended, remove ${path}`;
  return new FileError({ subject, problem: `${problem} ${name}`, allowed });
}
