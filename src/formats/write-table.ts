import { type Table, tableToIPC } from 'apache-arrow';
import { OptionError } from '../errors.js';
import { writeCsv } from './csv-write.js';
import { writeJson } from './json-write.js';
import { writeParquet } from './parquet-write.js';

/** The formats that tables are written in; `arrow` is an uncompressed Arrow IPC file. */
export type TableFormat = 'csv' | 'json' | 'arrow' | 'parquet';

const WRITERS: Record<TableFormat, (table: Table) => Uint8Array | Promise<Uint8Array>> = {
  csv: writeCsv,
  json: writeJson,
  arrow: (table) => tableToIPC(table, 'file'),
  parquet: writeParquet,
};

/**
 * The bytes of `table` in a file format.
 *
 * Missing values, null and NaN, are empty in CSV and null in JSON; Arrow and Parquet keep both as they are, and the
 * schema's metadata. CSV and JSON numbers are the shortest that read back to the same value of the column's type. Throws
 * an OptionError for an unknown format or a column that the format cannot hold, a DataError for an infinity in JSON, and
 * a PackageError where Parquet's library is not installed.
 */
export async function writeTable(table: Table, format: TableFormat): Promise<Uint8Array> {
  if (!Object.hasOwn(WRITERS, format)) {
    const allowed = Object.keys(WRITERS).join(', ');
    throw new OptionError({ subject: 'format', problem: 'is unknown', received: format, allowed });
  }
  return WRITERS[format](table);
}
