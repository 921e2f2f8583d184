import { DataType, Field, makeData, makeVector, Schema, Table, TimestampMillisecond, type Vector } from 'apache-arrow';
import { MemberColumn } from '../../core/member-column.js';
import { DataError, isPlumecastError } from '../../errors.js';
import { dayNumber } from '../../period/day.js';
import { codedColumn } from '../arrow/coded-column.js';
import { quickSchema } from '../arrow/quick-schema.js';
import { plainValue } from '../arrow/stored-values.js';
import { columnOf } from '../arrow/table-column.js';
import { type ColumnRoles, columnRoles } from '../columns/column-roles.js';
import { isNumberType, numberChunks } from '../columns/number-column.js';
import { isTextType } from '../columns/text-column.js';
import { isInteger, readDateNumbers } from './date-numbers.js';
import { readDates } from './date-texts.js';

/** A table whose dates are texts, Arrow dates or timestamps in one column. */
export interface DatedTable {
  readonly table: Table;
  /** The names of columns that are not the usual ones. */
  readonly columns: ColumnRoles;
  /** For people: how dates are read, if the table does not say it. */
  readonly notes: readonly string[];
}

const DAY = 86_400_000;
const HOUR = 3_600_000;
const PARTS = ['year', 'month', 'day'] as const;
/** The column that is made from columns of year, month and day. */
const DATE = 'date';
/** The names that pandas, and programs that read its files, give to an index without a name. */
const INDEX_NAME = /^(|index|unnamed: ?0|__index_level_0__)$/;

/**
 * Turns dates that are numbers (20260302, seconds since 1970), or columns of year, month, day and hour, into
 * timestamps, and finds dates in an index of pandas without a name. Tables with other dates, or none, stay the same.
 * Throws DataError and OptionError.
 */
export function datedTable(table: Table, given: ColumnRoles = {}, source?: string): DatedTable {
  const roles = columnRoles(table, given, source);
  const { year, month, day, hour, ...columns } = given;
  const parts = partsOf(table, roles, given);
  if (parts !== undefined) {
    const made = withColumn(table, DATE, timesOfParts(table, parts, source), new Set(Object.values(parts)));
    return { table: made, columns, notes: [] };
  }
  const date = roles.date ?? indexOf(table);
  if (date === undefined) return { table, columns: given, notes: [] };
  const named = roles.date === undefined ? { ...columns, date } : columns;
  const column = columnOf(table, date);
  if (!isOfNumbers(column)) return { table, columns: named, notes: [] };
  const { codes, values } = codedColumn(column);
  const read = readDateNumbers(values);
  const fail = (row: number, problem: string, received: unknown, allowed: string) =>
    new DataError({ source, row: row + 1, column: date, problem, received, allowed });
  if (!('times' in read)) {
    throw fail(codes.indexOf(read.index), read.problem, values[read.index], read.allowed);
  }
  const times = Float64Array.from(codes, (code) => read.times[code] ?? Number.NaN);
  const missing = times.findIndex(Number.isNaN);
  if (missing >= 0) throw fail(missing, 'missing date', null, 'a date in every row');
  const notes = read.epoch === undefined ? [] : [`${date} read as ${read.epoch} since 1970-01-01`];
  return { table: withColumn(table, date, times, new Set([date])), columns: named, notes };
}

/** The columns of year, month, day and, if there is one, hour, in a table without a better column of dates. */
function partsOf(table: Table, roles: ColumnRoles, given: ColumnRoles): Record<string, string> | undefined {
  const names = table.schema.fields.map(({ name }) => name);
  const nameOf = (part: 'year' | 'month' | 'day' | 'hour') =>
    given[part] ?? names.find((name) => name.trim().toLowerCase() === part);
  const [year, month, day] = PARTS.map(nameOf);
  if (year === undefined || month === undefined || day === undefined) return undefined;
  const isBest =
    given.date === undefined && (roles.date === undefined || roles.date === day || given.day !== undefined);
  if (!isBest) return undefined;
  const hour = nameOf('hour');
  return { year, month, day, ...(hour !== undefined && { hour }), replaced: DATE };
}

function timesOfParts(table: Table, parts: Record<string, string>, source?: string): Float64Array {
  const numbers = (name: string) => {
    const values = new Float64Array(table.numRows);
    new MemberColumn(name, numberChunks(columnOf(table, name), name, 'float64', source)).copyTo(
      values,
      0,
      0,
      values.length,
    );
    return values;
  };
  const [years, months, days] = PARTS.map((part) => numbers(parts[part]));
  const hours = parts.hour === undefined ? undefined : numbers(parts.hour);
  return Float64Array.from(years, (year, row) => {
    try {
      const hour = hours?.[row] ?? 0;
      if (Number.isInteger(hour) && hour >= 0 && hour <= 23) {
        return dayNumber(year, months[row], days[row]) * DAY + hour * HOUR;
      }
    } catch (error) {
      if (!isPlumecastError(error)) throw error;
      const { problem, allowed } = error;
      const received = `${year}, ${months[row]}, ${days[row]}`;
      const column = PARTS.map((part) => parts[part]).join(', ');
      throw new DataError({ source, row: row + 1, column, problem, received, allowed });
    }
    const [problem, allowed] = ['is not an hour of the day', 'whole hours from 0 to 23'];
    throw new DataError({ source, row: row + 1, column: parts.hour, problem, received: hours?.[row], allowed });
  });
}

/** The first column with a name of an index without a name, and with a date as its first value. */
function indexOf(table: Table): string | undefined {
  return table.schema.fields.find(
    ({ name }) => INDEX_NAME.test(name.trim().toLowerCase()) && isDated(columnOf(table, name)),
  )?.name;
}

function isDated(vector: Vector): boolean {
  const { type } = vector;
  if (DataType.isDate(type) || DataType.isTimestamp(type)) return true;
  if (!isNumberType(type) && !isTextType(type)) return false;
  const first = firstValue(vector);
  return first !== null && 'times' in (isOfNumbers(vector) ? readDateNumbers([first]) : readDates([first]));
}

/** Whether the values of a column are numbers, or texts of digits. */
function isOfNumbers(vector: Vector): boolean {
  if (isNumberType(vector.type)) return true;
  return isTextType(vector.type) && isInteger(String(firstValue(vector)).trim());
}

function firstValue(vector: Vector): unknown {
  for (let row = 0; row < vector.length; row++) {
    const value = plainValue(vector.get(row), vector.type);
    if (value !== null) return value;
  }
  return null;
}

/** Replaces columns of a table by one of timestamps. */
function withColumn(table: Table, name: string, times: Float64Array, replaced: ReadonlySet<string>): Table {
  const type = new TimestampMillisecond();
  const vector = makeVector(
    makeData({ type, length: times.length, nullCount: 0, data: BigInt64Array.from(times, BigInt) }),
  );
  const kept = table.schema.fields.filter((field) => !replaced.has(field.name));
  const vectors: Record<string, Vector> = { [name]: vector };
  for (const field of kept) vectors[field.name] = columnOf(table, field.name);
  return new Table(quickSchema(new Schema([new Field(name, type, true), ...kept], table.schema.metadata)), vectors);
}
