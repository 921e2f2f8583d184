import { readdir, stat } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { unreadable } from '../disk/file-fault.js';
import { replaceFolder } from '../disk/replace-folder.node.js';
import { FileError } from '../errors.js';

/**
 * Gives a folder with a file for each year its name. Throws FileError where a folder of that name holds anything but files
 * of years of the same names, or where a file is there; what is there stays then.
 */
export async function replaceYears(temporary: string, path: string, aside: string): Promise<void> {
  const before = await stat(path).catch(() => undefined);
  if (before !== undefined) {
    const allowed = 'the path of a new folder, or of one with files of years alone';
    if (!before.isDirectory()) throw new FileError({ subject: path, problem: 'is not a folder', allowed });
    const own = new Set((await filesIn(temporary)).map(withoutYears));
    const other = (await filesIn(path)).find((name) => !own.has(withoutYears(name)));
    if (other !== undefined)
      throw new FileError({ subject: path, problem: 'holds a file that is none of a year', received: other, allowed });
  }
  await replaceFolder(temporary, path, aside);
}

/** All that is no folder, at any depth, with `/` between folders. */
async function filesIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch((cause) =>
    Promise.reject(unreadable(folder, cause, 'a readable folder')),
  );
  return entries
    .filter((entry) => !entry.isDirectory())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).replaceAll('\\', '/'));
}

function withoutYears(name: string): string {
  return name.replaceAll(/\d{4,}/g, '{year}');
}
