import type { Table } from 'apache-arrow';
import type { Amounts } from '../../ensemble/accumulation.js';
import { PlaceRows } from '../../ensemble/place-rows.js';
import { DataError, isPlumecastError } from '../../errors.js';
import { type ColumnRoles, columnRoles } from '../../table/column-roles.js';
import { tableCoordinates } from '../../table/coordinates.js';
import { assertSameSteps, type CombinedColumns, combinedColumns } from '../../table/daily/combined-columns.js';
import { convertedTable } from '../../table/daily/converted-table.js';
import type { DailyTableOptions } from '../../table/daily/daily-options.js';
import { columnsLeft, dailyTable, noWholeDay } from '../../table/daily/daily-table.js';
import { datedTable } from '../../table/daily/dated-table.js';
import { combineSteps, type DaysOfSteps } from '../../table/daily/days-of-steps.js';
import { growingDays } from '../../table/daily/growing-days.js';
import { MissingValues } from '../../table/daily/missing-values.js';
import { StepAmounts } from '../../table/daily/step-amounts.js';
import { type StepTable, stepTable } from '../../table/daily/step-table.js';
import { selectModels } from '../../table/daily/table-of-model.js';
import { timeColumn } from '../../table/daily/time-column.js';
import { shiftRow } from '../../table/location-stream.js';
import { tableCalendar } from '../../table/table-calendar.js';
import { columnOf } from '../../table/table-column.js';
import { unitsAgree } from '../../variable/units-agree.js';
import { GatheredTables } from './gathered-tables.js';

/** What is done beside. */
export interface DailyTablesHooks {
  /** Whether tables are views of memory that is used again when the next is asked for. */
  readonly areViews: boolean;
  /** Told once what is done to values, which columns are left out, and what amounts of steps count. */
  readonly report: (conversions: readonly string[], accumulation?: Amounts['kind']) => void;
}

/** Tables of daily values. */
export interface DailyTables {
  readonly tables: AsyncIterable<Table>;
  /** Of the names of columns that were given, those that still hold. */
  readonly columns: ColumnRoles;
}

/**
 * Turns tables of one schema, one after the other, into those of daily values in the unit of their variable: together they have the
 * rows that `dailyTable` gives of all. The first table tells whether values are of time steps, and in which units. Where they are daily and in
 * the variable's unit, tables are passed on as they come; each by itself is converted where they are in another.
 *
 * Time steps by location, a column for each member or lists, are taken location by location; others have to be gathered first, up to
 * 1 GiB, as must be the steps of a single location. Throws as `dailyTable` does, rows counted over the stream, and a DataError for
 * units that change on the way.
 */
export async function dailyTables(
  tables: AsyncIterable<Table>,
  said: DailyTableOptions,
  hooks: DailyTablesHooks,
): Promise<DailyTables> {
  if (said.sort) return sortedTables(tables, said, hooks);
  const given: AsyncIterator<Table> = selectModels(tables, said)[Symbol.asyncIterator]();
  try {
    const { value: head, done } = await given.next();
    if (done) return { tables: followedBy(undefined, given), columns: said.columns ?? {} };
    const { columns, notes } = datedTable(head, said.columns, said.source);
    return await tablesOfDays(datedTables(head, given, said), { ...said, columns }, hooks, { notes });
  } catch (error) {
    await given.return?.();
    throw error;
  }
}

/** The tables with dates that are understood, and without values that stand for missing ones. */
async function* datedTables(
  head: Table,
  rest: AsyncIterator<Table>,
  options: DailyTableOptions,
): AsyncGenerator<Table> {
  let rowsBefore = 0;
  let values: MissingValues | undefined;
  const understood = (table: Table) =>
    inRows(rowsBefore, () => {
      const { table: dated, columns } = datedTable(table, options.columns, options.source);
      values ??= new MissingValues({ ...options, columns });
      rowsBefore += table.numRows;
      return values.removed(dated);
    });
  try {
    yield understood(head);
    for (let next = await rest.next(); !next.done; next = await rest.next()) yield understood(next.value);
  } finally {
    await rest.return?.();
  }
}

