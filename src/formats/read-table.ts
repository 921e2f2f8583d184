import type { Table } from 'apache-arrow';
import { unusable } from '../errors.js';
import { refuseUnknown } from '../option-checks.js';
import { readArrowFile, readArrowStream } from './arrow-read.js';
import { readCsv } from './csv-read.js';
import { detectFormat, type FileFormat } from './detect-format.js';
import { readJson } from './open-meteo/read-json.js';
import { readParquet } from './parquet-read.js';

/** Options of {@link readTable}. */
export interface ReadTableOptions {
  /** The name of the file or source, with which messages begin: `input` by default. */
  source?: string;
}

const READERS: Record<FileFormat, (bytes: Uint8Array, source: string) => Promise<Table>> = {
  'arrow-file': readArrowFile,
  'arrow-stream': readArrowStream,
  parquet: readParquet,
  csv: readCsv,
  json: readJson,
};

/**
 * Reads the bytes of an ensemble file (Arrow IPC file or stream, Parquet, CSV, JSON of Open-Meteo) into an Arrow table, with the
 * columns and values exactly as they are in the file; the format is told by content. Of Open-Meteo's CSV and JSON the places of its
 * locations become columns `latitude` and `longitude`, and local times those of UTC.
 *
 * Plain Arrow columns view `bytes` in place where they are 8-byte aligned. Missing values are Arrow nulls, or NaN where
 * the file holds NaN. Libraries for single formats are imported when one is met: a PackageError names the one that is
 * not installed. Throws a FormatError where the bytes are no whole file of a known format, and a DataError where a row
 * is malformed or there are none.
 */
export async function readTable(bytes: Uint8Array, options: ReadTableOptions = {}): Promise<Table> {
  if (!(bytes instanceof Uint8Array)) throw unusable('bytes', bytes, 'a Uint8Array');
  refuseUnknown(options, ['source']);
  const { source = 'input' } = options;
  // A subclass may slice without copying, as Node's Buffer does; the readers and their libraries rely on a copy.
  const plain = new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return READERS[detectFormat(plain, source)](plain, source);
}
