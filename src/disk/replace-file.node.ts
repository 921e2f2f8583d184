import { rename, rm } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { unwritable } from './file-fault.js';
import { temporaryPath } from './temporary-file.node.js';

/**
 * Replaces a file at once: `write` writes one under a temporary name in its folder, which then gets its name. So the file
 * is complete, or what it was before; if anything fails, the temporary one is removed. Throws FileError for system errors,
 * and whatever `write` throws.
 */
export async function replaceFile(
  path: string,
  write: (temporary: string) => Promise<unknown>,
  temporary: string = temporaryPath(dirname(path), basename(path)),
): Promise<void> {
  try {
    await write(temporary);
    await rename(temporary, path);
  } catch (cause) {
    await rm(temporary, { force: true }).catch(() => undefined);
    throw unwritable(path, cause);
  }
}
