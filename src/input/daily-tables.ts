import type { Table } from 'apache-arrow';
import type { Amounts } from '../ensemble/accumulation.js';
import type { ColumnRoles } from '../table/columns/column-roles.js';
import type { DailyTableOptions } from '../table/daily/daily-options.js';
import { DayMaker } from '../table/daily/day-maker.js';
import { TableCollector } from './table-collector.js';

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
