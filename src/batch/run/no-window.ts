import { DataError, mentionOption } from '../../errors.js';
import { dateText, type ModelCalendar } from '../../period/calendar.js';
import type { CheckedStatisticsOptions } from '../../statistics/options.js';

const WINDOWS = { daily: 'day', weekly: 'complete ISO week', monthly: 'complete month' };

/** Days from the first to the last, and their calendar where it is not the real one. */
export interface DaySpan {
  readonly first: number;
  readonly last: number;
  readonly calendar: ModelCalendar | undefined;
}

/** The error for an input without a window that is asked for, which names the days that it has. */
export function noWindow(
  { first, last, calendar }: DaySpan,
  { granularity, startDate, endDate, partial, source }: CheckedStatisticsOptions,
): DataError {
  const requested = [
    startDate === undefined ? '' : ` from ${startDate}`,
    endDate === undefined ? '' : ` to ${endDate}`,
  ].join('');
  return new DataError({
    source,
    problem: `no ${partial ? 'window' : WINDOWS[granularity]}${requested}`,
    allowed: `windows within the days available, ${dateText(calendar, first)} to ${dateText(calendar, last)}${partial || granularity === 'daily' ? '' : `; or ${mentionOption('partial', true)}`}`,
  });
}
