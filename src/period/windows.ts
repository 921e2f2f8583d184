import { OptionError, unusable } from '../errors.js';
import {
  calendarSpan,
  dateText,
  daysFromDate,
  dayText,
  type ModelCalendar,
  packedDate,
  parseCalendarDate,
} from './calendar.js';
import { fourDigits, twoDigits } from './day.js';
import {
  type Find,
  type FoundWindow,
  FoundWindows,
  type Known,
  type Span,
  type Windows,
  type WindowsOptions,
} from './found-windows.js';
import { GRANULARITIES, type Granularity, type WindowTable, windowTable } from './period.js';

import { ROLLING_ROWS } from './rolling-rows.js';

export type { FoundWindow, Windows, WindowsOptions } from './found-windows.js';

/** A window of a list. Days are inclusive: `YYYY-MM-DD`, or a Date, read in UTC. */
export interface NamedWindow {
  readonly name: string;
  readonly start: string | Date;
  readonly end: string | Date;
}

const ALLOWED =
  'daily, weekly, monthly, seasons, years, "years from 10", dekads, all, months such as "DJF,MAM" or "5-10", "days 1-7,8-14", "rolling 7"; or windows with name, start and end: a list, or a file such as CSV or Arrow';

/**
 * Windows by what a text says, or by a list.
 *
 * - `seasons`, or months by their initials or numbers, as `DJF,MAM` or `12-2,5-10`: consecutive months, 2 to 12 of them.
 *   The key is the year of the last month: `2026-DJF`.
 * - `years`, with key `2026`; `years from 10`, which begin in October, with key `2026/27`.
 * - `dekads`: the days 1 to 10, 11 to 20 and 21 to the end of each month, with keys `2026-D01` to `2026-D36`.
 * - `all`: all days as one window with the key `all`.
 * - `days 1-7,8-14`: days counted from the first whole day of the data, which is 1, with keys `d001-007`, `d008-014`.
 * - `rolling 7`: a window of 7 days for each day, on which it ends; that day is its key. At the ends of the data, `partial`
 *   keeps windows that end within it.
 * - `daily`, `weekly`, `monthly`, as ever.
 * - A list of windows of any days with names of their own: `[{ name: 'sowing', start: '2026-03-02', end: '2026-03-15' }]`.
 *   They may overlap.
 *
 * Windows that do not lie entirely in the data or the requested dates are left out, as weeks and months are. Throws
 * OptionError for what is none of these: an empty window, one that has no name, or is there twice.
 *
 * @example
 * ```js
 * import { loadCore, statistics, windowsOf } from 'plumecast';
 * import { demoTable } from 'plumecast/demo';
 *
 * const granularity = windowsOf('days 1-7,8-14');
 * const windows = statistics(await loadCore(), demoTable('temp_mean'), { granularity });
 * console.log(windows.toArray().map(({ period, mean }) => period + ' ' + mean.toFixed(1)));
 * ```
 *
 * ```text
 * [ 'd001-007 2.2', 'd008-014 11.5' ]
 * ```
 */
export function windowsOf(windows: string | readonly NamedWindow[]): Windows {
  if (Array.isArray(windows)) return listedWindows(windows);
  if (typeof windows !== 'string') throw unusable('windows', windows, ALLOWED);
  const text = windows.trim();
  if (text.startsWith('[')) return listedWindows(parseList(text));
  const words = text.toLowerCase().replace(/\s+/g, ' ');
  if ((GRANULARITIES as readonly string[]).includes(words)) {
    return new CalendarWindows(words as Granularity);
  }
  if (words === 'seasons') return new FoundWindows(words, ...monthRuns('DJF,MAM,JJA,SON'));
  if (words === 'dekads') return new FoundWindows(words, dekads, { ofYear: dekadsOfYear });
  if (words === 'all') return new FoundWindows(words, ({ first, last }) => [[first, last, 'all']]);
  const [, kind, rest] = /^(years|days|rolling)(?: (.*))?$/.exec(words) ?? [];
  if (kind === 'years') return years(rest, windows);
  if (kind === 'days') return countedDays(rest, windows);
  if (kind === 'rolling') return rolling(rest, windows);
  if (words.includes(',') && words.split(',').some((part) => KIND.test(part))) {
    throw windowsError('names several kinds of windows', text, 'one of them at a time; several months, as "DJF,MAM"');
  }
  const upper = text.toUpperCase().replace(/\s/g, '');
  return new FoundWindows(upper, ...monthRuns(upper, text));
}

