import { basename, dirname, resolve } from 'node:path';
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
const ICEBERG: Pick<LoggedTable, 'name' | 'exportLine'> = {
  name: 'an Iceberg table',
  exportLine: (folder) =>
    `duckdb -c "install iceberg; load iceberg; copy (from iceberg_scan('${folder}')) to 'table.parquet'"`,
};

/**
 * Throws FormatError for a file or folder of a table with a log, in folders of keys below it. Throws FileError.
 */
export async function assertNoTableAbove(
  path: string,
  readFolder: (path: string) => Promise<FolderAccess>,
): Promise<void> {
  let folder = dirname(resolve(path));
  while (isKeyFolder(basename(folder))) folder = dirname(folder);
  assertNoTableLog(await readFolder(folder));
}

/**
 * Throws FormatError for a folder with the log of a Delta, Iceberg or Hudi table: its files hold rows, too, that were
 * deleted or replaced.
 */
export function assertNoTableLog({ path, source, files, folders }: FolderAccess): void {
  const isIceberg =
    files.length === 0 && folders.length === 2 && ['data', 'metadata'].every((name) => folders.includes(name));
  // Iceberg keeps its log and its files in two folders.
  const found = LOGGED.find(({ log }) => folders.includes(log)) ?? (isIceberg ? ICEBERG : undefined);
  if (found === undefined) return;
  throw new FormatError({
    subject: source,
    problem: `is ${found.name}, whose log says which rows of its files count`,
    allowed: `its rows in one file, as made by: ${found.exportLine(path)}`,
  });
}
