import type { Table } from 'apache-arrow';
import type { Amounts } from '../../ensemble/accumulation.js';
import { DataError, isPlumecastError } from '../../errors.js';
import { columnOf } from '../../table/arrow/table-column.js';
import { type ColumnRoles, columnRoles } from '../../table/columns/column-roles.js';
import { tableCalendar } from '../../table/columns/table-calendar.js';
import { assertSameSteps, type CombinedColumns, combinedColumns } from '../../table/daily/combined-columns.js';
import { convertedTable } from '../../table/daily/converted-table.js';
import type { DailyTableOptions } from '../../table/daily/daily-options.js';
import { columnsLeft, noWholeDay } from '../../table/daily/daily-table.js';
import { datedTable } from '../../table/daily/dated-table.js';
import { combineSteps, type DaysOfSteps } from '../../table/daily/days-of-steps.js';
import { growingDays } from '../../table/daily/growing-days.js';
import { MissingValues } from '../../table/daily/missing-values.js';
import { StepAmounts } from '../../table/daily/step-amounts.js';
import { type StepTable, stepTable } from '../../table/daily/step-table.js';
import { selectModels } from '../../table/daily/table-of-model.js';
import { timeColumn } from '../../table/daily/time-column.js';
import { shiftRow } from '../../table/rows/row-reader.js';
import { unitsAgree } from '../../variable/units-agree.js';
import { followedBy } from './followed-by.js';
import { isByLocation, lastLocation } from './step-locations.js';
import { TableCollector } from './table-collector.js';

/** Why time steps are collected. */
const SEVERAL_A_DAY = 'several times a day';

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

/** What tables have shown so far. */
type Findings = { -readonly [Key in 'notes' | 'accumulation']: DailyTables[Key] };

/** Receives what the first tables show. */
type ReportFindings = (notes: readonly string[], accumulation?: Amounts['kind']) => void;

/** What the functions below share. */
interface Context {
  /** Whether tables are views of memory that is reused for the next table. */
  readonly areViews: boolean;
  readonly report: ReportFindings;
}

/** Tables, and the given names of columns that still apply. */
type TablesWithColumns = Pick<DailyTables, 'tables' | 'columns'>;

/**
 * Turns tables of one schema, one after the other, into tables of daily values in the unit of their variable: together
 * they have the rows that `dailyTable` gives for all. The first table decides whether values are of time steps, and in
 * which units. Daily values in the variable's unit are passed on as they come; daily values in another unit are
 * converted table by table.
 *
 * Time steps by location, with a column for each member or lists, are converted location by location, unless `sort`
 * says that they may be in any order. Others, and the steps of a single location, have to be collected first, up to
 * 1 GiB. Daily values keep their order. Throws as `dailyTable` does, with rows counted
 * over the stream, and DataError for units that change between tables. With `areViews`, tables are views of memory that
 * is reused for the next one.
 */
export async function dailyTables(
  tables: AsyncIterable<Table>,
  options: DailyTableOptions,
  { areViews }: { readonly areViews: boolean },
): Promise<DailyTables> {
  const findings: Findings = { notes: [], accumulation: undefined };
  const report: ReportFindings = (notes, accumulation) => Object.assign(findings, { notes, accumulation });
  return Object.assign(findings, await openDays(tables, options, { areViews, report }));
}

async function openDays(
  tables: AsyncIterable<Table>,
  options: DailyTableOptions,
  context: Context,
): Promise<TablesWithColumns> {
  const given: AsyncIterator<Table> = selectModels(tables, options)[Symbol.asyncIterator]();
  try {
    const { value: head, done } = await given.next();
    if (done) return { tables: followedBy(undefined, given), columns: options.columns ?? {} };
    const { columns, notes } = datedTable(head, options.columns, options.source);
    return await tablesOfDays(datedTables(head, given, options), { ...options, columns }, context, { notes });
  } catch (error) {
    await given.return?.();
    throw error;
  }
}

/** The tables with readable dates, and without numbers that stand for missing values. */
async function* datedTables(
  head: Table,
  rest: AsyncIterator<Table>,
  options: DailyTableOptions,
): AsyncGenerator<Table> {
  let rowsBefore = 0;
  let values: MissingValues | undefined;
  const toDated = (table: Table) =>
    inRows(rowsBefore, () => {
      const { table: dated, columns } = datedTable(table, options.columns, options.source);
      values ??= new MissingValues({ ...options, columns });
      rowsBefore += table.numRows;
      return values.removed(dated);
    });
  try {
    yield toDated(head);
    for (let next = await rest.next(); !next.done; next = await rest.next()) yield toDated(next.value);
  } finally {
    await rest.return?.();
  }
}

/** What was done to the tables so far: to their dates, and columns that were combined. */
interface Preparation {
  readonly notes: readonly string[];
  readonly combined?: CombinedColumns;
}

