import type { EnsembleField } from '../core/field.js';
import type { StatisticsJob } from '../core/generated/jobs.js';
import type { Core } from '../core/load.js';
import { type FloatArray, type FloatType, typeSuffix } from '../core/number-arrays.js';
import type { Threshold } from './options.js';
import type { LaneSource, Lanes } from './tiles.js';

/** Categories with limits for each result, such as the terciles of its place and season. */
export interface Categories {
  /**
   * The limits between neighbouring categories, ascending: one array less than there are categories, each with an entry
   * for every result in the order of results. A result with a limit that is NaN has no shares. Values tie with a limit
   * as they do with thresholds: see `tieBound`.
   */
  readonly limits: readonly FloatArray[];
  /**
   * For how many limits, from the lowest on, values that tie with the limit belong to the category above; for the
   * others, below.
   */
  readonly lower: number;
}

/**
 * The upper (`side` 1) or lower (-1) end of what ties with a limit: 1e-12 times the larger of 1 and the limit's size
 * away from it, as sums of decimals that are equal on paper differ in their last bits. Everything that compares values
 * with limits compares them with these ends. With `single`, the limit is rounded to float32, as values are.
 */
export function tieBound(requested: number, side: 1 | -1, single?: boolean): number {
  const limit = single ? Math.fround(requested) : requested;
  return limit + side * 1e-12 * Math.max(1, Math.abs(limit));
}

/**
 * The end of what ties with a threshold's limit, and 1 where what fulfils it is not above that end: the upper end for `>`,
 * the lower one for `>=`; `<=` and `<` are the complements. Values and limits are compared in the field's type: a float32
 * 0.1 is not above 0.1.
 */
export function thresholdEnd({ operator, limit }: Threshold, single: boolean): [bound: number, side: number] {
  return [tieBound(limit, operator === '>' || operator === '<=' ? 1 : -1, single), operator < '>' ? 1 : 0];
}

/** What counts the members of a tile's rows by category, while they are in the caches. */
interface CategoryShares {
  /** The number of categories. */
  readonly count: number;
  /** Writes a row for each category of the job's tile, from the address `shares` on. */
  write(job: StatisticsJob, tile: Lanes, shares: number): void;
}

/**
 * Prepares to count members by category. Takes scratch from the core's memory.
 *
 * @internal
 */
export function categoryShares(
  { kernels, memory }: Core,
  { type }: Pick<EnsembleField, 'type'>,
  { limits, lower }: Categories,
  source: LaneSource,
): CategoryShares {
  // A row for each limit, as far apart as the rows of members.
  const address = memory.scratch(source.rowBytes * limits.length);
  return {
    count: limits.length + 1,
    write(job, { lane, lanes }, shares) {
      limits.forEach((values, k) => {
        const row = memory.float64(address + k * source.rowBytes, lanes);
        const side = k < lower ? -1 : 1;
        for (let i = 0; i < lanes; i++) row[i] = tieBound(values[lane + i], side, type === 'float32');
      });
      job.setCategories(address, limits.length, shares);
      kernels[`categories${rowsAndResults(source, type)}`](job.address);
    },
  };
}

/** The types of rows and results in the names of kernels. */
export function rowsAndResults({ single }: LaneSource, type: FloatType): 'RawF32' | 'F32' | 'F64' {
  return single ? 'RawF32' : typeSuffix(type);
}