/** What was done to the tables before: their dates, and the columns that were made of others. */
interface Understood {
  readonly notes: readonly string[];
  readonly made?: CombinedColumns;
}

/** Tables of daily values of tables whose dates are understood. */
async function tablesOfDays(
  tables: AsyncIterable<Table>,
  options: DailyTableOptions,
  hooks: DailyTablesHooks,
  before: Understood,
): Promise<DailyTables> {
  const rest: AsyncIterator<Table> = tables[Symbol.asyncIterator]();
  try {
    const first = await firstTimes(rest, options, hooks.areViews);
    const asTheyCome = { tables: followedBy(first, rest), columns: options.columns ?? {} };
    if (first === undefined) return asTheyCome;
    const combined = combinedColumns(first, options);
    if (combined !== undefined) {
      return await tablesOfDays(combinedTables(asTheyCome.tables, options), combined.options, hooks, {
        notes: before.notes,
        made: combined,
      });
    }
    const plan = stepTable(first, options);
    if (plan === undefined) return asTheyCome;
    assertSameSteps(before.made, plan, options.source);
    const made = before.made?.notes ?? [];
    const notes = [...plan.notes, ...before.notes];
    const steps = plan.times === undefined ? growingDays(first, plan, options)?.plan : plan;
    if (steps === undefined && convertedTable(first, plan, options).table === first) {
      if (made.length + notes.length > 0) hooks.report([...made, ...notes]);
      return asTheyCome;
    }
    const all: DailyTablesHooks = {
      ...hooks,
      report: (conversions, accumulation) => hooks.report([...made, ...conversions, ...notes], accumulation),
    };
    const daily =
      steps === undefined
        ? convertedTables(asTheyCome.tables, options, all)
        : daysOfTables(asTheyCome.tables, options, all, isByLocation(first, plan, options.source));
    return { tables: daily, columns: columnsLeft(steps ?? plan, options) };
  } catch (error) {
    await rest.return?.();
    throw error;
  }
}

async function* combinedTables(tables: AsyncIterable<Table>, options: DailyTableOptions): AsyncGenerator<Table> {
  for await (const table of tables) yield combinedColumns(table, options)?.table ?? table;
}

/** All tables together, of which the rows are to be sorted: at most 1 GiB. */
async function sortedTables(
  tables: AsyncIterable<Table>,
  options: DailyTableOptions,
  { areViews, report }: DailyTablesHooks,
): Promise<DailyTables> {
  const gathered = new GatheredTables(options.source, areViews);
  gathered.because('rows are to be sorted');
  let hasRows = false;
  for await (const table of tables) {
    gathered.add(table);
    hasRows = true;
  }
  const daily = hasRows ? dailyTable(gathered.whole(), options) : undefined;
  if (daily !== undefined) report(daily.conversions, daily.accumulation);
  async function* only() {
    if (daily !== undefined) yield daily.table;
  }
  return { tables: only(), columns: daily?.columns ?? {} };
}

/** The first table, or as many of the first ones together as it takes to see two times; undefined where there is none. */
async function firstTimes(
  tables: AsyncIterator<Table>,
  options: DailyTableOptions,
  areViews: boolean,
): Promise<Table | undefined> {
  const { value: first, done } = await tables.next();
  if (done) return undefined;
  const time = onlyTime(first, options);
  if (time === undefined) return first;
  const gathered = newlyGathered(options.source, areViews);
  gathered.add(first);
  for (let next = await tables.next(); !next.done; next = await tables.next()) {
    gathered.add(next.value);
    if (onlyTime(next.value, options) !== time) break;
  }
  return gathered.whole();
}

/** The time that all rows are of, which cannot tell whether there are several a day; undefined where they are of more. */
function onlyTime(table: Table, options: DailyTableOptions): number | undefined {
  const { columns, source } = options;
  const { date } = columnRoles(table, columns, source);
  const calendar = tableCalendar(table, options);
  const times = date === undefined ? undefined : timeColumn(columnOf(table, date), date, source, calendar);
  return times?.every((time) => time === times[0]) ? times[0] : undefined;
}

