import type { Schema, Table } from 'apache-arrow';
import { OptionError } from '../errors.js';
import { ArrowEncoder } from './arrow-write.js';
import { ByteBlocks } from './byte-blocks.js';
import { CsvEncoder } from './csv-write.js';
import { JsonEncoder } from './json-write.js';
import { createParquetEncoder } from './parquet-write.js';
import { checkSameColumns } from './same-columns.js';
import type { TableEncoder } from './table-encoder.js';

/** The formats that tables are written in; `arrow` is an uncompressed Arrow IPC file. */
export type TableFormat = 'csv' | 'json' | 'arrow' | 'parquet';

const ENCODERS: Record<TableFormat, (schema: Schema) => TableEncoder | Promise<TableEncoder>> = {
  csv: (schema) => new CsvEncoder(schema),
  json: (schema) => new JsonEncoder(schema),
  arrow: (schema) => new ArrowEncoder(schema),
  parquet: createParquetEncoder,
};

/**
 * The bytes of one file that holds the rows of `tables` one after the other, in blocks of 128 KiB, the last one shorter.
 *
 * The next table is asked for only when the blocks of the one before are taken, and of a table that is written nothing
 * is kept but its dictionaries: beside one table and one block, Parquet holds one row group of up to 131,072 rows. The
 * schema, with its metadata, is the first table's. Values are written as {@link writeTable} writes them.
 *
 * Throws an OptionError for an unknown format, where there is no table at all (tables without rows are fine), where a
 * table's columns differ from the first one's, for a column that the format cannot hold, and in Arrow for a dictionary
 * with other entries than in the batches before; a DataError for an infinity in JSON; a PackageError where Parquet's
 * library is not installed; and whatever `tables` throws. `tables` is closed where the caller stops early.
 */
export async function* encodeTables(
  tables: Iterable<Table> | AsyncIterable<Table>,
  format: TableFormat,
): AsyncGenerator<Uint8Array> {
  if (!Object.hasOwn(ENCODERS, format)) {
    const allowed = Object.keys(ENCODERS).join(', ');
    throw new OptionError({ subject: 'format', problem: 'is unknown', received: format, allowed });
  }
  const blocks = new ByteBlocks();
  let file: { schema: Schema; encoder: TableEncoder } | undefined;
  let count = 0;
  for await (const { schema, batches } of tables) {
    count++;
    file ??= { schema, encoder: await ENCODERS[format](schema) };
    checkSameColumns(file.schema, schema, count);
    for (const batch of batches) {
      for (const piece of file.encoder.encode(batch)) yield* blocks.add(piece);
    }
  }
  if (file === undefined) {
    throw new OptionError({ subject: 'tables', problem: 'are none', allowed: 'at least one, with or without rows' });
  }
  for (const piece of file.encoder.end()) yield* blocks.add(piece);
  yield* blocks.end();
}
