import { ExactSum, tooLarge } from './exact-sum.js';
import { type NumberRow, Rows } from './rows.js';

/** Numbers of a sum: nearly all sums of scores are two, if they are put together. */
const PARTS = 3;

/**
 * Rows of sums without any rounding: each like an `ExactSum`, with the same value and the same parts, in a few numbers among
 * others in one array.
 *
 * ```text
 * row:  | sum 0: part part part | sum 1: part part part | ...    parts from the smallest on, 0 after the last
 *       | sum 2: NaN place  -   |                                the sum is too long: an ExactSum, at this place of a list
 * ```
 */
export class ExactSums {
  readonly #rows: Rows;
  #long: ExactSum[] = [];

  /** `width` is the number of sums of a row. */
  constructor(width: number) {
    this.#rows = new Rows(new Float64Array(width * PARTS));
  }

  /** Adds a row of empty sums, and returns its place. */
  addRow(): number {
    return this.#rows.add();
  }

  /** Takes all rows away, and keeps their memory for others. */
  clear(): void {
    this.#rows.clear();
    this.#long = [];
  }

  /** The sums of a row. */
  rowAt(row: number): SumRow {
    return new SumRow(this.#rows.rowAt(row), this.#long);
  }
}

/** The sums of a row, by their places. */
export class SumRow {
  readonly #numbers: Float64Array;
  readonly #at: number;
  readonly #long: ExactSum[];

  constructor({ numbers, at }: NumberRow, long: ExactSum[]) {
    this.#numbers = numbers;
    this.#at = at;
    this.#long = long;
  }

  /** Adds a number to a sum. Throws DataError where the sum is not finite. */
  add(sum: number, value: number): void {
    const numbers = this.#numbers;
    const at = this.#at + sum * PARTS;
    const end = at + PARTS;
    if (Number.isNaN(numbers[at])) {
      this.#long[numbers[at + 1]].add(value);
      return;
    }
    let x = value;
    let kept = at;
    for (let i = at; i < end; i++) {
      const y = numbers[i];
      if (y === 0) break;
      const high = x + y;
      // The rounding error of a sum (Knuth, two-sum).
      const other = high - x;
      const low = x - (high - other) + (y - other);
      if (low !== 0) numbers[kept++] = low;
      x = high;
    }
    if (!Number.isFinite(x)) throw tooLarge(value);
    if (x === 0) numbers.fill(0, kept, end);
    else if (kept === end) this.#addPart(at, x);
    else {
      numbers[kept++] = x;
      while (kept < end) numbers[kept++] = 0;
    }
  }

  /** Adds the sums of another row, which may be this one. */
  addRow(other: SumRow, sums: number): void {
    for (let sum = 0; sum < sums; sum++) {
      const from = other.#at + sum * PARTS;
      const to = this.#at + sum * PARTS;
      if (this.#numbers[to] === 0 && !Number.isNaN(other.#numbers[from])) {
        for (let i = 0; i < PARTS; i++) this.#numbers[to + i] = other.#numbers[from + i];
      } else for (const part of other.#used(sum)) this.add(sum, part);
    }
  }

  /** The nearest float64 to a sum; of two, the even one. */
  value(sum: number): number {
    const at = this.#at + sum * PARTS;
    const first = this.#numbers[at];
    return this.#numbers[at + 1] === 0 && !Number.isNaN(first) ? first : new ExactSum(this.#used(sum)).value();
  }

  /** The parts of a sum: see `ExactSum`. */
  parts(sum: number): number[] {
    return new ExactSum(this.#used(sum)).parts();
  }

  /** Numbers whose sum it is. */
  #used(sum: number): readonly number[] {
    const at = this.#at + sum * PARTS;
    const [first, second] = [this.#numbers[at], this.#numbers[at + 1]];
    if (Number.isNaN(first)) return this.#long[second].parts();
    const parts: number[] = [];
    for (let i = at; i < at + PARTS && this.#numbers[i] !== 0; i++) parts.push(this.#numbers[i]);
    return parts;
  }

  /**
   * Adds a last part, for which there is no space: from the largest on, each takes of the others what it can hold (Shewchuk 1997,
   * "compress").
   */
  #addPart(at: number, largest: number): void {
    const numbers = this.#numbers;
    let x = largest;
    // Where the next part belongs, from the end; it is never before a part that was not read yet.
    let next = at + PARTS - 1;
    for (let i = next; i >= at; i--) {
      const y = numbers[i];
      const high = x + y;
      const other = high - x;
      const low = x - (high - other) + (y - other);
      if (low === 0) x = high;
      else {
        numbers[next--] = high;
        x = low;
      }
    }
    if (next >= at) {
      numbers[next] = x;
      numbers.copyWithin(at, next, at + PARTS);
      numbers.fill(0, at + PARTS - (next - at), at + PARTS);
      return;
    }
    const long = new ExactSum([x, ...numbers.subarray(at, at + PARTS)]);
    numbers.fill(0, at, at + PARTS);
    numbers[at] = Number.NaN;
    numbers[at + 1] = this.#long.length;
    this.#long.push(long);
  }
}
