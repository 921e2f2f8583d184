import { OptionError } from '../errors.js';
import { daysFromCivil, packedCivilFromDays } from './civil.js';
import { fourDigits, readDigits, twoDigits } from './digits.js';

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
  if (typeof text !== 'string') {
    throw new OptionError({ subject, problem: 'is not a text', received: text, allowed: 'a date as YYYY-MM-DD' });
  }
  const year = readDigits(text, 0, 4);
  const month = readDigits(text, 5, 7);
  const day = readDigits(text, 8, 10);
  if (text.length !== 10 || text[4] !== '-' || text[7] !== '-' || year < 0 || month < 0 || day < 0) {
    throw new OptionError({
      subject,
      problem: 'is not of the form YYYY-MM-DD',
      received: text,
      allowed: 'four digits of the year, two of the month, two of the day, as in 2024-02-29',
    });
  }
  const allowed = allowedDates(year, month, day);
  if (allowed !== undefined) throw new OptionError({ subject, problem: 'does not exist', received: text, allowed });
  return daysFromCivil(year, month, day);
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
  throw new OptionError({
    subject,
    problem: 'is not a day number',
    received: day,
    allowed: `an integer from ${FIRST_DAY} (0001-01-01) to ${LAST_DAY} (9999-12-31), days since 1970-01-01`,
  });
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
