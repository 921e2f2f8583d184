import type { Schema, Table } from 'apache-arrow';
import { withSchema } from '../../table/arrow/same-schema.js';
import { BatchGroups } from '../arrow/message-reader.js';
import type { FileAccess, FileInParts } from '../file-access.js';
import type { OpenedTable, TableOptions } from '../format.js';
import { partsInThreads } from '../parts-in-threads.js';
import { readParquet, TABLE_BYTES } from './parquet-batches.js';

/** Opens Parquet; where parts of the file can be read, it is read part by part, in several threads. */
export function openParquet(file: FileAccess, options: TableOptions): OpenedTable {
  const { source, parts = file.ranges } = file;
  return {
    read: async () => readParquet(await file.bytes(), source, options, file.work),
    ...(parts && { tables: () => tablesInParts(parts, source, options) }),
  };
}

async function* tablesInParts(
  { file, others }: FileInParts,
  source: string,
  { columns, codedTexts, tableBytes: bytes = TABLE_BYTES, threads = 1, areViews = false, report }: TableOptions,
): AsyncGenerator<Table> {
  const parts = { kind: 'parquet', source, options: { columns, bytes, codedTexts } } as const;
  const groups = new BatchGroups();
  let schema: Schema | undefined;
  for await (const { tables } of partsInThreads(file, parts, { threads, others, areViews, report })) {
    for (const batch of tables.flatMap(({ batches }) => batches)) {
      schema ??= batch.schema;
      const table = groups.add(withSchema(batch, schema));
      if (table !== undefined) yield table;
    }
  }
  const last = groups.end();
  if (last !== undefined) yield last;
}
