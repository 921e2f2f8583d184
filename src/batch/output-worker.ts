import type { Table } from 'apache-arrow';
import type { Climatology } from '../climate/climatology.js';
import { type Core, loadCore } from '../core/load.js';
import type { ResultCube } from '../files/cf/content/result-cube.js';
import { statisticsNetcdf } from '../files/cf/content/statistics-netcdf.js';
import { resultCube } from '../files/cf/content/table-results.js';
import type { TableFormat } from '../files/encode-options.js';
import { encodeTables } from '../files/encode-tables.js';
import { writeNetcdf4 } from '../files/netcdf4/write-netcdf4.node.js';
import { allTables } from '../table/all-tables.js';
import { joinTables } from '../table/join-tables.js';
import { tablesInSeries } from '../table/tables-in-series.js';
import { readClimatologies } from './climatologies.js';
import { JoinedMembers } from './joined-members.js';
import { JoinedPlaces } from './joined-places.js';
import { openPart, type PartInput } from './open-part.js';
import { netcdfDeflate, tableCompression } from './output-format.js';
import type { OutputPart } from './plan-outputs.js';
import {
  blocksOf,
  computeBlocks,
  computeResults,
  type GridWork,
  type OpenResults,
  resultsInFile,
} from './run/compute-grid.js';
import type { GridStatistics } from './run/grid-statistics.js';
import type { Notice } from './run/notice.js';
import type { BlocksTask, OutputTask, Reply, Task, WorkerSettings } from './task.js';
import { writeBlocks } from './write-blocks.js';

/** Below so many blocks a grid is not divided among threads. */
const MIN_BLOCKS = 4;

/** What a thread of a batch does. */
export class OutputWorker {
  readonly #settings: WorkerSettings;
  readonly #report: (reply: Reply) => void;
  #core: Promise<Core> | undefined;
  #climatologies: Promise<Climatology[]> | undefined;
  /** The input that is open: most often the next task is of it, too. */
  #last: { readonly key: string; readonly input: PartInput } | undefined;

  constructor(settings: WorkerSettings, report: (reply: Reply) => void) {
    this.#settings = settings;
    this.#report = report;
  }

  /** Throws what reading, computing and writing throw. */
  async perform(task: Task): Promise<Reply> {
    this.#core ??= loadCore();
    const core = await this.#core;
    return task.kind === 'blocks' ? this.#blocks(core, task) : this.#output(core, task);
  }

  async #blocks(core: Core, { part, results, from, to }: BlocksTask): Promise<Reply> {
    const input = await this.#open(core, part);
    if (input.kind === 'grid') await computeBlocks(input.statistics, this.#work(core, part, results), from, to);
    return { kind: 'done', rows: 0 };
  }

  async #output(core: Core, task: OutputTask): Promise<Reply> {
    const blocks = task.share ? await this.#blocksOf(core, task.parts) : 0;
    if (blocks >= MIN_BLOCKS) return { kind: 'divided', blocks };
    const { parts } = task;
    if (this.#settings.plan.format !== 'netcdf') return { kind: 'done', rows: await this.#writeTables(core, task) };
    await this.#writeNetcdf(core, task, await this.#open(core, parts[0]));
    return { kind: 'done', rows: 0 };
  }

  /** Returns the number of rows written. */
  async #writeTables(core: Core, task: OutputTask): Promise<number> {
    let rows = 0;
    const counted = async function* (tables: AsyncIterable<Table>) {
      for await (const table of tables) {
        rows += table.numRows;
        yield table;
      }
    };
    const { format, compression } = this.#settings.plan;
    const tables = this.#tables(core, task);
    const series = task.parts.length > 1 ? tablesInSeries(tables, sharedMetadata(task.parts)) : tables;
    const options = { compression: tableCompression(format as TableFormat, compression) };
    await writeBlocks(task.temporary, encodeTables(counted(series), format as TableFormat, options));
    return rows;
  }

  /** A grid keeps its own; rows of a table find one where they make it up. */
  async #writeNetcdf(core: Core, task: OutputTask, input: PartInput): Promise<void> {
    const deflate = netcdfDeflate(this.#settings.plan.compression);
    const write = (results: ResultCube) => writeNetcdf4(task.temporary, statisticsNetcdf(results), { deflate });
    if (input.kind === 'table') return write(resultCube(joinTables(await allTables(input.tables()))));
    const { statistics } = input;
    const work = this.#work(core, task.parts[0], task.results);
    const { results, close } = await this.#results(statistics, work, task.computed);
    try {
      await write(statistics.onGrid(results));
    } finally {
      close();
    }
  }

  #results(statistics: GridStatistics, work: GridWork, computed: boolean): OpenResults | Promise<OpenResults> {
    return computed ? resultsInFile(statistics, work) : computeResults(statistics, work);
  }

  /** The number of blocks that a single grid is computed in; 0 for all else. */
  async #blocksOf(core: Core, parts: readonly OutputPart[]): Promise<number> {
    if (parts.length > 1) return 0;
    const input = await this.#open(core, parts[0]);
    return input.kind === 'grid' ? blocksOf(input.statistics, this.#settings).length : 0;
  }

  /** The tables of all parts, one after the other. */
  async *#tables(core: Core, task: OutputTask): AsyncGenerator<Table> {
    const places = task.parts.length > 1 ? new JoinedPlaces() : undefined;
    const members = new JoinedMembers();
    for (const part of task.parts) {
      const input = await this.#open(core, part, (count) => members.add(part.input, count));
      const tables = input.kind === 'table' ? input.tables() : this.#tablesOfGrid(core, task, part, input.statistics);
      for await (const table of tables) {
        places?.add(table, part.input, `${part.variable} ${part.granularity}`);
        yield table;
      }
    }
  }

  async *#tablesOfGrid(
    core: Core,
    { computed, results: path }: OutputTask,
    part: OutputPart,
    statistics: GridStatistics,
  ): AsyncGenerator<Table> {
    const work = this.#work(core, part, path);
    const { results, close } = await this.#results(statistics, work, computed);
    try {
      yield* statistics.tables(results);
    } finally {
      close();
    }
  }

  /** The input of a part; `seen` is told the number of its members. It stays open until that of another is asked for. */
  async #open(core: Core, part: OutputPart, seen?: (members: number) => void): Promise<PartInput> {
    const key = JSON.stringify(part);
    if (this.#last?.key === key) return this.#last.input;
    await this.#close();
    const { plan } = this.#settings;
    this.#climatologies ??= readClimatologies(plan.climatologies, plan.values.calendar);
    const report = (notice: Notice) => this.#report({ kind: 'remark', notice });
    const input = await openPart(core, plan, part, await this.#climatologies, report, seen);
    this.#last = { key, input };
    return input;
  }

  async #close(): Promise<void> {
    const last = this.#last;
    this.#last = undefined;
    await last?.input.close();
  }

  #work(core: Core, part: OutputPart, results: string): GridWork {
    const progress = (share: number) => this.#report({ kind: 'progress', source: part.input, share });
    return { core, bytes: this.#settings.bytes, results, progress };
  }
}

/** What the metadata of a file can say that is of several parts. */
function sharedMetadata(parts: readonly OutputPart[]): string[] {
  const isOne = (of: (part: OutputPart) => unknown) => new Set(parts.map(of)).size === 1;
  return [
    ...(isOne(({ granularity }) => granularity) ? ['granularity'] : []),
    ...(isOne(({ variable }) => variable) ? ['variable', 'units', 'window'] : []),
  ];
}
