import { readdir, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { unreadable, unwritable } from '../../disk/file-fault.js';
import { temporaryPath } from '../../disk/temporary-file.node.js';
import { FileError } from '../../errors.js';
import { STORE_FILES } from './zarr-format.js';

/**
 * Throws FileError where a path is a file, or a folder with other content than a Zarr store, which a store does not
 * replace.
 */
export async function assertStoreOrNothing(path: string): Promise<void> {
  const status = await stat(path).catch(() => undefined);
  if (status === undefined) return;
  const allowed = 'the path of a new folder, or of a Zarr store to replace';
  if (!status.isDirectory()) throw new FileError({ subject: path, problem: 'is not a folder', allowed });
  const names = await readdir(path).catch((cause) => Promise.reject(unreadable(path, cause, 'a readable folder')));
  if (names.length === 0 || names.some((name) => STORE_FILES.includes(name))) return;
  throw new FileError({ subject: path, problem: 'is a folder that is no Zarr store', allowed });
}

/**
 * Gives a complete store its name. A store of that name is moved to `aside` first, as systems do not replace folders,
 * and then removed: a kill between both moves leaves none under the name. Throws FileError, for files and folders that are
 * no store, too; the store that was there stays then.
 */
export async function replaceStore(
  temporary: string,
  path: string,
  aside = temporaryPath(dirname(path), basename(path)),
): Promise<void> {
  await assertStoreOrNothing(path);
  const fail = (cause: unknown) => Promise.reject(unwritable(path, cause));
  if (await rename(temporary, path).then(() => true, isInTheWay)) return;
  await rename(path, aside).catch(fail);
  try {
    await rename(temporary, path);
  } catch (cause) {
    await rename(aside, path);
    await fail(cause);
  }
  await rm(aside, { recursive: true, force: true }).catch(() => {});

  /** False where a folder is in the way; throws for other errors. */
  function isInTheWay(cause: NodeJS.ErrnoException): Promise<boolean> | boolean {
    return ['ENOTEMPTY', 'EEXIST', 'EPERM', 'ENOTDIR'].includes(cause.code ?? '') ? false : fail(cause);
  }
}
