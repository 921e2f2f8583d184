import { OptionError } from '../errors.js';
import { dayNumber, parseDate } from '../period/day.js';

/*
 * Dates as people write them, be it in texts or numbers. No form is guessed: where two readings are possible, it is an error that
 * names both.
 */

/** What is wrong with one of several values that ought to be dates. */
export interface WrongDate {
  /** Which of the values it is. */
  readonly index: number;
  readonly problem: string;
  readonly allowed: string;
}

/** What numbers are that are dates: epochs, for people. */
export type EpochUnit = 'seconds' | 'milliseconds' | 'microseconds' | 'nanoseconds';

/** The times of values: milliseconds since 1970-01-01 UTC, rounded down; NaN where a value says that it is missing. */
export interface ReadDates {
  readonly times: Float64Array;
  /** Where the values are numbers that count from 1970 on. */
  readonly epoch?: EpochUnit;
}

export const DATE_FORMS =
  '2026-03-02, 2026-03-02T06:00Z, 20260302, seconds (10 digits) or milliseconds (13) since 1970, Arrow dates or timestamps';

const DAY = 86_400_000;
const MINUTE = 60_000;

/** Date, time and zone; digits that are not parted must be two for each part. */
const DATE =
  /^(\d{4})(?:([-/.])(\d\d?)\2(\d\d?)|(\d\d)(\d\d))(?:(?:T| +)(\d\d)(?::?(\d\d)(?::?(\d\d)(?:[.,](\d+))?)?)?(?: ?(Z|UTC|GMT|([+-])(\d\d)(?::?(\d\d))?))?)?$/i;
const DAY_OR_MONTH_FIRST = /^\d\d?[-/. ]\d\d?[-/. ]\d\d(\d\d)?\b/;
const INTEGER = /^-?\d+$/;
const MISSING = /^(na|nat|nan|null|none|-)?$/i;

/** Digits of today's time in each unit, and how many of it make a millisecond; below 1, how many milliseconds it has. */
const EPOCHS: Readonly<Record<number, readonly [EpochUnit, bigint, number]>> = {
  10: ['seconds', 1n, 1000],
  13: ['milliseconds', 1n, 1],
  16: ['microseconds', 1_000n, 1],
  19: ['nanoseconds', 1_000_000n, 1],
};

/** Reads distinct values, texts or numbers, which have to be of one form. Returns the first that is wrong where one is. */
export function readDates(values: readonly unknown[]): ReadDates | WrongDate {
  const texts = values.map((value) => String(value).trim());
  const present = texts.filter((text) => !MISSING.test(text));
  if (present.length > 0 && present.every((text) => INTEGER.test(text))) return readIntegers(values, texts, present);
  const times = new Float64Array(values.length);
  let first: ParsedDate | undefined;
  for (const [index, text] of texts.entries()) {
    const date = MISSING.test(text) ? undefined : parseText(text);
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

/** The UTC day of a text that is a date, or a date and a time; without an offset, a time is UTC. Throws an OptionError for others. */
export function dayOfText(text: string): number {
  const date = parseText(text.trim());
  if (!('problem' in date)) return Math.floor(date.time / DAY);
  if (date.allowed === DATE_FORMS) return parseDate(text.trim());
  throw new OptionError({ subject: 'date', problem: date.problem, received: text, allowed: date.allowed });
}

interface ParsedDate {
  readonly time: number;
  readonly separator: string;
  /** Whether it says of which zone it is; days do not differ in that from times of UTC. */
  readonly isZoned: boolean;
}

type Problem = Omit<WrongDate, 'index'>;

function parseText(text: string): ParsedDate | Problem {
  const found = DATE.exec(text);
  if (found === null) return notDate(text);
  const [, year, separator = '', m, d, mm, dd, hour = '0', minute = '0', second = '0', fraction = '', zone] = found;
  const [sign, hoursAhead = '0', minutesAhead = '0'] = found.slice(12);
  try {
    const day = dayNumber(Number(year), Number(m ?? mm), Number(d ?? dd));
    if ([hour, hoursAhead].some((h) => Number(h) > 23) || [minute, second, minutesAhead].some((m) => Number(m) > 59)) {
      return { problem: 'is no time of day', allowed: 'hours from 00 to 23, minutes and seconds to 59' };
    }
    const ahead = (Number(hoursAhead) * 60 + Number(minutesAhead)) * (sign === '-' ? -1 : 1);
    const minutes = Number(hour) * 60 + Number(minute) - ahead;
    const milliseconds = Number(second) * 1000 + Number(fraction.slice(0, 3).padEnd(3, '0'));
    return { time: day * DAY + minutes * MINUTE + milliseconds, separator, isZoned: zone !== undefined };
  } catch (error) {
    const { problem, allowed = DATE_FORMS } = error as OptionError;
    return { problem, allowed };
  }
}

function notDate(text: string): Problem {
  if (DAY_OR_MONTH_FIRST.test(text)) {
    return { problem: 'may have the day or the month first, which is not guessed', allowed: 'year first: 2026-03-02' };
  }
  if (Number.isNaN(Number(text))) return { problem: 'is no date that is understood', allowed: DATE_FORMS };
  return {
    problem: 'is a number and no date',
    allowed: `${DATE_FORMS}; of offsets such as hours since a start, the dates`,
  };
}

function readIntegers(
  values: readonly unknown[],
  texts: readonly string[],
  present: readonly string[],
): ReadDates | WrongDate {
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
    return { index: calendar.indexOf(undefined), ...notDateNumber(texts[calendar.indexOf(undefined)]) };
  }
  const [epoch, divisor, factor] = EPOCHS[longest];
  const isRounded = (value: unknown) => typeof value === 'number' && !Number.isSafeInteger(value);
  if (values.some(isRounded)) {
    const problem = `is rounded, as float64 does not hold ${epoch} since 1970`;
    return wrong((_, i) => isRounded(values[i]), problem, 'int64, texts, or Arrow timestamps');
  }
  // A series that goes on for so long has numbers of every length between: a gap means that forms are mixed.
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

/** The time of digits that are a date, or a date and hour, minute, second; undefined where they are none. */
function compactTime(text: string, length: number): number | undefined {
  if (text.length !== length || ![8, 10, 12, 14].includes(length)) return undefined;
  const date = parseText(length === 8 ? text : `${text.slice(0, 8)}T${text.slice(8)}`);
  return 'time' in date ? date.time : undefined;
}

function notDateNumber(text: string): Problem {
  const problem = text.length === 8 ? parseText(text) : undefined;
  return problem !== undefined && 'problem' in problem ? problem : notDate('0');
}

function hasAllLengths(lengths: ReadonlySet<number>, from: number, to: number): boolean {
  for (let length = from; length < to; length++) if (!lengths.has(length)) return false;
  return true;
}

function floorDivide(value: bigint, divisor: bigint): bigint {
  const quotient = value / divisor;
  return value % divisor < 0n ? quotient - 1n : quotient;
}
