import { DataType, type Table } from 'apache-arrow';
import type { RowOrder } from '../../core/field.js';
import { DataError, mentionOption } from '../../errors.js';
import { dateText, type ModelCalendar } from '../../period/calendar.js';
import { isScattered, isTooSparse } from '../../period/day.js';
import { columnOf, findColumn } from '../arrow/table-schema.js';
import type { ColumnRoles } from '../columns/column-role.js';
import { labelColumns, otherColumns } from '../columns/column-roles.js';
import { isNumberType } from '../columns/column-values.js';
import type { Coordinates } from '../columns/coordinates.js';
import type { NumberedPlaces } from '../columns/place-reader.js';

/** The day and the place of each row of a table; coordinates are undefined if the table has one place. */
export interface RowIndex extends Coordinates {
  /** Where ids or other columns describe places: these, whose numbers are in place of both coordinates. */
  readonly places?: NumberedPlaces | undefined;
  readonly days: Int32Array;
  /** The calendar of the days, if it is not the real one. */
  readonly calendar?: ModelCalendar;
  /** The number of rows in earlier tables of a stream. */
  readonly rowsBefore: number;
  /** The number of each row in messages, where rows do not follow each other. */
  readonly rowNumbers?: ArrayLike<number>;
  /** The value of a column in a row, for messages. */
  readonly cell: (column: string, row: number) => unknown;
  /** For messages: the table, and what its columns are. */
  readonly table: Table;
  readonly roles: ColumnRoles;
  readonly valueNames: readonly string[];
  readonly dateColumn: string;
  readonly source?: string;
}

/** Rows that make up one field: `cells` cells on the days from `firstDay` on. */
export interface RowBlock {
  readonly order: RowOrder;
  readonly firstDay: number;
  readonly days: number;
  readonly cells: number;
  /** The first row; the others follow it, unless days are missing. */
  readonly start: number;
  /** The row of each cell, to read its coordinates from. */
  readonly cellRows: readonly number[];
  /** If days between the first and the last are missing: which rows go where in the field. */
  readonly pieces?: readonly RowPiece[];
}

/** Rows from `from` to `to` (exclusive), which go to index `at` and on in the values of a member. */
export interface RowPiece {
  readonly from: number;
  readonly to: number;
  readonly at: number;
}

/** The number of a row in messages: the first row of the stream is 1. */
export function rowNumber({ rowsBefore, rowNumbers }: RowIndex, row: number): number {
  return rowNumbers?.[row] ?? rowsBefore + row + 1;
}

/** Whether two rows have the same place. */
export function samePlace({ latitude, longitude }: RowIndex, a: number, b: number): boolean {
  if (latitude === undefined || longitude === undefined) return true;
  return latitude[a] === latitude[b] && longitude[a] === longitude[b];
}

/** The place of a row, for messages. */
export function describePlace({ latitude, longitude, places }: RowIndex, row: number): string {
  return places?.text(latitude?.[row] as number) ?? `${latitude?.[row]}, ${longitude?.[row]}`;
}

/**
 * Rows cannot be read in the order that was expected of them: a location or a member comes later, days are out of
 * order, or only all rows together say which are used. Reading them in another way succeeds, or finds the fault. The
 * cause is the fault of these rows, if there is one.
 */
export class RowOrderError extends DataError {}

/**
 * Two rows of a place and, in a long table, a member, counted from 0 in the file: the day of the second is that of the
 * first, or before it.
 */
export interface DayFault {
  readonly member?: string | undefined;
  readonly before: number;
  readonly row: number;
}

/** The day of a row is wrong; which days are, only the table says. */
export class WrongDayError extends DataError {
  readonly fault: DayFault;

  constructor(fault: DayFault, source: string | undefined) {
    super({ source, row: fault.row + 1, problem: `day is not after that of row ${fault.before + 1}` });
    this.fault = fault;
  }
}

/**
 * The error for a row whose day is not after the day of row `before`, of the same place, and in a long table member.
 */
export function wrongDay(index: RowIndex, row: number, before: number, member?: string): DataError {
  const place = index.latitude === undefined ? '' : ` at ${describePlace(index, row)}`;
  const whose = member === undefined ? place : ` for member ${member}${place}`;
  return (index.days[row] === index.days[before] ? duplicateDayError : unsortedDayError)(index, row, before, whose);
}

