import { unusable } from '../errors.js';
import { checkCalendarDay, daysFromDate, type ModelCalendar, modelCalendar, packedDate } from './calendar.js';
import { LAST_DAY } from './day.js';

/** The windows that daily values are combined in: days, ISO weeks (Monday to Sunday), calendar months. */
export type Granularity = 'daily' | 'weekly' | 'monthly';

/** Every granularity, from the finest. */
export const GRANULARITIES: readonly Granularity[] = /* @__PURE__ */ Object.freeze([
  'daily',
  'weekly',
  'monthly',
] as const);

/** The windows that a span of days covers, in order of time; entry `i` of each array is about window `i`. */
export interface WindowTable {
  readonly granularity: Granularity;
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
