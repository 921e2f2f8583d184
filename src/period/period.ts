import { OptionError, unusable } from '../errors.js';
import { checkCalendarDay, dateText, daysFromDate, type ModelCalendar, modelCalendar, packedDate } from './calendar.js';
import {
  checkDay,
  daysFromCivil,
  daysInMonth,
  fourDigits,
  isLeapYear,
  isYear,
  LAST_DAY,
  parseDate,
  readDigits,
  twoDigits,
  weekday,
  yearFromDays,
} from './day.js';
import type { Together } from './fill-together.js';

/** The windows that daily values are combined in: days, ISO weeks (Monday to Sunday), calendar months. */
export type Granularity = 'daily' | 'weekly' | 'monthly';

/** Every granularity, from the finest. */
export const GRANULARITIES: readonly Granularity[] = /* @__PURE__ */ Object.freeze([
  'daily',
  'weekly',
  'monthly',
] as const);

/** The windows that a span of days covers, in order of time; entry `i` of each array is about window `i`. */
export interface WindowTable extends Together {
  /** `daily`, `weekly` or `monthly`; of others, what they are. */
  readonly granularity: string;
  /** The number of windows, and the length of each array. */
  readonly count: number;
  /** Day number of the calendar window's first day, whether in the span or not. */
  readonly start: Int32Array;
  /** Day number of the calendar window's last day, inclusive, whether in the span or not. */
  readonly end: Int32Array;
  /** The window's first day inside the span, counted in days from `firstDay`. */
  readonly first: Int32Array;
  /** The number of the window's days inside the span, 1 or more. */
  readonly days: Int32Array;
  /** 1 where every day of the calendar window lies inside the span, else 0. */
  readonly complete: Uint8Array;
  /** Day number of the span's first day. */
  readonly firstDay: number;
  /** Day number of the span's last day, inclusive. */
  readonly lastDay: number;
  /** The calendar of the days, where it is not the real one. */
  readonly calendar?: ModelCalendar;
  /** The keys of windows that are not days, weeks or months. */
  readonly keys?: readonly string[];
  /** The days of each window, where these are one for each day on which one ends; those at the ends may have fewer. */
  readonly rolling?: number;
}

/** Options of `windowTable`. */
export interface WindowTableOptions {
  /** Whether to keep windows that lie only partly in the span, too. Default false: complete windows only. */
  partial?: boolean;
  /** The calendar of the days by its CF name: `noleap`, `360_day`, ... Default: the real one. */
  calendar?: string;
}

/**
 * The windows of one granularity that the days from `firstDay` to `lastDay`, both day numbers and inclusive, cover.
 *
 * Where `lastDay` lies before `firstDay`, there are none. No window leaves the calendar: 0001-01-01 begins a week, but
 * 9999-12-31 is a Friday, so the window of 9999-W52 ends there, with five days, and is never complete. The arrays share
 * one buffer. Throws an OptionError for an unknown granularity, a wrong day number, and weeks of a calendar that has
 * none.
 */
