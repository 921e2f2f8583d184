import type { EnsembleField } from '../core/field.js';
import type { FloatArray } from '../core/float-array.js';
import type { Core } from '../core/load.js';
import { type LaneSource, type Lanes, rowBytes } from './lane-source.js';

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
  readonly #core: Core;
  readonly #field: EnsembleField;
  readonly #requested: Categories;
  readonly #source: LaneSource;
  readonly #required: number;
  readonly #plan: number;
  /** Address of a row for each limit. */
  readonly #limits: number;
  readonly #limitBytes: number;

  /**
   * Takes scratch from the core's memory. `required` members must be valid; `plan` is the quantile plan of the
   * statistics.
   */
  constructor(
    core: Core,
    field: EnsembleField,
    requested: Categories,
    source: LaneSource,
    required: number,
    plan: number,
  ) {
    this.#core = core;
    this.#field = field;
    this.#requested = requested;
    this.#source = source;
    this.#required = required;
    this.#plan = plan;
    this.#limitBytes = rowBytes(source.maxLanes);
    this.#limits = core.memory.scratch(this.#limitBytes * requested.limits.length);
  }

  /**
   * Writes a row for each category from `out` on, and returns where the next row goes; at `counts` are the numbers of
   * valid members, lane by lane.
   */
  write({ lane, lanes }: Lanes, out: number, outBytes: number, counts: number): number {
    const { kernels, memory } = this.#core;
    const { members, type } = this.#field;
    const { limits, lower } = this.#requested;
    const { rows, rowBytes, divisors, single } = this.#source;
    limits.forEach((values, k) => {
      const row = memory.float64(this.#limits + k * this.#limitBytes, lanes);
      const outward = k < lower ? -1 : 1;
      for (let i = 0; i < lanes; i++) {
        const limit = type === 'float32' ? Math.fround(values[lane + i]) : values[lane + i];
        row[i] = limit + outward * tieReach(limit);
      }
    });
    const { categoriesRawF32, categoriesF32, categoriesF64 } = kernels;
    const kernel = single ? categoriesRawF32 : type === 'float32' ? categoriesF32 : categoriesF64;
    kernel(
      rows,
      rowBytes,
      members.length,
      lanes,
      divisors,
      this.#required,
      this.#plan,
      this.#limits,
      this.#limitBytes,
      limits.length,
      lower,
      out,
      outBytes,
      counts,
    );
    return out + (limits.length + 1) * outBytes;
  }
}
