import type { ModelCalendar } from '../../period/calendar.js';
import { type ParsedDate, parseDateText, type WrongText } from '../columns/date-forms.js';

/*
 * Dates as people write them in texts. No form is guessed: a text with two possible readings is an error.
 */

/** What is wrong with one of several values that should be dates. */
export interface WrongDate extends WrongText {
  /** Which of the values it is. */
  readonly index: number;
}

/** The times of values: milliseconds since 1970-01-01 UTC, rounded down; NaN for missing values. */
export interface ReadDates {
  readonly times: Float64Array;
}

const DAY_OR_MONTH_FIRST = /^\d\d?[-/. ]\d\d?[-/. ]\d\d(\d\d)?\b/;
/** Texts that mean a missing date. */
export const MISSING = /^(na|nat|nan|null|none|-)?$/i;

/**
 * Reads distinct texts, which must all have one form; `calendar` is by default the real one. Returns the first wrong
 * one if there is one.
 */
export function readDates(values: readonly unknown[], calendar?: ModelCalendar): ReadDates | WrongDate {
  const texts = values.map((value) => String(value).trim());
  const present = texts.filter((text) => !MISSING.test(text));
  const times = new Float64Array(values.length);
  let first: ParsedDate | undefined;
  for (const [index, text] of texts.entries()) {
    const date = MISSING.test(text) ? undefined : parsed(text, calendar);
    times[index] = Number.NaN;
    if (date === undefined) continue;
    if ('problem' in date) return { ...date, index };
    first ??= date;
    if (date.separator !== first.separator || date.isZoned !== first.isZoned) {
      return { index, problem: 'is not of the form of the dates before', allowed: `one form, as in ${present[0]}` };
    }
    times[index] = date.time;
  }
  return { times };
}

function parsed(text: string, calendar: ModelCalendar | undefined): ParsedDate | WrongText {
  if (!DAY_OR_MONTH_FIRST.test(text)) return parseDateText(text, calendar);
  return { problem: 'may have the day or the month first, which is not guessed', allowed: 'year first: 2026-03-02' };
}
