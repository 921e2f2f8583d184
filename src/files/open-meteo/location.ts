import { DataError } from '../../errors.js';

/** A place that was requested from Open-Meteo, as its response states it. */
export interface Location {
  /** `location_id`, which the rows of a CSV refer to. */
  readonly id: string;
  readonly latitude: number;
  readonly longitude: number;
  /** Seconds by which its printed times are ahead of UTC. */
  readonly utcOffset: number;
  readonly timezone: string;
}

/** The fields of a location in a response, before they are checked. */
export interface StatedLocation {
  readonly id: string;
  readonly latitude: unknown;
  readonly longitude: unknown;
  readonly utcOffset: unknown;
  readonly timezone: string;
}

const HOUR = 3_600;

/**
 * Throws a DataError if the coordinates or the offset from UTC are not valid. `place` says where the location is
 * stated.
 */
export function checkLocation(stated: StatedLocation, source: string, place: string): Location {
  const { id, timezone } = stated;
  const degrees = (name: 'latitude' | 'longitude', most: number): number => {
    const value = stated[name];
    if (typeof value === 'number' && Math.abs(value) <= most) return value;
    const allowed = `a number of degrees from -${most} to ${most}`;
    throw new DataError({ source, subject: place, problem: `${name} is not understood`, received: value, allowed });
  };
  const { utcOffset } = stated;
  if (typeof utcOffset !== 'number' || !Number.isInteger(utcOffset) || Math.abs(utcOffset) > 24 * HOUR) {
    throw new DataError({
      ...{ source, subject: place, problem: 'utc_offset_seconds is not understood', received: utcOffset },
      allowed: 'a whole number of seconds, such as 7200',
    });
  }
  return { id, latitude: degrees('latitude', 90), longitude: degrees('longitude', 180), utcOffset, timezone };
}

/** Throws a DataError if two locations have the same id, so that their rows could not be distinguished. */
export function assertDistinct(locations: readonly Location[], source: string): void {
  const byId = new Map<string, number>();
  for (const [index, { id }] of locations.entries()) {
    const sameId = byId.get(id);
    if (sameId !== undefined) {
      const problem = `locations ${sameId + 1} and ${index + 1} have the same location_id`;
      throw new DataError({ source, problem, received: id, allowed: 'a different id for each location' });
    }
    byId.set(id, index);
  }
}

/**
 * Throws a DataError for a time zone that is not whole hours from UTC: Open-Meteo prints values of full UTC hours at
 * full local hours.
 */
export function assertWholeHours(locations: readonly Location[], source: string): void {
  const odd = locations.find(({ utcOffset }) => utcOffset % HOUR !== 0);
  if (odd === undefined) return;
  throw new DataError({
    ...{
      source,
      problem: 'times of a zone that is not whole hours from UTC, up to half an hour off those of the model',
    },
    ...{ received: zoneInWords(odd), allowed: 'timezone=UTC in the request to Open-Meteo' },
  });
}

/** Throws a DataError for days that do not begin at 00:00 UTC. */
export function assertUtcDays(locations: readonly Location[], source: string): void {
  const other = locations.find(({ utcOffset }) => utcOffset !== 0);
  if (other === undefined) return;
  throw new DataError({
    ...{ source, problem: 'daily values of days that do not begin at 00:00 UTC', received: zoneInWords(other) },
    allowed: 'timezone=UTC in the request to Open-Meteo, or hourly values, whose times are shifted to UTC',
  });
}

/** The time zones of locations in words: `Europe/Berlin (UTC+02:00)`; undefined if all are UTC. */
export function zonesInWords(locations: readonly Location[]): string | undefined {
  const zones = [...new Set(locations.filter(({ utcOffset }) => utcOffset !== 0).map(zoneInWords))];
  if (zones.length === 0) return undefined;
  return zones.length > 3 ? `${zones.slice(0, 3).join(', ')} and ${zones.length - 3} more` : zones.join(', ');
}

function zoneInWords({ timezone, utcOffset }: Location): string {
  const minutes = Math.round(Math.abs(utcOffset) / 60);
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60].map((part) => String(part).padStart(2, '0'));
  const offset = `UTC${utcOffset < 0 ? '-' : '+'}${hours}:${rest}`;
  return timezone === '' ? offset : `${timezone} (${offset})`;
}
