import { type Data, DataType, DateUnit, TimeUnit, type Vector } from 'apache-arrow';
import { DataError, isPlumecastError } from '../errors.js';
import { calendarSpan, type ModelCalendar, sameDateIn } from '../period/calendar.js';
import { FIRST_DAY, LAST_DAY } from '../period/day.js';
import { codedColumn } from './coded-column.js';
import { dayOfText } from './day-of-text.js';
import { isTextType } from './text-column.js';

const ALLOWED = 'dates as Date32, Date64 or timestamps, or text beginning with YYYY-MM-DD';

/** Ticks of a day for each unit of timestamps. */
const TICKS_PER_DAY: Record<TimeUnit, number> = {
  [TimeUnit.SECOND]: 86_400,
  [TimeUnit.MILLISECOND]: 86_400_000,
  [TimeUnit.MICROSECOND]: 86_400_000_000,
  [TimeUnit.NANOSECOND]: 86_400_000_000_000,
};

/**
 * The UTC day number of each row. Date32 columns in one chunk are not copied. Dates are of the real calendar, or of the one that is
 * given: there, types that hold real days stand for the day of the same year, month and day. Throws DataError naming the row where a date is
 * missing, unreadable or outside the years 1 to 9999, and where the column holds no dates.
 */
export function dayColumn(vector: Vector, column: string, source?: string, calendar?: ModelCalendar): Int32Array {
  const fail = (row: number, problem: string, received: unknown, allowed = ALLOWED, cause?: unknown): DataError =>
    new DataError({ source, row: row + 1, column, problem, received, allowed, cause });
  const toDay = reader(vector, calendar);
  if (toDay === undefined) {
    throw new DataError({ source, column, problem: 'no dates', received: String(vector.type), allowed: ALLOWED });
  }
  const [only] = vector.data;
  const isPlain = isDate32(vector.type) && calendar === undefined;
  const ready = vector.data.length === 1 && isPlain && only.nullCount === 0;
  const [firstDay, lastDay] = calendarSpan(calendar);
  const days = ready ? (only.values as Int32Array).subarray(0, only.length) : new Int32Array(vector.length);
  if (ready && areDays(days)) return days;
  let row = 0;
  for (const data of vector.data) {
    const hasNulls = data.nullCount > 0;
    for (let i = 0; i < data.length; i++, row++) {
      if (hasNulls && !data.getValid(i)) throw fail(row, 'missing date', null);
      let day: number;
      try {
        day = toDay(data, i, row);
      } catch (cause) {
        if (!isPlumecastError(cause)) throw cause;
        // What is allowed in place of a date such as 30 February says more than a list of types.
        const allowed = cause.problem === 'does not exist' ? cause.allowed : ALLOWED;
        throw fail(row, cause.problem, cause.received, allowed, cause);
      }
      if (Number.isNaN(day)) throw fail(row, 'missing date', null);
      if (!(day >= firstDay && day <= lastDay)) {
        throw fail(row, 'outside the years 1 to 9999', `day ${day} from 1970-01-01`, 'dates of these years');
      }
      if (!ready) days[row] = day;
    }
  }
  return days;
}

/** Whether all are days of the years 1 to 9999; where not, the slow way finds the first that is none. */
function areDays(days: Int32Array): boolean {
  let [least, most] = [0, 0];
  for (let row = 0; row < days.length; row++) {
    if (days[row] < least) least = days[row];
    else if (days[row] > most) most = days[row];
  }
  return least >= FIRST_DAY && most <= LAST_DAY;
}

function isDate32(type: DataType): boolean {
  return DataType.isDate(type) && type.unit === DateUnit.DAY;
}

/** Reads the day of row `row`, which is that at `index` of `data` and not null; NaN where a dictionary has null for it. */
type DayReader = (data: Data, index: number, row: number) => number;

function reader(vector: Vector, calendar: ModelCalendar | undefined): DayReader | undefined {
  const { type } = vector;
  if (calendar !== undefined && (DataType.isDate(type) || DataType.isTimestamp(type))) {
    const toReal = reader(vector, undefined) as DayReader;
    return (data, index, row) => sameDateIn(calendar, toReal(data, index, row));
  }
  if (isDate32(type)) return (data, index) => data.values[index];
  if (DataType.isDate(type)) return tickReader(TICKS_PER_DAY[TimeUnit.MILLISECOND]);
  if (DataType.isTimestamp(type)) return tickReader(TICKS_PER_DAY[type.unit]);
  const entries = DataType.isDictionary(type) ? type.dictionary : type;
  const isDated = isTextType(entries) || DataType.isDate(entries) || DataType.isTimestamp(entries);
  return isDated ? codedReader(vector, calendar) : undefined;
}

function tickReader(perDay: number): DayReader {
  let of: Data | undefined;
  let words: Int32Array = new Int32Array(0);
  return (data, index) => {
    if (data !== of) {
      const { buffer, byteOffset, length } = data.values as BigInt64Array;
      words = new Int32Array(buffer, byteOffset, 2 * length);
      of = data;
    }
    const low = words[2 * index];
    const ticks = words[2 * index + 1] * 2 ** 32 + (low >>> 0);
    const day = Math.floor(ticks / perDay);
    const midnight = day * perDay;
    // Float64 holds every midnight exactly, but rounds the last ticks before one up to it: there the low word decides.
    const early = ticks < midnight || (ticks === midnight && ((low - (midnight | 0)) | 0) < 0);
    return early ? day - 1 : day;
  };
}

/** Reads text and dictionaries, each distinct value once: the same days come again for each location or member. */
function codedReader(vector: Vector, calendar: ModelCalendar | undefined): DayReader {
  const { codes, values } = codedColumn(vector);
  const days: number[] = [];
  return (_data, _index, row) => {
    const code = codes[row];
    if (code < 0) return Number.NaN;
    days[code] ??= dayOfValue(values[code], calendar);
    return days[code];
  };
}

/** The day of a text, or of what Arrow gives for dates and timestamps: milliseconds. */
function dayOfValue(value: unknown, calendar: ModelCalendar | undefined): number {
  if (typeof value !== 'number') return dayOfText(String(value), calendar);
  const day = Math.floor(value / TICKS_PER_DAY[TimeUnit.MILLISECOND]);
  return calendar === undefined ? day : sameDateIn(calendar, day);
}
