import { assertShape } from '../../check/option-checks.js';
import type { PlaceIndex } from '../../ensemble/place-index.js';
import { unusable } from '../../errors.js';
import type { HorizonRange } from '../../respond/answer-data.js';

/** The days and members that a variable of a dataset has, the same at every place. */
export interface Axis {
  /** Day number of the first day. */
  readonly firstDay: number;
  readonly days: number;
  /** 1 for a history. */
  readonly members: number;
  /** The multiples to which values were rounded where they were stored, in the variable's unit; undefined where they are exact. */
  readonly precision?: number;
  /** Of a blended timeline, where they are known: the days of each horizon, from the shortest horizon. */
  readonly horizons?: readonly HorizonRange[];
}

/** Daily values of some variables on one set of places, all values of a place together. */
export interface Dataset {
  /** Changes when any value changes: part of the ETag of the answers. */
  readonly revision: string;
  /** The places, which are counted as cells from 0 on. */
  readonly places: PlaceIndex;
  /** The variables of the dataset, by slug. */
  readonly variables: ReadonlyMap<string, Axis>;
  /**
   * Fills `into`, of `members * days` values, with those of a variable at a cell: day after day for each member in
   * turn, NaN where missing. Only for slugs that `variables` has. Throws, or rejects with, FileError or FormatError
   * where the data cannot be read now.
   */
  read(slug: string, cell: number, into: Float32Array<ArrayBuffer>): void | Promise<void>;
  /**
   * Like `read`, at once; returns false and leaves `into` as it is where values are not at hand. Optional: with it,
   * values can be read to memory that is shared with other requests.
   */
  readNow?(slug: string, cell: number, into: Float32Array<ArrayBuffer>): boolean;
  /** The sources of a cell's days, for data that are put together from several: runs of days in order, without gaps. */
  origins?(slug: string, cell: number): readonly Origin[] | Promise<readonly Origin[]>;
}

/** Consecutive days from one source. */
export interface Origin {
  readonly name: string;
  readonly firstDay: number;
  /** Inclusive. */
  readonly lastDay: number;
}

/** Throws OptionError for what is neither a precision nor undefined. */
export function assertPrecision(subject: string, precision: unknown): void {
  if (precision === undefined || (Number.isFinite(precision) && (precision as number) > 0)) return;
  throw unusable(subject, precision, "a positive number, in the unit of the variable's values");
}

/** The coarsest precision of any that has one; undefined where all are exact. */
export function coarsestPrecision(all: readonly (Pick<Axis, 'precision'> | undefined)[]): number | undefined {
  const known = all.flatMap((one) => one?.precision ?? []);
  return known.length === 0 ? undefined : Math.max(...known);
}

/** Throws OptionError for what is not a dataset. */
export function assertDataset(subject: string, dataset: unknown): asserts dataset is Dataset {
  assertShape(subject, dataset, {
    ...{ revision: 'any text', places: 'object', variables: 'map', read: 'function' },
    ...{ readNow: 'function?', origins: 'function?' },
  });
  const { places } = dataset as Dataset;
  assertShape(`${subject}.places`, places, { latitude: 'doubles', longitude: 'doubles', nearest: 'function' });
}
