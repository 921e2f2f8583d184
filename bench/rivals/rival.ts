import type { Contestant, Results } from '../contestant.js';
import type { Members } from '../data.js';
import type { Workload } from '../workloads.js';

/** What a rival is to compute, once as a warm-up and then `turns` times. */
export interface RivalJob {
  readonly workload: Workload;
  readonly cells: number;
  readonly members: Members;
  /** The same values in a file: float32 by member, cell, day. */
  readonly input: string;
  /** A folder for files of the rival's own, which are removed at the end. */
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
  /** Absent where nothing is computed. */
  readonly results?: Results;
}

/** A library that answers later, or a program of its own: it is handed the data and says itself how long it took. */
export interface Rival {
  readonly name: string;
  readonly kind: 'library' | 'program' | 'C';
  /** What it is made with, for the head of the report. */
  readonly versions: Readonly<Record<string, string>>;
  /** How many cells it computes within a few seconds. */
  mostCells(workload: Workload): number;
  /** What is timed, where it is not the computation from values in memory to results in memory. */
  readonly timed?: string;
  measure(job: RivalJob): Promise<Measured[]>;
}

/** The values of a file of results: the mean and each quantile, one after the other. */
export function splitResults(values: Float32Array): Results {
  const length = values.length / 6;
  return Array.from({ length: 6 }, (_, k) => values.subarray(k * length, (k + 1) * length));
}
