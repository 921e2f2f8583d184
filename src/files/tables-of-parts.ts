import type { Schema, Table } from 'apache-arrow';
import { withSchema } from '../table/arrow/with-schema.js';
import { BatchGroups } from './arrow/message-reader.js';
import { beginningOfSlice, type SliceReader, UnknownRowsError } from './csv/csv-slice.js';
import { type PartsOptions, partsInThreads } from './parts-in-threads.js';
import type { FileParts, PartsFile } from './parts-of-file.js';

/** Shorter CSV is not cut into slices, however many threads there are: tables are the same for all numbers of them. */
export const SLICED_BYTES = 16_777_216;

/** Reads Parquet in several threads. */
export async function* tablesOfParquet(
  file: PartsFile,
  parts: FileParts & { readonly kind: 'parquet' },
  options: PartsOptions,
): AsyncGenerator<Table> {
  const groups = new BatchGroups();
  let schema: Schema | undefined;
  for await (const { tables } of partsInThreads(file, parts, options)) {
    for (const batch of tables.flatMap(({ batches }) => batches)) {
      schema ??= batch.schema;
      const table = groups.add(withSchema(batch, schema));
      if (table !== undefined) yield table;
    }
  }
  const last = groups.end();
  if (last !== undefined) yield last;
}

/** Reads the slices of CSV in several threads, up to the first that kernels do not read. */
export function slicesInThreads(file: PartsFile, source: string, options: PartsOptions): SliceReader {
  return {
    async *read(slices) {
      try {
        yield* partsInThreads(file, { kind: 'csv', source, slices }, options);
      } catch (error) {
        if (!(error instanceof UnknownRowsError)) throw error;
      }
    },
    async piecesFrom(slices, index) {
      const at = await beginningOfSlice(slices, file, index);
      return at < file.byteLength ? file.pieces(at) : undefined;
    },
  };
}
