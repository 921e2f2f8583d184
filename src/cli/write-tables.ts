import type { Table } from 'apache-arrow';
import { allTables } from '../arrow/all-tables.js';
import { joinTables } from '../arrow/join-tables.js';
import { netcdfDeflate, type OutputCompression, type OutputFormat, tableCompression } from '../batch/output-format.js';
import { OptionError } from '../errors.js';
import { encodeTables } from '../formats/encode-tables.js';
import { contentOfTable } from '../grid/content-of-table.js';
import { STANDARD } from '../input/read-input.js';
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
  refuseStandard(out);
  await writeNetcdf(out, contentOfTable(joinTables(await allTables(tables))), deflate);
}

/** Throws OptionError for standard output, which NetCDF cannot be written to: its beginning is written last. */
export function refuseStandard(out: string): void {
  if (out !== STANDARD) return;
  throw new OptionError({
    subject: 'output',
    problem: 'netcdf is written to files only',
    allowed: 'the path of a file',
  });
}
