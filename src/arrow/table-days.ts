import type { Table } from 'apache-arrow';
import { MemberColumn } from '../core/member-column.js';
import { DataError, isPlumecastError } from '../errors.js';
import { dayNumber } from '../period/day.js';
import type { ColumnRoles } from './column-roles.js';
import { dayColumn } from './day-column.js';
import { numberChunks } from './number-column.js';
import { columnOf } from './table-column.js';

/** What messages call the dates of a table: the name of their column, or those of year, month and day; undefined where there are none. */
export function dateName({ date, year, month, day }: ColumnRoles): string | undefined {
  return date ?? (year === undefined ? undefined : [year, month, day].join(', '));
}

/** The UTC day number of each row, of a table that has dates. Throws DataError naming the row where one is missing or no date. */
export function tableDays(table: Table, roles: ColumnRoles, source?: string): Int32Array {
  const { date, year, month, day } = roles;
  if (date !== undefined) return dayColumn(columnOf(table, date), date, source);
  const [years, months, days] = [year, month, day].map((name) => partColumn(table, name as string, source));
  return Int32Array.from(years, (_, row) => {
    try {
      return dayNumber(years[row], months[row], days[row]);
    } catch (error) {
      if (!isPlumecastError(error)) throw error;
      const { problem, allowed } = error;
      const received = `${years[row]}, ${months[row]}, ${days[row]}`;
      throw new DataError({ source, row: row + 1, column: dateName(roles), problem, received, allowed });
    }
  });
}

/** The numbers of a column that says a part of dates; NaN where one is missing. */
export function partColumn(table: Table, name: string, source?: string): Float64Array {
  const values = new Float64Array(table.numRows);
  new MemberColumn(name, numberChunks(columnOf(table, name), name, 'float64', source)).copyTo(
    values,
    0,
    0,
    values.length,
  );
  return values;
}
