import type { EnsemblePart } from '../../ensemble/ensemble.js';
import type { Point } from '../../ensemble/nearest-place.js';
import type { ReadOptions } from '../columns/read-options.js';
import type { EnsembleRows, SeriesReading } from './row-reader.js';

/** Which rows make up ensembles. */
export interface BuildOptions extends ReadOptions {
  /** The place to give: the one nearest to it. */
  readonly point?: Point | undefined;
  /** Whether rows are sorted: they may be in any order. */
  readonly sort?: boolean | undefined;
}

/** Parts of an ensemble. Their values are good until the next ones are requested, or rows are added. */
export interface GivenParts {
  readonly parts: readonly EnsemblePart[];
  /** Whether they have all rows. */
  readonly isAll: boolean;
  /** Whether they are of the requested point only. */
  readonly isAtPoint?: boolean;
}

/** Rows that are added table by table, in one of the orders that they may have. */
export interface AddedRows {
  /** Whether later rows may show that what is given counts for nothing, by a RowOrderError. */
  readonly isOrderAssumed: boolean;
  /** Whether rows that are sorted were in the order of their places, members and days; known in the end. */
  readonly isInOrder: boolean;
  /** How the rows of tables are read. */
  readonly reading: SeriesReading;
  /** Forgets what was given, before the next table is read. */
  prepare?(): void;
  /** Adds the rows of a table, and returns the locations that are complete now. Throws RowOrderError and DataError. */
  add(rows: EnsembleRows): readonly EnsemblePart[];
  /** Returns what is left. */
  end(): Iterable<GivenParts>;
}

/** What keeps rows that are not used in place; without it, such rows are read together. */
export interface RowStores {
  /** Keeps rows of long tables by location. */
  byLocation(): AddedRows;
  /** Keeps rows in any order. */
  gathered(options: BuildOptions): AddedRows;
}
