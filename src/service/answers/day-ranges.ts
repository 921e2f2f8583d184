import type { DayRange } from '../../respond/answers.js';
import type { Dataset } from '../source/dataset.js';

/** The first and the last day that a dataset has of any variable; undefined where it has none. */
export function daysOf({ variables }: Dataset): DayRange | undefined {
  return unionOf([...variables.values()].map(rangeOf));
}

export function rangeOf({ firstDay, days }: { readonly firstDay: number; readonly days: number }): DayRange {
  return { firstDay, lastDay: firstDay + days - 1 };
}

/** The days that both have; its last day lies before its first where there are none. */
export function intersection(a: DayRange, b: DayRange): DayRange {
  return { firstDay: Math.max(a.firstDay, b.firstDay), lastDay: Math.min(a.lastDay, b.lastDay) };
}

/** From the first day of any to the last of any, without regard to ranges of no days; undefined where there is no day. */
export function unionOf(ranges: readonly DayRange[]): DayRange | undefined {
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
