import { assertShape } from '../../check/option-checks.js';
import { OptionError } from '../../errors.js';

/** Decides on a request; undefined where there is no limit for it. */
export type RateLimit = (request: RateLimited) => RateDecision | undefined | Promise<RateDecision | undefined>;

/** What a rate limit says about a request. */
export interface RateDecision {
  /** How long to wait before the next request: the request is answered with 429. Undefined where it need not wait. */
  readonly retryAfterSeconds?: number;
  /** What the key has left, for the headers `RateLimit` and `RateLimit-Policy`. */
  readonly allowance?: Allowance;
}

/** How many requests a key may make, and how many it has left. */
export interface Allowance {
  /** The number of requests that it may make in a window. */
  readonly requests: number;
  readonly windowSeconds: number;
  /** Whole requests that are left now. */
  readonly remaining: number;
  /** After so many seconds without a request all are there again. */
  readonly resetSeconds: number;
}

/** What a rate limit may decide by. */
export interface RateLimited {
  readonly keyId: string;
  readonly owner: string;
  readonly path: string;
  readonly requestId: string;
}

/**
 * A limit for each key, of this process: a token bucket. A key may make `requests` at once, and gets one back every
 * `windowSeconds / requests`, so that in any span of t seconds it makes at most `requests × (1 + t / windowSeconds)`.
 * What it makes beyond is answered with 429 and costs nothing. Throws OptionError for a quota that is none.
 */
export function createRateLimit(quota: RateQuota): RateLimit {
  checkQuota(quota);
  const buckets = new TokenBuckets(quota);
  return ({ keyId }) => {
    const now = performance.now();
    const granted = buckets.take(keyId, 1, now);
    return decide(quota, buckets.remaining(keyId), granted > 0 ? 0 : buckets.secondsToNext(keyId));
  };
}

/** Throws OptionError unless a quota has a whole number of requests and a positive time. */
export function checkQuota(quota: RateQuota, subject = 'quota'): void {
  assertShape(subject, quota, { requests: 'count', windowSeconds: 'number' });
  if (quota.windowSeconds > 0) return;
  const { windowSeconds: received } = quota;
  throw new OptionError({ subject: `${subject}.windowSeconds`, problem: 'is no time', received, allowed: 'above 0' });
}

/** The decision for a key with so many requests left, which has to wait so long. */
export function decide(quota: RateQuota, left: number, waitSeconds: number): RateDecision {
  const { requests, windowSeconds } = quota;
  const resetSeconds = ((requests - left) * windowSeconds) / requests;
  const allowance = { requests, windowSeconds, remaining: Math.floor(left), resetSeconds };
  return waitSeconds > 0 ? { retryAfterSeconds: waitSeconds, allowance } : { allowance };
}

/** How many requests a key may make. */
export interface RateQuota {
  /** A whole number, from 1. Each key may make so many at once. */
  readonly requests: number;
  /** The time in which so many come back, evenly. */
  readonly windowSeconds: number;
}

interface Bucket {
  tokens: number;
  /** When it had so many, in milliseconds. */
  at: number;
}

/** Most buckets: addresses are without end. The oldest is given up for a new one, which is full. */
const MAX_BUCKETS = 1_000_000;

/** A token bucket for each key: full at the beginning, and filled evenly. */
export class TokenBuckets {
  readonly #requests: number;
  readonly #windowMilliseconds: number;
  readonly #buckets = new Map<string, Bucket>();
  #sweptAt = 0;

  constructor({ requests, windowSeconds }: RateQuota) {
    this.#requests = requests;
    this.#windowMilliseconds = 1000 * windowSeconds;
  }

  /** Takes up to `most` tokens at a time in milliseconds; returns how many there were. */
  take(key: string, most: number, now: number): number {
    // A bucket that has not been used for a window is full, as a new one.
    if (now - this.#sweptAt >= this.#windowMilliseconds) this.#sweep(now);
    const bucket = this.#filled(key, now);
    const taken = Math.min(most, Math.floor(bucket.tokens));
    bucket.tokens -= taken;
    return taken;
  }

  /** Puts tokens back that were taken and not used. */
  giveBack(key: string, tokens: number, now: number): void {
    const bucket = this.#filled(key, now);
    bucket.tokens = Math.min(this.#requests, bucket.tokens + tokens);
  }

  /** The tokens of a key, and parts of one, when it was last used. */
  remaining(key: string): number {
    return this.#buckets.get(key)?.tokens ?? this.#requests;
  }

  /** The seconds from the last use of a key until it has one token. */
  secondsToNext(key: string): number {
    const missing = Math.max(0, 1 - this.remaining(key));
    return (missing * this.#windowMilliseconds) / this.#requests / 1000;
  }

  #filled(key: string, now: number): Bucket {
    let bucket = this.#buckets.get(key);
    if (bucket === undefined) {
      const [oldest] = this.#buckets.size >= MAX_BUCKETS ? this.#buckets.keys() : [];
      if (oldest !== undefined) this.#buckets.delete(oldest);
      bucket = { tokens: this.#requests, at: now };
      this.#buckets.set(key, bucket);
    } else {
      const filled = bucket.tokens + ((now - bucket.at) * this.#requests) / this.#windowMilliseconds;
      bucket.tokens = Math.min(this.#requests, filled);
      bucket.at = now;
    }
    return bucket;
  }

  #sweep(now: number): void {
    this.#sweptAt = now;
    for (const [key, { at }] of this.#buckets) if (now - at >= this.#windowMilliseconds) this.#buckets.delete(key);
  }
}
