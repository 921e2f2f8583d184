import { assertShape } from '../../check/assert-shape.js';
import type { PlaceIndex } from '../../ensemble/nearest-place.js';

/** The days and members that a variable of a dataset has, the same at every place. */
export interface Axis {
  /** Day number of the first day. */
  readonly firstDay: number;
  readonly days: number;
  /** 1 for a history. */
  readonly members: number;
}

/** Daily values of some variables on one set of places, all values of a place together. */
export interface Dataset {
  /** Changes when any value does: part of the ETag of what is made of it. */
  readonly revision: string;
  /** Where the places are, which are counted as cells from 0 on. */
  readonly places: PlaceIndex;
  /** What the dataset has, by slug. */
  readonly variables: ReadonlyMap<string, Axis>;
  /**
   * Fills `into`, of `members * days` values, with those of a variable at a cell: day after day for each member in turn, NaN where
   * missing. Only for slugs that `variables` has. Throws, or rejects with, FileError or FormatError where the data cannot be had now.
   */
  read(slug: string, cell: number, into: Float32Array<ArrayBuffer>): void | Promise<void>;
  /** Where the days of a cell are from, for data that are put together from several sources: runs of days in order, gaps left out. */
  origins?(slug: string, cell: number): readonly Origin[] | Promise<readonly Origin[]>;
}

/** Consecutive days that are from one source. */
export interface Origin {
  readonly name: string;
  readonly firstDay: number;
  /** Inclusive. */
  readonly lastDay: number;
}

/** Throws OptionError for what is not a dataset. */
export function assertDataset(subject: string, dataset: unknown): asserts dataset is Dataset {
  assertShape(subject, dataset, { revision: 'any text', places: 'object', variables: 'map', read: 'function' });
}
