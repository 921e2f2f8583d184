import { Table, tableToIPC } from 'apache-arrow';
import type { Core } from '../core/load.js';
import type { Amounts } from '../ensemble/accumulation.js';
import { DataError } from '../errors.js';
import { tableFromIpc } from '../files/arrow/arrow-read.js';
import type { ColumnRoles } from '../table/columns/column-role.js';
import type { DailyTableOptions } from '../table/daily/daily-options.js';
import { DayMaker } from '../table/daily/day-maker.js';
import type { TableInput } from './input.js';

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
  /** What is done to values, and the columns that are left out; empty until a table has shown it. */
  readonly notes: readonly string[];
  /** What amounts of steps count, as far as tables have shown it. */
  readonly accumulation: Amounts['kind'] | undefined;
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
    return {
      tables: isLast ? made(first) : daysOf(maker, first, given),
      columns,
      get notes() {
        return maker.notes;
      },
      get accumulation() {
        return maker.accumulation;
      },
    };
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
