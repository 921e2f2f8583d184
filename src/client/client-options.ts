import { OptionError } from '../errors.js';

/** Options of `createClient`. */
export interface ClientOptions {
  /** Where the service is mounted: an absolute URL, such as `https://example.org/weather`. */
  readonly baseUrl: string;
  readonly apiKey: string;
  /** What sends requests. Default: `fetch`. A service binding, or the handler of the service itself, serves as well. */
  readonly fetch?: (request: Request) => Promise<Response>;
  /** Sent with each request. */
  readonly headers?: Readonly<Record<string, string>>;
  /** How long a request may take, with its body, in milliseconds: 30,000 by default; 0 for any time. */
  readonly timeoutMs?: number;
}

/** Timers count milliseconds in 31 bits. */
const LONGEST_TIMEOUT = 2 ** 31 - 1;

/** `baseUrl` without slashes at its end. Throws OptionError where it is no absolute URL of HTTP without a query. */
export function checkedBaseUrl(baseUrl: string): string {
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : undefined;
  if (url !== undefined && /^https?:$/.test(url.protocol) && url.search === '' && url.hash === '') {
    return url.href.replace(/\/+$/, '');
  }
  const allowed = 'an absolute URL without a query, such as https://example.org/weather';
  throw new OptionError({ subject: 'baseUrl', problem: 'is no address of a service', received: baseUrl, allowed });
}

/** The headers of each request. Throws OptionError, which does not tell the key, where there is none, or one that no header can carry. */
export function checkedHeaders({ apiKey, headers }: ClientOptions): Headers {
  const all = new Headers(headers);
  try {
    if (apiKey === '') throw new TypeError('empty');
    all.set('x-api-key', apiKey);
  } catch {
    throw new OptionError({ subject: 'apiKey', problem: 'cannot be sent', allowed: 'the text of a key, on one line' });
  }
  return all;
}

/** Throws OptionError where it is no time. */
export function checkedTimeout(timeoutMs = 30_000): number {
  if (Number.isInteger(timeoutMs) && timeoutMs >= 0 && timeoutMs <= LONGEST_TIMEOUT) return timeoutMs;
  const allowed = `whole milliseconds, up to ${LONGEST_TIMEOUT}; 0 for any time`;
  throw new OptionError({ subject: 'timeoutMs', problem: 'is no duration', received: timeoutMs, allowed });
}
