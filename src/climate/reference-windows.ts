import { daysFromDate, type ModelCalendar } from '../period/calendar.js';
import { assertHasWindows, type Granularity, type WindowTable, weekStart } from '../period/period.js';
import type { ClimateWindows, ReferenceYears, YearlyWindows } from './climatology.js';
import { hasDays } from './options.js';

/**
 * The complete windows of a reference period by year, and within years in the order of the keys: each day of its calendar
 * years; for each ISO year its weeks W01 to W52, and for W53 the seven days from 28 December; each month; or of other
 * windows those that end in the year.
 */
export interface ReferenceWindows extends ReferenceYears {
  readonly granularity: ClimateWindows;
  /** The calendar of the days, where it is not the real one. */
  readonly calendar?: ModelCalendar;
  /** Day number of the first day of each window. */
  readonly start: Int32Array;
  /** Day number of the last day, inclusive. */
  readonly end: Int32Array;
  /** The first window of each year, and one more entry: the number of windows. */
  readonly yearStart: Int32Array;
}

/** Some windows: from `from` up to, not including, `to`. */
export interface WindowRun {
  readonly from: number;
  readonly to: number;
}

/** Throws OptionError for weeks of a calendar that has none. */
export function referenceWindows(
  granularity: ClimateWindows,
  { firstYear, lastYear }: ReferenceYears,
  calendar?: ModelCalendar,
): ReferenceWindows {
  if (typeof granularity === 'string') assertHasWindows(granularity, calendar);
  const start: number[] = [];
  const end: number[] = [];
  const add = (first: number, last: number) => {
    start.push(first);
    end.push(last);
  };
  const yearStart = [0];
  for (let year = firstYear; year <= lastYear; year++) {
    if (typeof granularity === 'string') addWindows(add, granularity, year, calendar);
    else for (const [first, last] of granularity.ofYear(year, calendar)) add(first, last);
    yearStart.push(start.length);
  }
  const typed = { start: new Int32Array(start), end: new Int32Array(end), yearStart: new Int32Array(yearStart) };
  return { granularity, calendar, firstYear, lastYear, ...typed };
}

/** Adds each window of a year, by its first and last day. */
function addWindows(
  add: (first: number, last: number) => void,
  granularity: Granularity,
  year: number,
  calendar: ModelCalendar | undefined,
): void {
  const dayOf = (y: number, month: number, day = 1) => daysFromDate(calendar, y, month, day);
  if (granularity === 'daily') {
    const next = dayOf(year + 1, 1);
    for (let day = dayOf(year, 1); day < next; day++) add(day, day);
  } else if (granularity === 'weekly') {
    const first = weekStart(year, 1);
    for (let week = 0; week < 52; week++) add(first + 7 * week, first + 7 * week + 6);
    add(dayOf(year, 12, 28), dayOf(year, 12, 28) + 6);
  } else {
    for (let month = 1; month <= 12; month++) {
      const next = month === 12 ? dayOf(year + 1, 1) : dayOf(year, month + 1);
      add(dayOf(year, month), next - 1);
    }
  }
}

/** The place of 29 February among the keys of days. */
const LEAP_DAY = 59;

/** The window of a key in a year, counted from the first; 29 February is 28 February in common years. */
export function windowOfKey({ granularity, calendar, yearStart }: ReferenceWindows, year: number, key: number): number {
  const isAfter = key >= LEAP_DAY && yearStart[year + 1] - yearStart[year] === 365;
  return yearStart[year] + (isAfter && hasDays(granularity) && calendar === undefined ? key - 1 : key);
}

/** Some windows of a reference period that lie entirely within some days. */
export interface WindowsWithin {
  /** From the first of them up to, not including, the one after the last, among all of the reference period. */
  readonly run: WindowRun;
  /** They alone, in order of time. */
  readonly windows: WindowTable;
  /** The place in `windows` of each of the reference period; -1 for one that is not within the days. */
  readonly places: Int32Array;
}

/**
 * The windows that lie entirely within the days from `firstDay` to `lastDay`, as a table on an axis of days from `firstDay`
 * to `axisEnd`.
 */
export function windowsWithin(
  { granularity, start, end }: ReferenceWindows,
  firstDay: number,
  lastDay: number,
  axisEnd: number,
): WindowsWithin {
  const found = new Int32Array(start.length);
  let count = 0;
  for (let w = 0; w < start.length; w++) if (start[w] >= firstDay && end[w] <= lastDay) found[count++] = w;
  const order = found.subarray(0, count);
  const run = { from: order[0] ?? 0, to: (order.at(-1) ?? -1) + 1 };
  // Other windows than days, weeks and months may begin before, or end after, windows of the next year.
  if (typeof granularity !== 'string') order.sort((a, b) => start[a] - start[b] || end[a] - end[b]);
  const places = new Int32Array(start.length).fill(-1);
  const [starts, ends, first, days] = Array.from({ length: 4 }, () => new Int32Array(count));
  for (let place = 0; place < count; place++) {
    const w = order[place];
    places[w] = place;
    starts[place] = start[w];
    ends[place] = end[w];
    first[place] = start[w] - firstDay;
    days[place] = end[w] - start[w] + 1;
  }
  const { rolling } = granularity as YearlyWindows;
  const windows: WindowTable = {
    ...{ granularity: `${granularity}`, count, start: starts, end: ends, first, days },
    complete: new Uint8Array(count).fill(1),
    ...{ firstDay, lastDay: axisEnd },
    ...(rolling !== undefined && { rolling }),
  };
  return { run, windows, places };
}

/**
 * The windows up to `halfWidth` from a window of days; none where the window itself is not within them. With `isEven`, as many
 * before as after it: fewer near the ends of the days. As the window moves forward, neither end of the result moves backward.
 */
export function windowsAround(
  window: number,
  halfWidth: number,
  { run, places }: Pick<WindowsWithin, 'run' | 'places'>,
  isEven = false,
): WindowRun {
  if (window < run.from) return { from: run.from, to: run.from };
  if (window >= run.to) return { from: run.to, to: run.to };
  if (places[window] < 0) return { from: window, to: window };
  const width = isEven ? Math.min(halfWidth, window - run.from, run.to - 1 - window) : halfWidth;
  return { from: Math.max(run.from, window - width), to: Math.min(run.to, window + width + 1) };
}