/** A kind of windows that are not some months. */
const KIND = /^ ?(?:daily|weekly|monthly|seasons|years|dekads|all|days|rolling)(?: |$)/;

/** Whether a text says windows, as `windowsOf` reads it. */
export function areWindows(text: string | undefined): boolean {
  if (text === undefined || text.startsWith('[')) return false;
  try {
    return windowsOf(text) !== undefined;
  } catch {
    return false;
  }
}

/**
 * The keys of windows of a kind by their days; undefined where days do not say them, as in a list, and of days that
 * are counted from the first.
 */
export function keysByDays(
  text: string,
  { start, end, calendar }: Pick<WindowTable, 'start' | 'end' | 'calendar'>,
): string[] | undefined {
  const windows = areWindows(text) ? windowsOf(text) : undefined;
  if (windows === undefined || windows.keys !== undefined || start.length === 0) return undefined;
  const last = end.reduce((latest, day) => Math.max(latest, day));
  const first = start.reduce((earliest, day) => Math.min(earliest, day));
  const table = windows.table(first, last, { calendar });
  if (table.keys === undefined) return undefined;
  const keyOf = new Map(table.keys.map((key, w) => [`${table.start[w]} ${table.end[w]}`, key]));
  const keys = Array.from(start, (day, w) => keyOf.get(`${day} ${end[w]}`));
  return keys.every((key) => key !== undefined) ? keys : undefined;
}

/** The error for a text, or a part of it. */
function windowsError(problem: string, received: unknown, allowed: string): OptionError {
  return new OptionError({ subject: 'windows', problem, received, allowed });
}

/** Days, ISO weeks or months. */
class CalendarWindows implements Windows {
  constructor(readonly text: Granularity) {}

  table(firstDay: number, lastDay: number, { partial, calendar }: WindowsOptions = {}): WindowTable {
    return windowTable(this.text, firstDay, lastDay, { partial, calendar });
  }

  toJSON(): string {
    return this.text;
  }

  toString(): string {
    return this.text;
  }
}

const INITIALS = 'JFMAMJJASOND';

/** Some consecutive months. */
interface MonthRun {
  readonly name: string;
  /** The first month, 1 to 12, and how many there are. */
  readonly from: number;
  readonly months: number;
}

function monthRuns(months: string, text = months): [Find, Known] {
  const runs = months.split(',').map((part, i) => monthRun(part, text.split(',')[i].trim() || text));
  runs.forEach(({ name }, k) => {
    if (runs.findIndex((other) => other.name === name) < k) throw windowsError('has months twice', text, 'each once');
  });
  const find: Find = function* (span) {
    for (const run of runs) {
      for (const [start, end, , lastYear] of runsOfMonths(span, run.from, run.months)) {
        yield [start, end, `${fourDigits(lastYear)}-${run.name}`];
      }
    }
  };
  const ofYear: Known['ofYear'] = (year, calendar) =>
    runs.map(({ name, from, months }) => [...spanOfMonths(year, from, months, calendar), name]);
  return [find, { ofYear }];
}

/** First and last day of a run of months that ends in a year. */
function spanOfMonths(
  year: number,
  from: number,
  months: number,
  calendar: ModelCalendar | undefined,
): [start: number, end: number] {
  const next = from + months - 1;
  const firstYear = next > 12 ? year - 1 : year;
  const start = daysFromDate(calendar, firstYear, from, 1);
  return [start, daysFromDate(calendar, firstYear + (next >= 12 ? 1 : 0), (next % 12) + 1, 1) - 1];
}

