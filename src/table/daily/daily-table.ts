import type { Table, Vector } from 'apache-arrow';
import { assertObject } from '../../check/option-checks.js';
import type { Amounts } from '../../ensemble/accumulation.js';
import { DataError } from '../../errors.js';
import { ownTable } from '../arrow/own-table.js';
import { columnOf } from '../arrow/table-schema.js';
import { type ColumnRoles, listed } from '../columns/column-role.js';
import { columnRoles } from '../columns/column-roles.js';
import { dayColumn } from '../columns/day-column.js';
import { checkReadOptions, type ReadOptions } from '../columns/read-options.js';
import { valueColumns } from '../columns/value-columns.js';
import { checkDailyOptions, type DailyTableOptions, type GivenDailyOptions } from './daily-options.js';
import { DayMaker } from './day-maker.js';
import type { TakenTimes } from './days-of-steps.js';
import { ROWS_SORTED, sortedTable } from './sorted-table.js';

/** A table of daily values in the unit of its variable. */
export interface DailyTable {
  readonly table: Table;
  /**
   * For people: what was done to the values (`K to degC`, `hourly values to daily means`), which columns of numbers
   * were left out, and which members have no column. Empty if the table did not change and all of it is read.
   */
  readonly conversions: readonly string[];
  /** What may be wrong: units that are not stated, times that nothing explains. */
  readonly warnings: readonly string[];
  /**
   * What the amounts of time steps count; `either` if both ways to count them give the same days, `per-step` for rates.
   * Undefined for other values.
   */
  readonly accumulation?: Amounts['kind'];
  /** Of time steps: what their times stand for, and by which evidence. */
  readonly times?: TakenTimes;
  /** The given names of columns that are still valid. */
  readonly columns: ColumnRoles;
}

/**
 * Turns a table into one of daily values in the unit of its variable, as `statistics` takes it; the table itself if it
 * is one. More in docs/tables.md.
 *
 * A table with several times a day for a place and member, in any order, becomes a wide one: a row for each place and
 * UTC day, Float64 columns `member_00` and so on in the order of the members. The steps of a day are summed, averaged, or
 * their lowest or highest value is taken, as the variable says. A step lasts from its time to the next (`stamps`). Days
 * that steps do not cover completely, or with a missing value, are missing; such days at the ends are left out.
 *
 * Units, of a column, metadata or a name, else `units`, are converted to the variable's; steps must have some. Daily values
 * without units are taken to be in the variable's, which `warnings` mentions, unless a sample of them cannot be. What
 * amounts of steps count is what `accumulation` says, else metadata, else what the values show. Wind speed and relative
 * humidity are computed where the table only has what they are made of. `conversions` mentions what was done.
 *
 * Throws OptionError if units are needed, contradict the table or cannot be converted, if the variable of steps is not
 * known, and if nothing shows what amounts count; DataError for a time that comes twice, an infinite value, growing
 * amounts that fall, if no day is whole, and for a table without rows, dates or values.
 *
 * @example
 * ```js
 * import { tableFromArrays } from 'apache-arrow';
 * import { dailyTable } from 'plumecast';
 *
 * const time = Array.from({ length: 8 }, (_, step) => new Date(Date.UTC(2026, 2, 2, 6 * step)).toISOString());
 * const steps = tableFromArrays({ time, temp_mean: Float64Array.from(time, (_, step) => step) });
 * const { table } = dailyTable(steps, { stamps: 'instant', units: 'degC' });
 * console.log(table.toArray().map(({ member_00 }) => member_00));
 * ```
 *
 * ```text
 * [ 1.5, 5.5 ]
 * ```
 */
export function dailyTable(given: Table, options: GivenDailyOptions = {}): DailyTable {
  assertObject('options', options, '{ units: "K" }');
  const { units, model, missing } = options;
  const read = checkReadOptions(options);
  const daily = makeDaily(given, { ...read, ...checkDailyOptions(options), units, model, missing });
  assertFilled(daily, read);
  return daily;
}

/** Throws DataError for a table without rows, without a date, or without a value. */
function assertFilled({ table, columns, times }: DailyTable, read: ReadOptions): void {
  const { source } = read;
  if (table.numRows === 0) throw new DataError({ source, problem: 'no rows', allowed: 'at least one row' });
  const roles = columnRoles(table, columns, source);
  if (roles.date === undefined) return;
  const dates = columnOf(table, roles.date);
  // What says so of a single date says it of all.
  if (dates.nullCount === table.numRows) dayColumn(dates, roles.date, source);
  const { names } = valueColumns(table, roles, { ...read, columns });
  if (names.some((name) => hasValue(columnOf(table, name)))) return;
  if (times === undefined) {
    const received = `only missing values in ${listed(names)}`;
    throw new DataError({ source, problem: 'has no value', received, allowed: 'a number on a day at least' });
  }
  const problem = 'no member has a value at all steps of a day';
  throw new DataError({ source, problem, allowed: 'a day without missing values at least' });
}

/** Whether a column has an element that is no missing value. */
function hasValue(vector: Vector): boolean {
  if (vector.nullCount === vector.length) return false;
  for (const value of vector) if (value !== null && !Number.isNaN(value)) return true;
  return false;
}

/** Does the same by options that are checked. Throws as `dailyTable` does. */
export function makeDaily(given: Table, requested: DailyTableOptions): DailyTable {
  const { sort = false } = requested;
  const maker = new DayMaker(requested);
  const [table] = [...maker.add(ownTable(given, requested.source)), ...maker.end()];
  const { notes, warnings, accumulation, times, columns = {} } = maker;
  if (!sort || !maker.areDaily) {
    const ofSteps = { ...(accumulation !== undefined && { accumulation }), ...(times !== undefined && { times }) };
    return { table, conversions: notes, warnings, columns, ...ofSteps };
  }
  const sorted = sortedTable(table, { ...requested, columns });
  const conversions = sorted.isChanged ? [...notes, ROWS_SORTED] : notes;
  return { table: sorted.table, conversions, warnings, columns: sorted.columns };
}
