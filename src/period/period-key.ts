import { OptionError, unusable } from '../errors.js';
import { checkCalendarDay, dateText, type ModelCalendar, modelCalendar } from './calendar.js';
import { LAST_DAY, parseDate } from './day.js';
import { formatWeek, isoWeek, parseWeek, weekStart } from './iso-week.js';
import { monthEnd, monthStart, parseMonth } from './month.js';
import { assertHasWindows, checkGranularity, type Granularity } from './window-table.js';

/** A window of the calendar: its granularity and the day numbers of its first and last day, inclusive. */
export interface Period {
  granularity: Granularity;
  start: number;
  end: number;
}

/**
 * The key of the window that a day lies in: `YYYY-MM-DD`, `YYYY-Www` (with the ISO year) or `YYYY-MM`.
 *
 * The day is one of the real calendar, or of `calendar`. Throws an OptionError for an unknown granularity, for weeks of
 * a calendar that has none, and where `day` is not a day number of the years 1 to 9999.
 */
export function periodKey(granularity: Granularity, day: number, calendar?: ModelCalendar): string {
  checkGranularity(granularity);
  if (calendar !== undefined) modelCalendar(calendar);
  assertHasWindows(granularity, calendar);
  checkCalendarDay(calendar, 'day', day);
  if (granularity === 'weekly') {
    const { year, week } = isoWeek(day);
    return formatWeek(year, week);
  }
  return dateText(calendar, day).slice(0, granularity === 'daily' ? 10 : 7);
}

/**
 * The window that a period key names; the form of the key says the granularity.
 *
 * 9999-W52 ends with the calendar, on Friday 9999-12-31. Throws an OptionError where the text has none of the three
 * forms, or where the period does not exist.
 */
export function parsePeriod(key: string): Period {
  const granularity = keyGranularity(key);
  if (granularity === 'daily') {
    const day = parseDate(key);
    return { granularity, start: day, end: day };
  }
  if (granularity === 'weekly') {
    const { year, week } = parseWeek(key);
    const start = weekStart(year, week);
    return { granularity, start, end: Math.min(start + 6, LAST_DAY) };
  }
  const { year, month } = parseMonth(key);
  return { granularity, start: monthStart(year, month), end: monthEnd(year, month) };
}

/** The granularity that the form of a period key says. Throws an OptionError where the text has none of the forms. */
export function keyGranularity(key: string): Granularity {
  if (typeof key !== 'string') throw unusable('period', key, 'a text: YYYY-MM-DD, YYYY-Www or YYYY-MM');
  if (/^\d{4}-\d{2}-\d{2}$/.test(key)) return 'daily';
  if (/^\d{4}-W\d{2}$/.test(key)) return 'weekly';
  if (/^\d{4}-\d{2}$/.test(key)) return 'monthly';
  throw new OptionError({
    subject: 'period',
    problem: 'has an unknown form',
    received: key,
    allowed: 'YYYY-MM-DD, YYYY-Www or YYYY-MM',
  });
}