/** The error for a row whose day is before that of row `before`; `whose` names the member or place. */
export function unsortedDayError(index: RowIndex, row: number, before: number, whose = ''): DataError {
  const { days, calendar, dateColumn, source } = index;
  return new DataError({
    source,
    row: rowNumber(index, row),
    column: dateColumn,
    problem: `day out of order${whose}`,
    received: `${dateText(calendar, days[row])}, after ${dateText(calendar, days[before])} in row ${rowNumber(index, before)}`,
    allowed: 'days in ascending order, or sort: true to sort the rows',
  });
}

/**
 * The error for a row with the same day as row `before`; `whose` names the member or place. It names what else differs
 * between the two rows, as that is the mistake: the time of day, the name of a place, the run of the forecast.
 */
export function duplicateDayError(index: RowIndex, row: number, before: number, whose = ''): DataError {
  const { days, calendar, dateColumn, source, table, roles, cell } = index;
  const error = (problem: string, received: string, allowed: string) =>
    new DataError({ source, row: rowNumber(index, row), column: dateColumn, problem, received, allowed });

  const time = timeText(index, row);
  if (time !== timeText(index, before)) {
    const allowed = 'one value a day; make daily values of them first';
    return error(`several times of one day${whose}`, time, allowed);
  }
  const day = dateText(calendar, days[row]);
  const mayDiffer = labelTest(index);
  const label = labelColumns(table, roles).find(
    (name) => mayDiffer(name) && String(cell(name, row)) !== String(cell(name, before)),
  );
  if (label === undefined) {
    const allowed = `each day once; a table with one row per member needs a column of members: ${mentionOption('columns', { member: 'NAME' })}`;
    return error(`day given twice${whose}`, day, roles.member === undefined ? allowed : 'each day once');
  }
  const giveAsMember =
    roles.member === undefined
      ? `, or, if it identifies members, give it by ${mentionOption('columns', { member: label })}`
      : '';
  return error(
    `day given twice${whose}, in rows that differ in ${label}`,
    `${day} of ${cell(label, row)}, after ${cell(label, before)} in row ${rowNumber(index, before)}`,
    `each day once; keep one ${label}${giveAsMember}`,
  );
}

/**
 * Returns a test for columns that may be the reason. Fractions differ from row to row anyway: only names of other
 * things count.
 */
function labelTest({ table, roles, valueNames }: RowIndex): (name: string) => boolean {
  const values = new Set(valueNames);
  const others = new Set(otherColumns(table, roles));
  return (name) => {
    const { type } = columnOf(table, name);
    return !values.has(name) && (!isNumberType(type) || DataType.isInt(type) || !others.has(name));
  };
}

/** The date of a row as text; Arrow gives milliseconds for all types of dates. */
function timeText({ table, dateColumn, cell }: RowIndex, row: number): string {
  const value = cell(dateColumn, row);
  const type = findColumn(table, dateColumn)?.type;
  if (typeof value !== 'number' || type === undefined || isNumberType(type)) return String(value);
  return new Date(value).toISOString().replace('.000Z', 'Z');
}

/** Throws a DataError if `present` days are scattered over so long a span that a date must be wrong. */
export function assertNotScattered(index: RowIndex, first: number, last: number, present: number): void {
  if (!isScattered(first, last, present)) return;
  const problem = `${present} days are scattered over ${last - first + 1}`;
  throw scattered(index, problem, `${dateText(index.calendar, first)} to ${dateText(index.calendar, last)}`);
}

/**
 * Throws a DataError if a table of `rows` rows would get far too many `days` by adding the missing days of each place.
 */
export function assertNotSparse(index: RowIndex, days: number, rows: number): void {
  const columns = index.valueNames.length || 1;
  if (isTooSparse(columns * days, columns * rows)) {
    throw scattered(index, 'days are scattered', `${days} days for ${rows} rows`);
  }
}

function scattered({ source, dateColumn }: RowIndex, problem: string, received: string): DataError {
  const allowed = 'days that follow each other, with gaps; one of these dates may be mistaken';
  return new DataError({ source, column: dateColumn, problem, received, allowed });
}
