import { DataError, mentionOption } from '../../errors.js';
import { dateText, type ModelCalendar } from '../../period/calendar.js';
import type { CheckedStatisticsOptions } from '../../statistics/options.js';

const WINDOWS = { daily: 'day', weekly: 'complete ISO week', monthly: 'complete month' };

/** Days from the first to the last, and their calendar if it is a model calendar. */
export interface DaySpan {
  readonly first: number;
  readonly last: number;
  readonly calendar: ModelCalendar | undefined;
}

/** The error for an input without any requested window; it names the days that the input has. */
export function noWindowError(
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
