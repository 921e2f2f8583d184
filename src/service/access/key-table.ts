import { hexToBytes } from '@noble/hashes/utils.js';
import { keyDigest } from './hash-key.js';
import { isKeyLength } from './key-length.js';
import type { KeyRecord, KeyStore } from './keys.js';

/** Whom a key belongs to, and its `hashKey`. */
export interface HashedKey extends KeyRecord {
  readonly keyHash: string;
}

interface Candidate {
  readonly digest: Uint8Array;
  readonly record: KeyRecord;
}

/**
 * Finds the record of a key by its hash. Which keys share the first two bytes of their hashes may show in the time that this takes;
 * how far a hash agrees beyond them does not: all candidates are compared, each to its last byte.
 */
export class KeyTable implements KeyStore {
  readonly #candidates = new Map<number, Candidate[]>();

  /** Hashes are 64 hexadecimal digits. */
  constructor(keys: Iterable<HashedKey>) {
    for (const { keyHash, id, owner, downscaling } of keys) {
      const digest = hexToBytes(keyHash);
      const candidate = { digest, record: { id, owner, downscaling } };
      const same = this.#candidates.get(firstBytes(digest));
      if (same === undefined) this.#candidates.set(firstBytes(digest), [candidate]);
      else same.push(candidate);
    }
  }

  /** The record of a key; undefined where it is unknown, empty or longer than 256 characters. */
  find(key: string): KeyRecord | undefined {
    if (!isKeyLength(key)) return undefined;
    const digest = keyDigest(key);
    let found: KeyRecord | undefined;
    for (const candidate of this.#candidates.get(firstBytes(digest)) ?? []) {
      if (areEqual(candidate.digest, digest)) found = candidate.record;
    }
    return found;
  }
}

function firstBytes(digest: Uint8Array): number {
  return (digest[0] << 8) | digest[1];
}

/** Compares all bytes, so that the time taken does not tell how many of them agree. */
function areEqual(a: Uint8Array, b: Uint8Array): boolean {
  let difference = 0;
  for (let i = 0; i < b.length; i++) difference |= a[i] ^ b[i];
  return difference === 0;
}
