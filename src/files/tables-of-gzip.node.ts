import type { Table } from 'apache-arrow';
import { gunzipPieces } from './codecs/gunzip-pieces.node.js';
import { tooLong } from './codecs/gzip.js';
import type { CsvTablesOptions } from './csv/csv-tables.js';
import { tablesOfContent } from './tables-of-bytes.js';

/**
 * The tables of gzipped bytes as they come: of CSV as `tablesOfCsv` gives them; other formats are unpacked first, to 1
 * GiB at most, and give one table. Throws as these do, and a FormatError where the bytes are cut or damaged.
 */
export function tablesOfGzip(
  pieces: AsyncIterable<Uint8Array>,
  source: string,
  options: CsvTablesOptions,
): AsyncGenerator<Table> {
  return tablesOfContent(gunzipPieces(pieces, source), source, options, tooLong);
}
