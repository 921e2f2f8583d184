import { type Data, DataType, DateUnit, type Table, type TimeUnit, type Vector } from 'apache-arrow';
import { DataError, OptionError, subjectIn } from '../../errors.js';
import {
  allowedCalendars,
  CALENDARS,
  calendarSpan,
  type ModelCalendar,
  modelCalendar,
  parseCalendarDate,
  sameDateIn,
} from '../../period/calendar.js';
import { DAY_MILLISECONDS, DAY_SECONDS, dayNumber, FIRST_DAY, LAST_DAY } from '../../period/day.js';
import { codedColumn, viewedAs } from '../arrow/stored-values.js';
import { isTextType } from './column-values.js';

/** The ticks of a day in a unit of timestamps, which Arrow numbers from seconds to nanoseconds. */
function ticksPerDay(unit: TimeUnit): number {
  return DAY_SECONDS * 1000 ** unit;
}

/**
 * The UTC day number of each row. Date32 columns in one chunk are not copied. Dates are of the real calendar, or of
 * `calendar`: then types that hold real days mean the day with the same year, month and day. Throws a DataError that
 * names the row if a date is missing, has an unknown form or is outside the years 1 to 9999, and if the column does not
 * hold dates. `loops` are faster ones, where the days are copied.
 */
export function dayColumn(
  vector: Vector,
  column: string,
  source?: string,
  calendar?: ModelCalendar,
  loops?: DayLoops,
): Int32Array {
  const [firstDay, lastDay] = calendarSpan(calendar);
  const from = { column, source, calendar };
  const checked = (day: number, row: number): number => {
    if (day >= firstDay && day <= lastDay) return day;
    const [problem, received, allowed] = Number.isNaN(day)
      ? ['missing date', null, DATE_FORMS]
      : ['outside the years 1 to 9999', `day ${day} from 1970-01-01`, 'dates of these years'];
    throw new DataError({ source, row: row + 1, column, problem, received, allowed });
  };
  const areTexts = isTextType(vector.type);
  if (areTexts || (DataType.isDictionary(vector.type) && isTimeType(vector.type.dictionary))) {
    const read = (date: unknown, row: number) => checked(date === null ? Number.NaN : dayOfValue(date, row, from), row);
    const assertUtc = (dates: readonly unknown[]) => {
      if (areTexts) assertUtcTexts(dates, from);
    };
    return loops?.ofEntries(vector, read, assertUtc) ?? codedDays(vector, read, assertUtc);
  }
  const toDay = reader(vector.type, from);
  const [only] = vector.data;
  const isPlain = isDate32(vector.type) && calendar === undefined;
  const ready = vector.data.length === 1 && isPlain && only.nullCount === 0;
  const days = ready ? (only.values as Int32Array).subarray(0, only.length) : new Int32Array(vector.length);
  if (ready && (loops?.areDays(days) ?? areDays(days))) return days;
  let row = 0;
  for (const data of vector.data) {
    const hasNulls = data.nullCount > 0;
    for (let i = 0; i < data.length; i++, row++) {
      const day = checked(hasNulls && !data.getValid(i) ? Number.NaN : toDay(data, i), row);
      if (!ready) days[row] = day;
    }
  }
  return days;
}

function isTimeType(type: DataType): boolean {
  return DataType.isDate(type) || DataType.isTimestamp(type);
}

type ReadDate = (date: unknown, row: number) => number;
type CheckDates = (dates: readonly unknown[]) => void;

/** Each distinct date is read once: each location or member has the same days. */
function codedDays(vector: Vector, read: ReadDate, check: CheckDates): Int32Array {
  const { codes, values } = codedColumn(vector);
  check(values);
  const dayOf: number[] = [];
  for (let row = 0; row < codes.length; row++) {
    const code = codes[row];
    codes[row] = code < 0 ? read(null, row) : (dayOf[code] ??= read(values[code], row));
  }
  return codes;
}

/** Whether all are days of the years 1 to 9999; if not, a slower loop finds the first that is wrong. */
export function areDays(days: Int32Array): boolean {
  let signs = 0;
  for (let row = 0; row < days.length; row++) signs |= (days[row] - FIRST_DAY) | (LAST_DAY - days[row]);
  return signs >= 0;
}

function isDate32(type: DataType): boolean {
  return DataType.isDate(type) && type.unit === DateUnit.DAY;
}

/** Loops over the days of one column at a time. */
export interface DayLoops {
  /** Whether all days are of the years 1 to 9999. */
  areDays(days: Int32Array): boolean;
  /**
   * The days of a dictionary's entries, each read once; undefined where this does not work, or `read` or `check`
   * throws.
   */
  ofEntries(vector: Vector, read: ReadDate, check: CheckDates): Int32Array | undefined;
}

/** Reads the day at `index` of `data`, which is not null. */
type DayReader = (data: Data, index: number) => number;

/** The column that dates are read from, and their calendar. */
interface DateSource {
  readonly column: string;
  readonly source?: string;
  readonly calendar?: ModelCalendar;
}

