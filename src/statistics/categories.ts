import type { EnsembleField } from '../core/field.js';
import type { StatisticsJob } from '../core/generated/jobs.js';
import type { Core } from '../core/load.js';
import type { FloatArray } from '../core/number-arrays.js';
import type { LaneSource, Lanes } from './tiles.js';

/** Categories with limits for each result, such as the terciles of its place and season. */
export interface Categories {
  /**
   * The limits between neighbouring categories, ascending: one array less than there are categories, each with an entry
   * for every result in the order of results. They are rounded to the field's type. A result with a limit that is NaN
   * has no shares. A value counts as equal to a limit where it differs by no more than 1e-12 times the larger of 1 and
   * the limit's size: sums of decimals that are equal on paper differ in their last bits.
   */
  readonly limits: readonly FloatArray[];
  /**
   * For how many limits, from the lowest on, values equal to the limit belong to the category above; for the others,
   * below.
   */
  readonly lower: number;
}

/** How far a value that counts as equal to a limit may be from it. */
export function tieReach(limit: number): number {
  return 1e-12 * Math.max(1, Math.abs(limit));
}

/** Counts the members of a tile's rows by category, while they are in the caches. */
export class CategoryShares {
  /** The number of categories. */
  readonly count: number;
  readonly #core: Core;
  readonly #requested: Categories;
  readonly #isFloat32: boolean;
  readonly #kernel: (job: number) => void;
  /** Address of a row for each limit, as far apart as the rows of members. */
  readonly #limits: number;
  readonly #rowBytes: number;

  /** Takes scratch from the core's memory. */
  constructor(
    core: Core,
    { type }: Pick<EnsembleField, 'type'>,
    requested: Categories,
    { single, rowBytes }: LaneSource,
  ) {
    const { categoriesRawF32, categoriesF32, categoriesF64 } = core.kernels;
    this.count = requested.limits.length + 1;
    this.#core = core;
    this.#requested = requested;
    this.#isFloat32 = type === 'float32';
    this.#kernel = single ? categoriesRawF32 : this.#isFloat32 ? categoriesF32 : categoriesF64;
    this.#rowBytes = rowBytes;
    this.#limits = core.memory.scratch(this.#rowBytes * requested.limits.length);
  }

  /** Writes a row for each category of the job's tile, from the address `shares` on. */
  write(job: StatisticsJob, { lane, lanes }: Lanes, shares: number): void {
    const { limits, lower } = this.#requested;
    limits.forEach((values, k) => {
      const row = this.#core.memory.float64(this.#limits + k * this.#rowBytes, lanes);
      const outward = k < lower ? -1 : 1;
      for (let i = 0; i < lanes; i++) {
        const limit = this.#isFloat32 ? Math.fround(values[lane + i]) : values[lane + i];
        row[i] = limit + outward * tieReach(limit);
      }
    });
    job.setCategories(this.#limits, limits.length, lower, shares);
    this.#kernel(job.address);
  }
}