function monthRun(part: string, given: string): MonthRun {
  const numbers = /^(\d{1,2})-(\d{1,2})$/.exec(part);
  const twice = INITIALS + INITIALS;
  const from = numbers ? Number(numbers[1]) : twice.indexOf(part) + 1;
  const to = numbers ? Number(numbers[2]) : from + part.length - 1;
  const months = numbers ? ((to - from + 12) % 12) + 1 : part.length;
  const isRun = from >= 1 && from <= 12 && months >= 2 && months <= 12 && (!numbers || (to >= 1 && to <= 12));
  if (!isRun) throw windowsError(part === '' ? 'has an empty part' : 'is not known', given, ALLOWED);
  return { name: twice.slice(from - 1, from - 1 + months), from, months };
}

/** Runs of months with a day in a span, within the calendar, each with the years of its first and last month. */
function* runsOfMonths(
  { first, last, calendar }: Span,
  from: number,
  months: number,
): Generator<[start: number, end: number, firstYear: number, lastYear: number]> {
  const [firstYear, lastYear] = [yearOf(calendar, first), yearOf(calendar, last)];
  const [begin, end] = calendarSpan(calendar);
  const crosses = from + months > 13 ? 1 : 0;
  for (let year = firstYear - 1; year <= lastYear; year++) {
    const [start, stop] = spanOfMonths(year + crosses, from, months, calendar);
    if (start >= begin && stop <= end) yield [start, stop, year, year + crosses];
  }
}

function yearOf(calendar: ModelCalendar | undefined, day: number): number {
  return packedDate(calendar, day) >> 9;
}

function years(rest: string | undefined, given: string): Windows {
  const [, month] = /^from (\d{1,2})$/.exec(rest ?? 'from 1') ?? [];
  const from = Number(month);
  if (!(from >= 1 && from <= 12)) {
    throw windowsError('begins in no month', given, 'years, or "years from 10": months from 1 to 12');
  }
  const find: Find = function* (span) {
    for (const [start, end, year, next] of runsOfMonths(span, from, 12)) {
      yield [start, end, year === next ? fourDigits(year) : `${fourDigits(year)}/${twoDigits(next % 100)}`];
    }
  };
  const key = from === 1 ? 'year' : `year from ${from}`;
  return new FoundWindows(from === 1 ? 'years' : `years from ${from}`, find, {
    ofYear: (year, calendar) => [[...spanOfMonths(year, from, 12, calendar), key]],
  });
}

function* dekads({ first, last, calendar }: Span): Generator<FoundWindow> {
  for (let year = yearOf(calendar, first); year <= yearOf(calendar, last); year++) {
    for (const [start, end, key] of dekadsOfYear(year, calendar)) yield [start, end, `${fourDigits(year)}-${key}`];
  }
}

function* dekadsOfYear(year: number, calendar: ModelCalendar | undefined): Generator<FoundWindow> {
  for (let month = 1; month <= 12; month++) {
    const [start, last] = spanOfMonths(year, month, 1, calendar);
    for (const [k, end] of [start + 9, start + 19, last].entries()) {
      yield [start + 10 * k, end, `D${twoDigits(3 * month - 2 + k)}`];
    }
  }
}

/** More days than any data have. */
const MAX_COUNT = 999_999;

