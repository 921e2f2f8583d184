import type { PlatformResponse } from '../platform.js';

/** What a response says about its request, besides the answer. */
export interface ResponseInfo {
  readonly status: number;
  /** Names the request in the logs of the service. */
  readonly requestId?: string;
  /** What the key has left, where the service limits it. */
  readonly rateLimit?: RateLimitState;
}

/** How many requests a key has left, by the headers `RateLimit` and `RateLimit-Policy`. */
export interface RateLimitState {
  readonly remaining: number;
  /** After so many seconds without a request all are there again. */
  readonly resetSeconds?: number;
  /** The number of requests that the key may make in a window. */
  readonly requests?: number;
  readonly windowSeconds?: number;
}

/** Reads the headers of a response; those that are missing or of another form are left out. */
export function readResponseInfo(response: PlatformResponse): ResponseInfo {
  const { status, headers } = response;
  const requestId = headers.get('x-request-id') ?? undefined;
  return { status, requestId, rateLimit: readRateLimit(headers.get('ratelimit'), headers.get('ratelimit-policy')) };
}

/** The first limit, of those of draft-ietf-httpapi-ratelimit-headers: the service has one. */
function readRateLimit(limit: string | null, policy: string | null): RateLimitState | undefined {
  const remaining = readParameter(limit, 'r');
  if (remaining === undefined) return undefined;
  return {
    remaining,
    resetSeconds: readParameter(limit, 't'),
    requests: readParameter(policy, 'q'),
    windowSeconds: readParameter(policy, 'w'),
  };
}

/** A whole number after a name in the first item of a list: `"key";r=50;t=30`. */
function readParameter(header: string | null, name: string): number | undefined {
  const [, digits] = new RegExp(`^[^,]*;\\s*${name}=(\\d{1,15})\\s*(?:[;,]|$)`).exec(header ?? '') ?? [];
  return digits === undefined ? undefined : Number(digits);
}
