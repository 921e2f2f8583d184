import { OptionError, unusable } from '../errors.js';

/** The number that the digits of `text` from `start` to `end` (exclusive) write; -1 if one of them is not a digit. */
export function readDigits(text: string, start: number, end: number): number {
  let value = 0;
  for (let i = start; i < end; i++) {
    const digit = text.charCodeAt(i) - 48;
    // Written so that NaN, from a position beyond the text, gives -1 too.
    if (!(digit >= 0 && digit <= 9)) return -1;
    value = value * 10 + digit;
  }
  return value;
}

/** `value`, an integer from 0 to 99, in two digits. */
export function twoDigits(value: number): string {
  return value < 10 ? `0${value}` : `${value}`;
}

/** `value`, an integer from 0 to 9999, in four digits. */
export function fourDigits(value: number): string {
  if (value >= 1000) return `${value}`;
  return value >= 100 ? `0${value}` : value >= 10 ? `00${value}` : `000${value}`;
}

/**
 * The day number (days since 1970-01-01) of a date of the proleptic Gregorian calendar. Nothing is checked.
 *
 * Source: Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms", `days_from_civil`
 * (https://howardhinnant.github.io/date_algorithms.html), for years from 0 on.
 */
export function daysFromCivil(year: number, month: number, day: number): number {
  // Years begin on 1 March here, so that the leap day is a year's last.
  const y = month <= 2 ? year - 1 : year;
  const era = (y / 400) | 0;
  const yearOfEra = y - era * 400;
  const dayOfYear = (((153 * (month > 2 ? month - 3 : month + 9) + 2) / 5) | 0) + day - 1;
  return era * 146097 + yearOfEra * 365 + ((yearOfEra / 4) | 0) - ((yearOfEra / 100) | 0) + dayOfYear - 719468;
}

/**
 * The year of a day number, from 0000-03-01 on. Source: the first half of `civil_from_days` in Hinnant's text. Nothing
 * is checked.
 */
export function yearFromDays(day: number): number {
  const z = day + 719468;
  const era = (z / 146097) | 0;
  const dayOfEra = z - era * 146097;
  const yearOfEra = yearOfEraOf(dayOfEra);
  return yearOfEra + era * 400 + (dayOfYearOf(dayOfEra, yearOfEra) >= 306 ? 1 : 0);
}

/**
 * The year, month and day of the month of a day number, from 0000-03-01 on, packed as `(year * 16 + month) * 32 + day`
 * so that no object is made. Source: `civil_from_days` in Hinnant's text. Nothing is checked.
 */
export function packedCivilFromDays(day: number): number {
  const z = day + 719468;
  const era = (z / 146097) | 0;
  const dayOfEra = z - era * 146097;
  const yearOfEra = yearOfEraOf(dayOfEra);
  const dayOfYear = dayOfYearOf(dayOfEra, yearOfEra);
  const shiftedMonth = ((5 * dayOfYear + 2) / 153) | 0;
  const dayOfMonth = dayOfYear - (((153 * shiftedMonth + 2) / 5) | 0) + 1;
  const month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9;
  const year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0);
  return (((year << 4) | month) << 5) | dayOfMonth;
}

/** The day number of the last day before the month of a day. Nothing is checked. */
export function lastDayBeforeMonth(day: number): number {
  return day - (packedCivilFromDays(day) & 31);
}

function yearOfEraOf(dayOfEra: number): number {
  return ((dayOfEra - ((dayOfEra / 1460) | 0) + ((dayOfEra / 36524) | 0) - ((dayOfEra / 146096) | 0)) / 365) | 0;
}

function dayOfYearOf(dayOfEra: number, yearOfEra: number): number {
  return dayOfEra - (365 * yearOfEra + ((yearOfEra / 4) | 0) - ((yearOfEra / 100) | 0));
}

/** The length of a day: there are no leap seconds. */
export const DAY_SECONDS = 86_400;
export const DAY_MILLISECONDS = 86_400_000;

/** The first day of the calendar, 0001-01-01 (a Monday), as a day number. */
export const FIRST_DAY = -719162;

/** The last day of the calendar, 9999-12-31 (a Friday), as a day number. */
export const LAST_DAY = 2932896;

/** A date of the proleptic Gregorian calendar: `month` from 1 to 12, `day` of the month from 1. */
export interface CivilDate {
  year: number;
  month: number;
  day: number;
}

/** Whether `year` has a 29 February, by the Gregorian rule. */
export function isLeapYear(year: number): boolean {
  return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
}

/** The number of days of a month, `month` from 1 to 12; NaN for any other month. */
export function daysInMonth(year: number, month: number): number {
  if (month === 2) return isLeapYear(year) ? 29 : 28;
  if (month === 4 || month === 6 || month === 9 || month === 11) return 30;
  return month >= 1 && month <= 12 && Number.isInteger(month) ? 31 : Number.NaN;
}

