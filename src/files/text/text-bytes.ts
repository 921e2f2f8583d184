import { MAX_DIGIT_BYTES, putDecimal, putInteger, putPeriod } from './digit-bytes.js';

const MAX_LOOP_LENGTH = 40;
const MAX_INT = 0x7fffffff;

/** Gathers text as UTF-8 bytes, so that long output never exists as one string. */
export class TextBytes {
  /** The number of gathered bytes. */
  length = 0;
  /** The buffer; growing replaces it. */
  bytes: Uint8Array<ArrayBuffer>;
  /** The same bytes, for numbers. */
  view: DataView;
  readonly #encoder = new TextEncoder();

  /** `capacity` is an estimate of the bytes gathered at a time; a wrong one only costs time. */
  constructor(capacity: number) {
    this.bytes = new Uint8Array(capacity);
    this.view = new DataView(this.bytes.buffer);
  }

  /** Appends one byte: a character of ASCII. */
  byte(code: number): void {
    this.reserve(1);
    this.bytes[this.length++] = code;
  }

  /** Appends bytes from `start` to `end` that are UTF-8 already. */
  copy(bytes: Uint8Array, start = 0, end = bytes.length): void {
    this.reserve(end - start);
    if (end - start > MAX_LOOP_LENGTH) {
      this.bytes.set(end - start === bytes.length ? bytes : bytes.subarray(start, end), this.length);
      this.length += end - start;
      return;
    }
    for (let i = start; i < end; i++) this.bytes[this.length++] = bytes[i];
  }

  /** Appends any text. */
  text(text: string): void {
    this.reserve(text.length * 3);
    if (text.length <= MAX_LOOP_LENGTH && this.#ascii(text)) return;
    this.length += this.#encoder.encodeInto(text, this.bytes.subarray(this.length)).written;
  }

  /** Appends an integer of at most 32 bits, with or without sign. */
  integer(value: number): void {
    if (Math.abs(value) > MAX_INT) {
      this.text(String(value));
      return;
    }
    this.reserve(MAX_DIGIT_BYTES);
    this.length = putInteger(this.view, this.length, value);
  }

  /** Appends m / 10^k, m an integer from 0 to 10^9, k from 0 to 12, without zeros at the end of its decimals. */
  decimal(m: number, k: number): void {
    this.reserve(MAX_DIGIT_BYTES);
    this.length = putDecimal(this.view, this.length, m, k);
  }

  /** Appends a day number as `YYYY-MM-DD`. */
  day(day: number): void {
    this.reserve(MAX_DIGIT_BYTES);
    this.length = putPeriod(this.view, this.length, 'daily', day);
  }

  /** Returns the gathered bytes and starts again. They are valid until something is appended. */
  take(): Uint8Array {
    const bytes = this.bytes.subarray(0, this.length);
    this.length = 0;
    return bytes;
  }

  /** Appends a text if all of it is ASCII: for short texts, this loop is faster than encodeInto. */
  #ascii(text: string): boolean {
    const start = this.length;
    for (let i = 0; i < text.length; i++) {
      const code = text.charCodeAt(i);
      if (code > 127) return false;
      this.bytes[start + i] = code;
    }
    this.length += text.length;
    return true;
  }

  /** Makes the buffer long enough for `count` more bytes. */
  reserve(count: number): void {
    const needed = this.length + count;
    if (needed <= this.bytes.length) return;
    const grown = new Uint8Array(Math.max(needed, this.bytes.length * 2));
    grown.set(this.bytes.subarray(0, this.length));
    this.bytes = grown;
    this.view = new DataView(grown.buffer);
  }
}
