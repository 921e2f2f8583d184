import type { Table } from 'apache-arrow';
import {
  type ArrayFormat,
  isArrayFormat,
  netcdfDeflate,
  type OutputCompression,
  type OutputFormat,
  tableCompression,
  zarrCompression,
} from '../batch/output-format.js';
import { OptionError } from '../errors.js';
import { encodeTables } from '../files/encode-tables.js';
import type { NetcdfContent } from '../files/netcdf4/netcdf-content.js';
import { STANDARD } from '../input/input-file.js';
import { allTables, joinTables } from '../table/build/join-tables.js';
import { BINARY_FORMS, type OutputForm } from './output-form.js';
import { showStatistics } from './show-statistics.js';
import { colours } from './terminal.js';
import { writeAtomically, writeOutput } from './write-output.js';
import { isTemplate, writePartitions } from './write-partitions.js';

export interface WriteOptions {
  readonly form: OutputForm;
  readonly compression?: OutputCompression;
  /** Path of the file, or - for standard output. */
  readonly out: string;
  /** The number of files that the statistics come from. */
  readonly files: number;
  /** Whether texts of CSV are kept from being formulas in spreadsheets. */
  readonly escapeFormulas?: boolean | undefined;
}

/** Throws OptionError where texts are to be kept from being formulas in another form than CSV, in which they are texts. */
export function assertEscapable(form: OutputForm, isWanted: boolean | undefined): void {
  if (!isWanted || form === 'csv') return;
  const problem = 'is for CSV, in which texts may be taken for formulas';
  throw new OptionError({ subject: '--escape-formulas', problem, received: form, allowed: 'csv' });
}

/** Tables of CSV whose texts no spreadsheet takes for formulas, where that `isWanted`; see `assertEscapable`. */
export async function* escapedTables(
  tables: Iterable<Table> | AsyncIterable<Table>,
  isWanted: boolean | undefined,
): AsyncGenerator<Table> {
  const change = isWanted ? (await import('../files/csv/escape-formulas.js')).escapeFormulas : undefined;
  for await (const table of tables) yield change?.(table) ?? table;
}

/** Writes statistics in a form of `statisticsForm`. */
export async function writeStatistics(tables: AsyncIterable<Table>, options: WriteOptions): Promise<void> {
  const { form, out, files, compression, escapeFormulas } = options;
  const escaped = escapedTables(tables, escapeFormulas);
  const { stdout } = process;
  if (form === 'table') {
    const whole = joinTables(await allTables(escaped));
    const isTerminal = out === STANDARD && stdout.isTTY;
    const colour = isTerminal && colours(stdout);
    const text = showStatistics(whole, { colour, maxWidth: isTerminal ? stdout.columns : undefined });
    await writeOutput(out, [new TextEncoder().encode(text)]);
  } else {
    const joined = files > 1 && BINARY_FORMS.includes(form);
    await writeTables(out, joined ? [joinTables(await allTables(escaped))] : escaped, form, compression);
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
  if (!isArrayFormat(format)) {
    if (isTemplate(out)) return writePartitions(out, tables, format, compression);
    await writeOutput(out, encodeTables(tables, format, { compression: tableCompression(format, compression) }));
    return;
  }
  const write = contentWriter(out, format, compression);
  // Loaded for arrays alone: other commands start sooner without it.
  const { contentOfTable } = await import('../input/grid-door.js');
  await write(contentOfTable(joinTables(await allTables(tables))));
}

/** Writes content under a temporary name, and renames it where `check`, which looks at what was written, does not throw. */
export type WriteContent = (content: NetcdfContent, check?: () => void) => Promise<void>;

/**
 * Creates what writes a NetCDF file or a Zarr store. Throws OptionError for a compression that the format does not
 * have, and for standard output: the beginning of NetCDF is written last, and a store is a folder. What it returns
 * throws as `writeNetcdf4`, `writeZarr3` and `writeAtomically` do.
 */
export function contentWriter(out: string, format: ArrayFormat, compression?: OutputCompression): WriteContent {
  if (isTemplate(out)) {
    const allowed = 'a path without placeholders, or a format of tables, such as parquet';
    throw new OptionError({
      subject: 'output',
      problem: `${format} keeps all results together`,
      received: out,
      allowed,
    });
  }
  if (out === STANDARD) {
    const isStore = format === 'zarr';
    throw new OptionError({
      subject: 'output',
      problem: `${format} is written to ${isStore ? 'folders' : 'files'} only`,
      allowed: `the path of a ${isStore ? 'folder' : 'file'}`,
    });
  }
  if (format === 'netcdf') {
    const deflate = netcdfDeflate(compression);
    return async (content, check = () => {}) => {
      const { writeNetcdf4 } = await import('../input/grid-door.js');
      await writeAtomically(out, async (temporary) => {
        await writeNetcdf4(temporary, content, { deflate });
        check();
      });
    };
  }
  const chunks = zarrCompression(compression);
  return async (content, check = () => {}) => {
    const { replaceStore, writeZarr3 } = await import('../input/grid-door.js');
    const write = async (temporary: string) => {
      await writeZarr3(temporary, content, { compression: chunks });
      check();
    };
    await writeAtomically(out, write, replaceStore);
  };
}
