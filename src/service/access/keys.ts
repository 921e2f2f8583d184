/** Whom a key belongs to, and what it is good for. */
export interface KeyRecord {
  /** Names the key in lists and logs; tells nothing of it. */
  readonly id: string;
  readonly owner: string;
  /** Whether 1 km data are provisioned. */
  readonly downscaling: boolean;
}

/** Where a service looks up API keys. */
export interface KeyStore {
  /** The record of a key of 1 to 256 characters; undefined where it is unknown or revoked. Compares hashes, in constant time. */
  find(key: string): KeyRecord | undefined | Promise<KeyRecord | undefined>;
}

/** A key has no more characters than this, wherever it is looked up. */
export const MAX_KEY_LENGTH = 256;

/** Whether a text can be a key, as far as its length tells. */
export function isKeyLength(key: unknown): key is string {
  return typeof key === 'string' && key.length >= 1 && key.length <= MAX_KEY_LENGTH;
}
