import type { Amounts } from '../../../ensemble/accumulation.js';
import { DataError } from '../../../errors.js';

/** Values of an array that may grow over several steps: amounts, or means of growing intervals. */
export interface GrowingValues {
  readonly amounts: Amounts;
  /** For means, the seconds that each is a mean of: times these they are amounts. */
  readonly seconds?: Float64Array;
}

/** Amounts of an array: what they count, and how they grow where they do. */
export interface ArrayAmounts extends GrowingValues {
  /** The smallest stored amount that matters. */
  readonly smallest: number;
  /** Whether all values were read to find this. */
  readonly isCertain: boolean;
  /** What was taken, where the values hardly show it, and the option that decides otherwise. */
  readonly warning?: string;
}

/**
 * The error for values that cannot be computed from means since the start of a run: daily extremes, and combined
 * arrays.
 */
export function meansSinceStartError(source: string, column: string, slug: string): DataError {
  return new DataError({
    ...{ source, column, problem: `${slug} cannot be computed from means since the start of the run` },
    allowed: 'values, or means, of each step',
  });
}