/**
 * The day number of a date: days since 1970-01-01, the number that an Arrow Date32 holds.
 *
 * Throws an OptionError where the date does not exist in the proleptic Gregorian calendar of the years 1 to 9999.
 */
export function dayNumber(year: number, month: number, day: number): number {
  const allowed = allowedDates(year, month, day);
  if (allowed !== undefined) {
    throw new OptionError({ subject: 'date', problem: 'does not exist', received: [year, month, day], allowed });
  }
  return daysFromCivil(year, month, day);
}

/** The date of a day number. Throws an OptionError unless `day` is an integer from FIRST_DAY to LAST_DAY. */
export function civilDate(day: number): CivilDate {
  checkDay('day', day);
  const packed = packedCivilFromDays(day);
  return { year: packed >> 9, month: (packed >> 5) & 15, day: packed & 31 };
}

/**
 * The ISO weekday of a day number: 1 is Monday, 7 is Sunday. `day` is any integer from FIRST_DAY on; it is not checked.
 */
export function weekday(day: number): number {
  // FIRST_DAY is a Monday, so the dividend is never negative.
  return ((day - FIRST_DAY) % 7) + 1;
}

/**
 * The day number of a date written `YYYY-MM-DD`, the only form that is accepted.
 *
 * Throws an OptionError about `subject` where the text has another form, or where the date does not exist.
 */
export function parseDate(text: string, subject = 'date'): number {
  if (typeof subject !== 'string') throw unusable('subject', subject, 'a text');
  const [year, month, day] = dateParts(text, subject);
  const allowed = allowedDates(year, month, day);
  if (allowed !== undefined) throw new OptionError({ subject, problem: 'does not exist', received: text, allowed });
  return daysFromCivil(year, month, day);
}

/** Year, month and day of a text `YYYY-MM-DD`, whether they exist or not. Throws OptionError for another form. */
export function dateParts(text: string, subject: string): number[] {
  if (typeof text === 'string' && /^\d{4}-\d\d-\d\d$/.test(text)) return text.split('-').map(Number);
  throw unusable(subject, text, 'YYYY-MM-DD');
}

/** A day number as `YYYY-MM-DD`. Throws an OptionError unless `day` is an integer from FIRST_DAY to LAST_DAY. */
export function formatDate(day: number): string {
  checkDay('day', day);
  const packed = packedCivilFromDays(day);
  return `${fourDigits(packed >> 9)}-${twoDigits((packed >> 5) & 15)}-${twoDigits(packed & 31)}`;
}

/** Throws an OptionError about `subject` unless `day` is an integer from FIRST_DAY to LAST_DAY. */
export function checkDay(subject: string, day: number): void {
  if (Number.isInteger(day) && day >= FIRST_DAY && day <= LAST_DAY) return;
  throw unusable(
    subject,
    day,
    `an integer from ${FIRST_DAY} (0001-01-01) to ${LAST_DAY} (9999-12-31), days since 1970-01-01`,
  );
}

/** Whether `year` is an integer from 1 to 9999. */
export function isYear(year: number): boolean {
  return Number.isInteger(year) && year >= 1 && year <= 9999;
}

/** If a date does not exist, what its first wrong part may be; undefined if the date exists. */
function allowedDates(year: number, month: number, day: number): string | undefined {
  if (!isYear(year)) return 'years from 1 to 9999';
  if (!(Number.isInteger(month) && month >= 1 && month <= 12)) return 'months from 1 to 12';
  const days = daysInMonth(year, month);
  if (!(Number.isInteger(day) && day >= 1 && day <= days)) {
    return `days from 1 to ${days} in ${fourDigits(year)}-${twoDigits(month)}`;
  }
  return undefined;
}

/** Up to this many days for each day with values are taken as gaps; more mean that a date is wrong. */
const MAX_DAYS_PER_DAY = 50;
/** Ten years without values are always taken as a gap, however few days have values. */
const MAX_GAP_DAYS = 3_653;
/** This many values take little memory, however few of them are present. */
const MAX_SPARSE_VALUES = 16_777_216;

/** Whether so few of the days from `first` to `last` are present that one of the dates must be wrong. */
export function isScattered(first: number, last: number, present: number): boolean {
  return last - first >= MAX_DAYS_PER_DAY * present + MAX_GAP_DAYS;
}

/** Whether `values`, which include missing days, would take far more memory than the `present` ones. */
export function isTooSparse(values: number, present: number): boolean {
  return values > Math.max(MAX_SPARSE_VALUES, MAX_DAYS_PER_DAY * present);
}
