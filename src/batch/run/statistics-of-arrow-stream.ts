import type { Table } from 'apache-arrow';
import { assertCore } from '../../core/assert-core.js';
import type { Core } from '../../core/load.js';
import { DataError } from '../../errors.js';
import { readTables } from '../../files/arrow/message-reader.js';
import { messageRuns } from '../../files/arrow/message-runs.js';
import { assertBytes, type ByteSource, readPieces } from '../../files/byte-source.js';
import { checkStatisticsOptions, type StatisticsOptions } from '../../statistics/options.js';
import { GatheredTables } from './gathered-tables.js';
import { statisticsOfTables } from './statistics-of-tables.js';

/**
 * Statistics of an Arrow IPC stream of any length as its bytes come, such as the body of a response: as `statisticsOfBatches` gives
 * them of its batches, which are put into the memory of `core` and computed there. Beside `core` it takes the memory's top: until the last
 * table is taken, nothing else may be allocated in it.
 *
 * Throws as `statisticsOfBatches` does; FormatError where the stream is cut (one without its end-of-stream marker is), corrupt, or
 * followed by anything but zeros: by then statistics of what came before may have been given.
 */
export async function* statisticsOfArrowStream(
  core: Core,
  bytes: ByteSource,
  options: StatisticsOptions = {},
): AsyncGenerator<Table> {
  assertCore(core);
  assertBytes(bytes);
  const checked = checkStatisticsOptions(options);
  const { source } = checked;
  const gathered = new GatheredTables(source, true);
  const tables = readTables(messageRuns(core, readPieces(bytes), source ?? 'input'), source ?? 'input');
  const hasRows = yield* statisticsOfTables(core, tables, checked, { gathered });
  if (!hasRows) throw new DataError({ source, problem: 'has no rows', allowed: 'at least one row' });
}
