/** Writes little-endian values to a growing array of bytes. */
export class ByteWriter {
  length = 0;
  #bytes = new Uint8Array(256);
  #view = new DataView(this.#bytes.buffer);

  uint8(value: number): this {
    const at = this.#take(1);
    this.#view.setUint8(at, value);
    return this;
  }

  uint16(value: number): this {
    const at = this.#take(2);
    this.#view.setUint16(at, value, true);
    return this;
  }

  uint32(value: number): this {
    const at = this.#take(4);
    this.#view.setUint32(at, value, true);
    return this;
  }

  /** A whole number up to 2^53. */
  uint64(value: number): this {
    const at = this.#take(8);
    this.#view.setBigUint64(at, BigInt(value), true);
    return this;
  }

  bytes(bytes: Uint8Array): this {
    const at = this.#take(bytes.length);
    this.#bytes.set(bytes, at);
    return this;
  }

  /** UTF-8. */
  text(text: string): this {
    return this.bytes(new TextEncoder().encode(text));
  }

  zeros(count: number): this {
    this.#take(count);
    return this;
  }

  /** A view of the bytes written so far. */
  written(): Uint8Array {
    return this.#bytes.subarray(0, this.length);
  }

  /** Appends `count` zero bytes and returns where they begin; this may replace the view. */
  #take(count: number): number {
    const at = this.length;
    this.length += count;
    if (this.length > this.#bytes.length) {
      const grown = new Uint8Array(Math.max(this.length, 2 * this.#bytes.length));
      grown.set(this.#bytes.subarray(0, at));
      this.#bytes = grown;
      this.#view = new DataView(grown.buffer);
    }
    return at;
  }
}
