const BLOCK_BYTES = 131_072;

/** Puts pieces of bytes of any size together into blocks of 128 KiB, which own their bytes. */
export class ByteBlocks {
  #block = new Uint8Array(BLOCK_BYTES);
  #filled = 0;

  /** Appends `piece`, and yields each block that it fills. */
  *add(piece: Uint8Array): Generator<Uint8Array> {
    for (let at = 0; at < piece.length; ) {
      const part = piece.subarray(at, at + BLOCK_BYTES - this.#filled);
      this.#block.set(part, this.#filled);
      this.#filled += part.length;
      at += part.length;
      if (this.#filled < BLOCK_BYTES) return;
      yield this.#block;
      this.#block = new Uint8Array(BLOCK_BYTES);
      this.#filled = 0;
    }
  }

  /** Yields what is left, if anything is. */
  *end(): Generator<Uint8Array> {
    if (this.#filled > 0) yield this.#block.slice(0, this.#filled);
  }
}
