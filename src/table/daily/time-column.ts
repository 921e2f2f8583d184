import { type Data, DataType, DateUnit, type Table, TimeUnit, type Vector } from 'apache-arrow';
import { DataError, isPlumecastError, mentionOption } from '../../errors.js';
import { type ModelCalendar, sameDateIn } from '../../period/calendar.js';
import { DAY_SECONDS } from '../../period/day.js';
import { codedColumn, viewedAs } from '../arrow/stored-values.js';
import { columnOf } from '../arrow/table-schema.js';
import { isTextType } from '../columns/column-values.js';
import {
  DATE_FORMS,
  isOfLocalDay,
  isOtherZone,
  localDays,
  type ParsedDate,
  parseDateText,
  type WrongText,
} from '../columns/day-column.js';
import { MISSING_TEXT } from '../columns/missing-text.js';

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
    // A column of nothing has no row with the value.
    const row = codes.indexOf(index) + 1 || undefined;
    return new DataError({ source, row, column, received: values[index], ...wrong });
  });
  return Float64Array.from(codes, (code) => (times[code] ?? Number.NaN) / 1_000);
}

/**
 * Whether rows have times within the day: the times of day differ, and at least two times are half a day or less apart.
 */
export function areSubDaily(times: Float64Array): boolean {
  const timeOfDay = (time: number) => time - DAY_SECONDS * Math.floor(time / DAY_SECONDS);
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
    throw fail(0, {
      problem: 'no dates',
      received: DataType.isNull(type) ? 'only missing values' : `${type}: ${values[0]}`,
      allowed: DATE_FORMS,
    });
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
  const day = Math.floor(time / DAY_SECONDS);
  try {
    return sameDateIn(calendar, day) * DAY_SECONDS + time - day * DAY_SECONDS;
  } catch (error) {
    if (!isPlumecastError(error)) throw error;
    return Number.NaN;
  }
}

/** The times of all years of four digits are before it. */
const LATEST = 1e12;
const HOUR = 3_600;
const NOON = 43_200;

/** The zone that a date states: its offset from UTC. */
const STATED = /[T ][\d:.,]+ ?(Z|UTC|GMT|[+-]\d\d(:?\d\d)?)$/i;

/** What is allowed instead of daily values of another zone. */
export function allowedDays(): string {
  return `hourly values, UTC days or dates; or ${mentionOption('timeZone')}, to keep days of that zone`;
}

/**
 * Checks the times of day of daily values. Throws DataError if they are of days in a zone other than UTC, see
 * `isOfLocalDay`, by the zone that texts, the column's type or pandas state; and for two times an hour apart, as in a
 * zone with daylight saving time. Returns a note if all have one time that is neither midnight nor noon.
 */
export function checkUtcDays(table: Table, date: string, times: Float64Array, source?: string): string[] {
  const ofDay = timesOfDay(times);
  if (ofDay.length === 0 || (ofDay.length === 1 && ofDay[0] === 0)) return [];
  const fail = (received: unknown, row = 0) =>
    localDays({ source, column: date, row: row + 1, allowed: allowedDays() }, received);
  const zoneAt = statedZone(table, date);
  times.forEach((time, row) => {
    const text = textOfLocalDay(time, zoneAt(row));
    if (text !== undefined) throw fail(text, row);
  });
  const [first, second] = ofDay;
  if (ofDay.length === 2 && [HOUR, DAY_SECONDS - HOUR].includes(Math.abs(first - second))) {
    throw fail(`${timeOfDayText(first)} and ${timeOfDayText(second)} UTC: local midnight in winter and summer`);
  }
  return ofDay.length === 1 && first !== NOON
    ? [`daily values dated ${timeOfDayText(first)} UTC are taken for values of that UTC day`]
    : [];
}

/** Creates a function that throws DataError for a daily value among shorter steps that is not of a UTC day. */
export function utcDayCheck(table: Table, date: string, source?: string): (row: number, time: number) => void {
  let zoneAt: ReturnType<typeof statedZone> | undefined;
  return (row, time) => {
    if (time % DAY_SECONDS === 0) return;
    zoneAt ??= statedZone(table, date);
    const text = textOfLocalDay(time, zoneAt(row));
    if (text !== undefined) throw localDays({ source, column: date, row: row + 1, allowed: allowedDays() }, text);
  };
}

