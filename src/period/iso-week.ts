import { OptionError, unusable } from '../errors.js';
import {
  checkDay,
  daysFromCivil,
  fourDigits,
  isLeapYear,
  isYear,
  readDigits,
  twoDigits,
  weekday,
  yearFromDays,
} from './day.js';

/**
 * A week of ISO 8601: `year` is the ISO year, the one that the week's Thursday lies in; `week` runs from 1 to 52 or 53.
 */
export interface IsoWeek {
  year: number;
  week: number;
}

/**
 * The ISO 8601 week that a day lies in. Throws an OptionError unless `day` is an integer from FIRST_DAY to LAST_DAY.
 */
export function isoWeek(day: number): IsoWeek {
  checkDay('day', day);
  const thursday = day - weekday(day) + 4;
  const year = yearFromDays(thursday);
  return { year, week: (((thursday - daysFromCivil(year, 1, 1)) / 7) | 0) + 1 };
}

/**
 * The number of weeks in an ISO year: 53 in long years, else 52.
 *
 * A year is long when it begins on a Thursday, or is a leap year that begins on a Wednesday (ISO 8601). Throws an
 * OptionError unless `year` is an integer from 1 to 9999.
 */
export function weeksInYear(year: number): number {
  if (!isYear(year)) {
    throw new OptionError({
      subject: 'ISO year',
      problem: 'does not exist',
      received: year,
      allowed: 'years from 1 to 9999',
    });
  }
  const newYear = weekday(daysFromCivil(year, 1, 1));
  return newYear === 4 || (newYear === 3 && isLeapYear(year)) ? 53 : 52;
}

/** The day number of a week's Monday. Throws an OptionError where the ISO year has no such week. */
export function weekStart(year: number, week: number): number {
  checkWeek(year, week, [year, week]);
  const fourthOfJanuary = daysFromCivil(year, 1, 4);
  return fourthOfJanuary - weekday(fourthOfJanuary) + 1 + (week - 1) * 7;
}

/**
 * The ISO year and week written `YYYY-Www`, the only form that is accepted.
 *
 * Throws an OptionError where the text has another form, or where the week does not exist.
 */
export function parseWeek(text: string): IsoWeek {
  if (typeof text !== 'string') throw unusable('week', text, 'a text such as 2020-W53');
  const year = readDigits(text, 0, 4);
  const week = readDigits(text, 6, 8);
  if (text.length !== 8 || text[4] !== '-' || text[5] !== 'W' || year < 0 || week < 0) {
    throw new OptionError({
      subject: 'week',
      problem: 'is not of the form YYYY-Www',
      received: text,
      allowed: 'four digits of the ISO year, a capital W, two digits of the week, as in 2020-W53',
    });
  }
  checkWeek(year, week, text);
  return { year, week };
}

/** A week as `YYYY-Www`. Throws an OptionError where the ISO year has no such week. */
export function formatWeek(year: number, week: number): string {
  checkWeek(year, week, [year, week]);
  return `${fourDigits(year)}-W${twoDigits(week)}`;
}

function checkWeek(year: number, week: number, received: unknown): void {
  if (isYear(year) && Number.isInteger(week) && week >= 1 && week <= weeksInYear(year)) return;
  const allowed = isYear(year) ? `weeks from 1 to ${weeksInYear(year)} in ${fourDigits(year)}` : 'years from 1 to 9999';
  throw new OptionError({ subject: 'week', problem: 'does not exist', received, allowed });
}
