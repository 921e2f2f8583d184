const FLUSH_CHARACTERS = 32_768;

/** Gathers text into UTF-8 bytes, a block at a time, so that long output never exists as one string. */
export class TextSink {
  #text = '';
  #bytes = new Uint8Array(2 * FLUSH_CHARACTERS);
  #length = 0;
  readonly #encoder = new TextEncoder();

  /** Appends `text`. */
  write(text: string): void {
    this.#text += text;
    if (this.#text.length >= FLUSH_CHARACTERS) this.#flush();
  }

  /** All text written so far, as UTF-8. */
  bytes(): Uint8Array {
    this.#flush();
    return this.#bytes.slice(0, this.#length);
  }

  #flush(): void {
    const needed = this.#length + this.#text.length * 3;
    if (needed > this.#bytes.length) {
      const grown = new Uint8Array(Math.max(needed, this.#bytes.length * 2));
      grown.set(this.#bytes.subarray(0, this.#length));
      this.#bytes = grown;
    }
    this.#length += this.#encoder.encodeInto(this.#text, this.#bytes.subarray(this.#length)).written;
    this.#text = '';
  }
}
