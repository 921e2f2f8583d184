import type { Dataset } from '../source/dataset.js';
import type { ForecastRun, HistoryData, Snapshot } from '../source/source.js';
import type { Endpoint } from './endpoints.js';

/**
 * The revision of the data behind an endpoint's answers, as a text that changes with any of them; undefined where a
 * snapshot has no such data, so that nothing can be answered.
 */
export function dataRevision({ family, generation, horizon }: Endpoint, data: Snapshot): string | undefined {
  const { forecast, history, attribution = '', revision = '' } = data;
  // Elevations change derived variables, climatologies change what is compared with them.
  const common = `${revision}|${attribution}`;
  if (family !== 'forecast') return history && `${historyRevision(history)}|${common}`;
  if (forecast === undefined) return undefined;
  const run = `${forecast.initTime}|${forecast.version}|${forecast.generation}`;
  if (generation === 'current') return `${run}|${timelineRevision(forecast)}|${common}`;
  const own = horizon && forecast.horizons[horizon];
  // Terciles are those of a climatology, which is computed from the history.
  return own && `${run}|${own.initTime}|${own.data.revision}|${history ? historyRevision(history) : ''}|${common}`;
}

function timelineRevision({ timeline, fineTimeline }: ForecastRun): string {
  return revisions(timeline, fineTimeline);
}

function historyRevision({ data, fine }: HistoryData): string {
  return revisions(data, fine);
}

function revisions(coarse: Dataset, fine: Dataset | undefined): string {
  return `${coarse.revision}|${fine?.revision ?? ''}`;
}

/** A strong entity tag of a text: 64 bits of it mixed, so that two texts of one URL practically never share one. */
export function entityTag(text: string): string {
  // Two rounds of 32 bits after MurmurHash3 (Austin Appleby): https://github.com/aappleby/smhasher
  let a = 0x9e3779b9;
  let b = 0x85ebca6b;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    a = Math.imul(a ^ unit, 0xcc9e2d51);
    b = Math.imul(b ^ unit, 0x1b873593);
    a ^= a >>> 15;
    b ^= b >>> 13;
  }
  return `"${mixed(a ^ text.length).toString(36)}-${mixed(b ^ a).toString(36)}"`;
}

/**
 * Whether an `If-None-Match` header names `tag`, by the weak comparison of RFC 9110: also as `W/` or in a list, or by
 * `*`.
 */
export function matchesTag(header: string | null, tag: string): boolean {
  if (header === null) return false;
  if (header === tag || header.trim() === '*') return true;
  return header.split(',').some((item) => item.trim().replace(/^W\//, '') === tag);
}

function mixed(hash: number): number {
  let h = hash ^ (hash >>> 16);
  h = Math.imul(h, 0x85ebca6b);
  h ^= h >>> 13;
  h = Math.imul(h, 0xc2b2ae35);
  return (h ^ (h >>> 16)) >>> 0;
}

/** How long an answer is fresh, at least and at most, in seconds. */
const MIN_SECONDS = 60;
const MAX_SECONDS = 86_400;

/**
 * The `Cache-Control` of an answer: private and, of forecasts, fresh until the next run is expected, or for ten minutes
 * where that time is unknown. A history grows by a day every day: it is fresh until the next day, or the next run where
 * that is earlier. At least a minute, and at most a day.
 */
export function cacheControl({ family }: Endpoint, { forecast }: Snapshot, now: Date): string {
  const time = now.getTime();
  const nextRun = forecast?.nextInitTime === undefined ? Number.NaN : Date.parse(forecast.nextInitTime);
  const until = family === 'forecast' ? orElse(nextRun, time + 600_000) : earlier(nextRun, time, nextDay(time));
  const seconds = Math.floor((until - time) / 1000);
  return `private, max-age=${Math.min(Math.max(seconds, MIN_SECONDS), MAX_SECONDS)}`;
}

function nextDay(time: number): number {
  return (Math.floor(time / 86_400_000) + 1) * 86_400_000;
}

function earlier(nextRun: number, time: number, day: number): number {
  // A run that is overdue does not show when the history changes.
  return nextRun > time && nextRun < day ? nextRun : day;
}

function orElse(value: number, fallback: number): number {
  return Number.isNaN(value) ? fallback : value;
}
