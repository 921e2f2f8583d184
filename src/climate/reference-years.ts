import { OptionError } from '../errors.js';
import { formatDate, isYear } from '../period/day.js';
import { fourDigits } from '../period/digits.js';
import type { ReferenceYears } from './climatology.js';

/** The reference period where none is asked for. */
export const DEFAULT_REFERENCE: ReferenceYears = /* @__PURE__ */ Object.freeze({ firstYear: 1993, lastYear: 2022 });

/** The years of a text such as `1993-2022`; undefined where it is none. */
export function parseReference(text: string): ReferenceYears | undefined {
  const years = yearsOf(text);
  return years !== undefined && years.firstYear <= years.lastYear ? years : undefined;
}

/** Two years of the calendar, in whatever order. */
function yearsOf(text: string): ReferenceYears | undefined {
  const found = /^(\d{4})-(\d{4})$/.exec(text.trim());
  if (found === null) return undefined;
  const [firstYear, lastYear] = [Number(found[1]), Number(found[2])];
  return isYear(firstYear) && isYear(lastYear) ? { firstYear, lastYear } : undefined;
}

/** A year of so many days has a whole ISO week and a whole month of its own, wherever it is cut. */
const MIN_YEAR_DAYS = 62;

/** The years that a span of days reaches far enough into to have windows of; those of its ends where there is none. */
export function yearsWithin(firstDay: number, lastDay: number): ReferenceYears {
  const yearOf = (day: number) => Number(formatDate(day).slice(0, 4));
  const years = { firstYear: yearOf(firstDay), lastYear: yearOf(lastDay) };
  const cutFirst = yearOf(Math.min(firstDay + MIN_YEAR_DAYS - 1, lastDay));
  const cutLast = yearOf(Math.max(lastDay - MIN_YEAR_DAYS + 1, firstDay));
  return cutFirst <= cutLast ? { firstYear: cutFirst, lastYear: cutLast } : years;
}

/** Years as `1993-2022`. */
export function formatReference({ firstYear, lastYear }: ReferenceYears): string {
  return `${fourDigits(firstYear)}-${fourDigits(lastYear)}`;
}

/** The reference period that is asked for. Throws OptionError where it is none. */
export function checkReference(requested: string | ReferenceYears): ReferenceYears {
  const isText = typeof requested === 'string';
  if (!isText && !(Number.isInteger(requested?.firstYear) && Number.isInteger(requested.lastYear))) {
    throw noReference(requested);
  }
  const text = isText ? requested : `${requested.firstYear}-${requested.lastYear}`;
  const years = yearsOf(text.replace(/\d+/g, (digits) => digits.padStart(4, '0')));
  if (years !== undefined && years.firstYear <= years.lastYear) return years;
  throw noReference(text, years === undefined ? undefined : 'ends before it begins');
}

function noReference(received: unknown, problem = 'no reference period'): OptionError {
  return new OptionError({
    subject: 'reference',
    problem,
    received,
    allowed: 'a first and a last year, such as 1993-2022',
  });
}

/** Years in ascending order as texts, runs of them together: `1993-1995` and `2001`. */
export function yearRanges(years: readonly number[]): string[] {
  const ranges: string[] = [];
  for (let i = 0; i < years.length; ) {
    let last = i;
    while (years[last + 1] === years[last] + 1) last++;
    ranges.push(last === i ? fourDigits(years[i]) : `${fourDigits(years[i])}-${fourDigits(years[last])}`);
    i = last + 1;
  }
  return ranges;
}

/** How many years there are in the texts of `yearRanges`, joined by commas; none in an empty text. */
export function countYears(ranges: string): number {
  if (ranges === '') return 0;
  return ranges.split(', ').reduce((count, range) => {
    const [first, last = first] = range.split('-').map(Number);
    return count + last - first + 1;
  }, 0);
}
