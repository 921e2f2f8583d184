import { DataError } from '../errors.js';

/** Keys of metadata by which days of a zone are known: which zone, when days begin, and which of their hours count. */
export const DAY_KEYS = ['time_zone', 'day_start', 'day_hours'] as const;

/** What metadata of tables of time steps state as their granularity. */
export const STEPS = 'steps';

/** The days that metadata state, in words; undefined for days of UTC. */
export function daysInWords(metadata: ReadonlyMap<string, string>): string | undefined {
  const [zone, start, hours] = DAY_KEYS.map((key) => metadata.get(key));
  if (zone === undefined) return undefined;
  return `${hours === undefined ? '' : `${hours} of `}days of ${zone}${start === undefined ? '' : ` from ${start}`}`;
}

/** Throws DataError for days of other zones than UTC; `purpose` is what has only these. */
export function assertUtcDays(metadata: ReadonlyMap<string, string>, purpose: string, source?: string): void {
  const received = daysInWords(metadata);
  if (received === undefined) return;
  const allowed = 'days of UTC, made of time steps without a time zone';
  throw new DataError({ source, problem: `${purpose} has days of UTC alone`, received, allowed });
}
