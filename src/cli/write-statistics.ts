import { extname } from 'node:path';
import type { Table } from 'apache-arrow';
import { OptionError } from '../errors.js';
import { type TableFormat, writeTable } from '../formats/write-table.js';
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
}

/**
 * Writes statistics in the form asked, else by the ending of the file's name, else as a table on a terminal and as CSV
 * elsewhere.
 */
export async function writeStatistics(table: Table, { format, out = STANDARD }: WriteOptions): Promise<void> {
  const { stdout } = process;
  const terminal = out === STANDARD && stdout.isTTY === true;
  const form = format ?? BY_ENDING[extname(out).toLowerCase()] ?? (terminal ? 'table' : 'csv');
  if (terminal && (form === 'arrow' || form === 'parquet')) {
    throw new OptionError({
      subject: 'output',
      problem: `${form} is not for a terminal`,
      allowed: '--out PATH, or a pipe',
    });
  }
  const content =
    form === 'table'
      ? showStatistics(table, { colour: terminal && colours(stdout), maxWidth: terminal ? stdout.columns : undefined })
      : await writeTable(table, form);
  await writeOutput(out, content);
}
