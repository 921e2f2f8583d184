import { assertShape } from '../../check/option-checks.js';
import { checkQuota, type RateQuota } from '../access/key-store.js';
import { whenReady } from '../point/pause.js';

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
  /** The limit of this key, in place of the one that all have. */
  readonly rate?: RateQuota;
  readonly path: string;
  readonly requestId: string;
}

/** Where the buckets of keys are kept: in one place for several machines, where these share a limit. */
export interface RateStore {
  /** Takes a request from the bucket of a key, which is full at first and filled evenly. */
  take(keyId: string, quota: RateQuota): RateTake | Promise<RateTake>;
}

/** What a bucket gave for a request. */
export interface RateTake {
  /** Requests that are left, and parts of one. */
  readonly left: number;
  /** The seconds until there is one; 0 where this one was granted. */
  readonly waitSeconds: number;
}

/**
 * A limit for each key: a token bucket, of this process unless it is in a `store`. A key may make `requests` at once, and gets one back every
 * `windowSeconds / requests`, so that in any span of t seconds it makes at most `requests × (1 + t / windowSeconds)`.
 * What it makes beyond is answered with 429 and costs nothing. A key with a rate of its own has that; without `quota` others are not limited. Throws OptionError for a quota that is none.
 */
export function createRateLimit(quota?: RateQuota, store?: RateStore): RateLimit {
  if (quota !== undefined) checkQuota(quota);
  if (store !== undefined) assertShape('store', store, { take: 'function' });
  const buckets = store ?? new TokenBuckets();
  return ({ keyId, rate = quota }) => {
    if (rate === undefined) return undefined;
    return whenReady(buckets.take(keyId, rate), ({ left, waitSeconds }) => decide(rate, left, waitSeconds));
  };
}

/** The decision for a key with so many requests left, which has to wait so long. */
export function decide(quota: RateQuota, left: number, waitSeconds: number): RateDecision {
  const { requests, windowSeconds } = quota;
  const resetSeconds = ((requests - left) * windowSeconds) / requests;
  const allowance = { requests, windowSeconds, remaining: Math.floor(left), resetSeconds };
  return waitSeconds > 0 ? { retryAfterSeconds: waitSeconds, allowance } : { allowance };
}

interface Bucket {
  tokens: number;
  /** When it had so many, in milliseconds. */
  at: number;
  readonly quota: RateQuota;
}

/** Most buckets: addresses are without end. The oldest is given up for a new one, which is full. */
const MAX_BUCKETS = 1_000_000;

/** Buckets that are full again are given up so often. */
const SWEEP_MILLISECONDS = 60_000;

/** A token bucket for each key: full at the beginning, and filled evenly. Times are in milliseconds. */
export class TokenBuckets implements RateStore {
  readonly #buckets = new Map<string, Bucket>();
  #sweptAt = 0;

  take(key: string, quota: RateQuota): RateTake {
    const { tokens, left, waitSeconds } = this.takeSome(key, quota, 1, performance.now());
    return { left, waitSeconds: tokens > 0 ? 0 : waitSeconds };
  }

  /** Takes up to `most` tokens; returns how many there were, what is left, and the seconds until there is another one. */
  takeSome(key: string, quota: RateQuota, most: number, now: number): RateTake & { readonly tokens: number } {
    // A bucket that has not been used for a window is full, as a new one.
    if (now - this.#sweptAt >= SWEEP_MILLISECONDS) this.#sweep(now);
    const bucket = this.#filled(key, quota, now);
    const tokens = Math.min(most, Math.floor(bucket.tokens));
    bucket.tokens -= tokens;
    const missing = Math.max(0, 1 - bucket.tokens);
    return { tokens, left: bucket.tokens, waitSeconds: (missing * quota.windowSeconds) / quota.requests };
  }

  /** Puts tokens back that were taken and not used. */
  giveBack(key: string, tokens: number, now: number): void {
    const quota = this.#buckets.get(key)?.quota;
    if (quota === undefined) return;
    const bucket = this.#filled(key, quota, now);
    bucket.tokens = Math.min(quota.requests, bucket.tokens + tokens);
  }

  #filled(key: string, quota: RateQuota, now: number): Bucket {
    const { requests, windowSeconds } = quota;
    const before = this.#buckets.get(key);
    if (before?.quota === quota || (before !== undefined && isSameQuota(before.quota, quota))) {
      before.tokens = Math.min(requests, before.tokens + ((now - before.at) * requests) / (1000 * windowSeconds));
      before.at = now;
      return before;
    }
    const [oldest] = before === undefined && this.#buckets.size >= MAX_BUCKETS ? this.#buckets.keys() : [];
    if (oldest !== undefined) this.#buckets.delete(oldest);
    const bucket = { tokens: requests, at: now, quota };
    this.#buckets.set(key, bucket);
    return bucket;
  }

  #sweep(now: number): void {
    this.#sweptAt = now;
    for (const [key, { at, quota }] of this.#buckets) {
      if (now - at >= 1000 * quota.windowSeconds) this.#buckets.delete(key);
    }
  }
}

/** Whether two quotas are the same. */
export function isSameQuota(a: RateQuota, b: RateQuota): boolean {
  return a.requests === b.requests && a.windowSeconds === b.windowSeconds;
}
