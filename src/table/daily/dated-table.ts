import { DataType, Field, makeData, makeVector, Schema, Table, TimestampMillisecond, type Vector } from 'apache-arrow';
import { MemberColumn } from '../../core/member-column.js';
import { DataError, isPlumecastError } from '../../errors.js';
import { DAY_MILLISECONDS, dayNumber } from '../../period/day.js';
import { codedColumn, plainValue } from '../arrow/stored-values.js';
import { columnOf, quickSchema } from '../arrow/table-schema.js';
import type { ColumnRoles } from '../columns/column-role.js';
import { columnRoles } from '../columns/column-roles.js';
import { isNumberType, isTextType, numberChunks } from '../columns/column-values.js';
import { DATE_FORMS, dayColumn, parseDateText, tableCalendar, type WrongText } from '../columns/day-column.js';
import { MISSING_TEXT } from '../columns/missing-text.js';
import { type KnownRun, leadColumns, validTimes } from './lead-times.js';
import { assertFormatUsed, type DateFormat, hasYearLast, readOrderedDates } from './ordered-dates.js';
import { otherForm, readDates, timeColumn, type WrongDate } from './time-column.js';

/** A table whose dates are texts, Arrow dates or timestamps in one column. */
export interface DatedTable {
  readonly table: Table;
  /** The names of columns that are not the usual ones. */
  readonly columns: ColumnRoles;
  /** For people: how dates are read, if the table does not say it. */
  readonly notes: readonly string[];
}

const HOUR = 3_600_000;
const PARTS = ['year', 'month', 'day'] as const;
/** The column that is made from columns of year, month and day. */
const DATE = 'date';
/** The name that is made from the start of a run and lead times: it is dated by before `time`. */
const VALID = 'valid_time';
/** The names that pandas, and programs that read its files, give to an index without a name. */
const INDEX_NAME = /^(|index|unnamed: ?0|__index_level_0__)$/;

/** How to read the dates of a table. */
export interface DateOptions {
  readonly columns?: ColumnRoles;
  readonly dateFormat?: DateFormat;
  readonly calendar?: string;
  readonly source?: string;
}

/** What the first tables of an input have shown of its dates. */
export interface KnownDates extends KnownRun {
  format?: DateFormat;
}

/**
 * Turns dates that are numbers (20260302, seconds since 1970) or have the year last, columns of year, month, day and hour, and
 * starts of runs with lead times into timestamps, and finds dates in an index of pandas without a name. Tables
 * with other dates, or none, stay the same. `known` is what other tables of the same input have shown, and gets what this one
 * shows. Throws DataError and OptionError.
 */
export function datedTable(table: Table, options: DateOptions = {}, known: KnownDates = {}): DatedTable {
  const { columns: given = {}, source, dateFormat } = options;
  const roles = columnRoles(table, given, source);
  const { year, month, day, hour, ...columns } = given;
  const parts = partsOf(table, roles, given);
  if (parts !== undefined) {
    assertFormatUsed(dateFormat, false, source);
    const made = withColumn(table, DATE, timesOfParts(table, parts, source), new Set(Object.values(parts)));
    return { table: made, columns, notes: [] };
  }
  const leads = tableCalendar(table, options) === undefined ? leadColumns(table, given, roles.date) : undefined;
  const date = leads?.run ?? roles.date ?? indexOf(table);
  if (date === undefined) return { table, columns: given, notes: [] };
  const column = columnOf(table, date);
  const read = timesOf(column, date, options, known);
  if (leads !== undefined) {
    const starts = read?.times ?? milliseconds(column, date, source);
    const valid = validTimes(table, leads, starts, known, source);
    const made = read === undefined ? table : withColumn(table, date, starts, new Set([date]), read.zone);
    const dated = withColumn(made, VALID, valid, new Set([leads.lead]), read?.zone);
    return { table: dated, columns, notes: [...(read?.notes ?? []), `times are ${leads.run} + ${leads.lead}`] };
  }
  const named = roles.date === undefined ? { ...columns, date } : columns;
  if (read === undefined) return { table, columns: named, notes: [] };
  const made = withColumn(table, date, read.times, new Set([date]), read.zone);
  return { table: made, columns: named, notes: read.notes };
}

