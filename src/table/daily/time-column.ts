import { type Data, DataType, DateUnit, TimeUnit, type Vector } from 'apache-arrow';
import { DataError, isPlumecastError } from '../../errors.js';
import { type ModelCalendar, sameDateIn } from '../../period/calendar.js';
import { codedColumn } from '../arrow/coded-column.js';
import { viewedAs } from '../arrow/stored-values.js';
import { DATE_FORMS } from '../columns/date-forms.js';
import { isTextType } from '../columns/text-column.js';
import { readDates } from './date-texts.js';

const DAY = 86_400;
/**
 * Times within the day have steps of at most half a day: daily values from local midnight may be 23 or 25 hours apart.
 */
const MAX_STEP = 43_200;

const TICKS_PER_SECOND: Record<TimeUnit, number> = /* @__PURE__ */ (() => ({
  [TimeUnit.SECOND]: 1,
  [TimeUnit.MILLISECOND]: 1_000,
  [TimeUnit.MICROSECOND]: 1_000_000,
  [TimeUnit.NANOSECOND]: 1_000_000_000,
}))();

/**
 * The time of each row in seconds since 1970-01-01 UTC, to the millisecond; NaN where it is missing, which readers of
 * days reject. Undefined for columns that can only hold whole days. Dates are of the real calendar, or of `calendar`,
 * as in
 * `dayColumn`. Throws DataError for anything but a date.
 */
export function timeColumn(
  vector: Vector,
  column: string,
  source?: string,
  calendar?: ModelCalendar,
): Float64Array | undefined {
  const { type } = vector;
  if (calendar !== undefined && DataType.isTimestamp(type)) {
    return tickTimes(vector, TICKS_PER_SECOND[type.unit]).map((time) => sameTimeIn(calendar, time));
  }
  if (DataType.isDate(type)) return type.unit === DateUnit.DAY ? undefined : tickTimes(vector, 1_000);
  if (DataType.isTimestamp(type)) return tickTimes(vector, TICKS_PER_SECOND[type.unit]);
  const { codes, values } = codedColumn(vector);
  const times = timesOfValues(vector.type, values, calendar, (index, wrong) => {
    return new DataError({ source, row: codes.indexOf(index) + 1, column, received: values[index], ...wrong });
  });
  return Float64Array.from(codes, (code) => (times[code] ?? Number.NaN) / 1_000);
}

/**
 * Whether rows have times within the day: the times of day differ, and at least two times are half a day or less apart.
 */
export function areSubDaily(times: Float64Array): boolean {
  const timeOfDay = (time: number) => time - DAY * Math.floor(time / DAY);
  const first = timeOfDay(times[0]);
  if (times.every((time) => timeOfDay(time) === first)) return false;
  const ascending = times.slice().sort();
  return ascending.some((time, i) => i > 0 && time > ascending[i - 1] && time - ascending[i - 1] <= MAX_STEP);
}

/** The times of distinct values of a column of texts, or of a dictionary. Throws `fail` for anything but a date. */
function timesOfValues(
  type: DataType,
  values: readonly unknown[],
  calendar: ModelCalendar | undefined,
  fail: (index: number, wrong: { problem: string; received?: string; allowed: string }) => DataError,
): Float64Array {
  const entries = DataType.isDictionary(type) ? type.dictionary : type;
  // Arrow gives dates and timestamps as milliseconds.
  if (DataType.isDate(entries) || DataType.isTimestamp(entries)) {
    const times = Float64Array.from(values as number[]);
    return calendar === undefined ? times : times.map((time) => 1_000 * sameTimeIn(calendar, time / 1_000));
  }
  if (!isTextType(entries))
    throw fail(0, { problem: 'no dates', received: `${type}: ${values[0]}`, allowed: DATE_FORMS });
  const read = readDates(values, calendar);
  if (!('times' in read)) throw fail(read.index, { problem: read.problem, allowed: read.allowed });
  const missing = read.times.findIndex(Number.isNaN);
  if (missing >= 0) throw fail(missing, { problem: 'missing date', allowed: DATE_FORMS });
  return read.times;
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
function wordsOf({ values }: Data): Int32Array {
  return viewedAs(Int32Array, values) as Int32Array;
}

function toMilliseconds(seconds: number): number {
  return Math.round(seconds * 1_000) / 1_000;
}

/** The time of the same date and time of day in a model calendar; NaN if it has no such date. */
function sameTimeIn(calendar: ModelCalendar, time: number): number {
  const day = Math.floor(time / DAY);
  try {
    return sameDateIn(calendar, day) * DAY + time - day * DAY;
  } catch (error) {
    if (!isPlumecastError(error)) throw error;
    return Number.NaN;
  }
}
