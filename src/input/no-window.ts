import { DataError, mentionOption } from '../errors.js';
import { formatDate } from '../period/day.js';
import type { CheckedStatisticsOptions } from '../statistics/options.js';

const WINDOWS = { daily: 'day', weekly: 'complete ISO week', monthly: 'complete month' };

/** The error for an input without a window that is asked for, which names the days that it has, from the first to the last. */
export function noWindow(
  { first, last }: { readonly first: number; readonly last: number },
  { granularity, startDay, endDay, partial, source }: CheckedStatisticsOptions,
): DataError {
  const asked = [
    startDay === undefined ? '' : ` from ${formatDate(startDay)}`,
    endDay === undefined ? '' : ` to ${formatDate(endDay)}`,
  ].join('');
  return new DataError({
    source,
    problem: `no ${partial ? 'window' : WINDOWS[granularity]}${asked}`,
    allowed: `windows within the days available, ${formatDate(first)} to ${formatDate(last)}${partial || granularity === 'daily' ? '' : `; or ${mentionOption('partial', true)}`}`,
  });
}
