/** Writes numbers of 0 to 32 bits into bytes, the lowest bit first. */
export class BitWriter {
  readonly #bytes: Uint8Array;
  #at: number;
  /** Bits that are not written yet, and their number: fewer than 32. */
  #bits = 0;
  #count = 0;

  constructor(bytes: Uint8Array, at: number) {
    this.#bytes = bytes;
    this.#at = at;
  }

  /** Writes a number that is less than 2 to the power of `width`, as int32 or uint32. */
  write(value: number, width: number): void {
    this.#bits |= value << this.#count;
    const count = this.#count + width;
    if (count < 32) {
      this.#count = count;
      return;
    }
    const bytes = this.#bytes;
    const bits = this.#bits;
    bytes[this.#at] = bits;
    bytes[this.#at + 1] = bits >>> 8;
    bytes[this.#at + 2] = bits >>> 16;
    bytes[this.#at + 3] = bits >>> 24;
    this.#at += 4;
    // A shift by 32 would be none.
    this.#bits = this.#count === 0 ? 0 : value >>> (32 - this.#count);
    this.#count = count - 32;
  }

  /** Writes the bits that are left, fills the last byte with zeros, and returns the place behind it. */
  end(): number {
    for (; this.#count > 0; this.#count -= 8, this.#bits >>>= 8) this.#bytes[this.#at++] = this.#bits;
    this.#count = 0;
    this.#bits = 0;
    return this.#at;
  }
}
