import type { Table } from 'apache-arrow';
import { joinTables } from '../arrow/join-tables.js';
import { OptionError } from '../errors.js';
import type { Compression } from '../formats/encode-options.js';
import { encodeTables } from '../formats/encode-tables.js';
import type { OutputCompression, OutputFormat } from './output-options.js';
import { STANDARD } from './read-input.js';
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
    // What is no compression of the format is refused there.
    await writeOutput(out, encodeTables(tables, format, { compression: compression as Compression }));
    return;
  }
  if (compression !== undefined && compression !== 'deflate' && compression !== 'none') {
    throw new OptionError({
      subject: 'compression',
      problem: 'netcdf is not written with it',
      received: compression,
      allowed: 'deflate, none',
    });
  }
  if (out === STANDARD) {
    throw new OptionError({ subject: 'output', problem: 'netcdf is written to files only', allowed: '--out PATH' });
  }
  await writeNetcdf(out, joinTables(await allOf(tables)), compression);
}

/** All tables of a source. */
export async function allOf(tables: Iterable<Table> | AsyncIterable<Table>): Promise<Table[]> {
  const found: Table[] = [];
  for await (const table of tables) found.push(table);
  return found;
}
