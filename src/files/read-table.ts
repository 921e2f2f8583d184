import type { Table } from 'apache-arrow';
import { assertKind } from '../check/assert-shape.js';
import { assertKnownKeys } from '../check/option-checks.js';
import { unusable } from '../errors.js';
import { readArrowFile, readArrowStream } from './arrow/arrow-read.js';
import { isGzip, unpack } from './codecs/gzip.js';
import { readCsv } from './csv/csv-read.js';
import type { CsvOptions } from './csv/csv-rows.js';
import { assertDecimal } from './csv/decimal-mark.js';
import { detectFormat, type FileFormat } from './detect-format.js';
import { readOpenMeteoJson } from './open-meteo/read-open-meteo-json.js';
import { readParquet } from './parquet/parquet-read.js';
import { unpackedFormat } from './unpacked-format.js';

/** Options of {@link readTable}. */
export interface ReadTableOptions extends CsvOptions {
  /** The name of the file or source, with which messages begin: `input` by default. */
  source?: string;
}

type Reader = (bytes: Uint8Array, source: string, options: CsvOptions) => Promise<Table>;

const READERS: Record<FileFormat, Reader> = {
  'arrow-file': readArrowFile,
  'arrow-stream': readArrowStream,
  parquet: readParquet,
  csv: readCsv,
  'open-meteo-json': readOpenMeteoJson,
};

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
 * the file holds NaN. The library of a format is imported when it is needed: a PackageError names it if it is not
 * installed. Throws a FormatError if the bytes are not a complete file of a known format, and a DataError if a row is
 * malformed or there are no rows.
 */
export async function readTable(bytes: Uint8Array, options: ReadTableOptions = {}): Promise<Table> {
  if (!(bytes instanceof Uint8Array)) throw unusable('bytes', bytes, 'a Uint8Array');
  assertKnownKeys(options, ['source', 'decimal', 'report']);
  const { source = 'input', decimal, report } = options;
  assertDecimal(decimal);
  if (report !== undefined) assertKind('report', report, 'function');
  // A subclass may slice without copying, as Node's Buffer does; the readers and their libraries rely on a copy.
  const plain = new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const isPacked = isGzip(plain);
  const content = isPacked ? await unpack(plain, source) : plain;
  const format = isPacked ? unpackedFormat(content, source) : detectFormat(content, source);
  return READERS[format](content, source, { decimal, report });
}
