import { hexToBytes } from '@noble/hashes/utils.js';
import { assertShapes } from '../../check/option-checks.js';
import { OptionError } from '../../errors.js';
import { hashKey, keyDigest } from './hash-key.js';
import { checkOwner, isKeyLength, type KeyRecord, type KeyStore } from './key-store.js';
import { RememberedKeys } from './remembered-keys.js';

/** The owner of a key, and the key's `hashKey`. */
export interface HashedKey extends KeyRecord {
  readonly keyHash: string;
}

interface Candidate {
  readonly digest: Uint8Array;
  readonly record: KeyRecord;
}

/**
 * Finds the record of a key by its hash. The time that it takes may show which keys share the first two bytes of their
 * hashes, but not how many more bytes agree: all candidates are compared to the last byte. Keys that were found are
 * remembered as long as there is the table: a new one takes its place where a key is revoked.
 */
export class KeyTable implements KeyStore {
  readonly #candidates = new Map<number, Candidate[]>();
  readonly #remembered = new RememberedKeys();

  /** Hashes are 64 hexadecimal digits. */
  constructor(keys: Iterable<HashedKey>) {
    for (const { keyHash, id, owner, downscaling } of keys) {
      const bytes = hexToBytes(keyHash);
      const candidate = { digest: bytes, record: { id, owner, downscaling } };
      const same = this.#candidates.get(firstBytes(bytes));
      if (same === undefined) this.#candidates.set(firstBytes(bytes), [candidate]);
      else same.push(candidate);
    }
  }

  /** The record of a key; undefined where it is unknown, empty or longer than 256 characters. */
  find(key: string): KeyRecord | undefined {
    if (!isKeyLength(key)) return undefined;
    const known = this.#remembered.find(key);
    if (known !== undefined) return known;
    const digest = keyDigest(key);
    let found: KeyRecord | undefined;
    for (const candidate of this.#candidates.get(firstBytes(digest)) ?? []) {
      if (areEqual(candidate.digest, digest)) found = candidate.record;
    }
    if (found !== undefined) this.#remembered.remember(key, found);
    return found;
  }
}

function firstBytes(digest: Uint8Array): number {
  return (digest[0] << 8) | digest[1];
}

/** Compares all bytes, so that the time taken does not show how many of them agree. */
function areEqual(a: Uint8Array, b: Uint8Array): boolean {
  let difference = 0;
  for (let i = 0; i < b.length; i++) difference |= a[i] ^ b[i];
  return difference === 0;
}

/** Throws OptionError for the first of `keys` with a wrong field, or with the id or the hash of an earlier key. */
export function checkKeys(keys: readonly HashedKey[]): void {
  const [ids, hashes] = [new Set<string>(), new Set<string>()];
  for (const key of keys) {
    checkKey(key);
    if (ids.has(key.id)) reject(`key ${key.id}`, 'two keys have this id', undefined, 'an id for each key');
    if (hashes.has(key.keyHash)) reject(`key ${key.id}`, 'is the same key as another one', undefined, 'different keys');
    ids.add(key.id);
    hashes.add(key.keyHash);
  }
}

function checkKey({ id, owner, downscaling, keyHash }: HashedKey): void {
  if (typeof id !== 'string' || !/^[\w-]{1,64}$/.test(id)) {
    reject('key', 'has an unusable id', id, '1 to 64 of A-Z a-z 0-9 _ -');
  }
  checkOwner(`key ${id}`, owner);
  if (typeof downscaling !== 'boolean')
    reject(`key ${id}`, 'downscaling is neither true nor false', downscaling, 'true or false');
  if (typeof keyHash !== 'string' || !/^[0-9a-f]{64}$/.test(keyHash)) {
    reject(`key ${id}`, 'has no hash', undefined, '64 hexadecimal digits in lower case, of SHA-256');
  }
}

function reject(subject: string, problem: string, received: unknown, allowed: string): never {
  throw new OptionError({ subject, problem, received, allowed });
}

/** A key itself, or its hash. */
export type GivenKey = KeyRecord & ({ readonly key: string } | { readonly keyHash: string });

/**
 * A store of the given keys; only their hashes are kept. Throws OptionError for unusable ids and owners, for hashes
 * that `hashKey` does not make, and for ids and keys that occur twice.
 */
export function memoryKeys(keys: readonly GivenKey[]): KeyStore {
  assertShapes('keys', keys, {});
  const hashed = keys.map(toHashedKey);
  checkKeys(hashed);
  return new KeyTable(hashed);
}

function toHashedKey(given: GivenKey): HashedKey {
  const { id, owner, downscaling } = given;
  return { id, owner, downscaling, keyHash: 'key' in given ? hashKey(given.key) : given.keyHash };
}
