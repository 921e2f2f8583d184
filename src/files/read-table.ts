import type { Table } from 'apache-arrow';
import { assertKind, assertKnownKeys } from '../check/option-checks.js';
import { beginWork, WORK_KEYS, type WorkOptions } from '../check/work.js';
import { assertBytes, type ByteSource, knownBytes } from './byte-source.js';
import type { CsvOptions } from './csv/csv-rows.js';
import { openFile } from './file-access.js';
import { assertDecimal, assertFormats, type FormatsOption, openTable } from './open-source.js';

/** Options of {@link readTable}. */
export interface ReadTableOptions extends CsvOptions, FormatsOption, WorkOptions {
  /** The name of the file or source, with which messages begin: `input` by default. */
  source?: string;
  /** The name of the sheet of a workbook of Excel; by default the first one in sight. */
  readonly sheet?: string;
}

/**
 * Reads an ensemble file (Arrow IPC file or stream, Parquet, Excel, CSV, JSON of Open-Meteo) into an Arrow table, with the
 * columns and values exactly as they are in the file. Of files of arrays (NetCDF, GRIB, Zarr), which `openArrays` opens,
 * `tableAtPoint` and `tableAtPoints` make tables. Its bytes are in memory, a Blob, a Response, or come piece by piece,
 * at most 1 GiB; the format is detected from the content, also of gzipped files. Of Open-Meteo's CSV and JSON the places of its locations become columns `latitude` and `longitude`, and local
 * times those of UTC.
 *
 * Text is UTF-8, UTF-16, or else read as Windows-1252. Decimal commas are read if the file is unambiguous, or if
 * `decimal` says so: see `chooseNumberCells`. `report` receives a note about each such decision.
 *
 * Plain Arrow columns view `bytes` in place where they are 8-byte aligned. Missing values are Arrow nulls, or NaN where
 * the file holds NaN. The reader of a format, and its library, are loaded when they are needed: a PackageError names the
 * library if it is not installed. Throws a FormatError if the bytes are not a complete file of a known format, and a
 * DataError if a row is malformed or there are no rows.
 *
 * @example
 * ```js
 * import { readTable } from 'plumecast/files';
 *
 * const file = new Blob(['date,member_0,member_1\n2026-03-02,0,1.5\n']); // or bytes, or a response of fetch
 * const table = await readTable(file);
 * console.log(table.schema.names, table.numRows);
 * ```
 *
 * ```text
 * [ 'date', 'member_0', 'member_1' ] 1
 * ```
 */
export async function readTable(bytes: ByteSource, options: ReadTableOptions = {}): Promise<Table> {
  assertBytes(bytes);
  const { work, others } = beginWork(options, 'bytes', knownBytes(bytes));
  const { source = 'input', ...reading } = checkReadTableOptions(others);
  return work.run(async () => {
    const file = await openFile(bytes, source, work);
    try {
      return await (await openTable(file, reading)).read();
    } finally {
      await file.close();
    }
  });
}

/** Throws OptionError for options of `readTable` that cannot be used. */
export function checkReadTableOptions<Options extends Omit<ReadTableOptions, keyof WorkOptions>>(
  options: Options,
): Options {
  assertKnownKeys(options, ['source', 'decimal', 'sheet', 'report', 'formats', ...WORK_KEYS]);
  const { source = 'input', decimal, sheet, report, formats } = options;
  assertKind('source', source, 'any text');
  assertDecimal(decimal);
  if (sheet !== undefined) assertKind('sheet', sheet, 'any text');
  if (report !== undefined) assertKind('report', report, 'function');
  assertFormats(formats);
  return options;
}
