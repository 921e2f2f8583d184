import type { Members } from './data.js';
import type { Workload } from './workloads.js';

/** The mean and the quantiles in the order of PROBABILITIES, each with one entry per cell and window. */
export type Results = readonly Float32Array[];

/**
 * A way to compute the workloads. What is timed is the function that `prepare` returns: from the values of a part, in memory, to
 * new arrays of results. Parts have one size; small jobs come in several, so that no processor learns one part's values by heart.
 */
export interface Contestant {
  readonly name: string;
  /** Which of several ways to do it with the same means; the fastest stands for all of them. */
  readonly formulation?: string;
  readonly kind: 'plumecast' | 'plain JavaScript' | 'library';
  /** The order of its results: by cell and then window, or by window and then cell. */
  readonly order: 'cell-first' | 'window-first';
  /** Absent where it can do every workload. */
  readonly suits?: (workload: Workload) => boolean;
  prepare(workload: Workload, parts: readonly Members[]): (part: number) => Results;
}

/** New arrays for the results of `length` cells and windows. */
export function newResults(length: number): Float32Array[] {
  return Array.from({ length: 6 }, () => new Float32Array(length));
}

/** The name and, where there are several, the formulation. */
export function labelOf({ name, formulation }: Pick<Contestant, 'name' | 'formulation'>): string {
  return formulation === undefined ? name : `${name}: ${formulation}`;
}
