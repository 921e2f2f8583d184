import { type Data, DataType, DateUnit, TimeUnit, type Vector } from 'apache-arrow';
import { DataError, isPlumecastError } from '../errors.js';
import { FIRST_DAY, LAST_DAY, parseDate } from '../period/day.js';

const ALLOWED = 'dates as Date32, Date64 or timestamps, or text beginning with YYYY-MM-DD';

/** Ticks of a day for each unit of timestamps. */
const TICKS_PER_DAY: Record<TimeUnit, bigint> = {
  [TimeUnit.SECOND]: 86_400n,
  [TimeUnit.MILLISECOND]: 86_400_000n,
  [TimeUnit.MICROSECOND]: 86_400_000_000n,
  [TimeUnit.NANOSECOND]: 86_400_000_000_000n,
};

/**
 * The UTC day number of each row. Date32 columns in one chunk are not copied. Throws DataError naming the row where a date is
 * missing, unreadable or outside the years 1 to 9999, and where the column holds no dates.
 */
export function dayColumn(vector: Vector, column: string, source?: string): Int32Array {
  const fail = (row: number, problem: string, received: unknown, cause?: unknown): DataError =>
    new DataError({ source, row: row + 1, column, problem, received, allowed: ALLOWED, cause });
  const toDay = reader(vector.type);
  if (toDay === undefined) {
    throw new DataError({ source, column, problem: 'no dates', received: String(vector.type), allowed: ALLOWED });
  }
  const [only] = vector.data;
  const ready = vector.data.length === 1 && isDate32(vector.type) && only.nullCount === 0;
  const days = ready ? (only.values as Int32Array).subarray(0, only.length) : new Int32Array(vector.length);
  let row = 0;
  for (const data of vector.data) {
    for (let i = 0; i < data.length; i++, row++) {
      if (data.nullCount > 0 && !data.getValid(i)) throw fail(row, 'missing date', null);
      let day: number;
      try {
        day = toDay(data, i, vector, row);
      } catch (cause) {
        if (!isPlumecastError(cause)) throw cause;
        throw fail(row, cause.problem, cause.received, cause);
      }
      if (!(day >= FIRST_DAY && day <= LAST_DAY)) throw fail(row, 'outside the years 1 to 9999', `day ${day}`);
      if (!ready) days[row] = day;
    }
  }
  return days;
}

function isDate32(type: DataType): boolean {
  return DataType.isDate(type) && type.unit === DateUnit.DAY;
}

type DayReader = (data: Data, index: number, vector: Vector, row: number) => number;

function reader(type: DataType): DayReader | undefined {
  if (isDate32(type)) return (data, index) => data.values[index];
  if (DataType.isDate(type)) return ticks(TICKS_PER_DAY[TimeUnit.MILLISECOND]);
  if (DataType.isTimestamp(type)) return ticks(TICKS_PER_DAY[type.unit]);
  if (DataType.isUtf8(type) || DataType.isLargeUtf8(type) || DataType.isDictionary(type)) return textReader();
  return undefined;
}

function ticks(perDay: bigint): DayReader {
  const divisor = Number(perDay);
  return (data, index) => {
    const value = BigInt(data.values[index]);
    // Float64 holds the ticks of a day exactly enough except near midnight: whole division decides.
    const day = Math.floor(Number(value) / divisor);
    const rest = value - BigInt(day) * perDay;
    return rest < 0n ? day - 1 : rest >= perDay ? day + 1 : day;
  };
}

/** Reads text; the same text often comes again, from row to row or for each location. */
function textReader(): DayReader {
  const known = new Map<string, number>();
  return (_data, _index, vector, row) => {
    const text = String(vector.get(row));
    let day = known.get(text);
    if (day === undefined) {
      day = textDay(text);
      if (known.size < 100_000) known.set(text, day);
    }
    return day;
  };
}

function textDay(text: string): number {
  const trimmed = text.trim();
  const [, date, time] = /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}(?::?\d{2}){0,2}.*))?$/.exec(trimmed) ?? [];
  if (date === undefined) return parseDate(trimmed);
  const day = parseDate(date);
  const offset = /([+-])(\d{2}):?(\d{2})$/.exec(time ?? '');
  if (offset === null || time === undefined) return day;
  const clock = /^(\d{2}):?(\d{2})?/.exec(time) as RegExpExecArray;
  const minutes = Number(clock[1]) * 60 + Number(clock[2] ?? 0);
  const shift = (offset[1] === '-' ? 1 : -1) * (Number(offset[2]) * 60 + Number(offset[3]));
  return day + Math.floor((minutes + shift) / 1440);
}
