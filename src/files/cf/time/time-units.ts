import { dateText, daysFromDate, daysInModelMonth, type ModelCalendar, packedDate } from '../../../period/calendar.js';
import { DAY_SECONDS, daysFromCivil, daysInMonth, twoDigits } from '../../../period/day.js';

/** Units of time in seconds, by their names and symbols in lower case. Months and years have no fixed length. */
const SECONDS: Readonly<Record<string, number>> = {
  ...{ d: DAY_SECONDS, day: DAY_SECONDS, days: DAY_SECONDS },
  ...{ h: 3600, hr: 3600, hrs: 3600, hour: 3600, hours: 3600 },
  ...{ min: 60, mins: 60, minute: 60, minutes: 60 },
  ...{ s: 1, sec: 1, secs: 1, second: 1, seconds: 1 },
  ...{ ms: 1e-3, msec: 1e-3, msecs: 1e-3, millisecond: 1e-3, milliseconds: 1e-3 },
  ...{ us: 1e-6, microsecond: 1e-6, microseconds: 1e-6 },
  ...{ ns: 1e-9, nanosecond: 1e-9, nanoseconds: 1e-9 },
};

/** The seconds of a unit of time, `hours`; undefined for other texts. */
export function secondsOfUnit(unit: string): number | undefined {
  const name = unit.trim().toLowerCase();
  return Object.hasOwn(SECONDS, name) ? SECONDS[name] : undefined;
}

/** Whether a unit is months, whose lengths differ. */
export function isMonths(unit: string | undefined): boolean {
  return /^months?$/i.test(unit?.trim() ?? '');
}

/** Whether a unit is one of time: of a fixed length, or months. */
export function isDuration(unit: string): boolean {
  return secondsOfUnit(unit) !== undefined || isMonths(unit);
}

/** Whether a unit counts from a date: `days since 1970-01-01`. */
export function countsFromDate(units: string | undefined): boolean {
  return units !== undefined && /\bsince\b/i.test(units);
}

/** A unit of time that counts from a date. */
export interface TimeUnits {
  /** The seconds of the unit; undefined for months of the calendar. */
  readonly seconds: number | undefined;
  /** The date in seconds since 1970-01-01 UTC. */
  readonly reference: number;
  /** The seconds by which the zone of the date is ahead of UTC. */
  readonly offset: number;
}

/**
 * Reads units such as `days since 1970-01-01 00:00:00 +00:00`; undefined for a text of another form and for dates and
 * times of day that do not exist.
 *
 * A date has a year of one to four digits, `-` or `/` between its parts, or eight digits; a time may have a fraction and an offset, `Z`, `UTC`, `+01:00`, `-5`, or
 * `0:00` after a time, as wgrib2 writes it; without one it is UTC. Dates before 1582-10-15 are Julian where `calendar` is
 * `standard`, as CF defines it (section 4.4.1), else proleptic Gregorian, Julian, or of the model calendar. The
 * calendars of models have a year 0, from which many files count. Months are understood where `hasMonths`: in a
 * calendar whose months are all alike.
 */
export function timeUnits(
  text: string,
  calendar: TimeCalendar,
  hasMonths = calendar === '360_day',
): TimeUnits | undefined {
  const [, unit, date] = /^([a-z]+)\s+since\s+(\S.*)$/i.exec(text.trim()) ?? [];
  const match = DATE.exec(date?.replace(OTHER_DATE, '$1$3-$2$4-') ?? '');
  const isKnown = unit !== undefined && (isMonths(unit) ? hasMonths : secondsOfUnit(unit) !== undefined);
  if (!isKnown || match === null) return undefined;
  const {
    year,
    month,
    day,
    hour = '0',
    minute = '0',
    second = '0',
    sign,
    offsetHours = match.groups?.plainHours ?? '0',
    offsetMinutes = match.groups?.plainMinutes ?? '0',
  } = match.groups as Record<string, string | undefined> & { year: string; month: string; day: string };
  const number = dayOf(Number(year), Number(month), Number(day), calendar);
  const isTimeOfDay = Number(hour) <= 24 && Number(minute) < 60 && Number(second) < 61;
  if (number === undefined || !isTimeOfDay || Number(offsetHours) > 18 || Number(offsetMinutes) >= 60) return undefined;
  const offset = (Number(offsetHours) * 3600 + Number(offsetMinutes) * 60) * (sign === '-' ? -1 : 1);
  const time = Number(hour) * 3600 + Number(minute) * 60 + Number(second);
  return { seconds: secondsOfUnit(unit), reference: number * DAY_SECONDS + time - offset, offset };
}

/**
 * A calendar of times: a model's, the proleptic Gregorian one, `standard`, which is Julian before 1582-10-15, or
 * `julian`, whose dates are those of the same name of the real calendar.
 */
export type TimeCalendar = ModelCalendar | 'proleptic_gregorian' | 'standard' | 'julian';

/** The year and the month of `1970/01/01` and of `19700101`. */
const OTHER_DATE = /^(?:(\d{1,4})\/(\d{1,2})\/|(\d{4})(\d{2})(?=\d{2}(?!\d)))/;

