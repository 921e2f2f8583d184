import type { DayRange } from '../../respond/answer-data.js';
import type { EachCase } from '../../skill/verification.js';

/*
 * The block of a place in the record: for each class of leads 11 numbers, which are members to a file of blocks, as
 * classes are its days.
 *
 *   0       cases
 *   1, 2    the first and the last day that was verified, as day numbers
 *   3, 4    the sum of the CRPS of the cases
 *   5, 6    the same of the climatology
 *   7, 8    the sum of their RPS of terciles
 *   9, 10   the same of the climatology
 *
 * A sum is two float32 numbers, the nearest to it and the nearest to the rest, which keep 48 bits of it.
 */

/** How many numbers a class has. */
export const RECORD_NUMBERS = 11;

const SUMS = 4;

/** Sums over cases at one place and class of leads. */
export interface RecordSums {
  readonly cases: number;
  readonly firstDay: number;
  readonly lastDay: number;
  readonly crps: number;
  readonly referenceCrps: number;
  readonly rps: number;
  readonly referenceRps: number;
}

/** The sums of a class in the block of a place with so many classes. */
export function readSums(block: Float32Array, classes: number, at: number): RecordSums {
  const sum = (first: number) => block[first * classes + at] + block[(first + 1) * classes + at];
  // Spreads take ten times as long as all else here.
  return {
    cases: block[at],
    firstDay: block[classes + at],
    lastDay: block[2 * classes + at],
    crps: sum(3),
    referenceCrps: sum(5),
    rps: sum(7),
    referenceRps: sum(9),
  };
}

/** Sums at many places, to which cases are added: 48 bytes for each place and class. */
export class PlaceSums {
  readonly classes: number;
  readonly #cases: Int32Array;
  readonly #days: Int32Array;
  readonly #sums: Float64Array;

  constructor(places: number, classes: number) {
    this.classes = classes;
    this.#cases = new Int32Array(places * classes);
    this.#days = new Int32Array(2 * places * classes);
    this.#sums = new Float64Array(SUMS * places * classes);
  }

  /** Adds case `i` of some; one that is not scored, or has no RPS, is none. */
  add(place: number, at: number, { firstDay, lastDay }: DayRange, scores: EachCase, i: number): void {
    const { crps, referenceCrps, rps, referenceRps } = scores;
    if (Number.isNaN(crps[i] + referenceCrps[i] + rps[i] + referenceRps[i])) return;
    const entry = place * this.classes + at;
    this.#addDays(entry, this.#cases[entry] === 0, firstDay, lastDay);
    this.#cases[entry]++;
    const sums = this.#sums;
    sums[SUMS * entry] += crps[i];
    sums[SUMS * entry + 1] += referenceCrps[i];
    sums[SUMS * entry + 2] += rps[i];
    sums[SUMS * entry + 3] += referenceRps[i];
  }

  /** Adds the block of a place, which may have fewer classes. */
  addBlock(place: number, block: Float32Array, classes: number): void {
    for (let at = 0; at < classes; at++) {
      const { cases, firstDay, lastDay, crps, referenceCrps, rps, referenceRps } = readSums(block, classes, at);
      if (cases === 0) continue;
      const entry = place * this.classes + at;
      this.#addDays(entry, this.#cases[entry] === 0, firstDay, lastDay);
      this.#cases[entry] += cases;
      for (const [s, sum] of [crps, referenceCrps, rps, referenceRps].entries()) this.#sums[SUMS * entry + s] += sum;
    }
  }

  /** The block of a place. */
  block(place: number): Float32Array<ArrayBuffer> {
    const { classes } = this;
    const block = new Float32Array(RECORD_NUMBERS * classes);
    for (let at = 0; at < classes; at++) {
      const entry = place * classes + at;
      block[at] = this.#cases[entry];
      for (let end = 0; end < 2; end++) block[(1 + end) * classes + at] = this.#days[2 * entry + end];
      for (let s = 0; s < SUMS; s++) {
        const sum = this.#sums[SUMS * entry + s];
        const high = Math.fround(sum);
        block[(3 + 2 * s) * classes + at] = high;
        block[(4 + 2 * s) * classes + at] = sum - high;
      }
    }
    return block;
  }

  #addDays(entry: number, isFirst: boolean, firstDay: number, lastDay: number): void {
    const days = this.#days;
    if (isFirst || firstDay < days[2 * entry]) days[2 * entry] = firstDay;
    if (isFirst || lastDay > days[2 * entry + 1]) days[2 * entry + 1] = lastDay;
  }
}
