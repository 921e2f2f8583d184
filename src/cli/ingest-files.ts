import { Table as ArrowTable, Schema, type Table } from 'apache-arrow';
import type { ColumnRoles } from '../arrow/column-roles.js';
import { readTable } from '../formats/read-table.js';
import type { DataFile } from '../ingest/forecast-files.js';
import { readInput } from '../input/read-input.js';
import type { Progress } from './progress.js';

/** How files of a store's input are read. */
export interface ReadingOptions {
  readonly progress: Progress;
  /** The variable of files that do not tell theirs. */
  readonly variable?: string;
  /** Columns of files by their role. */
  readonly columns?: ColumnRoles;
}

/** Files as ingestion takes them: read when they are needed, one at a time. */
export function dataFiles(paths: readonly string[], options: ReadingOptions): DataFile[] {
  const { columns } = options;
  return paths.map((path) => ({ source: path, columns, load: () => readDataFile(path, options) }));
}

/** Reads one file. Throws FileError and FormatError. */
export async function readDataFile(path: string, { progress, variable }: ReadingOptions): Promise<Table> {
  progress.tell(path);
  const table = await readTable(await readInput(path), { source: path });
  if (variable === undefined || table.schema.metadata.has('variable')) return table;
  const metadata = new Map(table.schema.metadata).set('variable', variable);
  return new ArrowTable(new Schema(table.schema.fields, metadata), table.batches);
}
