import { OptionError } from '../errors.js';
import { isYear } from '../period/day.js';
import { fourDigits } from '../period/digits.js';
import type { ReferenceYears } from './climatology.js';

/** The reference period where none is asked for. */
export const DEFAULT_REFERENCE: ReferenceYears = /* @__PURE__ */ Object.freeze({ firstYear: 1993, lastYear: 2022 });

/** The years of a text such as `1993-2022`; undefined where it is none. */
export function parseReference(text: string): ReferenceYears | undefined {
  const found = /^(\d{4})-(\d{4})$/.exec(text.trim());
  if (found === null) return undefined;
  const [firstYear, lastYear] = [Number(found[1]), Number(found[2])];
  return isYear(firstYear) && firstYear <= lastYear ? { firstYear, lastYear } : undefined;
}

/** Years as `1993-2022`. */
export function formatReference({ firstYear, lastYear }: ReferenceYears): string {
  return `${fourDigits(firstYear)}-${fourDigits(lastYear)}`;
}

/** The reference period that is asked for. Throws OptionError where it is none. */
export function checkReference(asked: string | ReferenceYears): ReferenceYears {
  const text = typeof asked === 'object' && asked !== null ? `${asked.firstYear}-${asked.lastYear}` : String(asked);
  const years = parseReference(text.replace(/\d+/g, (digits) => digits.padStart(4, '0')));
  if (years !== undefined) return years;
  throw new OptionError({
    subject: 'reference',
    problem: 'no reference period',
    received: text,
    allowed: 'a first and a last year, such as 1993-2022',
  });
}

/** Years in ascending order as text, runs of them together: `1993-1995, 2001`. */
export function yearRanges(years: readonly number[]): string {
  const ranges: string[] = [];
  for (let i = 0; i < years.length; ) {
    let last = i;
    while (years[last + 1] === years[last] + 1) last++;
    ranges.push(last === i ? fourDigits(years[i]) : `${fourDigits(years[i])}-${fourDigits(years[last])}`);
    i = last + 1;
  }
  return ranges.join(', ');
}
