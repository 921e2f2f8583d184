import type { Snapshot } from '../source/source.js';
import type { Endpoint } from './endpoints.js';

/** The shortest and the longest time that an answer is fresh, in seconds. */
const SHORTEST = 60;
const LONGEST = 86_400;

/**
 * The `Cache-Control` of an answer: private and, of forecasts, fresh until the next run is expected, or for ten minutes where it is
 * not known when. A history gets a day more every day: it is fresh until the next day, or the next run where that is earlier. At least
 * a minute, and at most a day.
 */
export function cacheControl({ family }: Endpoint, { forecast }: Snapshot, now: Date): string {
  const time = now.getTime();
  const nextRun = forecast?.nextInitTime === undefined ? Number.NaN : Date.parse(forecast.nextInitTime);
  const until = family === 'forecast' ? orElse(nextRun, time + 600_000) : earlier(nextRun, time, nextDay(time));
  const seconds = Math.floor((until - time) / 1000);
  return `private, max-age=${Math.min(Math.max(seconds, SHORTEST), LONGEST)}`;
}

function nextDay(time: number): number {
  return (Math.floor(time / 86_400_000) + 1) * 86_400_000;
}

function earlier(nextRun: number, time: number, day: number): number {
  // A run that is overdue says nothing of when the history changes.
  return nextRun > time && nextRun < day ? nextRun : day;
}

function orElse(value: number, fallback: number): number {
  return Number.isNaN(value) ? fallback : value;
}
