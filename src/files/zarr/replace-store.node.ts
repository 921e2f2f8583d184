import { readdir, stat } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { unreadable } from '../../disk/file-fault.js';
import { replaceFolder } from '../../disk/replace-folder.node.js';
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
 * Gives a complete store its name, as `replaceFolder` does. Throws FileError, for files and folders that are no store, too;
 * the store that was there stays then.
 */
export async function replaceStore(
  temporary: string,
  path: string,
  aside = temporaryPath(dirname(path), basename(path)),
): Promise<void> {
  await assertStoreOrNothing(path);
  await replaceFolder(temporary, path, aside);
}
