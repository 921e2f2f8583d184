import { type Data, makeData, Utf8 } from 'apache-arrow';
import { ValidityBitmap } from '../arrow/validity-bitmap.js';

const MAX_BYTES = 0x7fffffff;

/** Builds a Utf8 column of unknown length from texts or from their UTF-8 bytes. */
export class Utf8Column {
  length = 0;
  #bytes = new Uint8Array(1024);
  #offsets = new Int32Array(64);
  #lastText: string | undefined;
  readonly #validity = new ValidityBitmap();
  readonly #encoder = new TextEncoder();

  push(text: string): void {
    const start = this.#offsets[this.length];
    if (text === this.#lastText) {
      // Names of variables and dates come in long runs: copying the last one is several times faster than encoding.
      const lastStart = this.#offsets[this.length - 1];
      this.#reserve(start - lastStart);
      this.#bytes.copyWithin(start, lastStart, start);
      this.#endRow(start + (start - lastStart));
      return;
    }
    this.#reserve(text.length * 3);
    this.#endRow(start + this.#encoder.encodeInto(text, this.#bytes.subarray(start)).written);
    this.#lastText = text;
  }

  pushBytes(bytes: Uint8Array): void {
    const start = this.#offsets[this.length];
    this.#reserve(bytes.length);
    this.#bytes.set(bytes, start);
    this.#endRow(start + bytes.length);
    this.#lastText = undefined;
  }

  pushNull(): void {
    this.#validity.markNull(this.length);
    this.#endRow(this.#offsets[this.length]);
    this.#lastText = undefined;
  }

  finish(): Data<Utf8> {
    const { length } = this;
    return makeData({
      type: new Utf8(),
      length,
      nullCount: this.#validity.nullCount,
      nullBitmap: this.#validity.bytes(length),
      valueOffsets: this.#offsets.slice(0, length + 1),
      data: this.#bytes.slice(0, this.#offsets[length]),
    });
  }

  #endRow(end: number): void {
    this.length++;
    if (this.length === this.#offsets.length) {
      const grown = new Int32Array(Math.ceil(this.#offsets.length * 1.5));
      grown.set(this.#offsets);
      this.#offsets = grown;
    }
    this.#offsets[this.length] = end;
  }

  #reserve(count: number): void {
    const needed = this.#offsets[this.length] + count;
    if (needed <= this.#bytes.length) return;
    if (needed > MAX_BYTES) throw new RangeError('a text column holds at most 2 GiB');
    const grown = new Uint8Array(Math.min(MAX_BYTES, Math.max(needed, Math.ceil(this.#bytes.length * 1.5))));
    grown.set(this.#bytes.subarray(0, this.#offsets[this.length]));
    this.#bytes = grown;
  }
}
