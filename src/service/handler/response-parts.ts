import { OptionError } from '../../errors.js';
import { DAY_MILLISECONDS, DAY_SECONDS } from '../../period/day.js';
import type { Endpoint } from '../endpoints/endpoint.js';
import { type ProblemError, problemDocument } from '../problem-error.js';
import type { ForecastRun, Shortfall, Snapshot } from '../source/source.js';
import { horizonAges } from './forecast-state.js';
import { LongBody } from './long-body.js';
import type { Allowance } from './rate-limit.js';
import type { RequestContext } from './request-context.js';
import type { RequestHead } from './request-head.js';
import type { DayQuota } from './usage-meter.js';

/** What differs from one response to another. */
export interface ResponseParts {
  readonly status: number;
  /** The list belongs to the reply: headers that all replies have are added to it. */
  readonly headers: HeaderList;
  /** Undefined where the status allows none. */
  readonly body: Uint8Array | LongBody | undefined;
}

/** Names in lower case and values, by turns: `node:http` writes a list in less time than an object. */
export type HeaderList = string[];

/** The request headers that a response depends on besides the path and query. */
const VARY = 'Accept, Accept-Encoding, X-Api-Key, Origin';

/** The same, of an answer that all keys have. */
const VARY_FOR_ALL = 'Accept, Accept-Encoding, Origin';

/** The response headers that pages of other origins may read, besides the few that they always may. */
const EXPOSED =
  'ETag, Retry-After, X-Request-Id, RateLimit, RateLimit-Policy, Forecast-Age, Forecast-Incomplete, Keys-Age, Source-Age';

/** Adds the headers that all responses have. */
export class CommonHeaders {
  /** The origins whose pages may read responses; undefined for all. */
  readonly #origins: ReadonlySet<string> | undefined;
  /** Keys of one plan have the same policy, and so does each key from one request to the next. */
  #policy: Policy = { requests: undefined, windowSeconds: undefined, quota: undefined, text: '' };

  /** Throws OptionError where the origins of `cors` are neither `*` nor a list of origins. */
  constructor({ origins }: CorsOptions = { origins: '*' }) {
    if (origins === '*') return;
    if (!Array.isArray(origins) || !origins.every(isOrigin)) {
      throw new OptionError({
        subject: 'cors.origins',
        problem: 'is not a list of origins',
        received: origins,
        allowed: "'*', or origins such as 'https://example.org', without a path",
      });
    }
    this.#origins = new Set<string>(origins);
  }

  add({ headers, body }: ResponseParts, context: RequestContext): void {
    const { head, requestId, allowance, quota, keysAge, isForAll } = context;
    headers.push('vary', isForAll ? VARY_FOR_ALL : VARY, 'x-request-id', requestId);
    if (isForAll) {
      // What a cache keeps says nothing of the key that came first.
    } else if (allowance !== undefined || quota !== undefined) this.#addLimits(headers, allowance, quota);
    if (keysAge > 0) headers.push('keys-age', `${Math.ceil(keysAge)}`);
    const origin = this.#origins === undefined ? '*' : head.header('origin');
    if (origin !== null && this.#origins?.has(origin) !== false) {
      headers.push('access-control-allow-origin', origin, 'access-control-expose-headers', EXPOSED);
    }
    if (body instanceof Uint8Array) headers.push('content-length', `${body.byteLength}`);
  }

  /** Adds the headers of draft-ietf-httpapi-ratelimit-headers-11, by which clients know when to wait. */
  #addLimits(headers: HeaderList, allowance: Allowance | undefined, day: DayQuota | undefined): void {
    const { requests, windowSeconds } = allowance ?? {};
    const quota = day?.quota;
    const last = this.#policy;
    if (last.requests !== requests || last.windowSeconds !== windowSeconds || last.quota !== quota) {
      const key = allowance && `"key";q=${requests};w=${windowSeconds}`;
      const text = joined(key, day && `"day";q=${quota};w=${DAY_SECONDS}`);
      this.#policy = { requests, windowSeconds, quota, text };
    }
    const key = allowance && `"key";r=${allowance.remaining};t=${Math.ceil(allowance.resetSeconds)}`;
    const left = joined(key, day && `"day";r=${day.left};t=${Math.ceil(day.resetSeconds)}`);
    headers.push('ratelimit-policy', this.#policy.text, 'ratelimit', left);
  }
}

/** The value of `RateLimit-Policy`, and what it was made of. */
interface Policy {
  readonly requests: number | undefined;
  readonly windowSeconds: number | undefined;
  readonly quota: number | undefined;
  readonly text: string;
}

function joined(key = '', day = ''): string {
  return key === '' || day === '' ? key + day : `${key}, ${day}`;
}

/** Headers about the runs behind an answer: how old they are, and which lack something. They are made once a second. */
export class ForecastHeaders {
  readonly #made = new WeakMap<ForecastRun, { readonly second: number; readonly headers: HeaderList }>();

  add(headers: HeaderList, run: ForecastRun, now: number): void {
    const second = Math.floor(now / 1000);
    let made = this.#made.get(run);
    if (made?.second !== second) {
      made = { second, headers: forecastHeaders(run, now) };
      this.#made.set(run, made);
    }
    for (const text of made.headers) headers.push(text);
  }
}

