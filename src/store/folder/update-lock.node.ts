import { open, readFile, rm } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { FileError } from '../../errors.js';
import { unreadable, unwritable } from '../../file-fault.js';

const LOCK_FILE = 'update.lock';

/** Keeps others from updating a store until it is released. */
export interface UpdateLock {
  release(): Promise<void>;
}

/**
 * Takes the lock of a store: a file that names the process. That of a process of this machine that is no more is taken over. Rejects
 * with a FileError that names the process where another update is under way, in the words of `problem`.
 */
export async function lockStore(dir: string, problem = 'is being updated by'): Promise<UpdateLock> {
  const path = join(dir, LOCK_FILE);
  while (!(await make(path))) {
    const holder = await readHolder(path);
    if (holder === undefined) continue;
    const [pid, host] = holder.split(' ');
    if (isAlive(Number(pid), host)) {
      throw new FileError({
        subject: dir,
        problem: `${problem} process ${pid || 'unknown'} on ${host ?? 'this machine'}`,
        allowed: `one at a time; if that process is no more, remove ${path}`,
      });
    }
    await takeAway(path, holder);
  }
  return { release: () => rm(path, { force: true }) };
}

/** Whether the lock could be made: only one of many can. */
async function make(path: string): Promise<boolean> {
  const file = await open(path, 'wx').catch((cause: NodeJS.ErrnoException) => {
    if (cause.code === 'EEXIST') return undefined;
    throw unwritable(path, cause);
  });
  if (file === undefined) return false;
  try {
    await file.writeFile(`${process.pid} ${hostname()}`);
    return true;
  } catch (cause) {
    // On a full disk: a lock that names nobody would be one for ever.
    await rm(path, { force: true });
    throw unwritable(path, cause);
  } finally {
    await file.close();
  }
}

/** Who holds the lock; undefined where it has been released. */
async function readHolder(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw unreadable(path, cause);
  }
}

/** A process of another machine cannot be asked, and is taken to live; so is one that has not written its name yet. */
function isAlive(pid: number, host: string): boolean {
  if (host !== hostname()) return true;
  try {
    process.kill(pid, 0);
    return true;
  } catch (cause) {
    return (cause as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/**
 * Removes the lock of a dead process, if it still is that: one process at a time looks and removes, or one that is slower would remove
 * the lock of one that was quicker.
 */
async function takeAway(path: string, dead: string): Promise<void> {
  const gate = `${path}.takeover`;
  await enter(gate);
  try {
    if ((await readHolder(path)) === dead) await rm(path, { force: true });
  } finally {
    await rm(gate, { force: true });
  }
}

/** Makes a file that only one process can make, or waits until its maker has removed it. */
async function enter(gate: string): Promise<void> {
  for (let tries = 0; !(await make(gate)); tries++) {
    if (tries === MOST_TRIES) {
      throw new FileError({
        subject: gate,
        problem: 'has been there for seconds, as where a process was stopped in the middle',
        allowed: 'to remove it, if no update begins at this moment',
      });
    }
    await setTimeout(WAIT_MILLISECONDS);
  }
}

const MOST_TRIES = 200;
const WAIT_MILLISECONDS = 20;
