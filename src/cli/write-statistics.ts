import type { Table } from 'apache-arrow';
import type { OutputCompression } from '../batch/output-format.js';
import { STANDARD } from '../batch/run/read-input.js';
import { allTables } from '../table/all-tables.js';
import { joinTables } from '../table/join-tables.js';
import { BINARY_FORMS, type OutputForm } from './output-form.js';
import { showStatistics } from './show-statistics.js';
import { colours } from './terminal.js';
import { writeOutput } from './write-output.js';
import { writeTables } from './write-tables.js';

export interface WriteOptions {
  readonly form: OutputForm;
  readonly compression?: OutputCompression;
  /** Path of the file, or - for standard output. */
  readonly out: string;
  /** How many files the statistics are of. */
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