/** The time and the zone of a day that is no UTC day, in words; undefined for UTC days. */
function textOfLocalDay(time: number, zone: string | undefined): string | undefined {
  if (zone === undefined || !(Math.abs(time) <= LATEST)) return undefined;
  const ofDay = Math.round(time - DAY_SECONDS * Math.floor(time / DAY_SECONDS));
  if (!isOfLocalDay(ofDay / DAY_SECONDS, zone)) return undefined;
  const inZone = isOtherZone(zone) ? `zone ${zone}` : `midnight at UTC+${timeOfDayText(DAY_SECONDS - ofDay)}`;
  return `${timeText(time).slice(0, 16)}Z, ${inZone}`;
}

/** Finds the zone that the date of a row states; undefined where it states none. */
export function statedZone(table: Table, date: string): (row: number) => string | undefined {
  const column = columnOf(table, date);
  const type = DataType.isDictionary(column.type) ? column.type.dictionary : column.type;
  if (isTextType(type)) {
    const { codes, values } = codedColumn(column);
    const zones = values.map((text) => STATED.exec(String(text).trim())?.[1]);
    return (row) => zones[codes[row]];
  }
  // Milliseconds of a date count from midnight of UTC.
  const stated = (DataType.isTimestamp(type) ? type.timezone : DataType.isDate(type) && 'UTC') || undefined;
  // Parquet itself has only UTC.
  const zone = stated && isOtherZone(stated) ? stated : (zoneOfPandas(table, date) ?? stated);
  return () => zone;
}

/** The distinct times of day, in seconds, at most three of them; those beyond all dates are for readers of dates. */
function timesOfDay(times: Float64Array): number[] {
  const found: number[] = [];
  for (const time of times) {
    if (!(Math.abs(time) <= LATEST)) continue;
    const ofDay = Math.round(time - DAY_SECONDS * Math.floor(time / DAY_SECONDS));
    if (!found.includes(ofDay) && found.push(ofDay) > 2) break;
  }
  return found;
}

/** The zone of a column in the metadata of pandas. */
function zoneOfPandas({ schema: { metadata } }: Table, date: string): string | undefined {
  try {
    const { columns } = JSON.parse(metadata.get('pandas') ?? '{}');
    const column = Array.isArray(columns)
      ? columns.find((each) => each?.field_name === date || each?.name === date)
      : {};
    const zone = column?.metadata?.timezone;
    return typeof zone === 'string' ? zone : undefined;
  } catch {
    return undefined;
  }
}

function timeText(time: number): string {
  return new Date(time * 1000).toISOString();
}

function timeOfDayText(seconds: number): string {
  return timeText(seconds).slice(11, 16);
}

/*
 * Dates as people write them in texts. No form is guessed: a text with two possible readings is an error.
 */

/** What is wrong with one of several values that should be dates. */
export interface WrongDate extends WrongText {
  /** Which of the values it is. */
  readonly index: number;
}

/** The times of values: milliseconds since 1970-01-01 UTC, rounded down; NaN for missing values. */
interface ReadDates {
  readonly times: Float64Array;
}

/** What is wrong with a date that is written in another form than the one before. */
export function otherForm(before: string): WrongText {
  return { problem: 'is not of the form of the dates before', allowed: `one form, as in ${before}` };
}

const DAY_OR_MONTH_FIRST = /^\d\d?[-/. ]\d\d?[-/. ]\d\d(\d\d)?\b/;

/**
 * Reads distinct texts, which must all have one form; `calendar` is by default the real one. Returns the first wrong
 * one if there is one.
 */
export function readDates(values: readonly unknown[], calendar?: ModelCalendar): ReadDates | WrongDate {
  const times = new Float64Array(values.length).fill(Number.NaN);
  let first: (ParsedDate & { readonly text: string }) | undefined;
  for (const [index, value] of values.entries()) {
    const text = String(value).trim();
    if (MISSING_TEXT.test(text)) continue;
    const date = parsed(text, calendar);
    if ('problem' in date) return { ...date, index };
    first ??= { ...date, text };
    if (date.separator !== first.separator || date.isZoned !== first.isZoned) {
      return { index, ...otherForm(first.text) };
    }
    times[index] = date.time;
  }
  return { times };
}

function parsed(text: string, calendar: ModelCalendar | undefined): ParsedDate | WrongText {
  if (!DAY_OR_MONTH_FIRST.test(text)) return parseDateText(text, calendar);
  return { problem: 'may have the day or the month first, which is not guessed', allowed: 'year first: 2026-03-02' };
}