/** The times of a column of numbers, or of texts with the year last; undefined for others. */
function timesOf(column: Vector, date: string, { source, dateFormat }: DateOptions, known: KnownDates) {
  const areTexts = isTextType(column.type);
  assertFormatUsed(dateFormat, areTexts, source);
  const areNumbers = dateFormat === undefined && isOfNumbers(column);
  const isOrdered = areTexts && (dateFormat !== undefined || hasYearLast(String(firstValue(column)).trim()));
  if (!areNumbers && !isOrdered) return undefined;
  const { codes, values } = codedColumn(column);
  const read = areNumbers ? readDateNumbers(values) : readOrderedDates(values, dateFormat ?? known.format);
  const fail = (row: number, problem: string, received: unknown, allowed: string) =>
    new DataError({ source, row: row + 1, column: date, problem, received, allowed });
  if (!('times' in read)) {
    throw fail(codes.indexOf(read.index), read.problem, values[read.index], read.allowed);
  }
  const times = Float64Array.from(codes, (code) => read.times[code] ?? Number.NaN);
  const missing = times.findIndex(Number.isNaN);
  if (missing >= 0) throw fail(missing, 'missing date', null, 'a date in every row');
  if ('format' in read) {
    known.format = read.format;
    return { times, notes: read.shownBy === undefined ? [] : [`${date} read as ${read.format}, by ${read.shownBy}`] };
  }
  if (read.epoch === undefined) return { times, notes: [] };
  return { times, zone: 'UTC', notes: [`${date} read as ${read.epoch} since 1970-01-01`] };
}

