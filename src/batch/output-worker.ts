import { open, rename } from 'node:fs/promises';
import { join } from 'node:path';
import type { Table } from 'apache-arrow';
import type { Climatology } from '../climate/climatology.js';
import { type Core, loadCore } from '../core/load.js';
import { unwritable } from '../disk/file-fault.js';
import { FileWriter } from '../disk/file-writer.node.js';
import { DataError } from '../errors.js';
import type { ResultCube } from '../files/cf/content/result-cube.js';
import { statisticsNetcdf } from '../files/cf/content/statistics-netcdf.js';
import { resultCube } from '../files/cf/content/table-results.js';
import { chooseCompression, encodeTables } from '../files/encode-tables.js';
import type { Compression } from '../files/format.js';
import type { TableFormat } from '../files/formats.js';
import type { NetcdfContent } from '../files/netcdf4/netcdf-content.js';
import { writeNetcdf4 } from '../files/netcdf4/write-netcdf4.node.js';
import { keyColumns, withoutColumns } from '../files/partition-rows.js';
import {
  computeBlocks,
  computeResults,
  type GridSibling,
  type GridWork,
  isFasterAlone,
  type OpenResults,
  openComputedPieces,
  openResultsFile,
  planBlocks,
} from '../input/compute-grid.js';
import { divideGrid } from '../input/grid-pieces.js';
import type { GridStatistics } from '../input/grid-statistics.js';
import { holdsArrays } from '../input/input.js';
import type { Notice } from '../input/notice.js';
import { ValueCheck } from '../input/value-check.js';
import { allTables, joinTables, tablesInSeries } from '../table/build/join-tables.js';
import { isVerifying, type VerifyingPlan } from './check-plan.js';
import { readClimatologies } from './climatologies.js';
import { JoinedMembers, JoinedPlaces } from './joined-inputs.js';
import { computeTogether } from './joint-outputs.js';
import { batchInput, type OpenPart, openPart } from './open-output-part.js';
import {
  endingOf,
  isArrayFormat,
  netcdfDeflate,
  type OutputCompression,
  tableCompression,
  zarrCompression,
} from './output-format.js';
import { namedSteps } from './output-name.js';
import type { OutputPart } from './plan-outputs.js';
import type { BlocksTask, DivideTask, OutputTask, Reply, Task, WorkerSettings } from './task.js';

/** A grid with fewer blocks is not divided among threads. */
const MIN_BLOCKS = 4;

/** Performs the tasks of a batch in one thread. */
export class OutputWorker {
  readonly #settings: WorkerSettings;
  readonly #report: (reply: Reply) => void;
  #core: Promise<Core> | undefined;
  #climatologies: Promise<Climatology[]> | undefined;
  /** The most bytes of values that this task may hold. */
  #bytes: number;
  /** The open inputs by their parts: most often the next task needs them too. */
  readonly #parts = new Map<string, OpenPart>();

  constructor(settings: WorkerSettings, report: (reply: Reply) => void) {
    this.#settings = settings;
    this.#bytes = settings.bytes;
    this.#report = report;
  }

  /** Throws what reading, computing and writing throw. */
  async perform(task: Task): Promise<Reply> {
    this.#core ??= loadCore();
    const core = await this.#core;
    this.#bytes = this.#settings.bytes;
    const { plan } = this.#settings;
    if (isVerifying(plan)) return this.#verify(core, plan, task);
    if (task.kind === 'divide') return this.#divide(core, task);
    if (task.kind === 'open') {
      const { input, files: [file] = [input] } = task.part;
      if (await holdsArrays(file)) await this.#open(core, task.part);
      return { kind: 'done', rows: 0 };
    }
    return task.kind === 'blocks' ? this.#blocks(core, task) : this.#output(core, task);
  }

