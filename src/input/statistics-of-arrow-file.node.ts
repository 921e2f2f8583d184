import type { Table } from 'apache-arrow';
import { assertKind } from '../check/option-checks.js';
import { beginWork, type Work, type WorkOptions } from '../check/work.js';
import { assertCore } from '../core/assert-core.js';
import type { Core } from '../core/load.js';
import { onOwnCore } from '../core/own-core.js';
import { doubleBufferedParts, openArrowFile, PART_BYTES } from '../files/arrow/arrow-file.js';
import { readTables } from '../files/arrow/message-reader.js';
import { readArrowFileInto } from '../files/arrow/read-arrow-file-into.node.js';
import { DiskFile } from '../files/disk-file.node.js';
import {
  type CheckedStatisticsOptions,
  checkStatisticsOptions,
  type StatisticsOptions,
} from '../statistics/options.js';
import { StatisticsRun } from '../statistics/statistics-plan.js';
import { ensembleOf } from '../table/rows/ensemble-data.js';
import { ensemblesOfTables, type StreamedEnsemble, statisticsOfEnsembles } from './table-ensembles.js';

/**
 * Computes statistics of an Arrow IPC file that may be larger than memory, a table at a time, with the same rows and
 * values as `statistics`. While one part of the file is computed, in place in the core's memory, the next one is being
 * read.
 *
 * Rows by location are read about 16 MB at a time, whatever the size of the file's batches; only batches that are
 * compressed, or have texts, are read completely. Files in other orders, long tables, and requests with a `point` need
 * the complete file in memory, of 4 GiB. It is memory of its own, for the module of `core`: any number of files may be
 * read at the same time.
 *
 * Throws as `statistics` does, with rows counted over the file; FileError; FormatError if the file is cut off or
 * corrupt; and DataError if it has no rows.
 */
export async function* statisticsOfArrowFile(
  core: Core,
  path: string,
  options: StatisticsOptions & WorkOptions = {},
): AsyncGenerator<Table> {
  assertCore(core);
  assertKind('path', path, 'text');
  assertKind('options', options, 'object');
  const { work, others } = beginWork(options, 'bytes');
  const checked = checkStatisticsOptions({ source: path, ...others });
  yield* work.stream(onOwnCore(core, (own) => statisticsOfParts(own, path, checked, work)));
}

async function* statisticsOfParts(
  core: Core,
  path: string,
  checked: CheckedStatisticsOptions,
  work: Work,
): AsyncGenerator<Table> {
  const isStreamed = yield* statisticsOfEnsembles(core, ensemblesInParts(core, path, checked, work), checked);
  if (isStreamed) return;
  const { source } = checked;
  const { table, release } = await readArrowFileInto(core, path, { source, signal: work.signal });
  try {
    const run = new StatisticsRun(core, checked);
    yield* run.add(ensembleOf(table, checked));
    yield* run.end();
  } finally {
    release();
  }
}

/** Reads ensembles part by part; none if the file has to be read at once. */
async function* ensemblesInParts(
  core: Core,
  path: string,
  options: CheckedStatisticsOptions,
  work: Work,
): AsyncGenerator<StreamedEnsemble> {
  const { source = path } = options;
  const file = await DiskFile.open(path, source, work);
  work.expect(file.size);
  try {
    const arrow = await openArrowFile(file, PART_BYTES);
    if (arrow === undefined) return;
    yield* ensemblesOfTables(readTables(doubleBufferedParts(core, arrow), source), options);
  } finally {
    await file.close();
  }
}
