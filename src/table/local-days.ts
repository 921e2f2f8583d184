import { DataError } from '../errors.js';

const DAY_MS = 86_400_000;
/** A time of day in a zone that is not UTC. */
const LOCAL_TIME = /[T ]([\d:.,]+) ?[+-](?!00(:?00)?$)\d\d(:?\d\d)?$/;
const UTC = /^(etc\/)?(utc|gmt|z|[+-]?00(:?00)?)$/i;

/** The column of dates of daily values. */
export interface DatedColumn {
  readonly source?: string;
  readonly column: string;
  /** The row of the date that is received: by default the first; 0 where there are no rows. */
  readonly row?: number;
}

/**
 * Throws DataError if all texts have one time of day in a zone other than UTC, unless it is midnight of UTC: then daily
 * values are not of UTC days.
 */
export function assertUtcTexts(texts: readonly unknown[], where: DatedColumn): void {
  const timeOf = (text: unknown) => LOCAL_TIME.exec(String(text))?.[1];
  const first = timeOf(texts[0]);
  const isLocal = first !== undefined && texts.every((text) => timeOf(text) === first);
  if (isLocal && texts.some((text) => Date.parse(String(text)) % DAY_MS !== 0)) throw localDays(where, texts[0]);
}

/** Whether a text names a zone other than UTC. */
export function isOtherZone(zone: string): boolean {
  return !UTC.test(zone);
}

/**
 * Whether daily values, whose times state a zone, are not of UTC days by their time of day in UTC, from 0 to 1: all but
 * midnight in a zone other than UTC. In UTC the evening is midnight of a zone further east, which has the next date.
 */
export function isOfLocalDay(timeOfDay: number, zone: string): boolean {
  return timeOfDay > (isOtherZone(zone) ? 0 : 0.5);
}

/** The error for daily values of days that are not UTC days. */
export function localDays({ source, column, row = 1 }: DatedColumn, received: unknown): DataError {
  return new DataError({
    ...{ source, row: row || undefined, column, problem: 'daily values of days that are not those of UTC', received },
    allowed: 'hourly values, whose times are shifted to UTC, or dates without a time and an offset',
  });
}
