import type { Table } from 'apache-arrow';
import { netcdfDeflate, type OutputCompression, type OutputFormat, tableCompression } from '../batch/output-format.js';
import { STANDARD } from '../batch/run/read-input.js';
import { OptionError } from '../errors.js';
import { contentOfTable } from '../files/cf/content/content-of-table.js';
import { encodeTables } from '../files/encode-tables.js';
import { allTables } from '../table/all-tables.js';
import { joinTables } from '../table/join-tables.js';
import { writeNetcdf } from './write-netcdf.js';
import { writeOutput } from './write-output.js';

/** Writes tables one after the other as one file. Throws OptionError for a compression that the format has not. */
export async function writeTables(
  out: string,
  tables: Iterable<Table> | AsyncIterable<Table>,
  format: OutputFormat,
  compression?: OutputCompression,
): Promise<void> {
  if (format !== 'netcdf') {
    await writeOutput(out, encodeTables(tables, format, { compression: tableCompression(format, compression) }));
    return;
  }
  const deflate = netcdfDeflate(compression);
  assertNotStandardOutput(out);
  await writeNetcdf(out, contentOfTable(joinTables(await allTables(tables))), deflate);
}

/** Throws OptionError for standard output, which NetCDF cannot be written to: its beginning is written last. */
export function assertNotStandardOutput(out: string): void {
  if (out !== STANDARD) return;
  throw new OptionError({
    subject: 'output',
    problem: 'netcdf is written to files only',
    allowed: 'the path of a file',
  });
}
