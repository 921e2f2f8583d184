import { open, rename, rm } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { FileError, isPlumecastError } from '../errors.js';
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
    if (!isPlumecastError(cause, 'file') || cause.subject !== temporary) throw unwritable(path, cause);
    const { problem, allowed } = cause;
    throw new FileError({ subject: path, problem, allowed, cause });
  }
}

/**
 * The same for a small file that has one writer at a time: its bytes are on the disk before it gets its name, and what a crash
 * left under the temporary name is replaced.
 */
export async function replaceText(path: string, text: string, mode: number): Promise<void> {
  const write = async (temporary: string) => {
    await rm(temporary, { force: true });
    const file = await open(temporary, 'wx', mode);
    try {
      await file.writeFile(text);
      await file.sync();
    } finally {
      await file.close();
    }
  };
  await replaceFile(path, write, `${path}.tmp`);
}
