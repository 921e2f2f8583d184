import type { EnsembleField } from '../core/field.js';
import { DataError, mentionOption } from '../errors.js';
import { dateText } from '../period/calendar.js';
import type { ReferenceWindows } from './reference-windows.js';
import { formatReference, yearRanges, yearsWithin } from './reference-years.js';
import type { SampleSource } from './sample-source.js';

/** The years of the reference of which no source has a single whole window, at any cell and of any member. */
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

/** Whether one of the reference's windows from `from` up to, not including, `to` is whole. */
function hasWindow({ field, run, windows }: SampleSource, from: number, to: number): boolean {
  for (let w = Math.max(from, run.from) - run.from; w < Math.min(to, run.to) - run.from; w++) {
    for (let cell = 0; cell < field.cells; cell++) {
      const first = cell * field.days + windows.first[w];
      if (field.members.some((member) => isWhole(member, first, windows.days[w]))) return true;
    }
  }
  return false;
}

function isWhole(member: EnsembleField['members'][number], first: number, days: number): boolean {
  for (let row = first; row < first + days; row++) if (Number.isNaN(member.value(row))) return false;
  return true;
}

const WINDOWS = { daily: 'day', weekly: 'whole ISO week', monthly: 'whole month' };

/** The error for reference years that are lacking, which says which days there are. */
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
    problem: `the reference ${formatReference(reference)} asks for years of which there is no ${WINDOWS[reference.granularity]}`,
    received: yearRanges(missing),
    allowed: isAll
      ? within
      : `${within}; or ${mentionOption('fewerYears', true)}, with which the years that there are suffice`,
  });
}
