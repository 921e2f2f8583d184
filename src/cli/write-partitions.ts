import { mkdir, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { Table } from 'apache-arrow';
import { type OutputCompression, tableCompression } from '../batch/output-format.js';
import { unwritable } from '../disk/file-fault.js';
import { makeFolder } from '../disk/make-folder.node.js';
import { removeLeftTemporaries, removeWhenStopped, temporaryPath } from '../disk/temporary-file.node.js';
import { OptionError } from '../errors.js';
import { chooseCompression } from '../files/encode-tables.js';
import type { TableFormat } from '../files/formats.js';
import type { WrittenPartition } from '../files/partition-files.node.js';
import { PARTITION_KEYS } from '../files/partition-rows.js';

/** Whether the path of an output has placeholders, so that it is written as several files. */
export function isTemplate(out: string): boolean {
  return PARTITION_KEYS.some((key) => out.includes(`{${key}}`));
}

/** The folder that all files of a template are in. */
export function folderOfTemplate(out: string): string {
  return dirname(out.slice(0, out.indexOf('{') + 1));
}

/** Throws OptionError for a template with placeholders that do not exist. */
export function checkTemplate(out: string): void {
  const known = PARTITION_KEYS.map((key) => `{${key}}`);
  const unknown = out.match(/\{[^}]*\}/g)?.find((place) => !known.includes(place));
  if (unknown === undefined) return;
  const allowed = known.join(', ');
  throw new OptionError({ subject: 'output', problem: 'has an unknown placeholder', received: unknown, allowed });
}

/**
 * Writes rows to the files that a template names for them: `out/variable={variable}/year={year}/part.parquet`. All are
 * written in a temporary folder, and get their names, one after the other, when all are complete. Files of the same
 * names are replaced, others stay. Throws OptionError for more than 1,000 files, FileError, and as `encodeTables` does.
 */
export async function writePartitions(
  out: string,
  tables: Iterable<Table> | AsyncIterable<Table>,
  format: TableFormat,
  given?: OutputCompression,
): Promise<void> {
  const compression = chooseCompression(format, { compression: tableCompression(format, given) });
  const folder = folderOfTemplate(out);
  await makeFolder(folder);
  const name = basename(out);
  await removeLeftTemporaries(folder, name);
  const temporary = temporaryPath(folder, name);
  await mkdir(temporary).catch((cause) => Promise.reject(unwritable(folder, cause)));
  const stop = removeWhenStopped(temporary);
  try {
    const pathOf = (_: string, index: number) => join(temporary, `${index}`);
    const { PartitionFiles } = await import('../files/partition-files.node.js');
    const files = new PartitionFiles(out, { format, compression, pathOf });
    for await (const table of tables) await files.add(table);
    for (const file of await files.end()) await move(file);
  } finally {
    await rm(temporary, { recursive: true, force: true }).catch(() => {});
    stop();
  }
}

/** Gives a file its name. */
async function move({ name, path }: WrittenPartition): Promise<void> {
  await makeFolder(dirname(name));
  await rename(path, name).catch((cause) => Promise.reject(unwritable(name, cause)));
}
