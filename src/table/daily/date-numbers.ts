import { DATE_FORMS, parseDateText, type WrongText } from '../columns/date-forms.js';
import { MISSING, type WrongDate } from './date-texts.js';

/*
 * Dates written as integers. No form is guessed: if two readings are possible, the error names both.
 */

/** The unit of numbers that count from 1970. */
type EpochUnit = 'seconds' | 'milliseconds' | 'microseconds' | 'nanoseconds';

/** The times of numbers: milliseconds since 1970-01-01 UTC, rounded down; NaN for missing values. */
export interface NumberDates {
  readonly times: Float64Array;
  /** The unit of the numbers, if they count from 1970. */
  readonly epoch?: EpochUnit;
}

const MINUTE = 60_000;
const INTEGER = /^-?\d+$/;

/**
 * By the number of digits of today's time: the unit, the divisor that makes whole milliseconds of it, or else seconds,
 * and the factor from these to milliseconds.
 */
const EPOCHS: Readonly<Record<number, readonly [EpochUnit, bigint, number]>> = {
  10: ['seconds', 1n, 1000],
  13: ['milliseconds', 1n, 1],
  16: ['microseconds', 1_000n, 1],
  19: ['nanoseconds', 1_000_000n, 1],
};

/** Whether a text is an integer. */
export function isInteger(text: string): boolean {
  return INTEGER.test(text);
}

/** Reads distinct integers, which must all have one form. Returns the first wrong one if there is one. */
export function readDateNumbers(values: readonly unknown[]): NumberDates | WrongDate {
  const texts = values.map((value) => String(value).trim());
  const present = texts.filter((text) => !MISSING.test(text));
  if (present.length === 0) return { times: new Float64Array(values.length).fill(Number.NaN) };
  const other = texts.findIndex((text) => !MISSING.test(text) && !INTEGER.test(text));
  if (other >= 0) {
    const isNumber = !Number.isNaN(Number(texts[other]));
    const form = { problem: 'is not of the form of the dates before', allowed: `one form, as in ${present[0]}` };
    return { index: other, ...(isNumber || other === 0 ? notDate() : form) };
  }
  const digits = (text: string) => text.replace('-', '').length;
  const lengths = new Set(present.map(digits));
  const longest = Math.max(...lengths);
  const calendar = texts.map((text) => (MISSING.test(text) ? Number.NaN : compactTime(text, longest)));
  const isCalendar = !calendar.includes(undefined);
  const wrong = (test: (text: string, index: number) => boolean, problem: string, allowed: string): WrongDate => ({
    index: Math.max(
      0,
      texts.findIndex((text, i) => !MISSING.test(text) && test(text, i)),
    ),
    problem,
    allowed,
  });
  if (!(longest in EPOCHS)) {
    if (isCalendar) return { times: Float64Array.from(calendar as number[]) };
    const index = calendar.indexOf(undefined);
    return { index, ...notDateNumber(texts[index]) };
  }
  const [epoch, divisor, factor] = EPOCHS[longest];
  const isRounded = (value: unknown) => typeof value === 'number' && !Number.isSafeInteger(value);
  if (values.some(isRounded)) {
    const problem = `is rounded, as float64 does not hold ${epoch} since 1970`;
    return wrong((_, i) => isRounded(values[i]), problem, 'int64, texts, or Arrow timestamps');
  }
  // A series over such a long time has numbers of every length between: a gap means that forms are mixed.
  const short = [...lengths].filter((length) => length >= 8 && !hasAllLengths(lengths, length, longest));
  if (short.length > 0) {
    const shortest = Math.min(...short);
    const isOther = (text: string) => (digits(texts[0]) === longest) === (digits(text) === shortest);
    return wrong(isOther, 'is not of the form of the dates before', `one form, as in ${texts[0]}`);
  }
  const times = Float64Array.from(texts, (text) =>
    MISSING.test(text) ? Number.NaN : Number(floorDivide(BigInt(text), divisor)) * factor,
  );
  if (!isCalendar) return { times, epoch };
  if (times.some((time) => time % MINUTE !== 0)) return { times: Float64Array.from(calendar as number[]) };
  const readings = [times[0], calendar[0] as number].map((time) => new Date(time).toISOString().slice(0, 16));
  return wrong(
    () => true,
    `may be ${readings[0]} as ${epoch} since 1970, or ${readings[1]}`,
    'dates as 2026-03-02T06:00',
  );
}

/** The time of digits that are a date, or a date with hour, minute and second; undefined for other digits. */
function compactTime(text: string, length: number): number | undefined {
  if (text.length !== length || ![8, 10, 12, 14].includes(length)) return undefined;
  const date = parseDateText(length === 8 ? text : `${text.slice(0, 8)}T${text.slice(8)}`);
  return 'time' in date ? date.time : undefined;
}

function notDateNumber(text: string): WrongText {
  const problem = text.length === 8 ? parseDateText(text) : undefined;
  return problem !== undefined && 'problem' in problem ? problem : notDate();
}

function notDate(): WrongText {
  return {
    problem: 'is a number, not a date',
    allowed: `${DATE_FORMS}; seconds (10 digits) or milliseconds (13) since 1970; convert offsets such as hours since a start to dates first`,
  };
}

function hasAllLengths(lengths: ReadonlySet<number>, from: number, to: number): boolean {
  for (let length = from; length < to; length++) if (!lengths.has(length)) return false;
  return true;
}

function floorDivide(value: bigint, divisor: bigint): bigint {
  const quotient = value / divisor;
  return value % divisor < 0n ? quotient - 1n : quotient;
}
