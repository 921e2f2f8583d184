import { randomBytes } from '@noble/hashes/utils.js';
import type { KeyRecord } from './key-store.js';

/** Places at first, and at most where it is not said how many keys there are. */
const FEW_PLACES = 1024;

/** There are never more places, which take 48 MB. */
const MAX_PLACES = 2 ** 21;

/** So many places may have a hash: the one that its first word names, and those behind it. */
const PROBES = 8;

/**
 * Remembers keys that were found, by a hash with a secret of its own: nothing of a key itself. A hash is in the first
 * free one of some places; where none is free, it replaces the first. Half of the places stay free, up to a power of two
 * that is twice the number of keys.
 *
 *     hashes   0: 4 words | 1: 4 words | 2: 4 words | ...    zeros where a place is free
 *     records  0          | 1          | 2          | ...
 */
export class RememberedKeys {
  #madeHash: SipHash | undefined;
  readonly #most: number;
  #hashes = new Int32Array(4 * FEW_PLACES);
  #records = new Array<KeyRecord | undefined>(FEW_PLACES).fill(undefined);
  #taken = 0;

  /** `keys` is how many keys there are. */
  constructor(keys = 0) {
    this.#most = Math.min(MAX_PLACES, Math.max(FEW_PLACES, 2 ** Math.ceil(Math.log2(2 * keys + 1))));
  }

  /** Made when it is first needed: Workers have no random numbers until there is a request. */
  get #hash(): SipHash {
    this.#madeHash ??= new SipHash(randomBytes(16));
    return this.#madeHash;
  }

  /** The record of a key; undefined where it is not remembered. Compares hashes to the last bit. */
  find(key: string): KeyRecord | undefined {
    const hash = this.#hash;
    if (!hash.hash(key)) return undefined;
    return this.#records[this.#placeOf(hash.words)];
  }

  /** Remembers a key that is known; not one that is no ASCII text. */
  remember(key: string, record: KeyRecord): void {
    const hash = this.#hash;
    if (!hash.hash(key)) return;
    if (2 * this.#taken >= this.#records.length && this.#records.length < this.#most) this.#grow();
    this.#set(hash.words, record);
  }

  #set(words: Int32Array, record: KeyRecord): void {
    let place = this.#placeOf(words);
    if (place < 0) place = this.#firstPlace(words);
    else if (this.#records[place] === undefined) this.#taken++;
    for (let i = 0; i < 4; i++) this.#hashes[4 * place + i] = words[i];
    this.#records[place] = record;
  }

  #grow(): void {
    const [hashes, records] = [this.#hashes, this.#records];
    const places = Math.min(this.#most, 4 * records.length);
    this.#hashes = new Int32Array(4 * places);
    this.#records = new Array<KeyRecord | undefined>(places).fill(undefined);
    this.#taken = 0;
    const words = new Int32Array(4);
    for (let place = 0; place < records.length; place++) {
      const record = records[place];
      if (record === undefined) continue;
      for (let i = 0; i < 4; i++) words[i] = hashes[4 * place + i];
      this.#set(words, record);
    }
  }

  /** The place that has a hash; else the free one where it would be; -1 where there is none of both. */
  #placeOf(words: Int32Array): number {
    const hashes = this.#hashes;
    const last = hashes.length - 4;
    const [a, b, c, d] = [words[0], words[1], words[2], words[3]];
    let at = 4 * this.#firstPlace(words);
    for (let i = 0; i < PROBES; i++) {
      const [e, f, g, h] = [hashes[at], hashes[at + 1], hashes[at + 2], hashes[at + 3]];
      if (((a ^ e) | (b ^ f) | (c ^ g) | (d ^ h)) === 0 || (e | f | g | h) === 0) return at >> 2;
      at = at === last ? 0 : at + 4;
    }
    return -1;
  }

  #firstPlace(words: Int32Array): number {
    return words[0] & (this.#records.length - 1);
  }
}

/** Rounds for each eight bytes of a text, and at the end for each half of the hash. */
const ROUNDS = 2;
const LAST_ROUNDS = 4;

