const MAX_LOOP_LENGTH = 40;
const MAX_INT = 0x7fffffff;
const ZERO = 48;
const MINUS = 45;
const POINT = 46;
const TENS = [1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12];

/** Gathers text as UTF-8 bytes, so that long output never exists as one string. */
export class TextBytes {
  /** The number of gathered bytes. */
  length = 0;
  #bytes: Uint8Array<ArrayBuffer>;
  readonly #encoder = new TextEncoder();

  /** `capacity` is an estimate of the bytes gathered at a time; a wrong one only costs time. */
  constructor(capacity: number) {
    this.#bytes = new Uint8Array(capacity);
  }

  /** Appends one byte: a character of ASCII. */
  byte(code: number): void {
    this.#reserve(1);
    this.#bytes[this.length++] = code;
  }

  /** Appends bytes from `start` to `end` that are UTF-8 already. */
  copy(bytes: Uint8Array, start = 0, end = bytes.length): void {
    this.#reserve(end - start);
    if (end - start > MAX_LOOP_LENGTH) {
      this.#bytes.set(bytes.subarray(start, end), this.length);
      this.length += end - start;
      return;
    }
    for (let i = start; i < end; i++) this.#bytes[this.length++] = bytes[i];
  }

  /** Appends any text. */
  text(text: string): void {
    this.#reserve(text.length * 3);
    if (text.length <= MAX_LOOP_LENGTH && this.#ascii(text)) return;
    this.length += this.#encoder.encodeInto(text, this.#bytes.subarray(this.length)).written;
  }

  /** Appends an integer of at most 32 bits, with or without sign. */
  integer(value: number): void {
    const size = Math.abs(value);
    if (size > MAX_INT) {
      this.text(String(value));
      return;
    }
    this.#reserve(11);
    if (value < 0) this.#bytes[this.length++] = MINUS;
    if (size < 10) this.#bytes[this.length++] = ZERO + size;
    else this.#digits(size, digitCount(size));
  }

  /** Appends m / 10^k, m an integer from 0 to 10^9, k from 0 to 12, without zeros at the end of its decimals. */
  decimal(m: number, k: number): void {
    let left = m | 0;
    let decimals = k;
    while (decimals > 0 && left % 10 === 0) {
      left = (left / 10) | 0;
      decimals--;
    }
    const scale = TENS[decimals];
    const integer = (left / scale) | 0;
    this.integer(integer);
    if (decimals === 0) return;
    this.#reserve(decimals + 1);
    this.#bytes[this.length++] = POINT;
    this.#digits(left - integer * scale, decimals);
  }

  /** Appends the last `count` digits of an integer from 0 on, with zeros before it. */
  digits(value: number, count: number): void {
    this.#reserve(count);
    this.#digits(value, count);
  }

  /** Returns the gathered bytes and starts again. They are valid until something is appended. */
  take(): Uint8Array {
    const bytes = this.#bytes.subarray(0, this.length);
    this.length = 0;
    return bytes;
  }

  #digits(value: number, count: number): void {
    let left = value | 0;
    for (let at = this.length + count - 1; at >= this.length; at--) {
      const tenth = (left / 10) | 0;
      this.#bytes[at] = ZERO + left - tenth * 10;
      left = tenth;
    }
    this.length += count;
  }

  /** Appends a text if all of it is ASCII: for short texts, this loop is faster than encodeInto. */
  #ascii(text: string): boolean {
    const start = this.length;
    for (let i = 0; i < text.length; i++) {
      const code = text.charCodeAt(i);
      if (code > 127) return false;
      this.#bytes[start + i] = code;
    }
    this.length += text.length;
    return true;
  }

  #reserve(count: number): void {
    const needed = this.length + count;
    if (needed <= this.#bytes.length) return;
    const grown = new Uint8Array(Math.max(needed, this.#bytes.length * 2));
    grown.set(this.#bytes.subarray(0, this.length));
    this.#bytes = grown;
  }
}

function digitCount(size: number): number {
  let count = 1;
  while (size >= TENS[count]) count++;
  return count;
}
