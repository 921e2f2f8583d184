import { open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { unwritable } from '../../disk/file-fault.js';
import { type FileLock, takeLock } from '../../disk/file-lock.node.js';
import { FileError } from '../../errors.js';
import { type ListKind, listPath, readList } from './list-file.node.js';

/** How long to wait for others that rewrite the same list. */
const PATIENCE_MS = 5000;

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
  const lock = await lockList(path);
  try {
    const before = await readList(dir, kind);
    const after = change(before);
    if (after !== before) {
      kind.check(after);
      await lock.assertHeld();
      await replace(path, `${JSON.stringify({ [kind.name]: after }, null, 1)}\n`, kind.mode);
    }
    return before;
  } finally {
    await lock.release();
  }
}

async function lockList(path: string): Promise<FileLock> {
  const lock = `${path}.lock`;
  return takeLock(lock, { problem: 'is held by', patienceMs: PATIENCE_MS }).catch((error: FileError) => {
    throw (error.cause as NodeJS.ErrnoException | undefined)?.code === 'ENOENT'
      ? noFolder(dirname(lock), error)
      : error;
  });
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
