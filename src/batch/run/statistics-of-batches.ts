import type { RecordBatch, Table } from 'apache-arrow';
import { assertCore } from '../../core/assert-core.js';
import type { Core } from '../../core/load.js';
import { DataError, unusable } from '../../errors.js';
import { BatchGroups } from '../../files/arrow/message-reader.js';
import { checkSameColumns } from '../../files/same-columns.js';
import { checkStatisticsOptions, type StatisticsOptions } from '../../statistics/options.js';
import { ownBatch } from '../../table/own-table.js';
import { GatheredTables } from './gathered-tables.js';
import { statisticsOfTables } from './statistics-of-tables.js';

/**
 * Statistics of a stream of record batches, a table at a time: as `statistics` gives them of all rows together, values alike to the
 * last bit. Batches may be cut anywhere. They are used in place where their columns lie in the memory of `core`, and no longer needed
 * when the next but some thousand rows is asked for.
 *
 * Rows by location (all days of a location together, a column for each member or lists of fixed size) take no more memory than a
 * batch, the location that it ends with, and some 40 bytes a location. Others have to be gathered first, up to 1 GiB: rows that go
 * day by day, long tables, lists of any length, values as text, and wherever a `point` is asked for. There is at least one table.
 *
 * Throws as `statistics` does, rows counted over the stream; a DataError where there are no rows or too much has to be gathered; an
 * OptionError where batches differ in their columns; and what the batches throw, which are closed where the caller stops early.
 */
export async function* statisticsOfBatches(
  core: Core,
  batches: AsyncIterable<RecordBatch> | Iterable<RecordBatch>,
  options: StatisticsOptions = {},
): AsyncGenerator<Table> {
  assertCore(core);
  assertBatches(batches);
  const checked = checkStatisticsOptions(options);
  const gathered = new GatheredTables(checked.source, false);
  const hasRows = yield* statisticsOfTables(core, tablesOfBatches(batches), checked, { gathered });
  if (!hasRows) throw new DataError({ source: checked.source, problem: 'has no rows', allowed: 'at least one row' });
}

function assertBatches(batches: unknown): void {
  const isIterable =
    typeof batches === 'object' && batches !== null && (Symbol.asyncIterator in batches || Symbol.iterator in batches);
  if (!isIterable) throw unusable('batches', batches, 'an iterable of RecordBatches');
}

async function* tablesOfBatches(batches: AsyncIterable<RecordBatch> | Iterable<RecordBatch>): AsyncGenerator<Table> {
  const groups = new BatchGroups();
  let first: RecordBatch | undefined;
  let count = 0;
  for await (const given of batches) {
    if (given?.schema?.fields === undefined || given.data === undefined)
      throw unusable('batch', given, 'a RecordBatch');
    const batch = ownBatch(given);
    count++;
    first ??= batch;
    checkSameColumns(first.schema, batch.schema, count);
    const table = groups.add(batch);
    if (table !== undefined) yield table;
  }
  const last = groups.end();
  if (last !== undefined) yield last;
}
