import { readdir, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { FormatError } from '../../errors.js';
import type { FolderAccess } from '../format.js';
import { isKeyFolder } from './part-names.js';

/** Tables whose files alone are not their rows: a log says which of them count. */
interface LoggedTable {
  readonly name: string;
  /** The folder in which the log is. */
  readonly log: string;
  /** What exports the rows that count. */
  exportLine(folder: string): string;
}

const LOGGED: readonly LoggedTable[] = [
  {
    name: 'a Delta table',
    log: '_delta_log',
    exportLine: (folder) =>
      `python -c "import deltalake, pyarrow.parquet; pyarrow.parquet.write_table(deltalake.DeltaTable('${folder}').to_pyarrow_table(), 'table.parquet')"`,
  },
  {
    name: 'a Hudi table',
    log: '.hoodie',
    exportLine: (folder) => `spark.read.format("hudi").load("${folder}").write.parquet("table")`,
  },
];
/** Iceberg keeps its log and its files in two folders. */
const ICEBERG_LOG = 'metadata';
const ICEBERG_FILES = 'data';
const ICEBERG: Pick<LoggedTable, 'name' | 'exportLine'> = {
  name: 'an Iceberg table',
  exportLine: (folder) =>
    `duckdb -c "install iceberg; load iceberg; copy (from iceberg_scan('${folder}')) to 'table.parquet'"`,
};

/** Throws FormatError for a file or folder of a table with a log, in folders of keys below it. */
export async function assertNoTableAbove(path: string): Promise<void> {
  let folder = dirname(resolve(path));
  while (isKeyFolder(basename(folder))) folder = dirname(folder);
  // A folder may have many files: it is not listed for each of them.
  for (const table of LOGGED) if (await isFolder(join(folder, table.log))) throw logged(folder, folder, table);
  if (basename(folder) === ICEBERG_FILES && (await hasIcebergLog(dirname(folder)))) {
    throw logged(dirname(folder), dirname(folder), ICEBERG);
  }
}

/**
 * Throws FormatError for the folder of a Delta, Iceberg or Hudi table: its files hold rows, too, that were deleted or
 * replaced.
 */
export async function assertNoTableLog({ path, source, folders }: FolderAccess): Promise<void> {
  const found = LOGGED.find(({ log }) => folders.includes(log));
  if (found !== undefined) throw logged(path, source, found);
  if (folders.includes(ICEBERG_LOG) && (await hasIcebergLog(path))) throw logged(path, source, ICEBERG);
}

function logged(path: string, subject: string, { name, exportLine }: Pick<LoggedTable, 'name' | 'exportLine'>) {
  const problem = `is ${name}, whose log says which rows of its files count`;
  return new FormatError({ subject, problem, allowed: `its rows in one file, as made by: ${exportLine(path)}` });
}

async function hasIcebergLog(folder: string): Promise<boolean> {
  const names = await readdir(join(folder, ICEBERG_LOG)).catch(() => []);
  return names.some((name) => name.endsWith('.metadata.json'));
}

async function isFolder(path: string): Promise<boolean> {
  return (await stat(path).catch(() => undefined))?.isDirectory() === true;
}
