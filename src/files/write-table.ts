import type { Table } from 'apache-arrow';
import type { EncodeOptions, TableFormat } from './encode-options.js';
import { encodeTables } from './encode-tables.js';

/**
 * The bytes of `table` in a file format.
 *
 * Missing values, null and NaN, are empty in CSV and null in JSON; Arrow and Parquet keep both as they are, and the
 * schema's metadata. CSV and JSON numbers are the shortest that read back to the same value of the column's type.
 * Throws an OptionError for an unknown format, or a compression or column that the format does not support, a DataError
 * for an infinity in JSON, and a PackageError if the library of zstd is not installed.
 */
export async function writeTable(table: Table, format: TableFormat, options: EncodeOptions = {}): Promise<Uint8Array> {
  const blocks: Uint8Array[] = [];
  let length = 0;
  for await (const block of encodeTables([table], format, options)) {
    blocks.push(block);
    length += block.length;
  }
  const bytes = new Uint8Array(length);
  let at = 0;
  for (const block of blocks) {
    bytes.set(block, at);
    at += block.length;
  }
  return bytes;
}
