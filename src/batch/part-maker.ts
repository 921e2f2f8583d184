import type { Table } from 'apache-arrow';
import { tablesInSeries } from '../arrow/tables-in-series.js';
import { type Core, loadCore } from '../core/load.js';
import { encodeTables, type TableFormat } from '../formats/encode-tables.js';
import type { GridStatistics } from '../stream/grid-statistics.js';
import { blocksOf, computeBlocks, computeResults, type GridWork, resultsInFile } from './compute-grid.js';
import { JoinedPlaces } from './joined-places.js';
import { openPart, type PartInput } from './open-part.js';
import type { OutputPart } from './plan-outputs.js';
import type { BlocksTask, OutputTask, Reply, Task, WorkerSettings } from './task.js';
import { writeBlocks } from './write-blocks.js';

/** Below so many blocks a grid is not divided among threads. */
const FEWEST_BLOCKS = 4;

/** What a thread of a batch does. */
export class PartMaker {
  readonly #settings: WorkerSettings;
  readonly #tell: (reply: Reply) => void;
  #core: Promise<Core> | undefined;

  constructor(settings: WorkerSettings, tell: (reply: Reply) => void) {
    this.#settings = settings;
    this.#tell = tell;
  }

  /** Throws what reading, computing and writing throw. */
  async perform(task: Task): Promise<Reply> {
    this.#core ??= loadCore();
    const core = await this.#core;
    return task.kind === 'blocks' ? this.#blocks(core, task) : this.#output(core, task);
  }

  #blocks(core: Core, { part, results, from, to }: BlocksTask): Promise<Reply> {
    return this.#opened(core, part, async (input) => {
      if (input.kind === 'grid') await computeBlocks(input.statistics, this.#work(core, part, results), from, to);
      return { kind: 'done', rows: 0 };
    });
  }

  async #output(core: Core, task: OutputTask): Promise<Reply> {
    const blocks = task.share ? await this.#blocksOf(core, task.parts) : 0;
    if (blocks >= FEWEST_BLOCKS) return { kind: 'divided', blocks };
    let rows = 0;
    const counted = async function* (tables: AsyncIterable<Table>) {
      for await (const table of tables) {
        rows += table.numRows;
        yield table;
      }
    };
    const { format } = this.#settings.plan;
    const tables = this.#tables(core, task);
    const series = task.parts.length > 1 ? tablesInSeries(tables, sharedMetadata(task.parts)) : tables;
    await writeBlocks(task.temporary, encodeTables(counted(series), format as TableFormat));
    return { kind: 'done', rows };
  }

  /** The number of blocks that a single grid is computed in; 0 for all else. */
  async #blocksOf(core: Core, parts: readonly OutputPart[]): Promise<number> {
    if (parts.length > 1) return 0;
    return this.#opened(core, parts[0], async (input) => {
      return input.kind === 'grid' ? blocksOf(input.statistics, this.#settings).length : 0;
    });
  }

  /** The tables of all parts, one after the other. */
  async *#tables(core: Core, task: OutputTask): AsyncGenerator<Table> {
    const places = task.parts.length > 1 ? new JoinedPlaces() : undefined;
    for (const part of task.parts) {
      const input = await this.#open(core, part);
      let rows = 0;
      try {
        const tables = input.kind === 'table' ? input.tables() : this.#tablesOfGrid(core, task, part, input.statistics);
        for await (const table of tables) {
          places?.add(table, part.input, `${part.variable} ${part.granularity}`);
          rows += table.numRows;
          yield table;
        }
        if (rows === 0)
          this.#tell({ kind: 'note', source: part.input, text: `has no complete ${part.granularity} window` });
      } finally {
        await input.close();
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
    const { results, close } = computed ? resultsInFile(statistics, work) : await computeResults(statistics, work);
    try {
      yield* statistics.tables(results);
    } finally {
      close();
    }
  }

  async #opened<T>(core: Core, part: OutputPart, use: (input: PartInput) => Promise<T>): Promise<T> {
    const input = await this.#open(core, part);
    try {
      return await use(input);
    } finally {
      await input.close();
    }
  }

  async #open(core: Core, part: OutputPart): Promise<PartInput> {
    const input = await openPart(core, this.#settings.plan, part);
    for (const text of input.notes) this.#tell({ kind: 'note', source: part.input, text });
    return input;
  }

  #work(core: Core, part: OutputPart, results: string): GridWork {
    const progress = (share: number) => this.#tell({ kind: 'progress', source: part.input, share });
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
