import { assertKnownKeys } from '../check/option-checks.js';
import { OptionError, unusable } from '../errors.js';
import type { PlatformHeaders, PlatformRequest, PlatformResponse } from '../platform.js';
import type { ResponseInfo } from './response-info.js';
import type { V1Endpoints } from './v1-endpoints.js';

/** Options of `createClient`. */
export interface ClientOptions {
  /** Where the service is mounted: an absolute URL, such as `https://example.org/weather`. */
  readonly baseUrl: string;
  readonly apiKey: string;
  /**
   * The function that sends requests. Default: `fetch`. A service binding, or the handler of the service itself, works
   * as well. Redirects are left to the client (`redirect: 'manual'`): it follows those within the origin of `baseUrl`.
   */
  readonly fetch?: (request: PlatformRequest) => Promise<PlatformResponse>;
  /** Sent with each request. */
  readonly headers?: Readonly<Record<string, string>>;
  /** How long a request may take, with its body, in milliseconds: 30,000 by default; 0 for no limit. */
  readonly timeoutMs?: number;
  /**
   * How often a request is sent again that failed for the moment: 429, 502, 503 and 504, a service that is not reached, and an answer
   * that is cut off. It waits for as long as `Retry-After` says, up to a minute, else for a second and twice as long each time.
   * Default 0.
   */
  readonly retries?: number;
  /**
   * Called with what each response says besides the answer: the id of the request, and how many the key has left. What
   * it throws is ignored.
   */
  readonly onResponse?: (info: ResponseInfo) => void;
  /** `v1Endpoints`, for a client that also asks the endpoints of `/v1`, as its `v1`. What pages do not import they do not load. */
  readonly v1?: V1Endpoints;
}

const OPTIONS: readonly (keyof ClientOptions)[] = [
  'baseUrl',
  'apiKey',
  'fetch',
  'headers',
  'timeoutMs',
  'retries',
  'onResponse',
  'v1',
];

/** Throws OptionError for what is not an object, for options that are not known, and for functions that are none. */
export function checkOptions(options: ClientOptions): void {
  assertKnownKeys(options, OPTIONS);
  const { fetch, onResponse, v1 } = options;
  for (const [name, value] of Object.entries({ fetch, onResponse, v1 })) {
    if (value !== undefined && typeof value !== 'function') throw unusable(name, value, 'a function');
  }
}

/** Timers count milliseconds in 31 bits. */
const MAX_TIMEOUT = 2 ** 31 - 1;

/**
 * Returns `baseUrl` without trailing slashes. Throws OptionError where it is not an absolute HTTP URL, or has more than
 * a path.
 */
export function parseBaseUrl(baseUrl: string): string {
  const url = typeof baseUrl === 'string' && URL.canParse(baseUrl) ? new URL(baseUrl) : undefined;
  const address = url && url.origin + url.pathname;
  if (address !== undefined && /^https?:/.test(address) && address === url?.href) return address.replace(/\/+$/, '');
  // The error does not repeat the URL: it may contain a password.
  const allowed = 'an absolute URL without a name and password, query or hash, such as https://example.org/weather';
  throw new OptionError({ subject: 'baseUrl', problem: 'is not the address of a service', allowed });
}

/**
 * Creates the headers of each request. Throws OptionError where the key is missing or cannot be sent in a header; it
 * does not contain the key.
 */
export function createHeaders({ apiKey, headers }: ClientOptions): PlatformHeaders {
  const all = copyHeaders(headers);
  try {
    if (typeof apiKey !== 'string' || apiKey === '') throw apiKey;
    all.set('x-api-key', apiKey);
  } catch {
    throw new OptionError({ subject: 'apiKey', problem: 'cannot be sent', allowed: 'a key, on one line' });
  }
  return all;
}

/** Adds the headers of one request to a copy; the key stays. Throws OptionError for what cannot be sent. */
export function addHeaders(headers: PlatformHeaders, more: ClientOptions['headers']): PlatformHeaders {
  const all = copyHeaders(more);
  headers.forEach((value, name) => {
    if (name === 'x-api-key' || !all.has(name)) all.set(name, value);
  });
  return all;
}

/** Servers take some dozens of headers, of some ten thousand characters together. */
const MAX_LENGTH = 1e6;
/** What each header counts besides its characters. */
const EACH = 1e3;

/** Throws OptionError for what cannot be sent: before it is looked at where it is too long. */
function copyHeaders(headers: ClientOptions['headers']): Headers {
  try {
    let left = MAX_LENGTH;
    // A list would be gone through.
    if (headers?.length) throw left;
    for (const name in headers) left -= headers[name].length + name.length + EACH;
    if (!(left > 0)) throw left;
    return new Headers(headers);
  } catch {
    throw unusable('headers', undefined, 'texts by name, up to 1 MB');
  }
}

/** Returns a time limit. Throws OptionError where it is not a duration. */
export function checkTimeout(timeoutMs = 30_000): number {
  if (Number.isInteger(timeoutMs) && timeoutMs >= 0 && timeoutMs <= MAX_TIMEOUT) return timeoutMs;
  throw unusable('timeoutMs', timeoutMs, `whole milliseconds, up to ${MAX_TIMEOUT}; 0 for no limit`);
}

const MAX_RETRIES = 10;

/** Returns a number of retries. Throws OptionError where it is none. */
export function checkRetries(retries = 0): number {
  if (Number.isInteger(retries) && retries >= 0 && retries <= MAX_RETRIES) return retries;
  throw unusable('retries', retries, `a whole number from 0 to ${MAX_RETRIES}`);
}
