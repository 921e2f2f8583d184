import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import type { Table } from 'apache-arrow';
import type { Core } from '../../core/load.js';
import { removeLeftTemporaries, removeWhenStopped, temporaryPath } from '../../disk/temporary-file.node.js';
import { OptionError } from '../../errors.js';
import { selectArrays } from '../../files/cf/select-arrays.js';
import { computeResults } from './compute-grid.js';
import { type GridStatistics, openGridStatistics } from './grid-statistics.js';
import { type Input, openInput } from './input.js';
import type { InputFile } from './input-file.js';
import type { InputRequest } from './input-request.js';
import type { Report } from './notice.js';
import { TableStatistics } from './table-statistics.js';

/** The maximum number of bytes of values of a file of arrays held at a time. */
const GRID_BYTES = 536_870_912;

/**
 * Computes statistics of a file of any format or of standard input, as `statistics` does of its daily values, or
 * `statisticsAgainst` with a climatology: location by location for a long table whose rows go by location, block by
 * block for files of arrays. Reports conversions and warnings.
 */
export async function* statisticsOfInput(
  core: Core,
  file: string | InputFile,
  request: InputRequest,
  report: Report,
): AsyncGenerator<Table> {
  // With a climatology, tables may be read twice.
  const input = await openInput(file, request.values, report, {
    once: request.climatology === undefined,
    threads: request.threads,
    selection: selectArrays([{ ...request.statistics, ...request.values }]),
  });
  try {
    const statistics = await openStatistics(core, input, request);
    if (statistics.kind === 'table') yield* statistics.tables();
    else yield* tablesOfGrid(core, statistics);
  } finally {
    await input.close();
  }
}

/**
 * Prepares the statistics of an input. Throws OptionError, and DataError for problems that are known before values are
 * read.
 */
export async function openStatistics(
  core: Core,
  input: Input,
  request: InputRequest,
): Promise<TableStatistics | GridStatistics> {
  if (input.kind === 'arrays') return openGridStatistics(core, input, request);
  if (request.native !== true) return new TableStatistics(core, input, request);
  throw new OptionError({
    ...{ subject: `${input.source}, granularity`, problem: 'tables hold daily values', received: 'native' },
    allowed: 'daily, weekly or monthly; native for files of arrays',
  });
}

async function* tablesOfGrid(core: Core, statistics: GridStatistics): AsyncGenerator<Table> {
  await removeLeftTemporaries(tmpdir(), 'plumecast');
  const resultsPath = temporaryPath(tmpdir(), 'plumecast');
  const stop = removeWhenStopped(resultsPath);
  try {
    const work = { core, bytes: GRID_BYTES, results: resultsPath, progress: () => {} };
    const { results, close } = await computeResults(statistics, work);
    try {
      yield* statistics.tables(results);
    } finally {
      close();
    }
  } finally {
    await rm(resultsPath, { force: true });
    stop();
  }
}