function reader(type: DataType, { column, source, calendar }: DateSource): DayReader {
  if (calendar !== undefined && isTimeType(type)) {
    const toReal = reader(type, { column, source });
    return (data, index) => sameDateIn(calendar, toReal(data, index));
  }
  if (isDate32(type)) return (data, index) => data.values[index];
  if (DataType.isDate(type)) return tickReader(DAY_MILLISECONDS);
  if (DataType.isTimestamp(type)) {
    const zone = type.timezone ?? 'UTC';
    return tickReader(ticksPerDay(type.unit), isOtherZone(zone) && localDays({ source, column }, zone));
  }
  const allowed = `${DATE_FORMS}; dailyTable reads numbers that are dates`;
  throw new DataError({ source, column, problem: 'no dates', received: String(type), allowed });
}

/** The day of a text, or of milliseconds, which Arrow gives for dates and timestamps. */
function dayOfValue(value: unknown, row: number, { column, source, calendar }: DateSource): number {
  if (typeof value === 'number') {
    const day = Math.floor(value / DAY_MILLISECONDS);
    return calendar === undefined ? day : sameDateIn(calendar, day);
  }
  const date = parseDateText(String(value).trim(), calendar);
  if ('time' in date) return Math.floor(date.time / DAY_MILLISECONDS);
  throw new DataError({ source, row: row + 1, column, ...date, received: value });
}

/** Reads days of ticks; `fault` is the error for a time that is not midnight of UTC. */
function tickReader(perDay: number, fault?: DataError | false): DayReader {
  let chunk: Data | undefined;
  let words: Int32Array = new Int32Array(0);
  return (data, index) => {
    if (data !== chunk) {
      words = viewedAs(Int32Array, data.values) as Int32Array;
      chunk = data;
    }
    const low = words[2 * index];
    const ticks = words[2 * index + 1] * 2 ** 32 + (low >>> 0);
    const day = Math.floor(ticks / perDay);
    const midnight = day * perDay;
    if (fault && ticks !== midnight) throw fault;
    // Float64 holds every midnight exactly, but rounds the last ticks before midnight up to it: there the low word
    // decides.
    const early = ticks < midnight || (ticks === midnight && ((low - (midnight | 0)) | 0) < 0);
    return early ? day - 1 : day;
  };
}

/** The forms of dates that are read, for messages. */
export const DATE_FORMS = '2026-03-02, 2026-03-02T06:00Z, 20260302, Arrow dates or timestamps';

const MINUTE = 60_000;

/** Date, time and zone; without separators, each part must have two digits. */
const DATE =
  /^(\d{4})(?:([-/.])(\d\d?)\2(\d\d?)|(\d\d)(\d\d))(?:(?:T| +)(\d\d)(?::?(\d\d)(?::?(\d\d)(?:[.,](\d+))?)?)?(?: ?(Z|UTC|GMT|([+-])(\d\d)(?::?(\d\d))?))?)?$/i;

/** A text that is a date. */
export interface ParsedDate {
  readonly time: number;
  readonly separator: string;
  /** Whether it states a zone, as times of UTC do, too. */
  readonly isZoned: boolean;
}

/** What is wrong with a text that is not a date. */
export interface WrongText {
  readonly problem: string;
  readonly allowed: string;
}

/** Days of the real calendar that were read: files of a batch have the same ones, and each is read several times. */
const knownDays = /* @__PURE__ */ new Map<string, ParsedDate | WrongText>();
const MAX_KNOWN_DAYS = 4096;
/** `2026-03-02`. */
const DAY_LENGTH = 10;

/** Reads a date, or a date and a time, of the real calendar or of `calendar`. A time without an offset is UTC. */
export function parseDateText(text: string, calendar?: ModelCalendar): ParsedDate | WrongText {
  if (calendar !== undefined || text.length !== DAY_LENGTH) return readDateText(text, calendar);
  let date = knownDays.get(text);
  if (date === undefined) {
    date = readDateText(text, calendar);
    if (knownDays.size >= MAX_KNOWN_DAYS) knownDays.clear();
    knownDays.set(text, date);
  }
  return date;
}

function readDateText(text: string, calendar: ModelCalendar | undefined): ParsedDate | WrongText {
  const found = DATE.exec(text);
  if (found === null) return { problem: 'is not a date in a known form', allowed: DATE_FORMS };
  const [, year, separator = '', m, d, mm, dd, hour = '0', minute = '0', second = '0', fraction = '', zone] = found;
  const [sign, hoursAhead = '0', minutesAhead = '0'] = found.slice(12);
  try {
    const [month, date] = [m ?? mm, d ?? dd];
    const day =
      calendar === undefined
        ? dayNumber(Number(year), Number(month), Number(date))
        : parseCalendarDate(calendar, `${year}-${month.padStart(2, '0')}-${date.padStart(2, '0')}`);
    if (Math.max(+hour, +hoursAhead) > 23 || Math.max(+minute, +second, +minutesAhead) > 59) {
      return { problem: 'is not a time of day', allowed: 'hours from 00 to 23, minutes and seconds to 59' };
    }
    const ahead = (Number(hoursAhead) * 60 + Number(minutesAhead)) * (sign === '-' ? -1 : 1);
    const minutes = Number(hour) * 60 + Number(minute) - ahead;
    const milliseconds = Number(second) * 1000 + Number(fraction.slice(0, 3).padEnd(3, '0'));
    return { time: day * DAY_MILLISECONDS + minutes * MINUTE + milliseconds, separator, isZoned: zone !== undefined };
  } catch (error) {
    const { problem, allowed = DATE_FORMS } = error as OptionError;
    return { problem, allowed };
  }
}

