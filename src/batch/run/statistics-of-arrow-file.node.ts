import type { Table } from 'apache-arrow';
import { assertKind } from '../../check/assert-shape.js';
import { assertCore } from '../../core/assert-core.js';
import type { Core } from '../../core/load.js';
import { openArrowFile, openFile } from '../../files/arrow/arrow-file.node.js';
import { doubleBufferedParts, PART_BYTES } from '../../files/arrow/double-buffered-parts.node.js';
import { readTables } from '../../files/arrow/message-reader.js';
import { readArrowFileInto } from '../../files/arrow/read-arrow-file-into.node.js';
import {
  type CheckedStatisticsOptions,
  checkStatisticsOptions,
  type StatisticsOptions,
} from '../../statistics/options.js';
import { requestedEnsemble, statisticsInGroups } from '../../statistics/statistics.js';
import { statisticsOfTables } from './statistics-of-tables.js';
import { RESULTS_AT_ONCE } from './statistics-stream.js';

/**
 * Statistics of an Arrow IPC file that may be larger than memory, a table at a time: as `statistics` gives them, rows and values
 * alike. While one part of the file is computed, in place in the core's memory, the next is being read.
 *
 * Rows by location are read some 16 MB at a time, whatever the size of the file's batches: a batch is read whole only where it is
 * compressed or has texts. Files in other orders, of long tables, and those of which a `point` is asked are read as a whole into the
 * core's memory, of 4 GiB. Beside `core` it takes the memory's top: until the last table is taken, nothing else may be allocated in it.
 *
 * Throws as `statistics` does, rows counted over the file, FileError, FormatError where the file is cut or corrupt, and DataError
 * where it has no rows.
 */
export async function* statisticsOfArrowFile(
  core: Core,
  path: string,
  options: StatisticsOptions = {},
): AsyncGenerator<Table> {
  assertCore(core);
  assertKind('path', path, 'text');
  assertKind('options', options, 'object');
  const checked = checkStatisticsOptions({ source: path, ...options });
  if (yield* statisticsInParts(core, path, checked)) return;
  const whole = await readArrowFileInto(core, path, checked);
  try {
    yield* statisticsInGroups(core, requestedEnsemble(whole.table, checked), checked, RESULTS_AT_ONCE);
  } finally {
    whole.release();
  }
}

/** Returns whether that could be done part by part: where not, nothing was yielded, and the file has to be read as a whole. */
async function* statisticsInParts(
  core: Core,
  path: string,
  options: CheckedStatisticsOptions,
): AsyncGenerator<Table, boolean> {
  const { source = path } = options;
  const handle = await openFile(path);
  try {
    const file = await openArrowFile(handle, source, PART_BYTES);
    if (file === undefined) return false;
    return yield* statisticsOfTables(core, readTables(doubleBufferedParts(core, file, source), source), options, {});
  } finally {
    await handle.close();
  }
}
