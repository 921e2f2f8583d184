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
