/** A growing Arrow validity bitmap: every row is valid until marked; no bytes are held before the first null. */
export class ValidityBitmap {
  nullCount = 0;
  #bits: Uint8Array | undefined;

  /** Marks `row`, counted from 0, as null. Each row may be marked once. */
  markNull(row: number): void {
    const byte = row >> 3;
    if (this.#bits === undefined || byte >= this.#bits.length) {
      const grown = new Uint8Array(Math.max(64, (byte + 1) * 2)).fill(255);
      if (this.#bits !== undefined) grown.set(this.#bits);
      this.#bits = grown;
    }
    this.#bits[byte] &= ~(1 << (row & 7));
    this.nullCount++;
  }

  /** The bitmap of the first `rows` rows, or `undefined` if none is null. */
  bytes(rows: number): Uint8Array | undefined {
    if (this.#bits === undefined) return undefined;
    const needed = (rows + 7) >> 3;
    const bytes = new Uint8Array((needed + 7) & ~7).fill(255);
    bytes.set(this.#bits.subarray(0, Math.min(needed, this.#bits.length)));
    return bytes;
  }
}
