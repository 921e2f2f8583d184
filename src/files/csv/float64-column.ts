import { type Data, Float64, makeData } from 'apache-arrow';
import { ValidityBitmap } from '../arrow/validity-bitmap.js';

/** Builds a Float64 column of unknown length; null rows hold NaN, so that the values alone show which are missing. */
export class Float64Column {
  length = 0;
  #values: Float64Array<ArrayBuffer>;
  readonly #validity = new ValidityBitmap();

  /** `rows` is an estimate of the length; a wrong one only costs time. */
  constructor(rows: number) {
    this.#values = new Float64Array(Math.max(rows, 64));
  }

  push(value: number): void {
    if (this.length === this.#values.length) this.#grow();
    this.#values[this.length++] = value;
  }

  pushNull(): void {
    this.#validity.markNull(this.length);
    this.push(Number.NaN);
  }

  finish(): Data<Float64> {
    const { length } = this;
    // A copy frees unused memory; a small excess is cheaper to keep.
    const wasteful = this.#values.length > length * 1.125;
    const data = wasteful ? this.#values.slice(0, length) : this.#values.subarray(0, length);
    const nullBitmap = this.#validity.bytes(length);
    return makeData({ type: new Float64(), length, nullCount: this.#validity.nullCount, nullBitmap, data });
  }

  #grow(): void {
    const grown = new Float64Array(Math.ceil(this.#values.length * 1.5));
    grown.set(this.#values);
    this.#values = grown;
  }
}
