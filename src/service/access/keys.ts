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
