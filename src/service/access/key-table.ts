import { hexToBytes } from '@noble/hashes/utils.js';
import { assertKind, assertShapes } from '../../check/option-checks.js';
import { OptionError } from '../../errors.js';
import { hashKey, keyDigest } from './hash-key.js';
import { checkOwner, checkQuota, isKeyLength, type KeyRecord, type KeyStore } from './key-store.js';
import { RememberedKeys } from './remembered-keys.js';

/** The owner of a key, and the key's `hashKey`. */
export interface HashedKey extends KeyRecord {
  readonly keyHash: string;
}

/** Writes the digest of a key, 32 bytes. */
export type KeyDigest = (key: string, into: Uint8Array) => void;

/** Words of 32 bits in a digest. */
const WORDS = 8;

/**
 * Finds the record of a key by its hash. The time that it takes may show which keys share the first bits of their
 * hashes, but not how many more bits agree: all that share them are compared to the last bit. Keys that were found are
 * remembered as long as there is the table: a new one takes its place where a key is revoked.
 *
 * A million keys take 41 MB besides their records, and once they are in use 50 MB more:
 *
 *     places   0  -  3  1  -  2  -  -    the number of a key, by the first bits of its digest or the next free place
 *     digests  0: 8 words | 1: 8 words | 2: 8 words | ...
 */
export class KeyTable implements KeyStore {
  readonly #digest: KeyDigest;
  /** The number of a key, and one more; 0 where there is none. */
  readonly #places: Uint32Array;
  readonly #digests: Uint32Array;
  readonly #records: readonly KeyRecord[];
  readonly #remembered: RememberedKeys;
  /** The digest of the key that is looked for, by bytes and by words. */
  readonly #bytes = new Uint8Array(4 * WORDS);
  readonly #words = new Uint32Array(this.#bytes.buffer);

  /** Hashes are 64 hexadecimal digits; `digest` makes the same of a key as `keyDigest`. */
  constructor(keys: readonly HashedKey[], digest: KeyDigest = (key, into) => into.set(keyDigest(key))) {
    this.#digest = digest;
    this.#places = new Uint32Array(2 ** Math.ceil(Math.log2(2 * keys.length + 2)));
    this.#digests = new Uint32Array(WORDS * keys.length);
    this.#remembered = new RememberedKeys(keys.length);
    this.#records = keys.map(toRecord);
    for (const [number, { keyHash }] of keys.entries()) {
      this.#bytes.set(hexToBytes(keyHash));
      this.#digests.set(this.#words, WORDS * number);
      let place = this.#firstPlace();
      while (this.#places[place] !== 0) place = (place + 1) & (this.#places.length - 1);
      this.#places[place] = number + 1;
    }
  }

  /** The record of a key; undefined where it is unknown, empty or longer than 256 characters. */
  find(key: string): KeyRecord | undefined {
    if (!isKeyLength(key)) return undefined;
    const known = this.#remembered.find(key);
    if (known !== undefined) return known;
    this.#digest(key, this.#bytes);
    let found: KeyRecord | undefined;
    for (let place = this.#firstPlace(); this.#places[place] !== 0; place = (place + 1) & (this.#places.length - 1)) {
      const number = this.#places[place] - 1;
      let difference = 0;
      for (let i = 0; i < WORDS; i++) difference |= this.#digests[WORDS * number + i] ^ this.#words[i];
      if (difference === 0) found = this.#records[number];
    }
    if (found !== undefined) this.#remembered.remember(key, found);
    return found;
  }

  #firstPlace(): number {
    return this.#words[0] & (this.#places.length - 1);
  }
}

/** What a service needs to know of a key, and no more. */
export function toRecord({ id, owner, downscaling, starts, expires, revoked, rate, dailyQuota }: KeyRecord): KeyRecord {
  const terms = Object.entries({ starts, expires, revoked, rate, dailyQuota }).filter(([, term]) => term !== undefined);
  return { id, owner, downscaling, ...Object.fromEntries(terms) };
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

function checkKey({ id, owner, downscaling, keyHash, rate, dailyQuota, ...times }: HashedKey): void {
  if (typeof id !== 'string' || !/^[\w-]{1,64}$/.test(id)) {
    reject('key', 'has an unusable id', id, '1 to 64 of A-Z a-z 0-9 _ -');
  }
  checkOwner(`key ${id}`, owner);
  if (typeof downscaling !== 'boolean')
    reject(`key ${id}`, 'downscaling is neither true nor false', downscaling, 'true or false');
  if (typeof keyHash !== 'string' || !/^[0-9a-f]{64}$/.test(keyHash)) {
    reject(`key ${id}`, 'has no hash', undefined, '64 hexadecimal digits in lower case, of SHA-256');
  }
  checkTimes(`key ${id}`, times);
  if (rate !== undefined) checkQuota(rate, `key ${id} rate`);
  assertKind(`key ${id} dailyQuota`, dailyQuota, 'count?');
}

function checkTimes(subject: string, { starts, expires, revoked }: Partial<KeyRecord>): void {
  for (const [name, time] of Object.entries({ starts, expires, revoked })) {
    const isTime = time instanceof Date && !Number.isNaN(time.getTime());
    if (time !== undefined && !isTime) reject(subject, `${name} is no time`, time, 'a Date that is valid');
  }
  if (starts !== undefined && expires !== undefined && starts >= expires) {
    reject(subject, 'expires before it starts', expires.toISOString(), `a time after ${starts.toISOString()}`);
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
  return { ...toRecord(given), keyHash: 'key' in given ? hashKey(given.key) : given.keyHash };
}