function countedDays(rest: string | undefined, given: string): Windows {
  const allowed = '"days 1-7,8-14": days counted from 1, the first whole day';
  const spans = (rest ?? '').split(',').map((part) => {
    const [, from, to] = /^ ?(\d{1,6})(?: ?- ?(\d{1,6}))? ?$/.exec(part) ?? [];
    const [first, last] = [Number(from), Number(to ?? from)];
    if (!(first >= 1 && last <= MAX_COUNT)) throw windowsError('has days that cannot be counted', given, allowed);
    if (last < first) throw windowsError('has an empty window', part.trim(), allowed);
    return [first, last] as const;
  });
  const keyOf = ([first, last]: readonly [number, number]) =>
    `d${[first, last].map((day) => String(day).padStart(3, '0')).join('-')}`;
  const keys = spans.map(keyOf);
  const twice = keys.find((key, k) => keys.indexOf(key) < k);
  if (twice !== undefined) throw windowsError('has a window twice', twice, 'each once');
  const text = `days ${spans.map((span) => span.join('-')).join(',')}`;
  const find: Find = ({ origin }) => spans.map(([from, to], k) => [origin + from - 1, origin + to - 1, keys[k]]);
  return new FoundWindows(text, find, { keys });
}

/** Windows that are longer do not recur in a year. */
const MAX_YEAR_DAYS = 366;

function rolling(rest: string | undefined, given: string): Windows {
  const length = /^\d{1,6}$/.test(rest ?? '') ? Number(rest) : Number.NaN;
  const allowed = '"rolling 7": windows of at least 2 days';
  if (Number.isNaN(length)) throw windowsError('has no number of days', given, allowed);
  if (length < 2) throw windowsError('is of too few days', given, allowed);
  const find: Find = function* ({ first, last, calendar }) {
    const [begin] = calendarSpan(calendar);
    for (let day = Math.max(first, begin + length - 1); day <= last; day++) {
      yield [day - length + 1, day, dateText(calendar, day)];
    }
  };
  const ofYear: Known['ofYear'] = function* (year, calendar) {
    const [first, last] = spanOfMonths(year, 1, 12, calendar);
    for (let day = first; day <= last; day++) {
      // A duration and its end, as ISO 8601 writes an interval: a day alone is the key of daily values.
      yield [day - length + 1, day, `P${length}D/${dateText(calendar, day).slice(5)}`];
    }
  };
  return new FoundWindows(`rolling ${length}`, find, {
    ...{ rolling: length, together: ROLLING_ROWS },
    ...(length <= MAX_YEAR_DAYS && { ofYear }),
  });
}

function parseList(text: string): readonly NamedWindow[] {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new OptionError({ subject: 'windows', problem: 'is no list', received: text, allowed: ALLOWED, cause });
  }
}

/** Windows of a list: their text is the list as JSON, with days as texts. */
function listedWindows(list: readonly NamedWindow[]): Windows {
  const example = 'such as [{ name: "sowing", start: "2026-03-02", end: "2026-03-15" }]';
  if (list.length === 0) throw windowsError('has no window', '[]', `a list ${example}`);
  const known = new Set<string>();
  const plain = list.map((window, k) => {
    const { name, start, end }: Partial<NamedWindow> = Object(window);
    const at = `window ${k + 1}`;
    if (typeof name !== 'string' || name.trim() === '') throw windowsError(`${at} has no name`, name, example);
    const days = [start, end].map((day) => dayText(day as string));
    const isDate = (day: unknown) => typeof day === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(day);
    if (!days.every(isDate)) {
      const received = `${String(start)}, ${String(end)}`;
      throw windowsError(`${name} has no days`, received, 'start and end, YYYY-MM-DD');
    }
    if (days[1] < days[0]) throw windowsError(`${name} is empty`, days.join(' to '), 'a start up to the end');
    for (const same of [name, days.join(' to ')]) {
      if (known.has(same)) throw windowsError('has a window twice', same, 'each name and each span of days once');
      known.add(same);
    }
    return { name, start: days[0], end: days[1] };
  });
  const find: Find = ({ calendar }) =>
    plain.map(({ name, start, end }) => [
      parseCalendarDate(calendar, start, `windows, ${name}`),
      parseCalendarDate(calendar, end, `windows, ${name}`),
      name,
    ]);
  return new FoundWindows(JSON.stringify(plain), find, { keys: plain.map(({ name }) => name) });
}
