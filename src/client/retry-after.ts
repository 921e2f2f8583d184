import { withinTime } from '../check/within-time.js';
import type { PlatformAbortSignal } from '../platform.js';
import type { ServiceError } from './service-error.js';

/** The forms of dates in headers (RFC 9110, 5.6.7): the one of today, and two that may still be met. */
const DATES = [
  /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/,
  /^[A-Z][a-z]{5,8}, \d{2}-[A-Z][a-z]{2}-\d{2} \d{2}:\d{2}:\d{2} GMT$/,
  /^[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d \d{2}:\d{2}:\d{2} \d{4}$/,
];

/** The seconds of `Retry-After`: a number, or a date, counted from the date of the response. Undefined for anything else. */
export function readRetryAfter(headers: Headers): number | undefined {
  const text = headers.get('retry-after') ?? '';
  if (/^\d{1,15}$/.test(text)) return Number(text);
  const date = parseDate(text);
  if (date === undefined) return undefined;
  // Clocks differ: both dates are the server's, where it sends them.
  const now = parseDate(headers.get('date') ?? '') ?? Date.now();
  return Math.max(0, Math.ceil((date - now) / 1000));
}

/** A date of a header as milliseconds since 1970. */
function parseDate(text: string): number | undefined {
  if (!DATES.some((form) => form.test(text))) return undefined;
  const time = Date.parse(text.endsWith('GMT') ? text : `${text} GMT`);
  return Number.isNaN(time) ? undefined : time;
}

/** Nobody waits longer for an answer, in seconds. */
const MAX_WAIT = 60;

/** The seconds until a failed request is sent again, after so many others; undefined where it would fail again. */
export function retrySeconds({ status, code, retryAfterSeconds }: ServiceError, before: number): number | undefined {
  const isForNow = /^(unreachable|cut-off)$/.test(code) || /^(429|50[234])$/.test(`${status}`);
  // Clients that failed at the same time do not come back at the same time.
  const seconds = retryAfterSeconds ?? 2 ** before * (0.5 + Math.random());
  return isForNow && seconds <= MAX_WAIT ? seconds : undefined;
}

/** Waits; not any longer where `signal` is aborted. */
export function pause(seconds: number, signal: PlatformAbortSignal | undefined): Promise<void> {
  const wait = (ended: AbortSignal) => new Promise<void>((done) => ended.addEventListener('abort', () => done()));
  // There is no limit of 0.
  return withinTime({ timeoutMs: 1000 * seconds || 1, signal }, wait).catch(() => undefined);
}
