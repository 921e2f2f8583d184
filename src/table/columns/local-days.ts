import { DataError } from '../../errors.js';
import { DAY_SECONDS } from '../../period/day.js';

/** Midnight in a zone that is not UTC. */
const LOCAL_MIDNIGHT = /[T ][0:.,]+ ?[+-](?![0:]+$)\d\d(:?\d\d)?$/;
const UTC = /^(etc\/)?(utc|gmt|z|[+-]?[0:]+)$/i;

/** Zones differ by quarters of an hour. */
const QUARTER = 900;

/** The column of dates of daily values. */
export interface DatedColumn {
  readonly source?: string;
  readonly column: string;
  /** The row of the date that is received: none in arrays. */
  readonly row?: number;
}

/** Throws DataError if all texts are midnights in a zone other than UTC: then daily values are not of UTC days. */
export function assertUtcTexts(texts: readonly unknown[], where: DatedColumn): void {
  if (texts.length > 0 && texts.every((text) => LOCAL_MIDNIGHT.test(String(text))))
    throw localDays({ ...where, row: 1 }, texts[0]);
}

/** Whether a text names a zone other than UTC. */
export function isOtherZone(zone: string): boolean {
  return !UTC.test(zone);
}

/**
 * Whether daily values, whose times state a zone, are not of UTC days by their time of day in UTC, from 0 to 1: all but
 * midnight in a zone other than UTC. In UTC a quarter of an hour in the evening is midnight of a zone further east, which
 * has the next date.
 */
export function isOfLocalDay(timeOfDay: number, zone: string): boolean {
  if (isOtherZone(zone)) return timeOfDay > 0;
  return timeOfDay > 0.5 && timeOfDay < 1 && Math.round(timeOfDay * DAY_SECONDS) % QUARTER === 0;
}

/** The error for daily values of days that are not UTC days. */
export function localDays(where: DatedColumn, received: unknown): DataError {
  return new DataError({
    ...where,
    problem: 'daily values of another zone than UTC',
    received,
    allowed: 'hourly values, UTC days or dates',
  });
}
