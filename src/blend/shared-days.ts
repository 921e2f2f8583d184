import type { EnsembleField } from '../core/field.js';
import type { NamedEnsemble } from '../ensemble/align-ensembles.js';
import { DataError } from '../errors.js';
import { formatDate } from '../period/day.js';

/** Consecutive days. */
export interface DaySpan {
  /** Day number of the first day. */
  readonly firstDay: number;
  readonly days: number;
}

/** The days that all fields cover. Throws DataError naming the input that begins after another one ends. */
export function sharedDays(inputs: readonly NamedEnsemble[], fields: readonly EnsembleField[]): DaySpan {
  const firstDays = fields.map(({ firstDay }) => firstDay);
  const lastDays = fields.map(lastDayOf);
  const firstDay = Math.max(...firstDays);
  const lastDay = Math.min(...lastDays);
  if (firstDay <= lastDay) return { firstDay, days: lastDay - firstDay + 1 };
  const late = firstDays.indexOf(firstDay);
  throw new DataError({
    source: inputs[late].source,
    problem: `no day in common with ${inputs[lastDays.indexOf(lastDay)].source}`,
    received: `${formatDate(firstDay)} to ${formatDate(lastDays[late])}`,
    allowed: `days up to ${formatDate(lastDay)}`,
  });
}

function lastDayOf({ firstDay, days }: EnsembleField): number {
  return firstDay + days - 1;
}
