import { DataError } from '../errors.js';

/**
 * A sum of float64 numbers without any rounding, so that it depends neither on their order nor on how they were divided
 * among sums that were added up.
 *
 * It is held as numbers that do not overlap, from the smallest on (Shewchuk 1997, Adaptive Precision Floating-Point
 * Arithmetic, "grow expansion"). Which they are depends on the order; their sum does not, nor does what `value` and
 * `parts` make of it.
 */
export class ExactSum {
  /**
   * The first `#count` of these; it never shrinks. Of doubles from the start, which engines keep without boxes, and of as
   * many as most sums have: an array that grows takes space for seventeen.
   */
  readonly #parts: number[] = [0.5, 0.5, 0.5, 0.5];
  #count = 0;

  /** `parts` are numbers to begin with: those of `parts()`. */
  constructor(parts: readonly number[] = []) {
    for (const part of parts) this.add(part);
  }

  /** Throws DataError where the sum is not finite. */
  add(value: number): void {
    const parts = this.#parts;
    const count = this.#count;
    let x = value;
    let kept = 0;
    for (let i = 0; i < count; i++) {
      const y = parts[i];
      const high = x + y;
      // The rounding error of a sum (Knuth, two-sum).
      const other = high - x;
      const low = x - (high - other) + (y - other);
      if (low !== 0) parts[kept++] = low;
      x = high;
    }
    if (!Number.isFinite(x)) throw tooLarge(value);
    if (x !== 0) {
      if (kept < parts.length) parts[kept] = x;
      else parts.push(x);
      kept++;
    }
    this.#count = kept;
  }

  /** Adds another sum. */
  addSum(other: ExactSum): void {
    // It may be this one itself.
    for (const part of other.#used()) this.add(part);
  }

  /** The nearest float64 to the sum; of two, the even one. */
  value(): number {
    return rounded(this.#parts, this.#count);
  }

  /**
   * The sum as few float64 numbers, from the largest on: each is the nearest to what the ones before it leave. Equal sums
   * have equal parts.
   */
  parts(): number[] {
    const rest = new ExactSum(this.#used());
    const parts: number[] = [];
    while (rest.#count > 0) {
      const next = rest.value();
      parts.push(next);
      rest.add(-next);
    }
    return parts;
  }

  #used(): number[] {
    return this.#parts.slice(0, this.#count);
  }
}

/** The error for a sum that is not finite. */
export function tooLarge(value: number): DataError {
  return new DataError({
    subject: 'scores',
    problem: 'are too large to be added up',
    received: value,
    allowed: 'forecasts and observations whose squares have a finite sum',
  });
}

/** The nearest float64 to numbers that do not overlap, from the smallest on (as `fsum` of Python rounds). */
function rounded(parts: readonly number[], count: number): number {
  let i = count - 1;
  if (i < 0) return 0;
  let high = parts[i--];
  let low = 0;
  for (; i >= 0 && low === 0; i--) {
    const x = high;
    high = x + parts[i];
    low = parts[i] - (high - x);
  }
  // Half of a unit in the last place, and more of the same sign below it, is rounded away from the even one.
  if (i >= 0 && ((low < 0 && parts[i] < 0) || (low > 0 && parts[i] > 0))) {
    const twice = 2 * low;
    const up = high + twice;
    if (twice === up - high) return up;
  }
  return high;
}
