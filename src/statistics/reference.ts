import type { FloatArray } from '../core/float-array.js';
import type { NewColumn } from '../table/write-table.js';
import type { Categories } from './categories.js';
import type { StatisticsColumns } from './statistics-columns.js';
import type { WindowedPart } from './windowed-part.js';

/** Puts one array of each part's results in a row: those of parts one after the other. */
export type ResultsInRow = (pick: (results: StatisticsColumns) => FloatArray) => FloatArray;

/** What the statistics of an ensemble are set against, such as a climatology. */
export interface Reference {
  /** What the metadata of the result say of it. */
  readonly metadata: ReadonlyMap<string, string>;
  /** The categories in which the members of a part's results are counted. */
  categories(part: WindowedPart): readonly Categories[];
  /** The columns that it adds behind all others, for parts one after the other. */
  columns(parts: readonly WindowedPart[], inRow: ResultsInRow): readonly NewColumn[];
}
