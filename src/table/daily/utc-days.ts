import { DataType, type Table } from 'apache-arrow';
import { codedColumn } from '../coded-column.js';
import { assertUtcTexts, localDays } from '../local-days.js';
import { columnOf } from '../table-column.js';
import { isTextType } from '../text-column.js';

const DAY = 86_400;
/** The times of all years of four digits are before it. */
const LATEST = 1e12;
const HOUR = 3_600;
const MINUTE = 60;
const NOON = 43_200;
const OFFSET = /^([+-])(\d\d):?(\d\d)$/;
const UTC = /^(etc\/)?(utc|gmt|z|uct|universal|zulu|[+-]?00:?00)$/i;

/**
 * Checks the times of day of daily values. Throws DataError if they are of days in a zone other than UTC: midnights of
 * the zone that texts or the column's type state, or two times an hour apart, as in a zone with daylight saving time.
 * Returns a note if all have one time that is neither midnight nor noon.
 */
export function checkUtcDays(table: Table, date: string, times: Float64Array, source?: string): string[] {
  const ofDay = timesOfDay(times);
  if (ofDay.length === 0 || (ofDay.length === 1 && ofDay[0] === 0)) return [];
  const { type: column } = columnOf(table, date);
  const type = DataType.isDictionary(column) ? column.dictionary : column;
  const fail = (received: unknown) => localDays({ source, column: date }, received);
  if (isTextType(type)) assertUtcTexts(codedColumn(columnOf(table, date)).values, { source, column: date });
  const stated = DataType.isTimestamp(type) ? type.timezone : undefined;
  // Parquet itself has only UTC.
  const zone = stated && !UTC.test(stated) ? stated : zoneOfPandas(table, date);
  if (zone !== undefined && !UTC.test(zone) && areMidnights(times, zone)) {
    throw fail(`${timeText(times[0])}, midnight in ${zone}`);
  }
  const [first, second] = ofDay;
  if (ofDay.length === 2 && [HOUR, DAY - HOUR].includes(Math.abs(first - second))) {
    throw fail(`${timeOfDayText(first)} and ${timeOfDayText(second)} UTC: local midnight in winter and summer`);
  }
  return ofDay.length === 1 && first !== NOON
    ? [`daily values dated ${timeOfDayText(first)} UTC are taken for those of that UTC day`]
    : [];
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

function areMidnights(times: Float64Array, timeZone: string): boolean {
  const offset = OFFSET.exec(timeZone);
  if (offset !== null) {
    // Not every platform takes an offset for a zone.
    const [, sign, hours, minutes] = offset;
    const ahead = (Number(hours) * HOUR + Number(minutes) * MINUTE) * (sign === '-' ? -1 : 1);
    return times.every((time) => (time + ahead) % DAY === 0);
  }
  try {
    const format = new Intl.DateTimeFormat('en-GB', { timeZone, hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });
    return times.every((time, row) =>
      row > 0 && time === times[row - 1] ? true : format.format(time * 1000) === '00:00',
    );
  } catch {
    // The platform does not know this zone.
    return false;
  }
}

function timeText(time: number): string {
  return new Date(time * 1000).toISOString();
}

function timeOfDayText(seconds: number): string {
  return timeText(seconds).slice(11, 16);
}
