import { rename, rm } from 'node:fs/promises';
import { unwritable } from './file-fault.js';

/**
 * Gives a complete folder its name. A folder of that name is moved to `aside` first, as systems do not replace folders,
 * and then removed: a kill between both moves leaves none under the name. Throws FileError; the folder that was there
 * stays then.
 */
export async function replaceFolder(temporary: string, path: string, aside: string): Promise<void> {
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
