import { OptionError } from '../errors.js';
import { formatDate, fourDigits, isYear } from '../period/day.js';
import type { ReferenceYears } from './climatology.js';

/** The default reference period. */
export const DEFAULT_REFERENCE: ReferenceYears = /* @__PURE__ */ Object.freeze({ firstYear: 1993, lastYear: 2022 });

/** Reads the years of a text such as `1993-2022`; undefined for anything else. */
export function parseReference(text: string): ReferenceYears | undefined {
  const years = parseYears(text);
  return years !== undefined && years.firstYear <= years.lastYear ? years : undefined;
}

/** Reads two years of the calendar, in any order. */
function parseYears(text: string): ReferenceYears | undefined {
  const found = /^(\d{4})-(\d{4})$/.exec(text.trim());
  if (found === null) return undefined;
  const [firstYear, lastYear] = [Number(found[1]), Number(found[2])];
  return isYear(firstYear) && isYear(lastYear) ? { firstYear, lastYear } : undefined;
}

/** This many days of a year contain a complete ISO week and a complete month, wherever the year is cut. */
const MIN_YEAR_DAYS = 62;

/**
 * The years of which a span of days has at least `MIN_YEAR_DAYS`, so that it has windows of them; if none, those of its
 * ends.
 */
export function yearsWithin(firstDay: number, lastDay: number): ReferenceYears {
  const yearOf = (day: number) => Number(formatDate(day).slice(0, 4));
  const years = { firstYear: yearOf(firstDay), lastYear: yearOf(lastDay) };
  const cutFirst = yearOf(Math.min(firstDay + MIN_YEAR_DAYS - 1, lastDay));
  const cutLast = yearOf(Math.max(lastDay - MIN_YEAR_DAYS + 1, firstDay));
  return cutFirst <= cutLast ? { firstYear: cutFirst, lastYear: cutLast } : years;
}

/** Writes years as `1993-2022`. */
export function formatReference({ firstYear, lastYear }: ReferenceYears): string {
  return `${fourDigits(firstYear)}-${fourDigits(lastYear)}`;
}

/** Checks a requested reference period. Throws OptionError for what is not one. */
export function checkReference(requested: string | ReferenceYears): ReferenceYears {
  const isText = typeof requested === 'string';
  if (!isText && !(Number.isInteger(requested?.firstYear) && Number.isInteger(requested.lastYear))) {
    throw referenceError(requested);
  }
  const text = isText ? requested : `${requested.firstYear}-${requested.lastYear}`;
  const years = parseYears(text.replace(/\d+/g, (digits) => digits.padStart(4, '0')));
  if (years !== undefined && years.firstYear <= years.lastYear) return years;
  throw referenceError(text, years === undefined ? undefined : 'ends before it begins');
}

function referenceError(received: unknown, problem = 'not a reference period'): OptionError {
  return new OptionError({
    subject: 'reference',
    problem,
    received,
    allowed: 'a first and a last year, such as 1993-2022, or { firstYear, lastYear }',
  });
}

/** Writes ascending years as texts, runs of years as ranges: `1993-1995` and `2001`. */
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

/** Counts the years in texts of `yearRanges`, joined by commas; 0 for an empty text. */
export function countYears(ranges: string): number {
  if (ranges === '') return 0;
  return ranges.split(', ').reduce((count, range) => {
    const [first, last = first] = range.split('-').map(Number);
    return count + last - first + 1;
  }, 0);
}
