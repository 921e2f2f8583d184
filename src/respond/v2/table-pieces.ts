import { RecordBatchStreamWriter, type Table } from 'apache-arrow';
import { ArrowEncoder } from '../../files/arrow/arrow-write.js';
import { CsvEncoder } from '../../files/csv/csv-write.js';
import type { TableEncoder } from '../../files/format.js';

export { answerTables } from './answer-tables.js';

/**
 * Tables of one schema as CSV in UTF-8, with one header line; missing values are empty, numbers the shortest that read
 * back to the same value. Each piece is made on demand, in its own memory.
 */
export function csvPieces(tables: Iterable<Table>): Generator<Uint8Array> {
  return pieces(tables, (table) => new CsvEncoder(table.schema));
}

/**
 * Tables of one schema as an Arrow IPC stream (`application/vnd.apache.arrow.stream`), with the first one's metadata;
 * uncompressed. Equal tables have equal bytes. Each piece is made on demand.
 */
export function arrowPieces(tables: Iterable<Table>): Generator<Uint8Array> {
  return pieces(tables, (table) => new ArrowEncoder(table.schema, new RecordBatchStreamWriter()));
}

function* pieces(tables: Iterable<Table>, encoderFor: (first: Table) => TableEncoder): Generator<Uint8Array> {
  let encoder: TableEncoder | undefined;
  for (const table of tables) {
    encoder ??= encoderFor(table);
    for (const batch of table.batches) yield joinPieces([...copies(encoder.encode(batch))]);
  }
  if (encoder !== undefined) yield joinPieces([...copies(encoder.end())]);
}

/** An encoder reuses its memory for the next part. */
function* copies(parts: Iterable<Uint8Array>): Generator<Uint8Array> {
  for (const part of parts) yield part.slice();
}

/** Joins pieces in order. */
export function joinPieces(parts: readonly Uint8Array[]): Uint8Array {
  if (parts.length === 1) return parts[0];
  const bytes = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}
