import { type RecordBatch, Table } from 'apache-arrow';
import type { AsyncBuffer } from 'hyparquet';
import { DataError } from '../../errors.js';
import { ParquetFile } from './parquet-file.js';

/**
 * Reads Parquet bytes into a table, a record batch for each row group and one column at a time.
 *
 * Types are kept (dates as Date32, timestamps with their unit and UTC where they are adjusted to it, lists of numbers
 * as lists), as are nulls; the file's key-value metadata become the schema's. Structs and maps are left out, and
 * `report` receives a note about them. Throws a FormatError if the file is truncated, corrupt, encrypted or has a
 * column of a type that is not read, and a DataError if it has no rows.
 */
export async function readParquet(
  bytes: Uint8Array,
  source: string,
  { report }: { report?: (note: string) => void } = {},
): Promise<Table> {
  const buffer: AsyncBuffer = {
    byteLength: bytes.length,
    slice: (start, end) => bytes.slice(start, end).buffer as ArrayBuffer,
  };
  const file = await ParquetFile.open(buffer, source, { report });
  assertRows(file, source);
  const batches: RecordBatch[] = [];
  for (const rows of file.rowGroups()) batches.push(await file.batch(rows));
  return new Table(file.schema, batches);
}

/** Throws a DataError if a file has no rows. */
export function assertRows({ rows }: ParquetFile, source: string): void {
  if (rows > 0) return;
  throw new DataError({ source, problem: 'has no rows', allowed: 'at least one row' });
}
