import { assertNumber } from '../errors.js';
import { checkDay, daysInMonth as daysIn, isLeapYear as isLeap, weekday as weekdayOf } from './day.js';

/*
 * Functions of days as they are public: they check what they are given, which the loops of the library have checked.
 */

/** Whether `year` has a 29 February, by the Gregorian rule. Throws an OptionError for what is no number. */
export function isLeapYear(year: number): boolean {
  assertNumber('year', year);
  return isLeap(year);
}

/**
 * The number of days of a month, `month` from 1 to 12; NaN for any other month. Throws an OptionError for what is no
 * number.
 */
export function daysInMonth(year: number, month: number): number {
  assertNumber('year', year);
  assertNumber('month', month);
  return daysIn(year, month);
}

/**
 * The ISO weekday of a day number: 1 is Monday, 7 is Sunday. Throws an OptionError unless `day` is an integer from
 * FIRST_DAY to LAST_DAY.
 */
export function weekday(day: number): number {
  checkDay('day', day);
  return weekdayOf(day);
}
