import { extname } from 'node:path';
import type { Table } from 'apache-arrow';
import { allTables } from '../arrow/all-tables.js';
import { joinTables } from '../arrow/join-tables.js';
import type { OutputCompression, OutputFormat } from '../batch/output-format.js';
import { OptionError } from '../errors.js';
import { STANDARD } from '../input/read-input.js';
import { showStatistics } from './show-statistics.js';
import { colours } from './terminal.js';
import { writeOutput } from './write-output.js';
import { writeTables } from './write-tables.js';

/** Forms that are no text: not for a terminal, and their columns have one type and one dictionary. */
const BINARY: readonly string[] = ['arrow', 'arrow-stream', 'parquet', 'netcdf'];

const BY_ENDING: Record<string, OutputFormat | 'table'> = {
  '.csv': 'csv',
  '.json': 'json',
  '.jsonl': 'jsonl',
  '.ndjson': 'jsonl',
  '.arrow': 'arrow',
  '.feather': 'arrow',
  '.ipc': 'arrow',
  '.arrows': 'arrow-stream',
  '.parquet': 'parquet',
  '.nc': 'netcdf',
  '.nc4': 'netcdf',
  '.txt': 'table',
};

export interface WriteOptions {
  readonly format?: OutputFormat | 'table';
  readonly compression?: OutputCompression;
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
  const { out = STANDARD, files, compression } = options;
  const { stdout } = process;
  const terminal = toTerminal(out);
  const form = outputForm(options, terminal ? 'table' : 'csv');
  if (form === 'table') {
    const whole = joinTables(await allTables(tables));
    const colour = terminal && colours(stdout);
    const text = showStatistics(whole, { colour, maxWidth: terminal ? stdout.columns : undefined });
    await writeOutput(out, [new TextEncoder().encode(text)]);
  } else {
    const joined = files > 1 && BINARY.includes(form);
    await writeTables(out, joined ? [joinTables(await allTables(tables))] : tables, form, compression);
  }
}

/** The form asked, else by the ending of the file's name, else `usual`. Throws OptionError for binary forms on a terminal. */
export function outputForm(
  { format, out = STANDARD }: Omit<WriteOptions, 'files'>,
  usual: OutputFormat | 'table',
): OutputFormat | 'table' {
  const form = format ?? BY_ENDING[extname(out).toLowerCase()] ?? usual;
  if (!toTerminal(out) || !BINARY.includes(form)) return form;
  throw new OptionError({
    subject: 'output',
    problem: `${form} is not for a terminal`,
    allowed: '--out PATH, or a pipe',
  });
}

function toTerminal(out: string): boolean {
  return out === STANDARD && process.stdout.isTTY === true;
}