/** The times of a column of dates, in milliseconds. Throws DataError where one is missing. */
function milliseconds(column: Vector, name: string, source?: string): Float64Array {
  const seconds = timeColumn(column, name, source);
  if (seconds === undefined)
    return Float64Array.from(dayColumn(column, name, source), (each) => each * DAY_MILLISECONDS);
  const missing = seconds.findIndex(Number.isNaN);
  if (missing < 0) return seconds.map((each) => each * 1_000);
  throw new DataError({
    source,
    row: missing + 1,
    column: name,
    problem: 'missing date',
    allowed: 'a date in every row',
  });
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
        return dayNumber(year, months[row], days[row]) * DAY_MILLISECONDS + hour * HOUR;
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
export function withColumn(
  table: Table,
  name: string,
  times: Float64Array,
  replaced: ReadonlySet<string>,
  zone?: string,
): Table {
  const type = new TimestampMillisecond(zone);
  const vector = makeVector(
    makeData({ type, length: times.length, nullCount: 0, data: BigInt64Array.from(times, BigInt) }),
  );
  const kept = table.schema.fields.filter((field) => !replaced.has(field.name));
  const vectors: Record<string, Vector> = { [name]: vector };
  for (const field of kept) vectors[field.name] = columnOf(table, field.name);
  return new Table(quickSchema(new Schema([new Field(name, type, true), ...kept], table.schema.metadata)), vectors);
}

/*
 * Dates written as integers. No form is guessed: if two readings are possible, the error names both.
 */

/** The unit of numbers that count from 1970. */
type EpochUnit = 'seconds' | 'milliseconds' | 'microseconds' | 'nanoseconds';

/** The times of numbers: milliseconds since 1970-01-01 UTC, rounded down; NaN for missing values. */
interface NumberDates {
  readonly times: Float64Array;
  /** The unit of the numbers, if they count from 1970. */
  readonly epoch?: EpochUnit;
}

const MINUTE = 60_000;
const INTEGER = /^-?\d+$/;

/**
 * By the number of digits of today's time: the unit, the divisor that makes whole milliseconds of it, or else seconds,
 * and the factor from these to milliseconds.
 */
const EPOCHS: Readonly<Record<number, readonly [EpochUnit, bigint, number]>> = {
  10: ['seconds', 1n, 1000],
  13: ['milliseconds', 1n, 1],
  16: ['microseconds', 1_000n, 1],
  19: ['nanoseconds', 1_000_000n, 1],
};

/** Whether a text is an integer. */
function isInteger(text: string): boolean {
  return INTEGER.test(text);
}

/** Reads distinct integers, which must all have one form. Returns the first wrong one if there is one. */
function readDateNumbers(values: readonly unknown[]): NumberDates | WrongDate {
  const texts = values.map((value) => String(value).trim());
  const isMissing = (text: string) => MISSING_TEXT.test(text);
  const present = texts.filter((text) => !isMissing(text));
  if (present.length === 0) return { times: new Float64Array(values.length).fill(Number.NaN) };
  const other = texts.findIndex((text) => !isMissing(text) && !INTEGER.test(text));
  if (other >= 0) {
    const isNumber = !Number.isNaN(Number(texts[other]));
    return { index: other, ...(isNumber || other === 0 ? notDate() : otherForm(present[0])) };
  }
  const digits = (text: string) => text.replace('-', '').length;
  const lengths = new Set(present.map(digits));
  const longest = Math.max(...lengths);
  const calendar = texts.map((text) => (isMissing(text) ? Number.NaN : compactTime(text, longest)));
  const isCalendar = !calendar.includes(undefined);
  const wrong = (test: (text: string, index: number) => boolean, fault: WrongText): WrongDate => ({
    index: Math.max(
      0,
      texts.findIndex((text, i) => !isMissing(text) && test(text, i)),
    ),
    ...fault,
  });
  if (!(longest in EPOCHS)) {
    if (isCalendar) return { times: Float64Array.from(calendar as number[]) };
    const index = calendar.indexOf(undefined);
    return { index, ...notDateNumber(texts[index]) };
  }
  const [epoch, divisor, factor] = EPOCHS[longest];
  const isRounded = (value: unknown) => typeof value === 'number' && !Number.isSafeInteger(value);
  if (values.some(isRounded)) {
    const problem = `is rounded, as float64 does not hold ${epoch} since 1970`;
    return wrong((_, i) => isRounded(values[i]), { problem, allowed: 'int64, texts, or Arrow timestamps' });
  }
  // A series over such a long time has numbers of every length between: a gap means that forms are mixed.
  const short = [...lengths].filter((length) => length >= 8 && !hasAllLengths(lengths, length, longest));
  if (short.length > 0) {
    const shortest = Math.min(...short);
    const isOther = (text: string) => (digits(texts[0]) === longest) === (digits(text) === shortest);
    return wrong(isOther, otherForm(texts[0]));
  }
  const times = Float64Array.from(texts, (text) =>
    isMissing(text) ? Number.NaN : Number(floorDivide(BigInt(text), divisor)) * factor,
  );
  if (!isCalendar) return { times, epoch };
  if (times.some((time) => time % MINUTE !== 0)) return { times: Float64Array.from(calendar as number[]) };
  const readings = [times[0], calendar[0] as number].map((time) => new Date(time).toISOString().slice(0, 16));
  const problem = `may be ${readings[0]} as ${epoch} since 1970, or ${readings[1]}`;
  return wrong(() => true, { problem, allowed: 'dates as 2026-03-02T06:00' });
}

/** The time of digits that are a date, or a date with hour, minute and second; undefined for other digits. */
function compactTime(text: string, length: number): number | undefined {
  if (text.length !== length || ![8, 10, 12, 14].includes(length)) return undefined;
  const date = parseDateText(length === 8 ? text : `${text.slice(0, 8)}T${text.slice(8)}`);
  return 'time' in date ? date.time : undefined;
}

function notDateNumber(text: string): WrongText {
  const problem = text.length === 8 ? parseDateText(text) : undefined;
  return problem !== undefined && 'problem' in problem ? problem : notDate();
}

function notDate(): WrongText {
  return {
    problem: 'is a number, not a date',
    allowed: `${DATE_FORMS}; seconds (10 digits) or milliseconds (13) since 1970; convert offsets such as hours since a start to dates first`,
  };
}

function hasAllLengths(lengths: ReadonlySet<number>, from: number, to: number): boolean {
  for (let length = from; length < to; length++) if (!lengths.has(length)) return false;
  return true;
}

function floorDivide(value: bigint, divisor: bigint): bigint {
  const quotient = value / divisor;
  return value % divisor < 0n ? quotient - 1n : quotient;
}
