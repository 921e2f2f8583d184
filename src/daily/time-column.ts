import { type Data, DataType, DateUnit, TimeUnit, type Vector } from 'apache-arrow';
import { codedColumn } from '../arrow/coded-column.js';
import { dayOfText } from '../arrow/day-of-text.js';
import { isPlumecastError } from '../errors.js';
import { type ModelCalendar, sameDateIn } from '../period/calendar.js';

const DAY = 86_400;
/** Daily values may be dated an hour more or less apart, where days begin at local midnight. */
const LONGEST_STEP = DAY / 2;

const TICKS_PER_SECOND: Record<TimeUnit, number> = {
  [TimeUnit.SECOND]: 1,
  [TimeUnit.MILLISECOND]: 1_000,
  [TimeUnit.MICROSECOND]: 1_000_000,
  [TimeUnit.NANOSECOND]: 1_000_000_000,
};

/**
 * The time of each row in seconds since 1970-01-01 UTC, to the millisecond; NaN where it is missing or no time, which readers of days
 * refuse. Undefined for columns that can only hold whole days. Dates are of the real calendar, or of the one that is given, as in
 * `dayColumn`.
 */
export function timeColumn(vector: Vector, calendar?: ModelCalendar): Float64Array | undefined {
  const { type } = vector;
  if (calendar !== undefined && DataType.isTimestamp(type)) {
    return tickTimes(vector, TICKS_PER_SECOND[type.unit]).map((time) => sameTimeIn(calendar, time));
  }
  if (DataType.isDate(type)) return type.unit === DateUnit.DAY ? undefined : tickTimes(vector, 1_000);
  if (DataType.isTimestamp(type)) return tickTimes(vector, TICKS_PER_SECOND[type.unit]);
  const { codes, values } = codedColumn(vector);
  const times = values.map((value) => timeOf(value, calendar));
  return Float64Array.from(codes, (code) => times[code] ?? Number.NaN);
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

function timeOf(value: unknown, calendar: ModelCalendar | undefined): number {
  if (typeof value !== 'number') return timeOfText(String(value), calendar);
  return calendar === undefined ? value / 1_000 : sameTimeIn(calendar, value / 1_000);
}

/** The time of the same date and time of day in a model calendar; NaN where that has no such date. */
function sameTimeIn(calendar: ModelCalendar, time: number): number {
  const day = Math.floor(time / DAY);
  try {
    return sameDateIn(calendar, day) * DAY + time - day * DAY;
  } catch (error) {
    if (!isPlumecastError(error)) throw error;
    return Number.NaN;
  }
}

/** The time of a text that is a date, or a date and a time of day with or without an offset from UTC; NaN for another text. */
export function timeOfText(text: string, calendar: ModelCalendar | undefined): number {
  const time = /[T ](\d{2}):?(\d{2})?:?(\d{2}(?:\.\d+)?)?.*?(?:([+-])(\d{2}):?(\d{2})?)?$/.exec(text.trim());
  try {
    const day = dayOfText(text, calendar);
    if (time === null) return day * DAY;
    const [, hours, minutes = '0', seconds = '0', sign, aheadHours = '0', aheadMinutes = '0'] = time;
    const ahead = (Number(aheadHours) * 3_600 + Number(aheadMinutes) * 60) * (sign === '-' ? -1 : 1);
    const ofDay = Number(hours) * 3_600 + Number(minutes) * 60 + Number(seconds) - ahead;
    return toMilliseconds(day * DAY + ofDay - DAY * Math.floor(ofDay / DAY));
  } catch (error) {
    if (!isPlumecastError(error)) throw error;
    return Number.NaN;
  }
}
