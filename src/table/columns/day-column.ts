import { type Data, DataType, DateUnit, type TimeUnit, type Vector } from 'apache-arrow';
import { DataError } from '../../errors.js';
import { calendarSpan, type ModelCalendar, sameDateIn } from '../../period/calendar.js';
import { DAY_MILLISECONDS, DAY_SECONDS, FIRST_DAY, LAST_DAY } from '../../period/day.js';
import { codedColumn } from '../arrow/coded-column.js';
import { viewedAs } from '../arrow/stored-values.js';
import { DATE_FORMS, parseDateText } from './date-forms.js';
import { assertUtcTexts, isOtherZone, localDays } from './local-days.js';
import { isTextType } from './text-column.js';

/** The ticks of a day in a unit of timestamps, which Arrow numbers from seconds to nanoseconds. */
function ticksPerDay(unit: TimeUnit): number {
  return DAY_SECONDS * 1000 ** unit;
}

/**
 * The UTC day number of each row. Date32 columns in one chunk are not copied. Dates are of the real calendar, or of
 * `calendar`: then types that hold real days mean the day with the same year, month and day. Throws a DataError that
 * names the row if a date is missing, has an unknown form or is outside the years 1 to 9999, and if the column does not
 * hold dates. `loops` are faster ones, where the days are copied.
 */
export function dayColumn(
  vector: Vector,
  column: string,
  source?: string,
  calendar?: ModelCalendar,
  loops?: DayLoops,
): Int32Array {
  const [firstDay, lastDay] = calendarSpan(calendar);
  const from = { column, source, calendar };
  const checked = (day: number, row: number): number => {
    if (day >= firstDay && day <= lastDay) return day;
    const [problem, received, allowed] = Number.isNaN(day)
      ? ['missing date', null, DATE_FORMS]
      : ['outside the years 1 to 9999', `day ${day} from 1970-01-01`, 'dates of these years'];
    throw new DataError({ source, row: row + 1, column, problem, received, allowed });
  };
  if (hasCodedDays(vector.type)) {
    const read = (date: unknown, row: number) => checked(date === null ? Number.NaN : dayOfValue(date, row, from), row);
    const assertUtc = (dates: readonly unknown[]) => {
      if (isTextType(vector.type)) assertUtcTexts(dates, from);
    };
    return loops?.ofEntries(vector, read, assertUtc) ?? codedDays(vector, read, assertUtc);
  }
  const toDay = reader(vector.type, from);
  const [only] = vector.data;
  const isPlain = isDate32(vector.type) && calendar === undefined;
  const ready = vector.data.length === 1 && isPlain && only.nullCount === 0;
  const days = ready ? (only.values as Int32Array).subarray(0, only.length) : new Int32Array(vector.length);
  if (ready && (loops?.areDays(days) ?? areDays(days))) return days;
  let row = 0;
  for (const data of vector.data) {
    const hasNulls = data.nullCount > 0;
    for (let i = 0; i < data.length; i++, row++) {
      const day = checked(hasNulls && !data.getValid(i) ? Number.NaN : toDay(data, i), row);
      if (!ready) days[row] = day;
    }
  }
  return days;
}

/** Whether dates are texts, or entries of a dictionary. */
function hasCodedDays(type: DataType): boolean {
  return isTextType(type) || (DataType.isDictionary(type) && isTimeType(type.dictionary));
}

function isTimeType(type: DataType): boolean {
  return DataType.isDate(type) || DataType.isTimestamp(type);
}

type ReadDate = (date: unknown, row: number) => number;
type CheckDates = (dates: readonly unknown[]) => void;

/** Each distinct date is read once: each location or member has the same days. */
function codedDays(vector: Vector, read: ReadDate, check: CheckDates): Int32Array {
  const { codes, values } = codedColumn(vector);
  check(values);
  const dayOf: number[] = [];
  for (let row = 0; row < codes.length; row++) {
    const code = codes[row];
    codes[row] = code < 0 ? read(null, row) : (dayOf[code] ??= read(values[code], row));
  }
  return codes;
}

/** Whether all are days of the years 1 to 9999; if not, a slower loop finds the first that is wrong. */
export function areDays(days: Int32Array): boolean {
  let signs = 0;
  for (let row = 0; row < days.length; row++) signs |= (days[row] - FIRST_DAY) | (LAST_DAY - days[row]);
  return signs >= 0;
}

function isDate32(type: DataType): boolean {
  return DataType.isDate(type) && type.unit === DateUnit.DAY;
}

/** Loops over the days of one column at a time. */
export interface DayLoops {
  /** Whether all days are of the years 1 to 9999. */
  areDays(days: Int32Array): boolean;
  /**
   * The days of a dictionary's entries, each read once; undefined where this does not work, or `read` or `check`
   * throws.
   */
  ofEntries(vector: Vector, read: ReadDate, check: CheckDates): Int32Array | undefined;
}

/** Reads the day at `index` of `data`, which is not null. */
type DayReader = (data: Data, index: number) => number;

/** The column that dates are read from, and their calendar. */
interface DateSource {
  readonly column: string;
  readonly source?: string;
  readonly calendar?: ModelCalendar;
}

function reader(type: DataType, { column, source, calendar }: DateSource): DayReader {
  if (calendar !== undefined && isTimeType(type)) {
    const toReal = reader(type, { column, source });
    return (data, index) => sameDateIn(calendar, toReal(data, index));
  }
  if (isDate32(type)) return (data, index) => data.values[index];
  if (DataType.isDate(type)) return tickReader(DAY_MILLISECONDS);
  if (DataType.isTimestamp(type)) {
    const zone = type.timezone ?? 'UTC';
    return tickReader(ticksPerDay(type.unit), isOtherZone(zone) && localDays({ source, column }, zone));
  }
  const allowed = `${DATE_FORMS}; dailyTable reads numbers that are dates`;
  throw new DataError({ source, column, problem: 'no dates', received: String(type), allowed });
}

/** The day of a text, or of milliseconds, which Arrow gives for dates and timestamps. */
function dayOfValue(value: unknown, row: number, { column, source, calendar }: DateSource): number {
  if (typeof value === 'number') {
    const day = Math.floor(value / DAY_MILLISECONDS);
    return calendar === undefined ? day : sameDateIn(calendar, day);
  }
  const date = parseDateText(String(value).trim(), calendar);
  if ('time' in date) return Math.floor(date.time / DAY_MILLISECONDS);
  throw new DataError({ source, row: row + 1, column, ...date, received: value });
}

/** Reads days of ticks; `fault` is the error for a time that is not midnight of UTC. */
function tickReader(perDay: number, fault?: DataError | false): DayReader {
  let chunk: Data | undefined;
  let words: Int32Array = new Int32Array(0);
  return (data, index) => {
    if (data !== chunk) {
      words = viewedAs(Int32Array, data.values) as Int32Array;
      chunk = data;
    }
    const low = words[2 * index];
    const ticks = words[2 * index + 1] * 2 ** 32 + (low >>> 0);
    const day = Math.floor(ticks / perDay);
    const midnight = day * perDay;
    if (fault && ticks !== midnight) throw fault;
    // Float64 holds every midnight exactly, but rounds the last ticks before midnight up to it: there the low word
    // decides.
    const early = ticks < midnight || (ticks === midnight && ((low - (midnight | 0)) | 0) < 0);
    return early ? day - 1 : day;
  };
}
