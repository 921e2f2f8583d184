import type { RandomAccess } from '../array/random-access.js';

/** Read at once for headers: the sections before the data of most messages fit into it. */
export const HEADER_BYTES = 4096;
/** Read at once, at most, when looking for the next message: it is often near. */
const SEARCH_BYTES = 262_144;
const [G, R, I, B] = [0x47, 0x52, 0x49, 0x42];

/** A part of a file in memory, which moves to where bytes are needed. */
export class SlidingWindow {
  readonly source: string;
  readonly size: number;
  readonly #access: RandomAccess;
  #start = 0;
  #bytes: Uint8Array = new Uint8Array(0);
  /** What is read ahead goes here each time: views are good only until the next call. */
  #ahead = new Uint8Array(0);
  /** The last copy of each length: most headers are those of the message before. */
  readonly #copies = new Map<number, Uint8Array>();

  constructor(access: RandomAccess) {
    this.#access = access;
    this.source = access.source;
    this.size = access.size;
  }

  /** A view of `length` bytes from `at` on, which are in the file; good until the next call. */
  async bytes(at: number, length: number, ahead = HEADER_BYTES): Promise<Uint8Array> {
    if (at < this.#start || at + length > this.#start + this.#bytes.length) {
      const count = Math.min(Math.max(length, ahead), this.size - at);
      const bytes = count > HEADER_BYTES ? new Uint8Array(count) : this.#headerBytes().subarray(0, count);
      // Where reading fails, what was here before is not here any more.
      this.#bytes = bytes.subarray(0, 0);
      await this.#access.read(at, bytes);
      this.#bytes = bytes;
      this.#start = at;
    }
    return this.#bytes.subarray(at - this.#start, at - this.#start + length);
  }

  /** A copy of bytes that are in the file: the one before where that of the same length has the same bytes. */
  async copy(at: number, length: number): Promise<Uint8Array> {
    const bytes = await this.bytes(at, length);
    const before = this.#copies.get(length);
    if (before !== undefined && isEqual(bytes, before)) return before;
    const copy = bytes.slice();
    if (length <= HEADER_BYTES) this.#copies.set(length, copy);
    return copy;
  }

  #headerBytes(): Uint8Array {
    if (this.#ahead.length === 0) this.#ahead = new Uint8Array(HEADER_BYTES);
    return this.#ahead;
  }

  /** Whether a message of edition 1 or 2 begins at `at`, which may be outside of the file. */
  async startsAt(at: number): Promise<boolean> {
    return at + 8 <= this.size && isStart(await this.bytes(at, 8), 0);
  }

  /** Where the next message of edition 1 or 2 begins, from `at` on; undefined if there is none. */
  async find(at: number): Promise<number | undefined> {
    if (await this.startsAt(at)) return at;
    let most = HEADER_BYTES;
    for (let from = at; from + 8 <= this.size; ) {
      const length = Math.min(most, this.size - from);
      const bytes = await this.bytes(from, length, length);
      for (let i = bytes.indexOf(G); i >= 0 && i + 8 <= length; i = bytes.indexOf(G, i + 1)) {
        if (isStart(bytes, i)) return from + i;
      }
      from += length - 7;
      most = Math.min(SEARCH_BYTES, 2 * most);
    }
    return undefined;
  }
}

function isEqual(one: Uint8Array, other: Uint8Array): boolean {
  for (let i = one.length - 1; i >= 0; i--) if (one[i] !== other[i]) return false;
  return true;
}

function isStart(bytes: Uint8Array, at: number): boolean {
  const isName = bytes[at] === G && bytes[at + 1] === R && bytes[at + 2] === I && bytes[at + 3] === B;
  return isName && (bytes[at + 7] === 1 || bytes[at + 7] === 2);
}