export function windowTable(
  granularity: Granularity,
  firstDay: number,
  lastDay: number,
  options: WindowTableOptions = {},
): WindowTable {
  if (Object.prototype.toString.call(options) !== '[object Object]')
    throw unusable('options', options, '{ partial: true }, or nothing');
  const { partial = false } = options;
  if (typeof partial !== 'boolean') throw unusable('partial', partial, 'true or false');
  checkGranularity(granularity);
  const calendar = modelCalendar(options.calendar);
  assertHasWindows(granularity, calendar);
  checkCalendarDay(calendar, 'firstDay', firstDay);
  if (typeof lastDay !== 'number' || !(lastDay < firstDay)) checkCalendarDay(calendar, 'lastDay', lastDay);

  const startOf = (index: number) => windowStart(granularity, index, calendar);
  let from = windowIndex(granularity, firstDay, calendar);
  let to = lastDay < firstDay ? from : windowIndex(granularity, lastDay, calendar) + 1;
  if (!partial) {
    if (startOf(from) < firstDay) from++;
    if (startOf(to) - 1 > lastDay) to--;
  }
  const count = Math.max(0, to - from);
  const buffer = new ArrayBuffer(count * 17);
  const start = new Int32Array(buffer, 0, count);
  const end = new Int32Array(buffer, count * 4, count);
  const first = new Int32Array(buffer, count * 8, count);
  const days = new Int32Array(buffer, count * 12, count);
  const complete = new Uint8Array(buffer, count * 16, count);

  let windowFirst = startOf(from);
  for (let i = 0; i < count; i++) {
    const windowLast = startOf(from + i + 1) - 1;
    const spanFirst = Math.max(windowFirst, firstDay);
    const spanLast = Math.min(windowLast, lastDay);
    start[i] = windowFirst;
    end[i] = calendar === undefined ? Math.min(windowLast, LAST_DAY) : windowLast;
    first[i] = spanFirst - firstDay;
    days[i] = spanLast - spanFirst + 1;
    complete[i] = spanFirst === windowFirst && spanLast === windowLast ? 1 : 0;
    windowFirst = windowLast + 1;
  }
  return { granularity, count, start, end, first, days, complete, firstDay, lastDay, ...(calendar && { calendar }) };
}

/** The ordinal number of the window that a day lies in: consecutive windows have consecutive numbers. */
function windowIndex(granularity: Granularity, day: number, calendar: ModelCalendar | undefined): number {
  if (granularity === 'daily') return day;
  // 1970-01-01 was a Thursday: week 0 begins three days before it.
  if (granularity === 'weekly') return Math.floor((day + 3) / 7);
  const packed = packedDate(calendar, day);
  return (packed >> 9) * 12 + ((packed >> 5) & 15) - 1;
}

/** The day number of the first day of the window with this ordinal number: the inverse of `windowIndex`. */
function windowStart(granularity: Granularity, index: number, calendar: ModelCalendar | undefined): number {
  if (granularity === 'daily') return index;
  if (granularity === 'weekly') return index * 7 - 3;
  const year = (index / 12) | 0;
  return daysFromDate(calendar, year, index - year * 12 + 1, 1);
}

/** Throws an OptionError unless `granularity` is one of GRANULARITIES. */
export function checkGranularity(granularity: string): asserts granularity is Granularity {
  if ((GRANULARITIES as readonly string[]).includes(granularity)) return;
  throw unusable('granularity', granularity, GRANULARITIES.join(', '));
}

/** Throws an OptionError for weeks of a calendar that has no weekdays. */
export function assertHasWindows(granularity: Granularity, calendar: ModelCalendar | undefined): void {
  if (granularity !== 'weekly' || calendar === undefined) return;
  throw unusable('granularity', granularity, `daily or monthly: calendar ${calendar} has no weekdays`);
}

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
  if (granularity === 'weekly') return weekText(weekOf(day));
  return dateText(calendar, day).slice(0, granularity === 'daily' ? 10 : 7);
}

/** The keys of the windows of a table. */
export function windowKeys({
  granularity,
  keys,
  start,
  calendar,
}: Pick<WindowTable, 'granularity' | 'keys' | 'start' | 'calendar'>): readonly string[] {
  return keys ?? Array.from(start, (day) => periodKey(granularity as Granularity, day, calendar));
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
  return weekOf(day);
}

/** Like `isoWeek`, of a day that is checked. */
function weekOf(day: number): IsoWeek {
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
  return weekText({ year, week });
}

function weekText({ year, week }: IsoWeek): string {
  return `${fourDigits(year)}-W${twoDigits(week)}`;
}

function checkWeek(year: number, week: number, received: unknown): void {
  if (isYear(year) && Number.isInteger(week) && week >= 1 && week <= weeksInYear(year)) return;
  const allowed = isYear(year) ? `weeks from 1 to ${weeksInYear(year)} in ${fourDigits(year)}` : 'years from 1 to 9999';
  throw new OptionError({ subject: 'week', problem: 'does not exist', received, allowed });
}

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
