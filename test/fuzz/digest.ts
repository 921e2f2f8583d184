/** What other files are full of to which seeds refer; no seed has it. */
export const CANARY = 31_337.25;
/** The end of the digest of values of which one is of another file. */
export const FOREIGN = ' foreign';

/** Distinguishes sequences of values; equal ones have the same digest. */
export class Digest {
  #one = 0x811c9dc5;
  #two = 0x9e3779b9;
  readonly #words = new Uint32Array(2);
  readonly #double = new Float64Array(this.#words.buffer);

  #isForeign = false;

  add(value: unknown): void {
    this.#isForeign ||= value === CANARY || (typeof value === 'string' && value.includes(String(CANARY)));
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
    return this.#one.toString(16) + (this.#two >>> 0).toString(16) + (this.#isForeign ? FOREIGN : '');
  }

  #word(word: number): void {
    this.#one = Math.imul(this.#one ^ word, 0x01000193) >>> 0;
    this.#two = (Math.imul(this.#two, 0x85ebca6b) + word + (this.#one >>> 15)) >>> 0;
  }
}