/** Turns tables with readable dates into tables of daily values. */
async function tablesOfDays(
  tables: AsyncIterable<Table>,
  options: DailyTableOptions,
  context: Context,
  before: Preparation,
): Promise<TablesWithColumns> {
  const rest: AsyncIterator<Table> = tables[Symbol.asyncIterator]();
  try {
    const first = await firstTimes(rest, options, context.areViews);
    const asTheyCome = { tables: followedBy(first, rest), columns: options.columns ?? {} };
    if (first === undefined) return asTheyCome;
    const combined = combinedColumns(first, options);
    if (combined !== undefined) {
      return await tablesOfDays(combinedTables(asTheyCome.tables, options), combined.options, context, {
        notes: before.notes,
        combined,
      });
    }
    const plan = stepTable(first, options);
    if (plan === undefined) return asTheyCome;
    assertSameSteps(before.combined, plan, options.source);
    const combinedNotes = before.combined?.notes ?? [];
    const notes = [...plan.notes, ...before.notes];
    const growing = plan.times === undefined ? growingDays(first, plan, options) : undefined;
    const steps = plan.times === undefined ? growing?.plan : plan;
    if (steps === undefined && convertedTable(first, plan, options).table === first) {
      if (combinedNotes.length + notes.length > 0) context.report([...combinedNotes, ...notes]);
      return asTheyCome;
    }
    const withNotes: Context = {
      ...context,
      report: (conversions, accumulation) => context.report([...combinedNotes, ...conversions, ...notes], accumulation),
    };
    const daily =
      steps === undefined
        ? convertedTables(asTheyCome.tables, options, withNotes)
        : daysOfTables(asTheyCome.tables, growing?.options ?? options, withNotes, {
            areDays: growing !== undefined,
            byLocation: !options.sort && isByLocation(first, plan, options.source),
          });
    return { tables: daily, columns: columnsLeft(steps ?? plan, options) };
  } catch (error) {
    await rest.return?.();
    throw error;
  }
}

async function* combinedTables(tables: AsyncIterable<Table>, options: DailyTableOptions): AsyncGenerator<Table> {
  for await (const table of tables) yield combinedColumns(table, options)?.table ?? table;
}

/** The first table, or the first ones together until there are two different times; undefined if there are none. */
async function firstTimes(
  tables: AsyncIterator<Table>,
  options: DailyTableOptions,
  areViews: boolean,
): Promise<Table | undefined> {
  const { value: first, done } = await tables.next();
  if (done) return undefined;
  const time = onlyTime(first, options);
  if (time === undefined) return first;
  const collector = new TableCollector(options.source, areViews);
  collector.add(first, SEVERAL_A_DAY);
  for (let next = await tables.next(); !next.done; next = await tables.next()) {
    collector.add(next.value, SEVERAL_A_DAY);
    if (onlyTime(next.value, options) !== time) break;
  }
  return collector.table();
}

/** The time of all rows, from which the number of steps a day is not known; undefined if they have several times. */
function onlyTime(table: Table, options: DailyTableOptions): number | undefined {
  const { columns, source } = options;
  const { date } = columnRoles(table, columns, source);
  const calendar = tableCalendar(table, options);
  const times = date === undefined ? undefined : timeColumn(columnOf(table, date), date, source, calendar);
  return times?.every((time) => time === times[0]) ? times[0] : undefined;
}

async function* convertedTables(
  tables: AsyncIterable<Table>,
  options: DailyTableOptions,
  { report }: Context,
): AsyncGenerator<Table> {
  let units: string | undefined;
  let rowsBefore = 0;
  for await (const table of tables) {
    const converted = inRows(rowsBefore, () => {
      const plan = stepTable(table, options) as StepTable;
      if (units !== undefined && plan.units !== undefined && !unitsAgree(units, plan.units)) {
        throw new DataError({
          source: options.source,
          row: 1,
          column: plan.roles.units,
          problem: 'mixed units',
          received: plan.units,
          allowed: `${units}, as in the rows before`,
        });
      }
      units ??= plan.units;
      return convertedTable(table, plan, options);
    });
    if (rowsBefore === 0) report(converted.conversions, converted.accumulation);
    rowsBefore += table.numRows;
    yield converted.table;
  }
}

async function* daysOfTables(
  tables: AsyncIterable<Table>,
  options: DailyTableOptions,
  { areViews, report }: Context,
  { areDays, byLocation }: { readonly areDays: boolean; readonly byLocation: boolean },
): AsyncGenerator<Table> {
  let amounts: StepAmounts | undefined;
  let isReported = false;
  let undecided: DaysOfSteps | undefined;
  const reportOnce = ({ conversions, accumulation }: DaysOfSteps) => {
    if (!isReported) report(conversions, accumulation);
    isReported = true;
  };
  let rowsBefore = 0;
  let hasDays = false;
  function* daysOf(table: Table): Iterable<Table> {
    const daily = inRows(rowsBefore, () => {
      const plan = stepTable(table, options, !areDays) as StepTable;
      const { plan: steps, options: stepOptions } = growingDays(table, plan, options) ?? { plan, options };
      return combineSteps(table, steps, stepOptions, (amounts ??= new StepAmounts(stepOptions)));
    });
    // Dry places do not show what amounts count: the report waits for a wet one.
    if (daily.accumulation === 'either') undecided ??= daily;
    else reportOnce(daily);
    rowsBefore += table.numRows;
    if (daily.table.numRows === 0) return;
    hasDays = true;
    yield daily.table;
  }
  let collector = new TableCollector(options.source, areViews);
  for await (const table of tables) {
    collector.add(table, SEVERAL_A_DAY);
    const cut = byLocation ? inRows(rowsBefore, () => lastLocation(table, options)) : 0;
    if (cut === 0) continue;
    const collected = collector.table();
    yield* daysOf(collected.slice(0, collected.numRows - table.numRows + cut));
    collector = new TableCollector(options.source, areViews);
    collector.add(table.slice(cut), SEVERAL_A_DAY);
  }
  yield* daysOf(collector.table());
  if (undecided !== undefined) reportOnce(undecided);
  if (!hasDays) throw noWholeDay(options.source);
}

/** Runs `work`; in errors it throws, rows are counted from the first table on. */
function inRows<T>(rowsBefore: number, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw isPlumecastError(error, 'data') ? shiftRow(error, rowsBefore) : error;
  }
}
