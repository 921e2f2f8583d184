import type { Dirent } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { unreadable } from '../../disk/file-fault.js';
import { arrowFile } from '../arrow/arrow-format.js';
import { csv } from '../csv/csv-format.js';
import type { FolderAccess, TableFileFormat } from '../format.js';
import { endingsOf } from '../formats.js';
import { parquet } from '../parquet/parquet-format.js';
import { arePartNames, areParts, compareNames, isHidden, isKeyFolder } from './part-names.js';

/** Whether a folder has parts of one table in a format, or files of Parquet or CSV in folders of keys. Throws FileError. */
export async function isPartFolder({ path, files, folders }: FolderAccess, format: TableFileFormat): Promise<boolean> {
  const isFormat = endingsOf([format]);
  const below = folders.filter((each) => !isHidden(each));
  if (below.length === 0) return areParts(files, isFormat);
  if (format.name !== parquet.name && format.name !== csv.name) return false;
  for (const each of below.filter(isKeyFolder)) {
    const first = await firstFile(join(path, each));
    if (first !== undefined) return isFormat.test(first);
  }
  return false;
}

/** The names in a folder that are not hidden, in natural order. */
async function visibleEntries(folder: string): Promise<Dirent[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch((cause) => {
    throw unreadable(folder, cause, 'a folder that may be read');
  });
  return entries
    .filter(({ name }) => isKeyFolder(name) || !isHidden(name))
    .sort((a, b) => compareNames(a.name, b.name));
}

async function firstFile(folder: string): Promise<string | undefined> {
  for (const entry of await visibleEntries(folder)) {
    const path = join(folder, entry.name);
    const found = entry.isDirectory() ? await firstFile(path) : path;
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The files below a folder that are not hidden, in natural order of their paths. Throws FileError. */
export async function* filesBelow(folder: string): AsyncGenerator<string> {
  for (const entry of await visibleEntries(folder)) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) yield* filesBelow(path);
    else yield path;
  }
}

/** Whether files of one folder are parts of one table by their names. */
export function arePartsOfTable(paths: readonly string[]): boolean {
  const isOfTable = endingsOf([parquet, csv, arrowFile]);
  const isTogether = paths.every((path) => isOfTable.test(path) && dirname(path) === dirname(paths[0]));
  return isTogether && arePartNames(paths.map((path) => basename(path)));
}