  /** Verifies the inputs of an output as a whole: nothing of it is divided. */
  async #verify(core: Core, plan: VerifyingPlan, task: Task): Promise<Reply> {
    if (task.kind === 'divide') return { kind: 'pieces', pieces: [] };
    if (task.kind !== 'output') return { kind: 'done', rows: 0 };
    const report = (notice: Notice) => this.#report({ kind: 'notice', notice });
    const parts = task.parts.map((part) => ({ ...part, open: async () => batchInput(plan, part) }));
    // Loaded by batches that verify alone.
    const { verifyParts } = await import('./verify-output.js');
    const result = await verifyParts(core, plan, parts, report);
    if ('state' in result) {
      await writeBlocks(task.temporary, once(new TextEncoder().encode(result.state)));
      return { kind: 'done', rows: 1 };
    }
    const format = plan.format as TableFormat;
    const compression = tableCompression(format, plan.compression);
    await writeBlocks(task.temporary, encodeTables([result.table], format, { compression }));
    return { kind: 'done', rows: result.table.numRows };
  }

  async #divide(core: Core, { part, pieces }: DivideTask): Promise<Reply> {
    const statistics = await this.#open(core, part);
    return { kind: 'pieces', pieces: statistics.kind === 'arrays' ? divideGrid(statistics, pieces) : [] };
  }

  async #blocks(core: Core, { part, results, from, to, pieces, siblings = [] }: BlocksTask): Promise<Reply> {
    const [statistics, ...others] = await this.#openAll(core, [part, ...siblings.map((sibling) => sibling.part)]);
    const grids = others.flatMap((other, index): GridSibling[] =>
      other.kind === 'arrays' ? [{ statistics: other, results: siblings[index].results }] : [],
    );
    const work = { ...this.#work(core, part, results), pieces, siblings: grids };
    if (statistics.kind === 'arrays') await computeBlocks(statistics, work, from, to);
    return { kind: 'done', rows: 0 };
  }

  async #output(core: Core, task: OutputTask): Promise<Reply> {
    const joint = task.siblings === undefined ? undefined : await this.#withSiblings(core, task);
    if (joint !== undefined) return joint;
    const blocks = task.share === false ? 0 : await this.#countBlocks(core, task);
    if (blocks >= MIN_BLOCKS) return { kind: 'divided', blocks };
    if (task.pieces !== undefined) return this.#writePieces(core, task);
    const { parts } = task;
    if (!isArrayFormat(this.#settings.plan.format)) return { kind: 'done', rows: await this.#writeTables(core, task) };
    await this.#writeArrays(core, task, await this.#open(core, parts[0]));
    return { kind: 'done', rows: 0 };
  }

  /** Computes an output together with siblings; undefined, and says so, where it is to be computed apart from them. */
  async #withSiblings(core: Core, task: OutputTask): Promise<Reply | undefined> {
    const { parts, results, siblings = [] } = task;
    const apart = (indices: readonly number[]) => this.#report({ kind: 'apart', siblings: indices });
    const own = await this.#open(core, parts[0]);
    if (own.kind === 'table') {
      apart([...siblings.keys()]);
      return undefined;
    }
    const others: (GridStatistics | undefined)[] = [];
    for (const { part } of siblings) {
      // What fails is reported when the sibling is computed by itself.
      const other = await this.#openMore(core, part).catch(() => undefined);
      others.push(other?.kind === 'arrays' && own.hasValuesOf(other) ? other : undefined);
    }
    const limits = { bytesAlone: this.#settings.bytesAlone, minBlocks: MIN_BLOCKS };
    return computeTogether({ own, siblings: others }, task, this.#work(core, parts[0], results), limits, apart);
  }

  /** Writes the results of some pieces of a grid as they are in memory. */
  async #writePieces(core: Core, { parts: [part], pieces, results, temporary, computed }: OutputTask): Promise<Reply> {
    const statistics = await this.#open(core, part);
    if (statistics.kind === 'table') {
      const allowed = 'a file that does not change before all shards have ended';
      throw new DataError({ source: part.input, problem: 'was a grid before, and is none any more', allowed });
    }
    if (!computed) await computeBlocks(statistics, { ...this.#work(core, part, results), pieces });
    try {
      await syncFile(results);
      await rename(results, temporary);
    } catch (cause) {
      throw unwritable(temporary, cause);
    }
    return { kind: 'done', rows: 0 };
  }

  /** Returns the number of rows written. */
  async #writeTables(core: Core, task: OutputTask): Promise<number> {
    let rows = 0;
    const counted = async function* (tables: AsyncIterable<Table>) {
      for await (const table of tables) {
        rows += table.numRows;
        yield withoutColumns(table, keys);
      }
    };
    const { format: given, compression, name } = this.#settings.plan;
    const format = given as TableFormat;
    const keys = keyColumns(name);
    const tables = new ValueCheck(nameOfParts(task)).tables(this.#tables(core, task));
    const series = task.parts.length > 1 ? tablesInSeries(tables, sharedMetadata(task.parts)) : tables;
    const options = { compression: tableCompression(format, compression) };
    const { files } = namedSteps(name);
    if (files === undefined) await writeBlocks(task.temporary, encodeTables(counted(series), format, options));
    else await writeYears(task.temporary, `${files}${endingOf(format)}`, counted(series), { format, ...options });
    return rows;
  }

  /** Gridded results are written on their grid; rows of a table on the grid that their places form. */
  async #writeArrays(core: Core, task: OutputTask, statistics: OpenPart['statistics']): Promise<void> {
    const { format, compression } = this.#settings.plan;
    const write = async (results: ResultCube) => {
      const check = new ValueCheck(nameOfParts(task));
      const content = statisticsNetcdf(check.cube(results));
      if (format === 'netcdf') await writeNetcdf4(task.temporary, content, { deflate: netcdfDeflate(compression) });
      else await writeStore(task.temporary, content, compression);
      check.end();
    };
    if (statistics.kind === 'table') return write(resultCube(joinTables(await allTables(statistics.tables()))));
    const work = this.#work(core, task.parts[0], task.results);
    const { results, close } = await this.#results(statistics, work, task);
    try {
      await write(statistics.onGrid(results));
    } finally {
      close();
    }
  }

  #results(
    statistics: GridStatistics,
    work: GridWork,
    { computed, computedPieces }: OutputTask,
  ): OpenResults | Promise<OpenResults> {
    if (computedPieces !== undefined) return openComputedPieces(statistics, work, computedPieces);
    return computed ? openResultsFile(statistics, work) : computeResults(statistics, work);
  }

  /**
   * The number of blocks of a single grid; 0 for anything else, and where this thread should compute all of them: in the
   * memory of all threads, as with less each stored chunk would be decoded for several blocks.
   */
  async #countBlocks(core: Core, { parts, pieces, share }: OutputTask): Promise<number> {
    if (parts.length > 1) return 0;
    const statistics = await this.#open(core, parts[0]);
    if (statistics.kind !== 'arrays') return 0;
    const blocks = planBlocks(statistics, { bytes: this.#bytes, pieces });
    const { bytesAlone } = this.#settings;
    if (share !== 'alone' || !isFasterAlone(statistics, blocks, { bytes: bytesAlone, pieces })) return blocks.length;
    this.#bytes = bytesAlone;
    return 0;
  }

  /** The tables of all parts, one after the other. */
  async *#tables(core: Core, task: OutputTask): AsyncGenerator<Table> {
    const places = task.parts.length > 1 ? new JoinedPlaces() : undefined;
    const members = new JoinedMembers();
    for (const part of task.parts) {
      const statistics = await this.#open(core, part);
      const tables =
        statistics.kind === 'table' ? statistics.tables() : this.#tablesOfGrid(core, task, part, statistics);
      for await (const table of tables) {
        if (statistics.members !== undefined) members.add(part.input, statistics.members);
        places?.add(table, part.input, `${part.variable} ${part.granularity}`);
        yield table;
      }
    }
  }

  async *#tablesOfGrid(
    core: Core,
    task: OutputTask,
    part: OutputPart,
    statistics: GridStatistics,
  ): AsyncGenerator<Table> {
    const work = this.#work(core, part, task.results);
    const { results, close } = await this.#results(statistics, work, task);
    try {
      yield* statistics.tables(results);
    } finally {
      close();
    }
  }

  /** Opens the input of a part, which stays open until others are opened. */
  async #open(core: Core, part: OutputPart): Promise<OpenPart['statistics']> {
    const [statistics] = await this.#openAll(core, [part]);
    return statistics;
  }

  async #openAll(core: Core, parts: readonly OutputPart[]): Promise<OpenPart['statistics'][]> {
    const keys = new Set(parts.map((part) => JSON.stringify(part)));
    for (const [key, open] of this.#parts) {
      if (keys.has(key)) continue;
      this.#parts.delete(key);
      await open.close();
    }
    const opened: OpenPart['statistics'][] = [];
    for (const part of parts) opened.push(await this.#openMore(core, part));
    return opened;
  }

  /** Opens the input of a part beside those that are open. */
  async #openMore(core: Core, part: OutputPart): Promise<OpenPart['statistics']> {
    const key = JSON.stringify(part);
    const known = this.#parts.get(key);
    if (known !== undefined) return known.statistics;
    const { plan } = this.#settings;
    this.#climatologies ??= readClimatologies(plan.climatologies, plan.values.calendar);
    const report = (notice: Notice) => this.#report({ kind: 'notice', notice });
    const tools = { climatologies: await this.#climatologies, report, bytes: this.#bytes };
    const open = await openPart(core, plan, part, tools);
    this.#parts.set(key, open);
    return open.statistics;
  }

  #work(core: Core, part: OutputPart, results: string): GridWork {
    const progress = (share: number) => this.#report({ kind: 'progress', source: part.input, share });
    return { core, bytes: this.#bytes, results, progress };
  }
}

