import { OptionError, unusable } from '../errors.js';
import { daysFromCivil, daysInMonth, fourDigits, isYear, readDigits, twoDigits } from './day.js';

/** A calendar month: `month` from 1 to 12. */
export interface CalendarMonth {
  year: number;
  month: number;
}

/** The day number of a month's first day. Throws an OptionError where the month does not exist. */
export function monthStart(year: number, month: number): number {
  checkMonth(year, month, [year, month]);
  return daysFromCivil(year, month, 1);
}

/** The day number of a month's last day. Throws an OptionError where the month does not exist. */
export function monthEnd(year: number, month: number): number {
  return monthStart(year, month) + daysInMonth(year, month) - 1;
}

/**
 * The year and month written `YYYY-MM`, the only form that is accepted.
 *
 * Throws an OptionError where the text has another form, or where the month does not exist.
 */
export function parseMonth(text: string): CalendarMonth {
  if (typeof text !== 'string') throw unusable('month', text, 'a text such as 2024-02');
  const year = readDigits(text, 0, 4);
  const month = readDigits(text, 5, 7);
  if (text.length !== 7 || text[4] !== '-' || year < 0 || month < 0) {
    throw new OptionError({
      subject: 'month',
      problem: 'is not of the form YYYY-MM',
      received: text,
      allowed: 'four digits of the year, two of the month, as in 2024-02',
    });
  }
  checkMonth(year, month, text);
  return { year, month };
}

/** A month as `YYYY-MM`. Throws an OptionError where the month does not exist. */
export function formatMonth(year: number, month: number): string {
  checkMonth(year, month, [year, month]);
  return `${fourDigits(year)}-${twoDigits(month)}`;
}

function checkMonth(year: number, month: number, received: unknown): void {
  if (isYear(year) && Number.isInteger(month) && month >= 1 && month <= 12) return;
  const allowed = isYear(year) ? 'months from 1 to 12' : 'years from 1 to 9999';
  throw new OptionError({ subject: 'month', problem: 'does not exist', received, allowed });
}
