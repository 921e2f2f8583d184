import { DataError } from '../../errors.js';
import { DAY_MILLISECONDS, formatDate } from '../../period/day.js';
import type { HorizonName } from '../../variable/availability.js';
import type { Variable } from '../../variable/variable.js';

/** The first UTC day that a run issued at `initTime` covers completely: lead 0. */
function firstCompleteDay(initTime: string): number {
  return Math.ceil(Date.parse(initTime) / DAY_MILLISECONDS);
}

/** A run whose days are used. */
export interface UsedRun {
  readonly variable: Variable;
  readonly horizon: HorizonName;
  readonly initTime: string;
  readonly source: string;
}

/**
 * The days of a horizon that can be used, both inclusive: from the first complete day of its run to the last lead for
 * which the variable is available. Throws DataError where no day is left.
 */
export function usableSpan(
  { firstDay: first, days }: { readonly firstDay: number; readonly days: number },
  { variable, horizon, initTime, source }: UsedRun,
): { firstDay: number; lastDay: number } {
  const lead0 = firstCompleteDay(initTime);
  const lastLead = variable.availability[horizon]?.lastLead ?? Number.POSITIVE_INFINITY;
  const firstDay = Math.max(first, lead0);
  // Leads are the run's: a variable that begins a day later does not end a day later.
  const lastDay = Math.min(first + days - 1, lead0 + lastLead);
  if (firstDay > lastDay) {
    throw new DataError({
      source,
      problem: `ends before the first complete day of its run, which was issued at ${initTime}`,
      received: formatDate(first + days - 1),
      allowed: `days from ${formatDate(lead0)} on`,
    });
  }
  return { firstDay, lastDay };
}

/** Describes which days of a run are not used, and why. */
export function describeUnusedDays(
  available: { readonly firstDay: number; readonly days: number },
  run: UsedRun,
): readonly string[] {
  const { firstDay, lastDay } = usableSpan(available, run);
  const texts: string[] = [];
  const before = firstDay - available.firstDay;
  if (before > 0) {
    const day = formatDate(firstDay);
    texts.push(
      `${formatCount(before, 'day')} before ${day}, the first complete day of its run, ${isOrAre(before)} not used`,
    );
  }
  const after = available.firstDay + available.days - 1 - lastDay;
  const span = `${run.horizon} span of ${run.variable.slug}`;
  if (after > 0) texts.push(beyondSpan(after, lastDay, lastDay + 1 - firstCompleteDay(run.initTime), span));
  return texts;
}

/**
 * Describes the last days of a horizon that are not used, as they lie beyond its part of a timeline; undefined where
 * there are none.
 */
export function describeDaysBeyondSpan(
  { name, firstDay: first, days }: { readonly name: string; readonly firstDay: number; readonly days: number },
  { firstDay }: { readonly firstDay: number },
  { lastDay }: { readonly lastDay: number },
): string | undefined {
  const after = first + days - 1 - lastDay;
  return after > 0 ? beyondSpan(after, lastDay, lastDay + 1 - firstDay, `${name} span`) : undefined;
}

function beyondSpan(count: number, lastDay: number, lead: number, span: string): string {
  const days = `${formatCount(count, 'day')} after ${formatDate(lastDay)} (lead ${lead} on)`;
  return `${days} ${isOrAre(count)} beyond the ${span} and not used`;
}

function formatCount(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

function isOrAre(count: number): string {
  return count === 1 ? 'is' : 'are';
}
