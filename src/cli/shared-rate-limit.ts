import type { RateQuota } from '../service/access/key-store.js';
import { decide, isSameQuota, type RateDecision, type RateLimit, TokenBuckets } from '../service/handler/rate-limit.js';
import type { Lease, LeaseRequest, WorkerMessage } from './worker-messages.js';

/*
 * One rate limit for all workers of a server. The process that started them has the buckets; a worker takes some tokens
 * of a key at a time, and gives back what it has not used for a second. So all workers together never allow more than
 * the limit, and most requests wait for no message. A key may be rejected while others still hold tokens of it: at most
 * a tenth of the limit, for a second.
 */

/** Workers together hold at most this share of a limit. */
const LEASED_SHARE = 0.1;
const HOLD_MILLISECONDS = 1000;

/** The buckets that workers take tokens from. */
export class RateLimitOwner {
  readonly #buckets = new TokenBuckets();

  lease({ key, quota, tokens }: LeaseRequest): Lease {
    const taken = this.#buckets.takeSome(key, quota, tokens, performance.now());
    return { key, quota, ...taken, waitSeconds: taken.tokens > 0 ? 0 : taken.waitSeconds };
  }

  giveBack(unused: NonNullable<WorkerMessage['unused']>): void {
    for (const [key, tokens] of unused) this.#buckets.giveBack(key, tokens, performance.now());
  }
}

/** The tokens of a key that a worker holds. */
interface Held {
  readonly quota: RateQuota;
  tokens: number;
  /** What others had left when these were taken. */
  left: number;
  takenAt: number;
  /** Until then there are none anywhere. */
  emptyUntil: number;
  /** Where more are requested: called when they have come. */
  arrived: (() => void) | undefined;
  arriving: Promise<void> | undefined;
}

/** The rate limit of one of several workers. */
export class WorkerRateLimit {
  readonly #quota: RateQuota | undefined;
  readonly #workers: number;
  readonly #send: (message: WorkerMessage) => void;
  readonly #held = new Map<string, Held>();

  /**
   * `send` reaches the owner, which answers each request for tokens by a lease for `receive`. `quota` is that of keys
   * without a rate of their own; undefined where these are not limited.
   */
  constructor(quota: RateQuota | undefined, workers: number, send: (message: WorkerMessage) => void) {
    this.#quota = quota;
    this.#workers = workers;
    this.#send = send;
  }

  readonly limit: RateLimit = ({ keyId, rate = this.#quota }) => rate && this.#take(keyId, rate);

  receive({ key, tokens, left, waitSeconds }: Lease): void {
    const held = this.#held.get(key);
    if (held === undefined) return;
    const now = performance.now();
    const { arrived } = held;
    // Where there are none, the wait is never nothing: requests would ask again and again.
    const emptyUntil = tokens > 0 ? 0 : now + Math.max(1, 1000 * waitSeconds);
    Object.assign(held, { tokens, left, takenAt: now, emptyUntil, arrived: undefined, arriving: undefined });
    arrived?.();
  }

  /** Gives back what was not used for a second; to be called about once a second. */
  giveBack(): void {
    const now = performance.now();
    const unused: [string, number][] = [];
    for (const [key, { tokens, takenAt, emptyUntil, arriving }] of this.#held) {
      if (arriving !== undefined || now - takenAt < HOLD_MILLISECONDS || now < emptyUntil) continue;
      if (tokens > 0) unused.push([key, tokens]);
      this.#held.delete(key);
    }
    if (unused.length > 0) this.#send({ unused });
  }

  #take(key: string, quota: RateQuota): RateDecision | Promise<RateDecision> {
    const before = this.#held.get(key);
    const isOf = before !== undefined && (before.arriving !== undefined || isSameQuota(before.quota, quota));
    const held = isOf ? before : this.#begin(key, quota);
    if (held.tokens > 0) {
      held.tokens--;
      return decide(quota, held.left + held.tokens, 0);
    }
    const waitMilliseconds = held.emptyUntil - performance.now();
    if (waitMilliseconds > 0) return decide(quota, held.left, waitMilliseconds / 1000);
    held.arriving ??= new Promise((arrived) => {
      held.arrived = arrived;
      const tokens = Math.max(1, Math.floor((quota.requests * LEASED_SHARE) / this.#workers));
      this.#send({ lease: { key, quota, tokens } });
    });
    return held.arriving.then(() => this.#take(key, quota));
  }

  #begin(key: string, quota: RateQuota): Held {
    const held = { quota, tokens: 0, left: 0, takenAt: 0, emptyUntil: 0, arrived: undefined, arriving: undefined };
    this.#held.set(key, held);
    return held;
  }
}
