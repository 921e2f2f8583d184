import { Table, tableToIPC } from 'apache-arrow';
import type { Core } from '../core/load.js';
import type { Ensemble } from '../ensemble/ensemble.js';
import { DataError, FileError, mentionOption } from '../errors.js';
import { tableFromIpc } from '../files/arrow/arrow-read.js';
import type { ColumnRoles } from '../table/columns/column-role.js';
import type { DailyTableOptions } from '../table/daily/daily-options.js';
import { DayMaker } from '../table/daily/day-maker.js';
import { sortedTable } from '../table/daily/sorted-table.js';
import type { BuildOptions, RowStores } from '../table/rows/added-rows.js';
import { EnsembleBuilder, findWay } from '../table/rows/ensemble-builder.js';
import { ensembleOf } from '../table/rows/read-ensemble.js';
import { type DayFault, type RowIndex, WrongDayError, wrongDay } from '../table/rows/row-index.js';
import { readHead, readRows } from '../table/rows/row-reader.js';
import type { TableInput } from './input.js';
import { readVariableTables } from './rows-of-variable.js';

/** Tables of fewer rows are read without kernels. */
const KERNELS_FROM = 16_384;

/**
 * An ensemble of some locations of a stream of tables, or of all. Its values are good until the next one is requested.
 */
export interface StreamedEnsemble {
  readonly ensemble: Ensemble;
  /** Whether it has all rows. */
  readonly isAll: boolean;
  /** Whether later rows may show that it counts for nothing, by a RowOrderError. */
  readonly isOrderAssumed: boolean;
  /** Whether rows that are sorted were in the order of their places, members and days. */
  readonly isInOrder: boolean;
  /** Whether members are in rows, not columns, which have an order of their own. */
  readonly isLong: boolean;
}

/** How the rows of tables are read. */
export interface StreamOptions {
  /** Makes what collects rows that have to be read together; without it they give nothing. */
  readonly collect?: (() => TableCollector) | undefined;
  /** How long tables, and rows in other orders, are read as they come; without it, they are read together. */
  readonly gathering?: Gathering | undefined;
}

/** How rows are gathered. */
interface Gathering {
  /** Opens what keeps rows; `needsLoops` says that loops over rows of long tables by location are long. */
  open(needsLoops: boolean): Promise<RowStores & { close(): void }>;
  /**
   * Whether rows of long tables are known not to be by location. Otherwise locations are given as they come if the
   * first rows allow it, and a RowOrderError says that rows are in another order: what was given before counts for
   * nothing.
   */
  readonly isUnordered: boolean;
  /** Reads the same tables once more, to describe a fault. */
  readonly again: () => AsyncIterable<Table>;
}

/**
 * Reads the rows of one variable of tables, which have one schema and at least two rows each, except for the last
 * table. Throws as `builtEnsembles` does, with rows counted over all tables.
 */
export function ensemblesOfTables(
  tables: AsyncIterable<Table>,
  options: BuildOptions,
  reading: StreamOptions = {},
): AsyncGenerator<StreamedEnsemble> {
  return readVariableTables(tables, options, (ofVariable) => builtEnsembles(ofVariable, options, reading));
}

/**
 * Reads the rows of tables: a location as soon as all its rows are there, if rows go by location; else rows are
 * gathered, if that is possible, or read together. Together the ensembles are what `ensembleOf` gives for all
 * tables, with `sort` for the table that `sortedTable` makes of them. A table is no longer needed when the next one is
 * requested. Throws RowOrderError where rows have to be read in another way.
 */
