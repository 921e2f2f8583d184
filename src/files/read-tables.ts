import type { Table } from 'apache-arrow';
import { assertKind, assertKnownKeys, assertShape } from '../check/option-checks.js';
import { beginWork, WORK_KEYS } from '../check/work.js';
import { assertCore } from '../core/assert-core.js';
import type { Core } from '../core/load.js';
import { unusable } from '../errors.js';
import { assertBytes, type ByteSource, knownBytes } from './byte-source.js';
import { fileOfSource } from './file-access.js';
import { assertDecimal, assertFormats, openTable } from './open-source.js';
import type { ReadTableOptions } from './read-table.js';

/** How bytes are read table by table. */
export interface ReadTablesOptions extends ReadTableOptions {
  /** Whether columns of texts in CSV are dictionaries, which each table has its own of: they are read faster so. */
  readonly codedTexts?: boolean;
  /**
   * The most threads, this one included, that read CSV from 16 MiB on and Parquet of a `Blob`, such as a file that was
   * chosen in a page; one by default. The others are Web Workers of the package's script `parts-worker.js`, which get the
   * `Blob` and read slices of it: they need neither shared memory nor a page that is isolated. Where none can be started
   * (the script is elsewhere, the page's policy forbids it), this thread reads all.
   *
   * Rows never depend on it. Where it is given, tables of CSV end where slices do, whatever the number.
   */
  readonly threads?: number;
}

/**
 * Reads bytes as they come (the body of a response, a file in a browser, any iterable of pieces) table by table: for
 * `streamStatistics`, say. Together the tables have the rows of `readTable`, and one schema; each has at least two
 * rows, except the last one. The format is detected from the content.
 *
 * CSV and Arrow streams are read in bounded memory, and so is Parquet of a `Blob`, of which parts can be read, and of a
 * `Response` of 4 MiB or more whose server offers ranges (`Accept-Ranges: bytes`): these are requested, and the body ends. All
 * other bytes (Arrow files, Parquet as it comes, JSON, what is gzipped) are read in one piece, at most 1 GiB.
 *
 * Throws FormatError and DataError as `readTable` does, with rows counted over all tables, OptionError, PackageError,
 * and what the source throws, which is closed if the caller stops early.
 *
 * @example
 * ```js
 * import { loadCore } from 'plumecast';
 * import { readTables } from 'plumecast/files';
 *
 * const response = new Response('date,member_0,member_1\n2026-03-02,0,1.5\n'); // or await fetch('https://...')
 * for await (const { numRows } of readTables(await loadCore(), response)) console.log(numRows);
 * ```
 *
 * ```text
 * 1
 * ```
 */
export async function* readTables(
  core: Core,
  bytes: ByteSource,
  options: ReadTablesOptions = {},
): AsyncGenerator<Table> {
  assertCore(core);
  assertBytes(bytes);
  const { work, others } = beginWork(options, 'bytes', knownBytes(bytes));
  assertKnownKeys(others, ['source', 'decimal', 'sheet', 'codedTexts', 'threads', 'report', 'formats', ...WORK_KEYS]);
  assertShape('options', others, {
    source: 'any text?',
    decimal: 'text?',
    sheet: 'any text?',
    codedTexts: 'flag?',
    threads: 'number?',
    report: 'function?',
  });
  assertDecimal(others.decimal);
  const { source = 'input', codedTexts, threads, ...reading } = others;
  if (threads !== undefined && !(Number.isInteger(threads) && threads >= 1))
    throw unusable('threads', threads, 'a whole number from 1');
  assertKind('source', source, 'any text');
  assertFormats(reading.formats);
  yield* work.stream(tables());

  async function* tables() {
    const file = await fileOfSource(bytes, source, { work });
    try {
      yield* (await openTable(file, { ...reading, codedTexts, threads, areKept: true })).tables(core);
    } finally {
      await file.close();
    }
  }
}
