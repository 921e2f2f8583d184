import { assertShape } from '../../check/option-checks.js';
import { OptionError } from '../../errors.js';

/** How many requests a key may make. */
export interface RateQuota {
  /** A whole number, from 1. Each key may make so many at once. */
  readonly requests: number;
  /** The time in which so many come back, evenly. */
  readonly windowSeconds: number;
}

/** The owner of a key, and what the key permits. */
export interface KeyRecord {
  /** Names the key in lists and logs; the key cannot be derived from it. */
  readonly id: string;
  readonly owner: string;
  /** Whether 1 km data are provisioned. */
  readonly downscaling: boolean;
  /** The key is valid from then on. Default: always. */
  readonly starts?: Date;
  /** The key is valid until then. Default: without end. */
  readonly expires?: Date;
  /** When it was revoked: it is not valid. A store may also forget a revoked key. */
  readonly revoked?: Date;
  /** How many requests the key may make, in place of the limit that all keys have. */
  readonly rate?: RateQuota;
  /** What its answers may cost on a day in UTC; see `UsageMeter`. Default: without end. */
  readonly dailyQuota?: number;
}

/** Where a service looks up API keys. */
export interface KeyStore {
  /**
   * The record of a key of 1 to 256 characters, also of one that is not valid now; undefined where it is unknown.
   * Compares hashes in constant time.
   */
  find(key: string): KeyRecord | undefined | Promise<KeyRecord | undefined>;
  /**
   * For how many seconds the store could not learn of changes; 0 where it can. Answers then have the header
   * `Keys-Age`, and metrics tell it. Without it, the store always can.
   */
  ageSeconds?(): number;
}

/** Longer texts are never looked up as keys. */
export const MAX_KEY_LENGTH = 256;

/** Whether a text has the length of a key. */
export function isKeyLength(key: unknown): key is string {
  return typeof key === 'string' && key.length >= 1 && key.length <= MAX_KEY_LENGTH;
}

/**
 * Throws OptionError unless `owner` can be the owner of a key or location: a text without control characters, as logs
 * show it.
 */
export function checkOwner(subject: string, owner: unknown): void {
  if (typeof owner === 'string' && /^[^\p{Cc}]{1,128}$/u.test(owner)) return;
  const allowed = '1 to 128 characters, none of them a control character';
  throw new OptionError({ subject, problem: 'has an unusable owner', received: owner, allowed });
}

/** Throws OptionError unless a quota has a whole number of requests and a positive time. */
export function checkQuota(quota: RateQuota, subject = 'quota'): void {
  assertShape(subject, quota, { requests: 'count', windowSeconds: 'number' });
  if (quota.windowSeconds > 0) return;
  const { windowSeconds: received } = quota;
  throw new OptionError({ subject: `${subject}.windowSeconds`, problem: 'is no time', received, allowed: 'above 0' });
}
