import type { Table } from 'apache-arrow';
import { assertKind, assertKnownKeys } from '../check/option-checks.js';
import { beginWork, type WorkOptions } from '../check/work.js';
import { unusable } from '../errors.js';
import type { CsvOptions } from './csv/csv-rows.js';
import { assertDecimal } from './csv/decimal-mark.js';
import { fileOfBytes } from './file-access.js';
import { assertFormats, type FormatsOption, openTable } from './open-source.js';

/** Options of {@link readTable}. */
export interface ReadTableOptions extends CsvOptions, FormatsOption, WorkOptions {
  /** The name of the file or source, with which messages begin: `input` by default. */
  source?: string;
}

/**
 * Reads the bytes of an ensemble file (Arrow IPC file or stream, Parquet, CSV, JSON of Open-Meteo) into an Arrow table,
 * with the columns and values exactly as they are in the file; the format is detected from the content, also of gzipped
 * files. Of Open-Meteo's CSV and JSON the places of its locations become columns `latitude` and `longitude`, and local
 * times those of UTC.
 *
 * Text is UTF-8, UTF-16, or else read as Windows-1252. Decimal commas are read if the file is unambiguous, or if
 * `decimal` says so: see `chooseNumberCells`. `report` receives a note about each such decision.
 *
 * Plain Arrow columns view `bytes` in place where they are 8-byte aligned. Missing values are Arrow nulls, or NaN where
 * the file holds NaN. The reader of a format, and its library, are loaded when they are needed: a PackageError names the
 * library if it is not installed. Throws a FormatError if the bytes are not a complete file of a known format, and a
 * DataError if a row is malformed or there are no rows.
 */
export async function readTable(bytes: Uint8Array, options: ReadTableOptions = {}): Promise<Table> {
  if (!(bytes instanceof Uint8Array)) throw unusable('bytes', bytes, 'a Uint8Array');
  const { work, others } = beginWork(options, 'bytes', bytes.length);
  assertKnownKeys(others, ['source', 'decimal', 'report', 'formats']);
  const { source = 'input', decimal, report, formats } = others;
  assertKind('source', source, 'any text');
  assertDecimal(decimal);
  if (report !== undefined) assertKind('report', report, 'function');
  assertFormats(formats);
  return work.run(async () => {
    const table = await openTable(fileOfBytes(bytes, source, work), { decimal, report, formats });
    return table.read();
  });
}
