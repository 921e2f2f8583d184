const PRIME = 16_777_619;

/** A digest of texts, by which the same content is known again (FNV-1a of words, twice 32 bits). */
export class Digest {
  #one = 0x811c9dc5;
  #other = 0x9e3779b9;

  /** Adds a text, and where it ends. */
  text(text: string): this {
    for (const byte of new TextEncoder().encode(text)) this.word(byte);
    return this.word(-1);
  }

  protected word(word: number): this {
    this.#one = Math.imul(this.#one ^ word, PRIME);
    // Without the shift the high bits of a word would reach few bits.
    this.#one ^= this.#one >>> 15;
    this.#other = Math.imul(this.#other ^ word ^ (this.#one >>> 13), PRIME);
    this.#other ^= this.#other >>> 16;
    return this;
  }

  /** Sixteen digits. */
  toString(): string {
    return [this.#one, this.#other].map((half) => (half >>> 0).toString(16).padStart(8, '0')).join('');
  }
}
