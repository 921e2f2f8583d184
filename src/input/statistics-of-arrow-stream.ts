import type { Table } from 'apache-arrow';
import { beginWork, type WorkOptions } from '../check/work.js';
import { assertCore } from '../core/assert-core.js';
import type { Core } from '../core/load.js';
import { onOwnCore } from '../core/own-core.js';
import { readTables } from '../files/arrow/message-reader.js';
import { messageRuns } from '../files/arrow/message-runs.js';
import { assertBytes, type ByteSource, knownBytes, readPieces } from '../files/byte-source.js';
import { checkStatisticsOptions, type StatisticsOptions } from '../statistics/options.js';
import { TableCollector } from './daily-tables.js';
import { ensemblesOfTables, statisticsOfRows } from './table-ensembles.js';

/**
 * Computes statistics of an Arrow IPC stream of any length as its bytes come, such as the body of a response: as
 * `statisticsOfBatches` does for its batches. They are read into memory of its own and computed there, by the module of
 * `core`: any number of streams may be read at the same time.
 *
 * Throws as `statisticsOfBatches` does, and FormatError if the stream is cut off (it has no end-of-stream marker),
 * corrupt, or followed by anything but zeros. Statistics of what came before may have been returned by then.
 */
export async function* statisticsOfArrowStream(
  core: Core,
  bytes: ByteSource,
  options: StatisticsOptions & WorkOptions = {},
): AsyncGenerator<Table> {
  assertCore(core);
  assertBytes(bytes);
  const { work, others } = beginWork(options, 'bytes', knownBytes(bytes));
  const checked = checkStatisticsOptions(others);
  const { source = 'input' } = checked;
  const statistics = onOwnCore(core, (own) => {
    const tables = readTables(messageRuns(own, readPieces(bytes, work), source), source);
    const ensembles = ensemblesOfTables(tables, checked, { collect: () => new TableCollector(checked.source, true) });
    return statisticsOfRows(own, ensembles, checked);
  });
  yield* work.stream(statistics);
}
