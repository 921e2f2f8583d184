import { OptionError } from '../../errors.js';

/** The owner of a key, and what the key permits. */
export interface KeyRecord {
  /** Names the key in lists and logs; the key cannot be derived from it. */
  readonly id: string;
  readonly owner: string;
  /** Whether 1 km data are provisioned. */
  readonly downscaling: boolean;
}

/** Where a service looks up API keys. */
export interface KeyStore {
  /**
   * The record of a key of 1 to 256 characters; undefined where it is unknown or revoked. Compares hashes in constant
   * time.
   */
  find(key: string): KeyRecord | undefined | Promise<KeyRecord | undefined>;
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