function forecastHeaders(run: ForecastRun, now: number): HeaderList {
  const headers = ['forecast-age', [...horizonAges(run, now)].map(([horizon, age]) => `${horizon}=${age}`).join(', ')];
  const { shortfalls = [] } = run;
  if (shortfalls.length > 0) headers.push('forecast-incomplete', shortfalls.map(shortfallHeader).join(', '));
  return headers;
}

/** An item of a structured field: `short-term;members=30;expected-members=31` */
function shortfallHeader({ horizon, members, days, variables, fine }: Shortfall): string {
  return [
    horizon,
    ...(members ? [`members=${members.received}`, `expected-members=${members.expected}`] : []),
    ...(days ? [`days=${days.received}`, `expected-days=${days.expected}`] : []),
    ...(variables ? [`missing="${variables.join(' ')}"`] : []),
    ...(fine ? ['without-1km'] : []),
  ].join(';');
}

/** Makes the response of the Fetch API; leaves the body out for HEAD. */
export function toResponse({ status, headers: list, body }: ResponseParts, method: string): Response {
  const isHead = method === 'HEAD';
  const headers: Record<string, string> = {};
  for (let i = 0; i < list.length; i += 2) headers[list[i]] = list[i + 1];
  // Workers compress a body by its header themselves unless it is said that it is compressed already.
  const init = { status, headers, encodeBody: headers['content-encoding'] === undefined ? 'automatic' : 'manual' };
  if (body instanceof LongBody) {
    if (isHead) body.drop();
    return new Response(isHead ? null : body.stream(), init);
  }
  return new Response(isHead || body === undefined ? null : (body as Uint8Array<ArrayBuffer>), init);
}

/** A reply of JSON. */
export function jsonReply(status: number, headers: Readonly<Record<string, string>>, value: unknown): ResponseParts {
  return { status, headers: Object.entries(headers).flat(), body: new TextEncoder().encode(JSON.stringify(value)) };
}

/** Which web pages may read responses. */
export interface CorsOptions {
  /** `*` for all, or a list of origins such as `https://example.org`. */
  readonly origins: '*' | readonly string[];
}

function isOrigin(text: unknown): boolean {
  return typeof text === 'string' && /^[a-z][a-z0-9+.-]*:\/\/[^/?#\s,]+$/.test(text);
}

/** How long an answer is fresh, at least and at most, in seconds. */
const MIN_SECONDS = 60;
const MAX_SECONDS = DAY_SECONDS;

/**
 * The `Cache-Control` of an answer: private and, of forecasts, fresh until the next run is expected, or for ten minutes
 * where that time is unknown. A history grows by a day every day: it is fresh until the next day, or the next run where
 * that is earlier. At least a minute, and at most a day. With `isForAll` it is public, and a cache may go on with it for a
 * minute while it asks for the next one.
 */
export function cacheControl({ family }: Endpoint, { forecast }: Snapshot, now: Date, isForAll = false): string {
  const time = now.getTime();
  const nextRun = forecast?.nextInitTime === undefined ? Number.NaN : Date.parse(forecast.nextInitTime);
  const soon = Number.isNaN(nextRun) ? time + 600_000 : nextRun;
  const until = family === 'forecast' ? soon : earlier(nextRun, time, nextDay(time));
  const seconds = Math.floor((until - time) / 1000);
  const age = `max-age=${Math.min(Math.max(seconds, MIN_SECONDS), MAX_SECONDS)}`;
  return isForAll ? `public, ${age}, stale-while-revalidate=60` : `private, ${age}`;
}

/** Whether the answer to a request is the same for all keys: of no stored location, and without a choice of 1 km data. */
export function isSameForAll(
  { family, parameters }: Endpoint,
  { forecast, history }: Snapshot,
  head: RequestHead,
  locationId?: string,
): boolean {
  if (locationId !== undefined) return false;
  const fine = family === 'forecast' ? forecast?.fineTimeline : history?.fine;
  if (fine === undefined || !parameters.some(({ name }) => name === 'use_downscaling')) return true;
  return /(?:^|&)use_downscaling=false(?:&|$)/i.test(head.query);
}

function nextDay(time: number): number {
  return (Math.floor(time / DAY_MILLISECONDS) + 1) * DAY_MILLISECONDS;
}

function earlier(nextRun: number, time: number, day: number): number {
  // A run that is overdue does not show when the history changes.
  return nextRun > time && nextRun < day ? nextRun : day;
}

export const PROBLEM_TYPE = 'application/problem+json';

/** Longer paths are not repeated in a problem. */
const MAX_INSTANCE_LENGTH = 256;

/** Seconds after which a request that got a 503 may be tried again. */
const RETRY_AFTER = '30';

/** The reply of RFC 9457 for a problem at a path; `id` is for problems that the operator can look up. */
export function problemReply(problem: ProblemError, path: string, id?: string): ResponseParts {
  const { status } = problem;
  const headers: Record<string, string> = {
    'content-type': PROBLEM_TYPE,
    'cache-control': 'no-store',
    ...problem.headers,
  };
  if (status === 503) headers['retry-after'] ??= RETRY_AFTER;
  const instance = path !== '' && path.length <= MAX_INSTANCE_LENGTH ? path : undefined;
  return jsonReply(status, headers, problemDocument(problem, { instance, id }));
}
