import type { Table } from 'apache-arrow';
import { netcdfDeflate, type OutputCompression, type OutputFormat, tableCompression } from '../batch/output-format.js';
import { OptionError } from '../errors.js';
import { encodeTables } from '../files/encode-tables.js';
import type { NetcdfContent } from '../files/netcdf4/netcdf-content.js';
import { STANDARD } from '../input/input-file.js';
import { allTables, joinTables } from '../table/build/join-tables.js';
import { BINARY_FORMS, type OutputForm } from './output-form.js';
import { showStatistics } from './show-statistics.js';
import { colours } from './terminal.js';
import { writeAtomically, writeOutput } from './write-output.js';

export interface WriteOptions {
  readonly form: OutputForm;
  readonly compression?: OutputCompression;
  /** Path of the file, or - for standard output. */
  readonly out: string;
  /** The number of files that the statistics come from. */
  readonly files: number;
}

/** Writes statistics in a form of `statisticsForm`. */
export async function writeStatistics(tables: AsyncIterable<Table>, options: WriteOptions): Promise<void> {
  const { form, out, files, compression } = options;
  const { stdout } = process;
  if (form === 'table') {
    const whole = joinTables(await allTables(tables));
    const isTerminal = out === STANDARD && stdout.isTTY;
    const colour = isTerminal && colours(stdout);
    const text = showStatistics(whole, { colour, maxWidth: isTerminal ? stdout.columns : undefined });
    await writeOutput(out, [new TextEncoder().encode(text)]);
  } else {
    const joined = files > 1 && BINARY_FORMS.includes(form);
    await writeTables(out, joined ? [joinTables(await allTables(tables))] : tables, form, compression);
  }
}

/**
 * Writes tables one after the other to one file. Throws OptionError for a compression that the format does not have.
 */
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
  // Loaded for NetCDF alone: other commands start sooner without it.
  const { contentOfTable } = await import('../input/grid-door.js');
  await writeNetcdf(out, contentOfTable(joinTables(await allTables(tables))), deflate);
}

/** Throws OptionError for standard output, which NetCDF cannot be written to, because its beginning is written last. */
export function assertNotStandardOutput(out: string): void {
  if (out !== STANDARD) return;
  throw new OptionError({
    subject: 'output',
    problem: 'netcdf is written to files only',
    allowed: 'the path of a file',
  });
}

/**
 * Writes a NetCDF file under a temporary name, and renames it where `check`, which looks at what was written, does not
 * throw. Throws as `writeNetcdf4` and `writeAtomically` do.
 */
export async function writeNetcdf(
  path: string,
  content: NetcdfContent,
  deflate?: number,
  check: () => void = () => {},
): Promise<void> {
  const { writeNetcdf4 } = await import('../input/grid-door.js');
  await writeAtomically(path, async (temporary) => {
    await writeNetcdf4(temporary, content, { deflate });
    check();
  });
}
