import { open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { FileError } from '../errors.js';
import { unwritable } from '../file-fault.js';
import { type ListKind, listPath, readList } from './list-file.node.js';

/** How long to wait for others that rewrite the same list, and between tries, in milliseconds. */
const PATIENCE = 5000;
const PAUSE = 10;

/**
 * Replaces the entries of a list by what `change` makes of them, where that is not the same array, and gives those before. The file
 * is always whole: the old one or the new one. Who rewrites it waits for those before, by a lock file beside it.
 *
 * Throws what `change` throws, OptionError for entries that are not usable, FileError where the file cannot be read or written, or
 * is locked for 5 seconds, and FormatError where it is broken.
 */
export async function rewriteList<T>(
  dir: string,
  kind: ListKind<T>,
  change: (entries: readonly T[]) => readonly T[],
): Promise<readonly T[]> {
  const path = listPath(dir, kind);
  const lock = `${path}.lock`;
  await take(lock);
  try {
    const before = await readList(dir, kind);
    const after = change(before);
    if (after !== before) {
      kind.check(after);
      await replace(path, `${JSON.stringify({ [kind.name]: after }, null, 1)}\n`, kind.mode);
    }
    return before;
  } finally {
    await rm(lock, { force: true });
  }
}

/** Makes the lock file as soon as there is none. */
async function take(lock: string): Promise<void> {
  const end = performance.now() + PATIENCE;
  while (!(await made(lock))) {
    if (performance.now() > end) {
      const allowed = 'to wait for that command; if none is running, remove the file';
      throw new FileError({ subject: lock, problem: 'another command holds this lock', allowed });
    }
    await sleep(PAUSE);
  }
}

async function made(lock: string): Promise<boolean> {
  try {
    const file = await open(lock, 'wx');
    await file.close();
    return true;
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    if (code === 'EEXIST') return false;
    if (code === 'ENOENT') throw noFolder(dirname(lock), cause);
    throw unwritable(lock, cause);
  }
}

function noFolder(dir: string, cause: unknown): FileError {
  const allowed = 'the folder of a store: plumecast ingest makes one';
  return new FileError({ subject: dir, problem: 'there is no such folder', allowed, cause });
}

/** Only who holds the lock writes, so that the temporary file can have a fixed name: what a crash leaves is written over. */
async function replace(path: string, text: string, mode: number): Promise<void> {
  const temporary = `${path}.tmp`;
  try {
    await rm(temporary, { force: true });
    const file = await open(temporary, 'wx', mode);
    try {
      await file.writeFile(text);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(temporary, path);
  } catch (cause) {
    await rm(temporary, { force: true });
    throw unwritable(path, cause);
  }
}