export async function* builtEnsembles(
  tables: AsyncIterable<Table>,
  options: BuildOptions,
  { collect, gathering }: StreamOptions,
): AsyncGenerator<StreamedEnsemble> {
  const rest: AsyncIterator<Table> = tables[Symbol.asyncIterator]();
  let stores: Awaited<ReturnType<Gathering['open']>> | undefined;
  try {
    const { value: first, done } = await rest.next();
    if (done) return;
    const rows = readRows(first, readHead(first, options), options.source);
    const isLong = rows.head.values.form === 'long';
    const mayGather = gathering !== undefined;
    const found = findWay(rows, options, { mayGather, isUnordered: gathering?.isUnordered });
    const all = followedBy(first, rest);
    if ('together' in found) {
      const otherwise =
        mayGather && !options.sort ? `; or ${mentionOption('sort', true)}, by which rows are sorted on disk` : '';
      if (collect === undefined) return;
      const collector = collect();
      for await (const table of all) collector.add(table, found.together, otherwise);
      return yield { ...readTogether(collector.table(), options), isLong };
    }
    stores = await gathering?.open(found.way === 'by-location' && first.numRows >= KERNELS_FROM);
    const builder = new EnsembleBuilder(found.way, options, stores);
    for await (const table of all) {
      const ensemble = builder.add(table);
      const { isOrderAssumed } = builder;
      if (ensemble !== undefined) yield { ensemble, isAll: false, isOrderAssumed, isInOrder: true, isLong };
    }
    for (const built of builder.end()) {
      yield { ...built, isOrderAssumed: builder.isOrderAssumed, isInOrder: builder.isInOrder, isLong };
    }
  } catch (error) {
    const isDescribed = !(error instanceof WrongDayError) || gathering === undefined;
    throw isDescribed ? error : await dayError(error.fault, gathering.again(), options);
  } finally {
    await rest.return?.();
    stores?.close();
  }
}

/** The ensemble of all rows of a table, which are sorted before if that is requested. */
function readTogether(table: Table, options: BuildOptions): Omit<StreamedEnsemble, 'isLong'> {
  const sorted = options.sort ? sortedTable(table, options) : { table, columns: options.columns, isChanged: false };
  const ensemble = ensembleOf(sorted.table, { ...options, columns: sorted.columns });
  return { ensemble, isAll: true, isOrderAssumed: false, isInOrder: !sorted.isChanged };
}

/** The error for two rows, which are read again with all that messages show of them. */
async function dayError(
  { before, row, member }: DayFault,
  tables: AsyncIterable<Table>,
  options: BuildOptions,
): Promise<DataError | FileError> {
  const found: FoundRow[] = [];
  let rowsBefore = 0;
  for await (const table of tables) {
    const here = [before, row].filter((number) => number >= rowsBefore && number < rowsBefore + table.numRows);
    if (here.length > 0) {
      const { index } = readRows(table, readHead(table, options), options.source);
      found.push(...here.map((number) => foundRow(index, number - rowsBefore)));
    }
    rowsBefore += table.numRows;
    if (found.length === 2) break;
  }
  if (found.length < 2) {
    const problem = 'was changed while it was read';
    const allowed = 'a file that stays as it is until it is read';
    return new FileError({ subject: options.source ?? 'table', problem, allowed });
  }
  const [{ index }] = found;
  const of = (coordinate: 'latitude' | 'longitude') =>
    index[coordinate] && Float64Array.from(found, (each) => each[coordinate]);
  const both = {
    ...index,
    days: Int32Array.from(found, ({ day }) => day),
    latitude: of('latitude'),
    longitude: of('longitude'),
    rowNumbers: [before + 1, row + 1],
    cell: (column: string, which: number) => found[which].cells.get(column),
  };
  return wrongDay(both, 1, 0, member);
}

/** A row with its cells. */
interface FoundRow {
  readonly index: RowIndex;
  readonly day: number;
  readonly latitude: number;
  readonly longitude: number;
  readonly cells: ReadonlyMap<string, unknown>;
}

function foundRow(index: RowIndex, row: number): FoundRow {
  const { days, latitude, longitude, table, cell } = index;
  const cells = new Map(table.schema.fields.map(({ name }) => [name, cell(name, row)]));
  const at = (coordinate: Float64Array | undefined) => coordinate?.[row] ?? Number.NaN;
  return { index, day: days[row], latitude: at(latitude), longitude: at(longitude), cells };
}

/** The first item, if there is one, and the rest, which is closed if the caller stops early. */
export async function* followedBy<T>(first: T | undefined, rest: AsyncIterator<T>): AsyncGenerator<T> {
  try {
    if (first === undefined) return;
    yield first;
    for (let next = await rest.next(); !next.done; next = await rest.next()) yield next.value;
  } finally {
    await rest.return?.();
  }
}

