import { dateText, modelCalendar } from '../../period/calendar.js';
import { DAY_SECONDS } from '../../period/day.js';
import { windowTable } from '../../period/period.js';
import type { InspectedDays, InspectedVariable } from './inspection.js';

/** The maximum number of gaps to list. */
const MAX_GAPS = 5;

/** The days that values cover, from the first one on: 1 for a complete day, else 0. */
export interface CoveredDays {
  readonly firstDay: number;
  readonly whole: Uint8Array;
}

/** Collects covered days from a set of days. */
export function coveredDays(days: ReadonlySet<number>): CoveredDays {
  let [first, last] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const day of days) {
    first = Math.min(first, day);
    last = Math.max(last, day);
  }
  const whole = new Uint8Array(days.size === 0 ? 0 : last - first + 1);
  for (const day of days) whole[day - first] = 1;
  return { firstDay: first, whole };
}

/** Counts the missing or incomplete days among the `days` days from `from` on. */
export function missingDays({ firstDay, whole }: CoveredDays, from: number, days: number): number {
  let missing = 0;
  for (let day = from - firstDay; day < from - firstDay + days; day++) if (whole[day] === 0) missing++;
  return missing;
}

/** Describes days, their gaps, and the number of complete windows. */
export function inspectDays(
  { firstDay, whole }: CoveredDays,
  steps: string,
  calendar?: string,
): Required<Pick<InspectedVariable, 'windows'>> & { days: InspectedDays } {
  const model = modelCalendar(calendar);
  const date = (day: number) => dateText(model, day);
  const gaps = [...findGaps(whole)];
  const lastDay = firstDay + whole.length - 1;
  const missing = gaps.reduce((sum, { days }) => sum + days, 0);
  const windows = (granularity: 'weekly' | 'monthly') => {
    const { first, days, count } = windowTable(granularity, firstDay, lastDay, { calendar });
    return Array.from({ length: count }, (_, w) => whole.subarray(first[w], first[w] + days[w])).filter(
      (part) => !part.includes(0),
    ).length;
  };
  return {
    days: {
      first: date(firstDay),
      last: date(lastDay),
      whole: whole.length - missing,
      missing,
      gaps: gaps.slice(0, MAX_GAPS).map(({ from, days }) => ({
        first: date(firstDay + from),
        last: date(firstDay + from + days - 1),
        days,
      })),
      steps,
      ...(calendar !== undefined && { calendar }),
    },
    // A calendar without weekdays has no weeks.
    windows: { weekly: model === undefined ? windows('weekly') : 0, monthly: windows('monthly') },
  };
}

function* findGaps(whole: Uint8Array): Generator<{ from: number; days: number }> {
  for (let from = whole.indexOf(0); from >= 0; ) {
    const end = whole.indexOf(1, from);
    yield { from, days: (end < 0 ? whole.length : end) - from };
    from = end < 0 ? -1 : whole.indexOf(0, end);
  }
}

/** Describes the steps between times by their lengths in seconds. */
export function describeSteps(shortest: number, longest: number): string {
  if (shortest === longest)
    return shortest >= DAY_SECONDS ? 'daily' : shortest === 3600 ? 'hourly' : describeStep(shortest);
  return `${describeStep(shortest).split('-')[0]}- to ${longest >= DAY_SECONDS ? 'daily' : describeStep(longest)}`;
}

function describeStep(seconds: number): string {
  return seconds % 3600 === 0 ? `${seconds / 3600}-hourly` : `${Number((seconds / 60).toFixed(2))}-minute`;
}
