import type { DayRange } from '../../respond/answer-data.js';
import type { Dataset } from '../source/dataset.js';

/** The first and the last day of any variable of a dataset; undefined where it has no days. */
export function datasetDays({ variables }: Dataset): DayRange | undefined {
  return uniteRanges([...variables.values()].map(toDayRange));
}

/** The days of a series. */
export function toDayRange({ firstDay, days }: { readonly firstDay: number; readonly days: number }): DayRange {
  return { firstDay, lastDay: firstDay + days - 1 };
}

/** The days that are in both ranges; where there are none, the last day lies before the first. */
export function intersectRanges(a: DayRange, b: DayRange): DayRange {
  return { firstDay: Math.max(a.firstDay, b.firstDay), lastDay: Math.min(a.lastDay, b.lastDay) };
}

/**
 * The range from the first day of any range to the last day of any; empty ranges are ignored. Undefined where there is
 * no day.
 */
export function uniteRanges(ranges: readonly DayRange[]): DayRange | undefined {
  let union: DayRange | undefined;
  for (const { firstDay, lastDay } of ranges) {
    if (lastDay < firstDay) continue;
    union =
      union === undefined
        ? { firstDay, lastDay }
        : { firstDay: Math.min(union.firstDay, firstDay), lastDay: Math.max(union.lastDay, lastDay) };
  }
  return union;
}
