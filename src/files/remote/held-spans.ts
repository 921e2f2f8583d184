import { firstFrom } from '../../ensemble/first-from.js';
import type { ByteSpan } from '../array/random-access.js';

/** Which bytes of a file are here: spans in order that do not touch each other. */
export class HeldSpans {
  readonly #starts: number[] = [];
  readonly #ends: number[] = [];

  add({ offset, length }: ByteSpan): void {
    const [first, last] = this.#touching(offset, offset + length);
    const start = Math.min(offset, this.#starts[first] ?? offset);
    const end = Math.max(offset + length, this.#ends[last - 1] ?? 0);
    this.#starts.splice(first, last - first, start);
    this.#ends.splice(first, last - first, end);
  }

  /** The parts of a span that are not here. */
  missing({ offset, length }: ByteSpan): ByteSpan[] {
    const end = offset + length;
    const gaps: ByteSpan[] = [];
    const [first, last] = this.#touching(offset, end);
    let at = offset;
    for (let i = first; i < last && at < end; i++) {
      if (this.#starts[i] > at) gaps.push({ offset: at, length: Math.min(this.#starts[i], end) - at });
      at = Math.max(at, this.#ends[i]);
    }
    if (at < end) gaps.push({ offset: at, length: end - at });
    return gaps;
  }

  /** The indices of the spans that touch a range: from the first up to, not including, the last. */
  #touching(start: number, end: number): [number, number] {
    const first = firstFrom(this.#ends, start);
    const last = firstFrom(this.#starts, end + 1);
    return [first, Math.max(first, last)];
  }
}
