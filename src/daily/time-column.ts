import { type Data, DataType, DateUnit, type Table, TimeUnit, type Vector } from 'apache-arrow';
import { codedColumn } from '../arrow/coded-column.js';
import type { ColumnRoles } from '../arrow/column-roles.js';
import { codedTimes } from '../arrow/day-column.js';
import { columnOf } from '../arrow/table-column.js';
import { partColumn, tableDays } from '../arrow/table-days.js';
import { isTextType } from '../arrow/text-column.js';
import { DataError } from '../errors.js';

const DAY = 86_400;
/** Daily values may be dated an hour more or less apart, where days begin at local midnight. */
const LONGEST_STEP = DAY / 2;

const TICKS_PER_SECOND: Record<TimeUnit, number> = {
  [TimeUnit.SECOND]: 1,
  [TimeUnit.MILLISECOND]: 1_000,
  [TimeUnit.MICROSECOND]: 1_000_000,
  [TimeUnit.NANOSECOND]: 1_000_000_000,
};

/** The times of the rows of a table. */
export interface TableTimes {
  /** As `timeColumn` gives them; undefined where there are only whole days. */
  readonly times?: Float64Array;
  /** For people: how numbers are read, where they count from 1970 on. */
  readonly note?: string;
}

/** The times of a table's rows, of a column of dates or of those of year, month, day and hour. Throws DataError for what is no date. */
export function tableTimes(table: Table, roles: ColumnRoles, source?: string): TableTimes {
  const { date, year, hour } = roles;
  if (date !== undefined) {
    const column = columnOf(table, date);
    if (hasTicks(column)) return { times: timeColumn(column, date, source) };
    const { codes, times, epoch } = codedTimes(column, date, source);
    const note = epoch && `${date} read as ${epoch} since 1970-01-01`;
    return { times: timesOfRows(codes, times), ...(note && { note }) };
  }
  if (year === undefined || hour === undefined) return {};
  const hours = partColumn(table, hour, source);
  const wrong = hours.findIndex((value) => !(Number.isInteger(value) && value >= 0 && value <= 23));
  if (wrong >= 0) {
    const received = Number.isNaN(hours[wrong]) ? null : hours[wrong];
    const [problem, allowed] = ['is no hour of the day', 'whole hours from 0 to 23'];
    throw new DataError({ source, row: wrong + 1, column: hour, problem, received, allowed });
  }
  return { times: Float64Array.from(tableDays(table, roles, source), (day, row) => day * DAY + hours[row] * 3_600) };
}

/**
 * Throws a DataError where daily values are of days of another zone than UTC: all of the times that texts give are midnight there.
 */
export function assertUtcDays(table: Table, { date }: ColumnRoles, times: Float64Array, source?: string): void {
  if (date === undefined || times.length === 0 || times[0] % DAY === 0 || !isTextType(columnOf(table, date).type))
    return;
  const texts = codedColumn(columnOf(table, date)).values.map(String);
  if (!texts.every((text) => LOCAL_MIDNIGHT.test(text))) return;
  throw new DataError({
    ...{ source, row: 1, column: date, problem: 'daily values of days that are not those of UTC', received: texts[0] },
    allowed: 'values of UTC days, or of hours, of which UTC days are made',
  });
}

/** Midnight in a zone that is not UTC. */
const LOCAL_MIDNIGHT = /[T ]00(:?00(:?00([.,]0+)?)?)? ?[+-]\d\d(:?\d\d)?$/;

/**
 * The time of each row in seconds since 1970-01-01 UTC, to the millisecond; NaN where it is missing, which readers of days reject.
 * Undefined for columns that can only hold whole days. Throws DataError for what is no date.
 */
export function timeColumn(vector: Vector, column: string, source?: string): Float64Array | undefined {
  const { type } = vector;
  if (DataType.isDate(type)) return type.unit === DateUnit.DAY ? undefined : tickTimes(vector, 1_000);
  if (DataType.isTimestamp(type)) return tickTimes(vector, TICKS_PER_SECOND[type.unit]);
  const { codes, times } = codedTimes(vector, column, source);
  return timesOfRows(codes, times);
}

function hasTicks({ type }: Vector): boolean {
  return DataType.isDate(type) || DataType.isTimestamp(type);
}

function timesOfRows(codes: Int32Array, milliseconds: Float64Array): Float64Array {
  const seconds = milliseconds.map((time) => time / 1_000);
  return Float64Array.from(codes, (code) => seconds[code] ?? Number.NaN);
}

/**
 * Whether rows are of times within the day: of the times there are, some differ in their time of day and two are half a day or less
 * apart.
 */
export function areSubDaily(times: Float64Array): boolean {
  const timeOfDay = (time: number) => time - DAY * Math.floor(time / DAY);
  const first = timeOfDay(times[0]);
  if (times.every((time) => timeOfDay(time) === first)) return false;
  const ascending = times.slice().sort();
  return ascending.some((time, i) => i > 0 && time > ascending[i - 1] && time - ascending[i - 1] <= LONGEST_STEP);
}

function tickTimes(vector: Vector, perSecond: number): Float64Array {
  const times = new Float64Array(vector.length);
  let row = 0;
  for (const data of vector.data) {
    const words = wordsOf(data);
    for (let i = 0; i < data.length; i++, row++) {
      const isThere = data.nullCount === 0 || data.getValid(i);
      const ticks = words[2 * i + 1] * 2 ** 32 + (words[2 * i] >>> 0);
      times[row] = isThere ? toMilliseconds(ticks / perSecond) : Number.NaN;
    }
  }
  return times;
}

/** The low and the high halves of 64-bit integers, which are much faster than bigints. */
function wordsOf({ values, length }: Data): Int32Array {
  const { buffer, byteOffset } = values as BigInt64Array;
  return new Int32Array(buffer, byteOffset, 2 * length);
}

function toMilliseconds(seconds: number): number {
  return Math.round(seconds * 1_000) / 1_000;
}
