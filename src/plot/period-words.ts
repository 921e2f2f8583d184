import { dateText, type ModelCalendar, packedDate } from '../period/calendar.js';
import { weekday } from '../period/day.js';
import { isoWeek } from '../period/period.js';
import { STEPS } from '../period/stated-days.js';

const MONTHS = [
  ...['January', 'February', 'March', 'April', 'May', 'June'],
  ...['July', 'August', 'September', 'October', 'November', 'December'],
];
const WEEKDAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];

/** A window as people write it. */
export interface NamedWindow {
  /** `daily`, `weekly`, `monthly`, `steps`, or what other windows are. */
  readonly granularity: string;
  readonly start: number;
  readonly end: number;
  readonly calendar?: ModelCalendar;
  /** Its key, which of other windows than these is its name: `2026-DJF`; of a time step its time in words. */
  readonly key?: string;
}

const NOUNS: Readonly<Record<string, string>> = {
  ...{ daily: 'a day', weekly: 'a week', monthly: 'a month', seasons: 'a season', dekads: 'a dekad', all: 'all days' },
};

/** What one of some windows is called: `a season`, `7 days`. */
export function windowNoun(granularity: string): string {
  const [, rolling] = /^rolling (\d+)$/.exec(granularity) ?? [];
  if (rolling !== undefined) return `${rolling} days`;
  return NOUNS[granularity] ?? (granularity.startsWith('years') ? 'a year' : 'a window');
}

/** `Monday 9 March 2026`, `week 11, 9 to 15 March 2026`, `March 2026`, `2026-D08, 11 to 20 March 2026`. */
export function periodWords({ granularity, start, end, calendar, key }: NamedWindow): string {
  if (granularity === STEPS && key !== undefined) return key;
  const [first, last] = [datePart(calendar, start), datePart(calendar, end)];
  if (granularity === 'monthly') return `${first.month} ${first.year}`;
  if (granularity === 'daily') {
    const date = `${first.day} ${first.month} ${first.year}`;
    return calendar === undefined ? `${WEEKDAYS[weekday(start) - 1]} ${date}` : dateText(calendar, start);
  }
  const from =
    first.month === last.month
      ? `${first.day}`
      : `${first.day} ${first.month}${first.year === last.year ? '' : ` ${first.year}`}`;
  const span = `${from} to ${last.day} ${last.month} ${last.year}`;
  if (granularity === 'weekly') return `week ${isoWeek(start).week}, ${span}`;
  return key === undefined || granularity.startsWith('rolling ') ? span : `${key}, ${span}`;
}

/** `in week 11 of 2026`, `on 5 March 2026`, `from 9 to 20 March 2026`: short, for a sentence about chances. */
export function shortPeriod(window: NamedWindow): string {
  const { granularity, start, calendar } = window;
  const { day, month, year } = datePart(calendar, start);
  if (granularity === 'weekly') return `in week ${isoWeek(start).week} of ${isoWeek(start).year}`;
  if (granularity === 'daily') return `on ${day} ${month} ${year}`;
  return granularity === 'monthly' ? `in ${month} ${year}` : `from ${periodWords({ ...window, key: undefined })}`;
}

function datePart(calendar: ModelCalendar | undefined, day: number): { day: number; month: string; year: number } {
  const packed = packedDate(calendar, day);
  return { day: packed & 31, month: MONTHS[((packed >> 5) & 15) - 1], year: packed >> 9 };
}
