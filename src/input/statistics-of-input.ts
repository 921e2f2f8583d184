import { tmpdir } from 'node:os';
import type { Table } from 'apache-arrow';
import type { Core } from '../core/load.js';
import { temporaryPath } from '../disk/temporary-file.node.js';
import { OptionError } from '../errors.js';
import type { ResultCube } from '../files/cf/content/result-cube.js';
import { resultCube } from '../files/cf/content/table-results.js';
import { selectArrays } from '../files/cf/select-arrays.js';
import { allTables, joinTables } from '../table/build/join-tables.js';
import { computeResults, type OpenResults } from './compute-grid.js';
import type { GridStatistics } from './grid-statistics.js';
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
  const input = await openFor(file, request, report);
  try {
    const statistics = await openStatistics(core, input, request);
    if (statistics.kind === 'table') yield* statistics.tables();
    else yield* tablesOfGrid(core, statistics);
  } finally {
    await input.close();
  }
}

/**
 * Computes the same statistics on the grid of a file of arrays, or on the one that the places of a table form, and
 * calls `write` with them: they can be read until it ends. `progress` is called with the share of a grid's blocks.
 */
export async function writeCubeOfInput(
  core: Core,
  file: string | InputFile,
  request: InputRequest,
  report: Report,
  write: (results: ResultCube) => Promise<void>,
  progress: (share: number) => void = () => {},
): Promise<void> {
  const input = await openFor(file, request, report);
  try {
    const statistics = await openStatistics(core, input, { ...request, keepsGrid: true });
    if (statistics.kind === 'table') await write(resultCube(joinTables(await allTables(statistics.tables()))));
    else await writeGrid(core, statistics, write, progress);
  } finally {
    await input.close();
  }
}

async function writeGrid(
  core: Core,
  statistics: GridStatistics,
  write: (results: ResultCube) => Promise<void>,
  progress: (share: number) => void,
): Promise<void> {
  const { results, close } = await openResults(core, statistics, progress);
  try {
    await write(statistics.onGrid(results));
  } finally {
    close();
  }
}

function openFor(file: string | InputFile, request: InputRequest, report: Report): Promise<Input> {
  return openInput(file, request.values, report, {
    // With a climatology, tables may be read twice.
    once: request.climatology === undefined,
    threads: request.threads,
    selection: selectArrays([{ ...request.statistics, ...request.values }]),
  });
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
  // Loaded when arrays are met: tables are computed sooner without it.
  if (input.kind === 'arrays') return (await import('./grid-statistics.js')).openGridStatistics(core, input, request);
  if (request.native !== true) return new TableStatistics(core, input, request);
  throw new OptionError({
    ...{ subject: `${input.source}, granularity`, problem: 'tables hold daily values', received: 'native' },
    allowed: 'daily, weekly or monthly; native for files of arrays',
  });
}

async function* tablesOfGrid(core: Core, statistics: GridStatistics): AsyncGenerator<Table> {
  const { results, close } = await openResults(core, statistics);
  try {
    yield* statistics.tables(results);
  } finally {
    close();
  }
}

/** Computes all results of a grid. Large ones are in a temporary file without a name until they are closed. */
async function openResults(
  core: Core,
  statistics: GridStatistics,
  progress: (share: number) => void = () => {},
): Promise<OpenResults> {
  const path = temporaryPath(tmpdir(), 'plumecast');
  return computeResults(statistics, { core, bytes: GRID_BYTES, results: path, progress }, 'unnamed');
}
