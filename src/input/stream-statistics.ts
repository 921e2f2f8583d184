import type { Data, RecordBatch, Table } from 'apache-arrow';
import { assertKnownKeys, isIterable, namesOf } from '../check/option-checks.js';
import { beginWork, WORK_KEYS, type Work, type WorkOptions } from '../check/work.js';
import { assertCore } from '../core/assert-core.js';
import type { Core } from '../core/load.js';
import { onOwnCore } from '../core/own-core.js';
import { DataError, unusable } from '../errors.js';
import { BatchGroups, readTables } from '../files/arrow/message-reader.js';
import { messageRuns } from '../files/arrow/message-runs.js';
import { assertBytes, BYTES, type ByteSource, hasBytes, knownBytes, readPieces } from '../files/byte-source.js';
import {
  type CheckedStatisticsOptions,
  checkStatisticsOptions,
  STATISTICS_OPTIONS,
  type StatisticsOptions,
} from '../statistics/options.js';
import { StatisticsRun } from '../statistics/statistics-plan.js';
import type { StatisticsTable } from '../statistics/statistics-table.js';
import { isTable, ownBatch } from '../table/arrow/own-table.js';
import { checkSameColumns } from '../table/arrow/same-schema.js';
import { readPlaces } from '../table/rows/read-places.js';
import { ensemblesOfTables, followedBy, TableCollector } from './table-ensembles.js';

/** Record batches, or tables of some. */
export type Batches = AsyncIterable<RecordBatch | Table> | Iterable<RecordBatch | Table>;

/**
 * Computes statistics of rows as they come, a table at a time: the same as `statistics` gives for all rows together, to
 * the last bit. `rows` are
 * - record batches or tables, cut anywhere, such as `readTables` of `plumecast/files` gives them. Columns in the memory of
 *   `core` are used in place. A table is no longer needed when the next one is requested, and a batch when, some
 *   thousand rows later, the batch after the next one is;
 * - or the bytes of an Arrow IPC stream: in memory, a Blob, a Response, its body, pieces. They are read into memory of
 *   its own, by the module of `core`.
 *
 * Any number of streams may be read at the same time. Rows by location (all days of a location together, a column for
 * each member or lists of fixed size) need memory for a batch, the location that it ends with, and about 40 bytes for
 * each location. Others have to be collected first, up to 1 GiB: rows that go day by day, long tables, lists of any
 * length, values as text, and requests with a `point`. There is at least one table.
 *
 * Throws as `statistics` does, with rows counted over the stream; DataError if there are no rows, or too many have to
 * be collected; OptionError if batches differ in their columns; FormatError if bytes are cut off (they have no
 * end-of-stream marker), corrupt, or followed by anything but zeros; and what `rows` throws, which is closed if the
 * caller stops early. Statistics of what came before may have been returned by then.
 *
 * @example
 * ```js
 * import { loadCore, streamStatistics } from 'plumecast';
 * import { demoTable } from 'plumecast/demo';
 *
 * const core = await loadCore();
 * const tables = [50, 51].map((latitude) => demoTable('precipitation', { locations: [{ latitude, longitude: 7 }] }));
 * for await (const { numRows } of streamStatistics(core, tables, { granularity: 'monthly' })) console.log(numRows);
 * ```
 *
 * ```text
 * 4
 * 4
 * ```
 */
export async function* streamStatistics(
  core: Core,
  rows: Batches | ByteSource,
  options: StatisticsOptions & WorkOptions = {},
): AsyncGenerator<StatisticsTable> {
  assertCore(core);
  assertRows(rows);
  const { work, others } = beginWork(options, 'rows');
  assertKnownKeys(others, [...namesOf(STATISTICS_OPTIONS), ...WORK_KEYS]);
  const checked = checkStatisticsOptions(others);
  yield* work.stream(statisticsOfRows(core, rows, checked, work));
}

