import type { EnsembleField } from '../core/field.js';
import { DataError, mentionOption } from '../errors.js';
import { dateText } from '../period/calendar.js';
import type { ReferenceWindows } from './reference-windows.js';
import { formatReference, yearRanges, yearsWithin } from './reference-years.js';
import type { SampleSource } from './sample-source.js';

/** Finds the reference years of which no source has a single complete window, at any cell and of any member. */
export function missingYears(
  { firstYear, lastYear, yearStart }: ReferenceWindows,
  sources: readonly SampleSource[],
): number[] {
  const missing: number[] = [];
  for (let year = firstYear; year <= lastYear; year++) {
    const [from, to] = [yearStart[year - firstYear], yearStart[year - firstYear + 1]];
    if (!sources.some((source) => hasWindow(source, from, to))) missing.push(year);
  }
  return missing;
}

/** Whether one of the reference's windows from `from` up to, not including, `to` is complete. */
function hasWindow({ field, run, windows }: SampleSource, from: number, to: number): boolean {
  for (let w = Math.max(from, run.from) - run.from; w < Math.min(to, run.to) - run.from; w++) {
    for (let cell = 0; cell < field.cells; cell++) {
      const first = cell * field.days + windows.first[w];
      if (field.members.some((member) => isComplete(member, first, windows.days[w]))) return true;
    }
  }
  return false;
}

function isComplete(member: EnsembleField['members'][number], first: number, days: number): boolean {
  for (let row = first; row < first + days; row++) if (Number.isNaN(member.value(row))) return false;
  return true;
}

const WINDOWS = { daily: 'day', weekly: 'complete ISO week', monthly: 'complete month' };

/** Creates the error for missing reference years, which states the available days. */
export function missingYearsError(
  reference: ReferenceWindows,
  missing: readonly number[],
  sources: readonly SampleSource[],
  source: string | undefined,
): DataError {
  const first = Math.min(...sources.map(({ field }) => field.firstDay));
  const last = Math.max(...sources.map(({ field }) => field.firstDay + field.days - 1));
  const years = mentionOption('reference', formatReference(yearsWithin(first, last)));
  const within = `${years}, within the days available, ${dateText(reference.calendar, first)} to ${dateText(reference.calendar, last)}`;
  const isAll = missing.length > reference.lastYear - reference.firstYear;
  return new DataError({
    source,
    problem: `the reference ${formatReference(reference)} has years without a ${WINDOWS[reference.granularity]}`,
    received: yearRanges(missing),
    allowed: isAll ? within : `${within}; or ${mentionOption('fewerYears', true)}, to use the available years only`,
  });
}
