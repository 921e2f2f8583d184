import type { Vector } from 'apache-arrow';
import { DataError, isPlumecastError } from '../../errors.js';
import { DAY_SECONDS, parseDate } from '../../period/day.js';
import { codedColumn } from '../../table/arrow/stored-values.js';

const ISO = /^(\d{4}-\d{2}-\d{2})(?:[T ]([01]\d|2[0-3]):([0-5]\d)(?::([0-5]\d))?)?$/;
/** Seconds since 1970 up to the year 9999. */
const UNIX = /^-?\d{1,12}$/;

/**
 * How times are written: days, local times without an offset, or seconds since 1970-01-01 UTC (`timeformat=unixtime`).
 */
export type TimeForm = 'day' | 'local' | 'unix';

/** Times as a response prints them, in seconds: local times include the offset from UTC. */
export interface PrintedTimes {
  readonly form: TimeForm;
  readonly seconds: Float64Array;
}

/** The place of times, and the form of the times before them. */
export interface TimesPlace {
  readonly source: string;
  readonly column: string;
  readonly rowsBefore: number;
  readonly form?: TimeForm;
}

/**
 * Reads times as Open-Meteo writes them, all in one form: that of earlier rows, if there are any. Throws a DataError
 * that names the row, counted from `rowsBefore` on, and the `column` if a time is missing, is not understood, or is
 * written differently from the first.
 */
export function readTimes(vector: Vector, place: TimesPlace): PrintedTimes {
  const { codes, values } = codedColumn(vector);
  const known = values.map(readTime);
  const form = place.form ?? known[codes[0]]?.form ?? 'local';
  const seconds = Float64Array.from(codes, (code, row) => {
    const time = known[code];
    if (time?.form === form) return time.seconds;
    const { source, column, rowsBefore } = place;
    throw new DataError({
      ...{ source, column, row: rowsBefore + row + 1 },
      problem: time === undefined ? 'time is not understood' : 'time is written differently from those before',
      received: code < 0 ? null : values[code],
      allowed: 'all as 2026-03-02T06:00, all as 2026-03-02, or all in seconds since 1970-01-01 UTC (unixtime)',
    });
  });
  return { form, seconds };
}

function readTime(value: unknown): { form: TimeForm; seconds: number } | undefined {
  const text = String(value).trim();
  if (UNIX.test(text)) return { form: 'unix', seconds: Number(text) };
  const match = ISO.exec(text);
  if (match === null) return undefined;
  const [, date, hours, minutes, seconds = '0'] = match;
  try {
    const day = parseDate(date) * DAY_SECONDS;
    if (hours === undefined) return { form: 'day', seconds: day };
    return { form: 'local', seconds: day + 3_600 * Number(hours) + 60 * Number(minutes) + Number(seconds) };
  } catch (error) {
    if (!isPlumecastError(error)) throw error;
    return undefined;
  }
}

/** Whether times are days: written as dates, or at least a day apart. A single time in seconds counts as a day. */
export function areDays({ form, seconds }: PrintedTimes): boolean {
  if (form !== 'unix') return form === 'day';
  const next = seconds.find((time) => time !== seconds[0]);
  return next === undefined || Math.abs(next - seconds[0]) >= DAY_SECONDS;
}