const ROWS = `record batches, tables, or the bytes of an Arrow stream: ${BYTES}`;

function assertRows(rows: unknown): asserts rows is Batches | ByteSource {
  if (hasBytes(rows)) assertBytes(rows);
  else if (!isIterable(rows)) throw unusable('rows', rows, ROWS);
}

async function* statisticsOfRows(
  core: Core,
  rows: Batches | ByteSource,
  options: CheckedStatisticsOptions,
  work: Work,
): AsyncGenerator<Table> {
  if (hasBytes(rows)) return yield* statisticsOfBytes(core, rows, options, work);
  const given: unknown = rows;
  if (isTable(given)) return yield* statisticsOfBatches(core, given.batches, options, work);
  const items = work.taken<unknown>(rows);
  try {
    const { value: first } = await items.next();
    const all = followedBy(first, items);
    // Each item is checked when it comes.
    if (first instanceof Uint8Array) yield* statisticsOfBytes(core, all as AsyncIterable<Uint8Array>, options, work);
    else yield* statisticsOfBatches(core, all as Batches, options, work);
  } finally {
    await items.return(undefined);
  }
}

function statisticsOfBytes(
  core: Core,
  bytes: ByteSource,
  options: CheckedStatisticsOptions,
  work: Work,
): AsyncGenerator<Table> {
  const { source = 'input' } = options;
  work.expect(knownBytes(bytes), 'bytes');
  return onOwnCore(core, (own) => {
    const tables = readTables(messageRuns(own, readPieces(bytes, work), source), source);
    return statisticsOfTables(own, tables, options);
  });
}

function statisticsOfBatches(
  core: Core,
  batches: Batches,
  options: CheckedStatisticsOptions,
  work: Work,
): AsyncGenerator<Table> {
  return statisticsOfTables(core, tablesOfBatches(core, batches, work), options);
}

async function* statisticsOfTables(
  core: Core,
  tables: AsyncIterable<Table>,
  options: CheckedStatisticsOptions,
): AsyncGenerator<Table> {
  const ensembles = ensemblesOfTables(
    tables,
    { ...options, places: readPlaces },
    {
      collect: () => new TableCollector(options.source, ({ batches }) => isInTurn(core, batches)),
    },
  );
  const run = new StatisticsRun(core, options);
  let hasRows = false;
  for await (const { ensemble } of ensembles) {
    hasRows = true;
    yield* run.add(ensemble);
  }
  yield* run.end();
  if (hasRows) return;
  throw new DataError({ source: options.source, problem: 'has no rows', allowed: 'at least one row' });
}

/** Whether values lie in the core's memory, where what is read next may overwrite them. */
function isInTurn(core: Core, batches: readonly RecordBatch[]): boolean {
  return batches.some(({ data }) => isInMemory(core, data));
}

function isInMemory(core: Core, { values, children }: Data): boolean {
  return values?.buffer === core.memory.wasm.buffer || children.some((child) => isInMemory(core, child));
}

async function* tablesOfBatches(core: Core, batches: Batches, work: Work): AsyncGenerator<Table> {
  const groups = new BatchGroups();
  let first: RecordBatch | undefined;
  let count = 0;
  for await (const given of work.taken(batches)) {
    if (given?.schema?.fields === undefined || given.data === undefined)
      throw unusable('batch', given, 'a RecordBatch or a Table');
    const own = isTable(given) ? given.batches : [given];
    for (const one of own) {
      const batch = ownBatch(one);
      count++;
      first ??= batch;
      checkSameColumns(first.schema, batch.schema, count);
      const table = groups.add(batch);
      work.advance(batch.numRows);
      if (table !== undefined) yield table;
    }
    // A row alone is not enough to tell how rows go.
    if (groups.rows < 2 || !isInTurn(core, own)) continue;
    const table = groups.end();
    if (table !== undefined) yield table;
  }
  const last = groups.end();
  if (last !== undefined) yield last;
}
