import { randomBytes } from '@noble/hashes/utils.js';
import type { KeyRecord } from './key-store.js';
import { SipHash } from './sip-hash.js';

/** So many keys are remembered at most: a power of two. */
const MAX_KEYS = 1024;

/**
 * Remembers keys that were found, by a hash with a secret of its own: nothing of a key itself. Each hash has one
 * place, where it replaces the key that was there.
 */
export class RememberedKeys {
  #madeHash: SipHash | undefined;
  readonly #hashes = new Int32Array(4 * MAX_KEYS);
  readonly #records = new Array<KeyRecord | undefined>(MAX_KEYS).fill(undefined);

  /** Made when it is first needed: Workers have no random numbers until there is a request. */
  get #hash(): SipHash {
    this.#madeHash ??= new SipHash(randomBytes(16));
    return this.#madeHash;
  }

  /** The record of a key; undefined where it is not remembered. Compares hashes to the last bit. */
  find(key: string): KeyRecord | undefined {
    const hash = this.#hash;
    if (!hash.hash(key)) return undefined;
    const { words } = hash;
    const place = placeOf(words);
    let difference = 0;
    for (let i = 0; i < words.length; i++) difference |= words[i] ^ this.#hashes[4 * place + i];
    return difference === 0 ? this.#records[place] : undefined;
  }

  /** Remembers a key that is known; not one that is no ASCII text. */
  remember(key: string, record: KeyRecord): void {
    const hash = this.#hash;
    if (!hash.hash(key)) return;
    const place = placeOf(hash.words);
    this.#hashes.set(hash.words, 4 * place);
    this.#records[place] = record;
  }
}

function placeOf(words: Int32Array): number {
  return words[0] & (MAX_KEYS - 1);
}
