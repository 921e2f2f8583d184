import { DataType, type Table } from 'apache-arrow';
import { codedColumn } from '../arrow/coded-column.js';
import { columnOf } from '../arrow/table-column.js';
import { isOfLocalDay, isOtherZone, localDays } from '../columns/local-days.js';
import { isTextType } from '../columns/text-column.js';

const DAY = 86_400;
/** The times of all years of four digits are before it. */
const LATEST = 1e12;
const HOUR = 3_600;
const NOON = 43_200;

/** The zone that a date states: its offset from UTC. */
const STATED = /[T ][\d:.,]+ ?(Z|UTC|GMT|[+-]\d\d(:?\d\d)?)$/i;

/**
 * Checks the times of day of daily values. Throws DataError if they are of days in a zone other than UTC, see
 * `isOfLocalDay`, by the zone that texts, the column's type or pandas state; and for two times an hour apart, as in a
 * zone with daylight saving time. Returns a note if all have one time that is neither midnight nor noon.
 */
export function checkUtcDays(table: Table, date: string, times: Float64Array, source?: string): string[] {
  const ofDay = timesOfDay(times);
  if (ofDay.length === 0 || (ofDay.length === 1 && ofDay[0] === 0)) return [];
  const fail = (received: unknown, row = 0) => localDays({ source, column: date, row: row + 1 }, received);
  const zoneAt = statedZone(table, date);
  times.forEach((time, row) => {
    const text = textOfLocalDay(time, zoneAt(row));
    if (text !== undefined) throw fail(text, row);
  });
  const [first, second] = ofDay;
  if (ofDay.length === 2 && [HOUR, DAY - HOUR].includes(Math.abs(first - second))) {
    throw fail(`${timeOfDayText(first)} and ${timeOfDayText(second)} UTC: local midnight in winter and summer`);
  }
  return ofDay.length === 1 && first !== NOON
    ? [`daily values dated ${timeOfDayText(first)} UTC are taken for those of that UTC day`]
    : [];
}

/** Creates a function that throws DataError for a daily value among shorter steps that is not of a UTC day. */
export function utcDayCheck(table: Table, date: string, source?: string): (row: number, time: number) => void {
  let zoneAt: ReturnType<typeof statedZone> | undefined;
  return (row, time) => {
    if (time % DAY === 0) return;
    zoneAt ??= statedZone(table, date);
    const text = textOfLocalDay(time, zoneAt(row));
    if (text !== undefined) throw localDays({ source, column: date, row: row + 1 }, text);
  };
}

/** The time and the zone of a day that is no UTC day, in words; undefined for UTC days. */
function textOfLocalDay(time: number, zone: string | undefined): string | undefined {
  if (zone === undefined || !(Math.abs(time) <= LATEST)) return undefined;
  const ofDay = Math.round(time - DAY * Math.floor(time / DAY));
  if (!isOfLocalDay(ofDay / DAY, zone)) return undefined;
  const inZone = isOtherZone(zone) ? `zone ${zone}` : `midnight at UTC+${timeOfDayText(DAY - ofDay)}`;
  return `${timeText(time).slice(0, 16)}Z, ${inZone}`;
}

/** Finds the zone that the date of a row states; undefined where it states none. */
function statedZone(table: Table, date: string): (row: number) => string | undefined {
  const column = columnOf(table, date);
  const type = DataType.isDictionary(column.type) ? column.type.dictionary : column.type;
  if (isTextType(type)) {
    const { codes, values } = codedColumn(column);
    const zones = values.map((text) => STATED.exec(String(text).trim())?.[1]);
    return (row) => zones[codes[row]];
  }
  // Milliseconds of a date count from midnight of UTC.
  const stated = (DataType.isTimestamp(type) ? type.timezone : DataType.isDate(type) && 'UTC') || undefined;
  // Parquet itself has only UTC.
  const zone = stated && isOtherZone(stated) ? stated : (zoneOfPandas(table, date) ?? stated);
  return () => zone;
}

/** The distinct times of day, in seconds, at most three of them; those beyond all dates are for readers of dates. */
function timesOfDay(times: Float64Array): number[] {
  const found: number[] = [];
  for (const time of times) {
    if (!(Math.abs(time) <= LATEST)) continue;
    const ofDay = Math.round(time - DAY * Math.floor(time / DAY));
    if (!found.includes(ofDay) && found.push(ofDay) > 2) break;
  }
  return found;
}

/** The zone of a column in the metadata of pandas. */
function zoneOfPandas({ schema: { metadata } }: Table, date: string): string | undefined {
  try {
    const { columns } = JSON.parse(metadata.get('pandas') ?? '{}');
    const column = Array.isArray(columns)
      ? columns.find((each) => each?.field_name === date || each?.name === date)
      : {};
    const zone = column?.metadata?.timezone;
    return typeof zone === 'string' ? zone : undefined;
  } catch {
    return undefined;
  }
}

function timeText(time: number): string {
  return new Date(time * 1000).toISOString();
}

function timeOfDayText(seconds: number): string {
  return timeText(seconds).slice(11, 16);
}
