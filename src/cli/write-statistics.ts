import { extname } from 'node:path';
import type { Table } from 'apache-arrow';
import { joinTables } from '../arrow/join-tables.js';
import { OptionError } from '../errors.js';
import { encodeTables, type TableFormat } from '../formats/encode-tables.js';
import { STANDARD } from './read-input.js';
import { showStatistics } from './show-statistics.js';
import { colours } from './terminal.js';
import { writeOutput } from './write-output.js';

const BY_ENDING: Record<string, TableFormat | 'table'> = {
  '.csv': 'csv',
  '.json': 'json',
  '.arrow': 'arrow',
  '.feather': 'arrow',
  '.ipc': 'arrow',
  '.parquet': 'parquet',
  '.txt': 'table',
};

export interface WriteOptions {
  readonly format?: TableFormat | 'table';
  /** Path of the file; standard output without one. */
  readonly out?: string;
  /** How many files the statistics are of. */
  readonly files: number;
}

/**
 * Writes statistics in the form asked, else by the ending of the file's name, else as a table on a terminal and as CSV
 * elsewhere.
 */
export async function writeStatistics(tables: AsyncIterable<Table>, options: WriteOptions): Promise<void> {
  const { out = STANDARD, files } = options;
  const { stdout } = process;
  const terminal = toTerminal(out);
  const form = outputForm(options, terminal ? 'table' : 'csv');
  if (form === 'table') {
    const whole = joinTables(await all(tables));
    const colour = terminal && colours(stdout);
    const text = showStatistics(whole, { colour, maxWidth: terminal ? stdout.columns : undefined });
    await writeOutput(out, [new TextEncoder().encode(text)]);
  } else {
    // Text can follow text, but the columns of a binary file have one type and one dictionary: several files are joined first.
    const joined = files > 1 && (form === 'arrow' || form === 'parquet');
    await writeOutput(out, encodeTables(joined ? [joinTables(await all(tables))] : tables, form));
  }
}

/** The form asked, else by the ending of the file's name, else `usual`. Throws OptionError for binary forms on a terminal. */
export function outputForm(
  { format, out = STANDARD }: Omit<WriteOptions, 'files'>,
  usual: TableFormat | 'table',
): TableFormat | 'table' {
  const form = format ?? BY_ENDING[extname(out).toLowerCase()] ?? usual;
  if (!toTerminal(out) || (form !== 'arrow' && form !== 'parquet')) return form;
  throw new OptionError({
    subject: 'output',
    problem: `${form} is not for a terminal`,
    allowed: '--out PATH, or a pipe',
  });
}

function toTerminal(out: string): boolean {
  return out === STANDARD && process.stdout.isTTY === true;
}

async function all(tables: AsyncIterable<Table>): Promise<Table[]> {
  const found: Table[] = [];
  for await (const table of tables) found.push(table);
  return found;
}
