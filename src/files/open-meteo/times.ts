import type { Vector } from 'apache-arrow';
import { DataError, isPlumecastError } from '../../errors.js';
import { parseDate } from '../../period/day.js';
import { codedColumn } from '../../table/coded-column.js';

const DAY = 86_400;
const ISO = /^(\d{4}-\d{2}-\d{2})(?:[T ]([01]\d|2[0-3]):([0-5]\d)(?::([0-5]\d))?)?$/;
/** Seconds since 1970 up to the year 9999. */
const UNIX = /^-?\d{1,12}$/;

/**
 * How times are written: days, local times without an offset, or seconds since 1970-01-01 UTC (`timeformat=unixtime`).
 */
export type TimeForm = 'day' | 'local' | 'unix';

/** Times as an answer prints them, in seconds: local ones are those of a clock that is ahead of UTC. */
export interface PrintedTimes {
  readonly form: TimeForm;
  readonly seconds: Float64Array;
}

/** Where times are, and the form of those before them. */
export interface TimesPlace {
  readonly source: string;
  readonly column: string;
  readonly rowsBefore: number;
  readonly form?: TimeForm;
}

/**
 * Reads times as Open-Meteo writes them, all in one form: that of the rows before, where there are some. Throws a
 * DataError that names the row, counted from `rowsBefore` on, and the `column` where one is missing, is not understood,
 * or is written in another way than the first.
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
      problem: time === undefined ? 'time is not understood' : 'time is written in another way than those before',
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
    const day = parseDate(date) * DAY;
    if (hours === undefined) return { form: 'day', seconds: day };
    return { form: 'local', seconds: day + 3_600 * Number(hours) + 60 * Number(minutes) + Number(seconds) };
  } catch (error) {
    if (!isPlumecastError(error)) throw error;
    return undefined;
  }
}

/** Whether times are of days: written so, or a day and more apart. A single time in seconds may be that of a day. */
export function areDays({ form, seconds }: PrintedTimes): boolean {
  if (form !== 'unix') return form === 'day';
  const next = seconds.find((time) => time !== seconds[0]);
  return next === undefined || Math.abs(next - seconds[0]) >= DAY;
}