/** The metadata that several parts in one file have in common. */
function sharedMetadata(parts: readonly OutputPart[]): string[] {
  const isShared = (value: (part: OutputPart) => unknown) => new Set(parts.map(value)).size === 1;
  return [
    ...(isShared(({ granularity }) => granularity) ? ['granularity'] : []),
    ...(isShared(({ variable }) => variable) ? ['variable', 'units', 'window'] : []),
  ];
}

/** Writes a Zarr store; its writer is loaded for it alone. */
async function writeStore(path: string, content: NetcdfContent, compression?: OutputCompression): Promise<void> {
  const { writeZarr3 } = await import('../files/zarr/write-zarr3.node.js');
  await writeZarr3(path, content, { compression: zarrCompression(compression) });
}

async function* once(block: Uint8Array): AsyncGenerator<Uint8Array> {
  yield block;
}

/** Writes a folder with a file for each year; its writer is loaded for it alone. */
async function writeYears(
  folder: string,
  template: string,
  tables: AsyncIterable<Table>,
  { format, compression }: { readonly format: TableFormat; readonly compression?: Compression },
): Promise<void> {
  const { PartitionFiles } = await import('../files/partition-files.node.js');
  const pathOf = (name: string) => join(folder, name);
  const files = new PartitionFiles(template, {
    ...{ format, pathOf },
    compression: chooseCompression(format, { compression }),
  });
  for await (const table of tables) await files.add(table);
  await files.end();
}

/** Waits until a file is on the disk. */
async function syncFile(path: string): Promise<void> {
  const file = await open(path, 'r+');
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}

/**
 * Writes blocks of bytes to a new file, and waits until it is on the disk. Throws FileError, and what `blocks` throws.
 */
async function writeBlocks(path: string, blocks: AsyncIterable<Uint8Array>): Promise<void> {
  const file = await open(path, 'wx').catch((cause) => {
    throw unwritable(path, cause);
  });
  const fail = (cause: unknown) => {
    throw unwritable(path, cause);
  };
  const writer = new FileWriter(file);
  try {
    for await (const block of blocks) await writer.write(block).catch(fail);
    await writer.end().catch(fail);
    // Without this a power failure may leave the name of a file on the disk, but not its bytes.
    await file.sync().catch(fail);
  } finally {
    // An error of `blocks` is more important than one of closing the file.
    await writer.end().catch(() => {});
    await file.close();
  }
}

/** The inputs of an output, for messages. */
function nameOfParts({ parts: [{ input }, ...others] }: OutputTask): string {
  return others.length === 0 ? input : `${input} and ${others.length} more`;
}
