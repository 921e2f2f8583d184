import type { Ensemble } from '../ensemble/ensemble.js';
import { type DataError, mentionOption, NoWindowError } from '../errors.js';
import { dateText, type ModelCalendar } from '../period/calendar.js';
import type { CheckedStatisticsOptions } from '../statistics/options.js';
import { statedCalendar } from '../table/columns/day-column.js';

/** The range of days of ensembles, and their calendar if it is a model calendar. */
export class DaySpan {
  #calendar: ModelCalendar | undefined;
  #first = Number.POSITIVE_INFINITY;
  #last = Number.NEGATIVE_INFINITY;

  add({ parts, metadata }: Pick<Ensemble, 'metadata'> & DayParts): this {
    this.#calendar = statedCalendar(metadata);
    for (const { firstDay, days } of parts.map(({ field }) => field)) {
      this.#first = Math.min(this.#first, firstDay);
      this.#last = Math.max(this.#last, firstDay + days - 1);
    }
    return this;
  }

  toString(): string {
    return `${dateText(this.#calendar, this.#first)} to ${dateText(this.#calendar, this.#last)}`;
  }
}

interface DayParts {
  readonly parts: readonly { readonly field: { readonly firstDay: number; readonly days: number } }[];
}

const WINDOWS = { daily: 'day', weekly: 'complete ISO week', monthly: 'complete month' };

/** The error for an input without any requested window; it names the days that the input has. */
export function noWindowError(
  span: DaySpan,
  { granularity, startDate, endDate, partial, source }: CheckedStatisticsOptions,
): DataError {
  const requested = [
    startDate === undefined ? '' : ` from ${startDate}`,
    endDate === undefined ? '' : ` to ${endDate}`,
  ].join('');
  const orPartial = partial || granularity === 'daily' ? '' : `; or ${mentionOption('partial', true)}`;
  return new NoWindowError({
    source,
    problem: `no ${partial ? 'window' : WINDOWS[granularity]}${requested}`,
    allowed: `windows within the days available, ${span}${orPartial}`,
  });
}
