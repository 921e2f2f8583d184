/** Bits one after the other, the first one the highest of its byte. */
export class BitWriter {
  readonly #bits: number[] = [];

  /** A number of so many bits, up to 52. */
  number(value: number, width: number): this {
    for (let bit = width - 1; bit >= 0; bit--) this.#bits.push(Math.floor(value / 2 ** bit) % 2);
    return this;
  }

  /** So many zeros and a one. */
  unary(zeros: number): this {
    for (let i = 0; i < zeros; i++) this.#bits.push(0);
    this.#bits.push(1);
    return this;
  }

  /** Zeros up to the next full byte. */
  align(): this {
    while (this.#bits.length % 8 !== 0) this.#bits.push(0);
    return this;
  }

  bytes(): Uint8Array {
    this.align();
    return Uint8Array.from({ length: this.#bits.length / 8 }, (_, i) =>
      this.#bits.slice(8 * i, 8 * i + 8).reduce((byte, bit) => 2 * byte + bit, 0),
    );
  }
}

/** Reads what `BitWriter` writes, bit by bit; throws RangeError behind the last byte. */
export class BitReader {
  readonly #bytes: Uint8Array;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  bit(): number {
    if (this.#at >= 8 * this.#bytes.length) throw new RangeError('no more bits');
    const bit = (this.#bytes[this.#at >> 3] >> (7 - (this.#at & 7))) & 1;
    this.#at++;
    return bit;
  }

  number(width: number): number {
    let value = 0;
    for (let i = 0; i < width; i++) value = 2 * value + this.bit();
    return value;
  }

  unary(): number {
    let zeros = 0;
    while (this.bit() === 0) zeros++;
    return zeros;
  }

  align(): void {
    this.#at = Math.ceil(this.#at / 8) * 8;
  }
}