const DATE =
  /^(?<year>\d{1,4})-(?<month>\d{1,2})-(?<day>\d{1,2})(?:[T\s]\s*(?<hour>\d{1,2})(?::(?<minute>\d{1,2})(?::(?<second>\d{1,2}(?:\.\d*)?))?)?)?\s*(?:Z|UTC|GMT|(?<sign>[+-])(?<offsetHours>\d{1,2})(?::?(?<offsetMinutes>\d{2}))?|(?<=:.*\s)(?<plainHours>\d{1,2}):(?<plainMinutes>\d{2}))?$/i;

function dayOf(year: number, month: number, day: number, calendar: TimeCalendar): number | undefined {
  if (isModel(calendar)) {
    const exists = day >= 1 && day <= daysInModelMonth(calendar, month);
    return exists ? daysFromDate(calendar, year, month, day) : undefined;
  }
  const isOfJulian = calendar === 'julian';
  const isJulian = isOfJulian || (calendar === 'standard' && year * 10_000 + month * 100 + day < 1582_10_15);
  // Every fourth year is a Julian leap year: its months have the lengths of those of 2000.
  const lengthOfYear = isJulian && year % 4 === 0 ? 2000 : year;
  if (year < 1 || day < 1 || !(day <= daysInMonth(lengthOfYear, month))) return undefined;
  if (!isJulian) return daysFromCivil(year, month, day);
  return daysFromJulian(year, month, day) - (isOfJulian ? JULIAN_LAG : 0);
}

/** The days by which dates of the Julian calendar come after those of the same name, from JULIAN_FIRST to JULIAN_LAST. */
const JULIAN_LAG = 13;
/** The dates of which both calendars have the same days: from 1900-03-01 to 2100-02-28. */
export const JULIAN_FIRST = /* @__PURE__ */ daysFromCivil(1900, 3, 1);
export const JULIAN_LAST = /* @__PURE__ */ daysFromCivil(2100, 2, 28);

/** Whether units are dates that are written as numbers, as CDO's absolute times are: 20260302.25. */
export function areAbsolute(units: string): boolean {
  return /^days? as %Y%m%d\.%f$/.test(units.trim());
}

/** The seconds since 1970-01-01 UTC of a date and a share of its day, 20260302.25; NaN for one that does not exist. */
export function absoluteTime(value: number, calendar: TimeCalendar): number {
  const date = Math.floor(value);
  const day = dayOf(Math.floor(date / 10_000), Math.floor(date / 100) % 100, date % 100, calendar) ?? Number.NaN;
  return (day + value - date) * DAY_SECONDS;
}

/**
 * The day number of a date of the Julian calendar: a leap year every fourth year; 1 January of year 1 is 0000-12-30
 * Gregorian.
 */
function daysFromJulian(year: number, month: number, day: number): number {
  // Years begin on 1 March here, so that the leap day is a year's last.
  const y = month <= 2 ? year - 1 : year;
  const dayOfYear = Math.floor((153 * (month > 2 ? month - 3 : month + 9) + 2) / 5) + day - 1;
  return y * 365 + Math.floor(y / 4) + dayOfYear - 719_470;
}

/** The model calendar of times; undefined for the real ones. */
export function modelPart(calendar: TimeCalendar): ModelCalendar | undefined {
  return isModel(calendar) ? calendar : undefined;
}

function isModel(calendar: TimeCalendar): calendar is ModelCalendar {
  return !['standard', 'proleptic_gregorian', 'julian'].includes(calendar);
}

/** Seconds since 1970-01-01 UTC of the real or a model calendar, from year 1 on, as text: `2022-10-02T00:00:00Z`. */
export function utcText(seconds: number, calendar?: ModelCalendar): string {
  const day = Math.floor(seconds / DAY_SECONDS);
  const second = Math.floor(seconds - day * DAY_SECONDS);
  const time = [second / 3600, (second / 60) % 60, second % 60].map((part) => twoDigits(Math.floor(part)));
  return `${dateText(calendar, day)}T${time.join(':')}Z`;
}

/** As many as 10,000 years have. */
const MAX_MONTHS = 120_000;

/**
 * The seconds of a time some months after another one: whole months have the same day of the month, or its last one; a
 * fraction is a share of the month that follows.
 */
export function monthsAfter(seconds: number, months: number, calendar: TimeCalendar): number {
  if (!(Math.abs(months) < MAX_MONTHS)) return Number.isNaN(months) ? months : Number.POSITIVE_INFINITY;
  const model = modelPart(calendar);
  const day = Math.floor(seconds / DAY_SECONDS);
  const packed = packedDate(model, day);
  const [year, month, date] = [Math.floor(packed / 512), Math.floor(packed / 32) % 16, packed % 32];
  const whole = Math.floor(months);
  const dayAfter = (count: number) => {
    const index = 12 * year + month - 1 + count;
    const [y, m] = [Math.floor(index / 12), (((index % 12) + 12) % 12) + 1];
    const last = model === undefined ? daysInMonth(y, m) : daysInModelMonth(model, m);
    return daysFromDate(model, y, m, Math.min(date, last));
  };
  const start = dayAfter(whole);
  const fraction = months === whole ? 0 : (months - whole) * (dayAfter(whole + 1) - start);
  return (start + fraction) * DAY_SECONDS + seconds - day * DAY_SECONDS;
}
