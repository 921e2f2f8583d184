import type { Members } from './members.js';
import type { Workload } from './workloads.js';

/** The mean and the quantiles in the order of PROBABILITIES, each with one entry per cell and window. */
export type Results = readonly Float32Array[];

/**
 * A way to compute the workloads by function calls in this process. What is timed is the function that `prepare`
 * returns: from the values of a part, in memory, to new arrays of results. All parts have the same size; small jobs
 * come in several parts, so that the processor does not learn the values of one.
 */
export interface Contestant {
  readonly name: string;
  /** One of several ways to compute the same with the same means; the table shows the fastest. */
  readonly formulation?: string;
  readonly kind: 'plumecast' | 'plain JavaScript' | 'library';
  /** The order of its results: by cell and then window, or by window and then cell. */
  readonly order: 'cell-first' | 'window-first';
  /** Undefined where it can compute every workload. */
  readonly suits?: (workload: Workload) => boolean;
  prepare(workload: Workload, parts: readonly Members[]): (part: number) => Results;
}

/** A library whose calls are asynchronous, or a program of its own: it gets the data and measures its own time. */
export interface Rival {
  readonly name: string;
  readonly kind: 'library' | 'program' | 'C';
  /** Versions for the report. */
  readonly versions: Readonly<Record<string, string>>;
  /** How many cells it computes within a few seconds. */
  maxCells(workload: Workload): number;
  /** What is timed, where it is not the computation from values in memory to results in memory. */
  readonly timed?: string;
  measure(job: RivalJob): Promise<Measured[]>;
}

/** What a rival computes, once to warm up and then `turns` times. */
export interface RivalJob {
  readonly workload: Workload;
  readonly cells: number;
  readonly members: Members;
  /** The same values in a file: float32 by member, cell, day. */
  readonly input: string;
  /** A folder for the rival's own files, which are removed at the end. */
  readonly folder: string;
  readonly turns: number;
}

/** What a rival measured. */
export interface Measured {
  readonly name: string;
  /** The fastest way that was tried. */
  readonly formulation: string;
  /** The median of nanoseconds per output. */
  readonly nanoseconds: number;
  readonly order: Contestant['order'];
  /** Undefined where nothing is computed. */
  readonly results?: Results;
}

/** A contestant or rival that cannot take part on this machine. */
export interface Absent {
  readonly name: string;
  readonly reason: string;
}

/** New arrays for the results of `length` cells and windows. */
export function newResults(length: number): Float32Array[] {
  return Array.from({ length: 6 }, () => new Float32Array(length));
}

/** The values of a file of results: the mean and each quantile, one after the other. */
export function splitResults(values: Float32Array): Results {
  const length = values.length / 6;
  return Array.from({ length: 6 }, (_, k) => values.subarray(k * length, (k + 1) * length));
}

/** The name, and the formulation where there are several. */
export function fullName({ name, formulation }: Pick<Contestant, 'name' | 'formulation'>): string {
  return formulation === undefined ? name : `${name}: ${formulation}`;
}