/** Midnight in a zone that is not UTC. */
const LOCAL_MIDNIGHT = /[T ][0:.,]+ ?[+-](?![0:]+$)\d\d(:?\d\d)?$/;
const UTC = /^(etc\/)?(utc|gmt|z|[+-]?[0:]+)$/i;

/** Zones differ by quarters of an hour. */
const QUARTER = 900;

/** The column of dates of daily values. */
interface DatedColumn {
  readonly source?: string;
  readonly column: string;
  /** The row of the date that is received: none in arrays. */
  readonly row?: number;
  /** Where there is more than these functions take. */
  readonly allowed?: string;
}

/** Throws DataError if all texts are midnights in a zone other than UTC: then daily values are not of UTC days. */
function assertUtcTexts(texts: readonly unknown[], where: DatedColumn): void {
  if (texts.length > 0 && texts.every((text) => LOCAL_MIDNIGHT.test(String(text))))
    throw localDays({ ...where, row: 1 }, texts[0]);
}

/** Whether a text names a zone other than UTC. */
export function isOtherZone(zone: string): boolean {
  return !UTC.test(zone);
}

/**
 * Whether daily values, whose times state a zone, are not of UTC days by their time of day in UTC, from 0 to 1: all but
 * midnight in a zone other than UTC. In UTC a quarter of an hour in the evening is midnight of a zone further east, which
 * has the next date.
 */
export function isOfLocalDay(timeOfDay: number, zone: string): boolean {
  if (isOtherZone(zone)) return timeOfDay > 0;
  return timeOfDay > 0.5 && timeOfDay < 1 && Math.round(timeOfDay * DAY_SECONDS) % QUARTER === 0;
}

/** The error for daily values of days that are not UTC days. */
export function localDays(where: DatedColumn, received: unknown): DataError {
  return new DataError({
    allowed: 'hourly values, UTC days or dates',
    ...where,
    problem: 'daily values of another zone than UTC',
    received,
  });
}

/** The calendar that metadata state, if it is not the real one. Throws DataError for one that is not supported. */
export function statedCalendar(metadata: ReadonlyMap<string, string>, source?: string): ModelCalendar | undefined {
  const name = metadata.get('calendar');
  if (name === undefined || CALENDARS.includes(name.toLowerCase())) return modelCalendar(name);
  throw new DataError({
    source,
    problem: 'its calendar is not supported',
    received: name,
    allowed: allowedCalendars(),
  });
}

/**
 * The calendar of a table's dates, if it is not the real one, as its metadata or the caller state it. Throws DataError
 * for one that is not supported, and OptionError if the two differ.
 */
export function tableCalendar(
  { schema: { metadata } }: Table,
  { calendar, source }: { readonly calendar?: string; readonly source?: string },
): ModelCalendar | undefined {
  const stated = statedCalendar(metadata, source);
  if (calendar === undefined) return stated;
  const given = modelCalendar(calendar);
  if (metadata.has('calendar') && given !== stated) throw otherCalendar(calendar, metadata.get('calendar'), source);
  return given;
}

/** The error for a given calendar that is not the one that the data state. */
export function otherCalendar(given: string, stated: string | undefined, source: string | undefined): OptionError {
  return new OptionError({
    subject: subjectIn(source, 'calendar'),
    problem: 'the data state another one',
    received: given,
    allowed: `${stated}, or to leave it out`,
  });
}

/** A note on dates of a model calendar, for people; none for the real calendar. */
export function calendarNotes(calendar: ModelCalendar | undefined): string[] {
  return calendar === undefined ? [] : [`dates of calendar ${calendar}: days and months are its own`];
}

/**
 * Throws DataError if dates are of a model calendar; `purpose` says what needs real dates, as in `blending needs real
 * dates`.
 */
export function assertRealDates(metadata: ReadonlyMap<string, string>, purpose: string, source?: string): void {
  const calendar = statedCalendar(metadata, source);
  if (calendar === undefined) return;
  throw new DataError({
    source,
    problem: `dates are not of the real calendar, and ${purpose} needs real dates`,
    received: `calendar ${calendar}`,
    allowed: 'standard, gregorian or proleptic_gregorian; convert dates first, as by convert_calendar of xarray',
  });
}
