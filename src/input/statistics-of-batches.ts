import type { RecordBatch, Table } from 'apache-arrow';
import { beginWork, type Work, type WorkOptions } from '../check/work.js';
import { assertCore } from '../core/assert-core.js';
import type { Core } from '../core/load.js';
import { unusable } from '../errors.js';
import { BatchGroups } from '../files/arrow/message-reader.js';
import { checkStatisticsOptions, type StatisticsOptions } from '../statistics/options.js';
import { ownBatch } from '../table/arrow/own-table.js';
import { checkSameColumns } from '../table/build/join-tables.js';
import { TableCollector } from './daily-tables.js';
import { ensemblesOfTables, statisticsOfRows } from './table-ensembles.js';

/** Record batches, or tables of some. */
export type Batches = AsyncIterable<RecordBatch | Table> | Iterable<RecordBatch | Table>;

/**
 * Computes statistics of a stream of record batches, or of tables, a table at a time: the same as `statistics` gives
 * for all rows together, to the last bit. Batches may be cut anywhere. Columns in the memory of `core` are used in
 * place; a batch is no longer needed when, some thousand rows later, the batch after the next one is requested.
 *
 * Rows by location (all days of a location together, a column for each member or lists of fixed size) need memory for a
 * batch, the location that it ends with, and about 40 bytes for each location. Others have to be collected first, up to
 * 1 GiB: rows that go day by day, long tables, lists of any length, values as text, and requests with a `point`. There
 * is at least one table.
 *
 * Throws as `statistics` does, with rows counted over the stream; DataError if there are no rows, or too many have to
 * be collected; OptionError if batches differ in their columns; and what `batches` throws, which is closed if the
 * caller stops early.
 */
export async function* statisticsOfBatches(
  core: Core,
  batches: Batches,
  options: StatisticsOptions & WorkOptions = {},
): AsyncGenerator<Table> {
  assertCore(core);
  assertBatches(batches);
  const { work, others } = beginWork(options, 'rows');
  const checked = checkStatisticsOptions(others);
  const ensembles = ensemblesOfTables(tablesOfBatches(batches, work), checked, {
    collect: () => new TableCollector(checked.source, false),
  });
  yield* work.stream(statisticsOfRows(core, ensembles, checked));
}

function assertBatches(batches: unknown): void {
  const isIterable =
    typeof batches === 'object' && batches !== null && (Symbol.asyncIterator in batches || Symbol.iterator in batches);
  if (!isIterable) throw unusable('batches', batches, 'an iterable of RecordBatches or Tables');
}

async function* tablesOfBatches(batches: Batches, work: Work): AsyncGenerator<Table> {
  const groups = new BatchGroups();
  let first: RecordBatch | undefined;
  let count = 0;
  for await (const given of work.taken(batches)) {
    if (given?.schema?.fields === undefined || given.data === undefined)
      throw unusable('batch', given, 'a RecordBatch or a Table');
    for (const one of 'batches' in given ? given.batches : [given]) {
      const batch = ownBatch(one);
      count++;
      first ??= batch;
      checkSameColumns(first.schema, batch.schema, count);
      const table = groups.add(batch);
      work.advance(batch.numRows);
      if (table !== undefined) yield table;
    }
  }
  const last = groups.end();
  if (last !== undefined) yield last;
}
