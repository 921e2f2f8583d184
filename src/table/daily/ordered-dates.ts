import { mentionOption, OptionError, subjectIn } from '../../errors.js';
import { parseDateText, type WrongText } from '../columns/day-column.js';
import { MISSING_TEXT } from '../columns/missing-text.js';

/*
 * Dates with the year last. Which of day and month comes first is stated, or shown by a day above 12.
 */

/** Forms of dates that have the year last. */
export const DATE_FORMATS = [
  'dd.mm.yyyy',
  'mm.dd.yyyy',
  'dd/mm/yyyy',
  'mm/dd/yyyy',
  'dd-mm-yyyy',
  'mm-dd-yyyy',
] as const;

/** A form of dates that has the year last. */
export type DateFormat = (typeof DATE_FORMATS)[number];

/** `2.3.2026`, and what follows it: a time. */
const YEAR_LAST = /^(\d\d?)([-/.])(\d\d?)\2(\d{4})(?!\d)(.*)$/;

/** Whether a text is a date with the year last. */
export function hasYearLast(text: string): boolean {
  return YEAR_LAST.test(text);
}

/** The times of texts, in milliseconds since 1970, NaN where they are missing, and their form. */
export interface OrderedDates {
  readonly times: Float64Array;
  readonly format: DateFormat;
  /** A text that settles the form, if that is not stated. */
  readonly shownBy?: string;
}

/**
 * Reads distinct texts with the year last, all of the form `format`, or of the one that days above 12 show. Returns the first wrong
 * one if there is one.
 */
export function readOrderedDates(
  values: readonly unknown[],
  format: DateFormat | undefined,
): OrderedDates | (WrongText & { readonly index: number }) {
  const texts = values.map((value) => String(value).trim());
  const parts = texts.map((text) => (MISSING_TEXT.test(text) ? undefined : (YEAR_LAST.exec(text) ?? [])));
  const settled = parts.findIndex((found) => found !== undefined && (+found[1] > 12 || +found[3] > 12));
  const some = parts.find((found) => found?.[2] !== undefined);
  const isDayFirst = settled >= 0 && +(parts[settled]?.[1] ?? 0) > 12;
  const shown = `${isDayFirst ? 'dd.mm' : 'mm.dd'}.yyyy`.replaceAll('.', some?.[2] ?? '.') as DateFormat;
  const taken = format ?? (settled < 0 ? undefined : shown);
  if (taken === undefined) {
    const choices = DATE_FORMATS.filter((each) => each.includes(some?.[2] ?? '.'));
    const problem = 'may have the day or the month first, and no day above 12 shows it';
    return { index: parts.indexOf(some), problem, allowed: mentionOption('dateFormat', ...choices) };
  }
  const times = new Float64Array(values.length).fill(Number.NaN);
  for (const [index, found] of parts.entries()) {
    if (found === undefined) continue;
    const [, first, separator, second, year, rest] = found;
    if (separator === undefined || !taken.includes(separator)) {
      return { index, problem: `is not of the form ${taken}`, allowed: 'one form for all dates' };
    }
    const [day, month] = taken.startsWith('dd') ? [first, second] : [second, first];
    const date = parseDateText(`${year}-${month}-${day}${rest}`);
    if ('problem' in date) return { index, ...date, problem: `${date.problem}, read as ${taken}` };
    times[index] = date.time;
  }
  return { times, format: taken, ...(format === undefined && { shownBy: texts[settled] }) };
}

/** Throws OptionError for a form of dates that are no texts. */
export function assertFormatUsed(format: DateFormat | undefined, areTexts: boolean, source?: string): void {
  if (format === undefined || areTexts) return;
  const problem = 'the dates of the table are no texts';
  throw new OptionError({
    subject: subjectIn(source, 'dateFormat'),
    problem,
    received: format,
    allowed: 'no date format',
  });
}
