import { daysFromDate, type ModelCalendar } from '../period/calendar.js';
import { assertHasWindows, type Granularity, type WindowTable, weekStart } from '../period/period.js';
import type { ReferenceYears } from './climatology.js';

/**
 * The complete windows of a reference period in order of time: each day of its calendar years; for each ISO year its
 * weeks W01 to W52, and for W53 the seven days from 28 December; or each month.
 */
export interface ReferenceWindows extends ReferenceYears {
  readonly granularity: Granularity;
  /** The calendar of the days, where it is not the real one. */
  readonly calendar?: ModelCalendar;
  /** Day number of the first day of each window. */
  readonly start: Int32Array;
  /** Day number of the last day, inclusive. */
  readonly end: Int32Array;
  /** The first window of each year, and one more entry: the number of windows. */
  readonly yearStart: Int32Array;
}

/** Some windows in order: from `from` up to, not including, `to`. */
export interface WindowRun {
  readonly from: number;
  readonly to: number;
}

/** Throws OptionError for weeks of a calendar that has none. */
export function referenceWindows(
  granularity: Granularity,
  { firstYear, lastYear }: ReferenceYears,
  calendar?: ModelCalendar,
): ReferenceWindows {
  assertHasWindows(granularity, calendar);
  const bounds: number[] = [];
  const yearStart = [0];
  for (let year = firstYear; year <= lastYear; year++) {
    pushWindows(bounds, granularity, year, calendar);
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
  const isCommon = granularity === 'daily' && calendar === undefined && yearStart[year + 1] - yearStart[year] === 365;
  return yearStart[year] + (isCommon && key >= LEAP_DAY ? key - 1 : key);
}

/**
 * The windows of `run` up to `halfWidth` from a window; none where the window itself is not in the run. As the window
 * moves forward, neither end of the result moves backward.
 */
export function windowsAround(window: number, halfWidth: number, run: WindowRun): WindowRun {
  if (window < run.from) return { from: run.from, to: run.from };
  if (window >= run.to) return { from: run.to, to: run.to };
  return { from: Math.max(run.from, window - halfWidth), to: Math.min(run.to, window + halfWidth + 1) };
}

/** The run of windows that lie entirely within the days from `firstDay` to `lastDay`. */
export function windowsWithin({ start, end }: ReferenceWindows, firstDay: number, lastDay: number): WindowRun {
  let from = 0;
  while (from < start.length && start[from] < firstDay) from++;
  let to = end.length;
  while (to > from && end[to - 1] > lastDay) to--;
  return { from, to };
}

/** Creates the window table of a run of windows, on an axis of days from `firstDay` to `lastDay`. */
export function createWindowTable(
  reference: ReferenceWindows,
  { from, to }: WindowRun,
  firstDay: number,
  lastDay: number,
): WindowTable {
  const count = to - from;
  const start = reference.start.subarray(from, to);
  const end = reference.end.subarray(from, to);
  const first = new Int32Array(count);
  const days = new Int32Array(count);
  for (let w = 0; w < count; w++) {
    first[w] = start[w] - firstDay;
    days[w] = end[w] - start[w] + 1;
  }
  const complete = new Uint8Array(count).fill(1);
  return { granularity: reference.granularity, count, start, end, first, days, complete, firstDay, lastDay };
}