/** The state for a key of zeros: the text `somepseudorandomlygeneratedbytes`. */
const START = [0x736f6d65, 0x70736575, 0x646f7261, 0x6e646f6d, 0x6c796765, 0x6e657261, 0x74656462, 0x79746573];

/**
 * SipHash-2-4 of 128 bits (Aumasson and Bernstein, https://github.com/veorq/SipHash), of ASCII texts: who does not know
 * the secret key finds no texts with the same hash, and cannot tell what the hash of a text is. Numbers of 64 bits are
 * two words: `h` is the high one and `l` the low one.
 */
export class SipHash {
  /** The last hash as four words, the lowest first. */
  readonly words = new Int32Array(4);
  readonly #start: Int32Array;

  /** `key` has 16 bytes. */
  constructor(key: Uint8Array) {
    const view = new DataView(key.buffer, key.byteOffset, 16);
    const keys = [4, 0, 12, 8].map((at) => view.getInt32(at, true));
    this.#start = Int32Array.from(START, (word, i) => word ^ keys[i % 4]);
    // The mark of hashes of 128 bits.
    this.#start[3] ^= 0xee;
  }

  /** Hashes a text to `words`; returns false where it is not ASCII, and `words` are none. */
  hash(text: string): boolean {
    const { length } = text;
    const start = this.#start;
    let [h0, l0, h1, l1] = [start[0], start[1], start[2], start[3]];
    let [h2, l2, h3, l3] = [start[4], start[5], start[6], start[7]];
    // The last eight bytes are what is left of the text, zeros and its length; then come the halves of the hash.
    const last = 8 * (length >> 3);
    let all = 0;
    for (let at = 0; at <= last + 16; at += 8) {
      let [high, low] = [0, 0];
      if (at <= last) {
        const end = at === last ? length : at + 8;
        for (let i = at; i < end; i++) {
          const code = text.charCodeAt(i);
          all |= code;
          if ((i & 4) === 0) low |= code << (8 * i);
          else high |= code << (8 * i);
        }
        if (at === last) high |= length << 24;
        h3 ^= high;
        l3 ^= low;
      } else if (at === last + 8) l2 ^= 0xee;
      else l1 ^= 0xdd;
      for (let rounds = at <= last ? ROUNDS : LAST_ROUNDS; rounds > 0; rounds--) {
        let sum = (l0 + l1) | 0;
        h0 = (h0 + h1 + carry(l0, l1, sum)) | 0;
        l0 = sum;
        let turned = (h1 << 13) | (l1 >>> 19);
        l1 = ((l1 << 13) | (h1 >>> 19)) ^ l0;
        h1 = turned ^ h0;
        sum = (l2 + l3) | 0;
        h2 = (h2 + h3 + carry(l2, l3, sum)) | 0;
        l2 = sum;
        turned = (h3 << 16) | (l3 >>> 16);
        l3 = ((l3 << 16) | (h3 >>> 16)) ^ l2;
        h3 = turned ^ h2;
        // To turn by 32 bits is to exchange the words.
        sum = (h0 + l3) | 0;
        h0 = (l0 + h3 + carry(h0, l3, sum)) | 0;
        l0 = sum;
        turned = (h3 << 21) | (l3 >>> 11);
        l3 = ((l3 << 21) | (h3 >>> 11)) ^ l0;
        h3 = turned ^ h0;
        sum = (l2 + l1) | 0;
        turned = (h2 + h1 + carry(l2, l1, sum)) | 0;
        h2 = sum;
        l2 = turned;
        turned = (h1 << 17) | (l1 >>> 15);
        l1 = ((l1 << 17) | (h1 >>> 15)) ^ h2;
        h1 = turned ^ l2;
      }
      h0 ^= high;
      l0 ^= low;
      if (at === last + 8) {
        this.words[0] = l0 ^ l1 ^ l2 ^ l3;
        this.words[1] = h0 ^ h1 ^ h2 ^ h3;
      }
    }
    this.words[2] = l0 ^ l1 ^ l2 ^ l3;
    this.words[3] = h0 ^ h1 ^ h2 ^ h3;
    return all < 128;
  }
}

/** What the addition of two low words carries to the high ones. */
function carry(a: number, b: number, sum: number): number {
  return ((a & b) | ((a | b) & ~sum)) >>> 31;
}
