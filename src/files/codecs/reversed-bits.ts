/**
 * A stream of bits that is read from its end to its beginning, as in Zstandard (RFC 8878, section 4.1): the highest set
 * bit of the last byte marks the end, and is not part of it.
 */
export class ReversedBits {
  /** The number of bits left; negative after reading more than there were. */
  left: number;
  readonly #bytes: Uint8Array;
  readonly #start: number;

  /** The bits of the bytes from `start` up to, not including, `end`. Throws a RangeError if there are none. */
  constructor(bytes: Uint8Array, start: number, end: number) {
    if (end <= start || end > bytes.length || bytes[end - 1] === 0)
      throw new RangeError('a Zstandard stream without its end');
    this.#bytes = bytes;
    this.#start = start;
    this.left = (end - start) * 8 - 1 - Math.clz32(bytes[end - 1]) + 24;
  }

  /** The next `count` bits, 24 at most, without reading them; 0 for bits beyond the beginning. */
  peek(count: number): number {
    const from = this.left - count;
    if (from < 0) return this.left <= 0 ? 0 : (this.#at(0) & ((1 << this.left) - 1)) << -from;
    return this.#at(from) & ((1 << count) - 1);
  }

  /** The next `count` bits, 31 at most. */
  read(count: number): number {
    if (count > 24) {
      const high = this.read(count - 24);
      return high * 0x1000000 + this.read(24);
    }
    const value = this.peek(count);
    this.left -= count;
    return value;
  }

  /** At least the 25 bits from `bit` on. */
  #at(bit: number): number {
    const at = this.#start + (bit >> 3);
    const bytes = this.#bytes;
    const word = bytes[at] | (bytes[at + 1] << 8) | (bytes[at + 2] << 16) | (bytes[at + 3] << 24);
    return word >>> (bit & 7);
  }
}
