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
  const bounds: number[] = [];
  const yearStart = [0];
  for (let year = firstYear; year <= lastYear; year++) {
    if (typeof granularity === 'string') pushWindows(bounds, granularity, year, calendar);
    else for (const [first, last] of granularity.ofYear(year, calendar)) bounds.push(first, last);
    yearStart.push(bounds.length / 2);
  }
  const start = new Int32Array(bounds.length / 2);
  const end = new Int32Array(start.length);
  for (let w = 0; w < start.length; w++) {
    start[w] = bounds[2 * w];
    end[w] = bounds[2 * w + 1];
  }
  return { granularity, calendar, firstYear, lastYear, start, end, yearStart: Int32Array.from(yearStart) };
}

/** Appends the first and last day of each window of a year. */
function pushWindows(
  bounds: number[],
  granularity: Granularity,
  year: number,
  calendar: ModelCalendar | undefined,
): void {
  const dayOf = (y: number, month: number, day = 1) => daysFromDate(calendar, y, month, day);
  if (granularity === 'daily') {
    for (let day = dayOf(year, 1); day < dayOf(year + 1, 1); day++) bounds.push(day, day);
  } else if (granularity === 'weekly') {
    const first = weekStart(year, 1);
    for (let week = 0; week < 52; week++) bounds.push(first + 7 * week, first + 7 * week + 6);
    bounds.push(dayOf(year, 12, 28), dayOf(year, 12, 28) + 6);
  } else {
    for (let month = 1; month <= 12; month++) {
      const next = month === 12 ? dayOf(year + 1, 1) : dayOf(year, month + 1);
      bounds.push(dayOf(year, month), next - 1);
    }
  }
}

/** The place of 29 February among the keys of days. */
const LEAP_DAY = 59;

/** The window of a key in a year, counted from the first; 29 February is 28 February in common years. */
export function windowOfKey({ granularity, calendar, yearStart }: ReferenceWindows, year: number, key: number): number {
  const isCommon = hasDays(granularity) && calendar === undefined && yearStart[year + 1] - yearStart[year] === 365;
  return yearStart[year] + (isCommon && key >= LEAP_DAY ? key - 1 : key);
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
  const within: number[] = [];
  for (let w = 0; w < start.length; w++) if (start[w] >= firstDay && end[w] <= lastDay) within.push(w);
  const run = { from: within[0] ?? 0, to: (within.at(-1) ?? -1) + 1 };
  // Windows of a year may begin before, or end after, windows of the next one.
  within.sort((a, b) => start[a] - start[b] || end[a] - end[b]);
  const places = new Int32Array(start.length).fill(-1);
  for (const [place, w] of within.entries()) places[w] = place;
  const each = (of: (w: number) => number) => Int32Array.from(within, of);
  const { rolling } = granularity as YearlyWindows;
  const windows: WindowTable = {
    granularity: `${granularity}`,
    count: within.length,
    start: each((w) => start[w]),
    end: each((w) => end[w]),
    first: each((w) => start[w] - firstDay),
    days: each((w) => end[w] - start[w] + 1),
    complete: new Uint8Array(within.length).fill(1),
    firstDay,
    lastDay: axisEnd,
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