/** Closes what comes after the first table where the caller stops early. */
async function* followedBy(first: Table | undefined, rest: AsyncIterator<Table>): AsyncGenerator<Table> {
  try {
    if (first === undefined) return;
    yield first;
    for (let next = await rest.next(); !next.done; next = await rest.next()) yield next.value;
  } finally {
    await rest.return?.();
  }
}

async function* convertedTables(
  tables: AsyncIterable<Table>,
  options: DailyTableOptions,
  { report }: DailyTablesHooks,
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
    if (rowsBefore === 0) report(converted.conversions);
    rowsBefore += table.numRows;
    yield converted.table;
  }
}

async function* daysOfTables(
  tables: AsyncIterable<Table>,
  options: DailyTableOptions,
  { areViews, report }: DailyTablesHooks,
  byLocation: boolean,
): AsyncGenerator<Table> {
  let amounts: StepAmounts | undefined;
  let isReported = false;
  let leftOpen: DaysOfSteps | undefined;
  const reportOnce = ({ conversions, accumulation }: DaysOfSteps) => {
    if (!isReported) report(conversions, accumulation);
    isReported = true;
  };
  let rowsBefore = 0;
  let hasDays = false;
  function* daysOf(table: Table): Iterable<Table> {
    const daily = inRows(rowsBefore, () => {
      const plan = stepTable(table, options, true) as StepTable;
      const { plan: steps, options: said } = growingDays(table, plan, options) ?? { plan, options };
      return combineSteps(table, steps, said, (amounts ??= new StepAmounts(said)));
    });
    // What dry places leave open is told when a wet one settles it.
    if (daily.accumulation === 'either') leftOpen ??= daily;
    else reportOnce(daily);
    rowsBefore += table.numRows;
    if (daily.table.numRows === 0) return;
    hasDays = true;
    yield daily.table;
  }
  let gathered = newlyGathered(options.source, areViews);
  for await (const table of tables) {
    gathered.add(table);
    const cut = byLocation ? inRows(rowsBefore, () => lastLocation(table, options)) : 0;
    if (cut === 0) continue;
    const whole = gathered.whole();
    yield* daysOf(whole.slice(0, whole.numRows - table.numRows + cut));
    gathered = newlyGathered(options.source, areViews);
    gathered.add(table.slice(cut));
  }
  yield* daysOf(gathered.whole());
  if (leftOpen !== undefined) reportOnce(leftOpen);
  if (!hasDays) throw noWholeDay(options.source);
}

function newlyGathered(source: string | undefined, areViews: boolean): GatheredTables {
  const gathered = new GatheredTables(source, areViews);
  gathered.because('several times a day');
  return gathered;
}

/** Whether rows go location by location, each with all members. */
function isByLocation(table: Table, plan: StepTable, source?: string): boolean {
  const { latitude, longitude } = tableCoordinates(table, plan.roles, source);
  if (plan.values.form === 'long' || latitude === undefined || longitude === undefined) return false;
  const places = new PlaceRows();
  for (let row = 0; row < table.numRows; row++) {
    const isSame = row > 0 && latitude[row - 1] === latitude[row] && longitude[row - 1] === longitude[row];
    if (!isSame && places.add(latitude[row], longitude[row], row) !== undefined) return false;
  }
  return true;
}

/** The row that the last location of a table begins with; 0 where all rows may be of one that began before. */
function lastLocation(table: Table, options: DailyTableOptions): number {
  const roles = columnRoles(table, options.columns, options.source);
  const { latitude, longitude } = tableCoordinates(table, roles, options.source);
  if (latitude === undefined || longitude === undefined) return 0;
  let row = table.numRows - 1;
  while (row > 0 && latitude[row - 1] === latitude[row] && longitude[row - 1] === longitude[row]) row--;
  return row;
}

/** Counts the rows that errors name from the first table on. */
function inRows<T>(rowsBefore: number, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw isPlumecastError(error, 'data') ? shiftRow(error, rowsBefore) : error;
  }
}
