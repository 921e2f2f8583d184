/** Distinguishes sequences of values; equal ones have the same digest. */
export class Digest {
  #one = 0x811c9dc5;
  #two = 0x9e3779b9;
  readonly #words = new Uint32Array(2);
  readonly #double = new Float64Array(this.#words.buffer);

  add(value: unknown): void {
    if (typeof value === 'number') {
      this.#double[0] = value;
      this.#word(this.#words[0]);
      this.#word(this.#words[1]);
    } else if (value === null || value === undefined) {
      this.#word(0xdeadbeef);
    } else if (typeof value === 'object' && Symbol.iterator in value) {
      for (const each of value as Iterable<unknown>) this.add(each);
      this.#word(0xfeedface);
    } else {
      const text = String(value);
      for (let i = 0; i < text.length; i++) this.#word(text.charCodeAt(i));
      this.#word(text.length);
    }
  }

  toString(): string {
    return this.#one.toString(16) + (this.#two >>> 0).toString(16);
  }

  #word(word: number): void {
    this.#one = Math.imul(this.#one ^ word, 0x01000193) >>> 0;
    this.#two = (Math.imul(this.#two, 0x85ebca6b) + word + (this.#one >>> 15)) >>> 0;
  }
}