/** The maximum size of tables that have to be read together. */
const MAX_BYTES = 1_073_741_824;

/** Rows that have to be read together are too large. */
export class TooLargeError extends DataError {}

/** Collects tables whose rows have to be read together, up to 1 GiB. */
export class TableCollector {
  readonly #source: string | undefined;
  readonly #areViews: boolean | ((table: Table) => boolean);
  readonly #tables: Table[] = [];
  #bytes = 0;

  /** `areViews` says which tables are views of memory that is reused, so that they have to be copied. */
  constructor(source: string | undefined, areViews: boolean | ((table: Table) => boolean)) {
    this.#source = source;
    this.#areViews = areViews;
  }

  /**
   * Adds a table; `reason` says why tables are collected, and `otherwise` what else helps where they are too large, for
   * which it throws TooLargeError.
   */
  add(table: Table, reason: string, otherwise = ''): void {
    this.#bytes += table.batches.reduce((sum, { data }) => sum + data.byteLength, 0);
    if (this.#bytes > MAX_BYTES) {
      throw new TooLargeError({
        source: this.#source,
        problem: `is too large to be read at once, which it has to be: ${reason}`,
        received: `more than ${MAX_BYTES} bytes`,
        allowed: `at most that; or rows by location, all of a location together: a file with the same members everywhere, or a stream with a column for each member${otherwise}`,
      });
    }
    const isView = typeof this.#areViews === 'boolean' ? this.#areViews : this.#areViews(table);
    this.#tables.push(isView ? tableFromIpc(tableToIPC(table, 'stream')) : table);
  }

  /** All tables as one. */
  table(): Table {
    return new Table(this.#tables.flatMap(({ batches }) => batches));
  }
}

/**
 * Reads all rows of a table, of 1 GiB at most; `reason` says why they have to be read together. Throws as
 * `readTables` does, and DataError.
 */
export async function collectTable(core: Core, input: TableInput, reason: string): Promise<Table> {
  const collector = new TableCollector(input.source, input.areViews);
  for await (const table of input.tables(core)) collector.add(table, reason);
  return collector.table();
}

/** Tables of daily values. */
export interface DailyTables {
  readonly tables: AsyncIterable<Table>;
  /** The given names of columns that still apply. */
  readonly columns: ColumnRoles;
  /** What tables have shown so far. */
  readonly shown: Pick<DayMaker, 'notes' | 'warnings' | 'accumulation' | 'times'>;
}

/**
 * Turns tables of one schema, one after the other, into tables of daily values in the unit of their variable, as
 * `DayMaker` makes them: steps that have to be kept until all are there are at most 1 GiB. Throws as `dailyTable` does,
 * with rows counted over the stream, and DataError for units that change between tables. With `areViews`, tables are
 * views of memory that is reused for the next one.
 */
export async function dailyTables(
  tables: AsyncIterable<Table>,
  options: DailyTableOptions,
  { areViews }: { readonly areViews: boolean },
): Promise<DailyTables> {
  const maker = new DayMaker(options, () => new TableCollector(options.source, areViews));
  const given: AsyncIterator<Table> = tables[Symbol.asyncIterator]();
  let first: Iterable<Table> = [];
  try {
    let isLast = false;
    while (maker.columns === undefined && !isLast) {
      const next = await given.next();
      isLast = next.done === true;
      first = next.done ? [...maker.end()] : maker.add(next.value);
    }
    const { columns = options.columns ?? {} } = maker;
    return { tables: isLast ? made(first) : daysOf(maker, first, given), columns, shown: maker };
  } catch (error) {
    await given.return?.();
    throw error;
  }
}

async function* made(tables: Iterable<Table>): AsyncGenerator<Table> {
  yield* tables;
}

/** The days of the first tables and of the rest, which is closed if the caller stops early. */
async function* daysOf(maker: DayMaker, first: Iterable<Table>, rest: AsyncIterator<Table>): AsyncGenerator<Table> {
  try {
    yield* first;
    for (let next = await rest.next(); !next.done; next = await rest.next()) yield* maker.add(next.value);
    yield* maker.end();
  } finally {
    await rest.return?.();
  }
}
