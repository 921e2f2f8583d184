import type { FloatArray } from '../core/float-array.js';
import type { NewColumn } from '../table/build/create-table.js';
import type { Categories } from './categories.js';
import type { StatisticsColumns } from './statistics-columns.js';
import type { WindowedPart } from './windowed-part.js';

/** Concatenates one array of each part's results, in the order of the parts. */
export type ConcatResults = (pick: (results: StatisticsColumns) => FloatArray) => FloatArray;

/** What the statistics of an ensemble are compared with, such as a climatology. */
export interface Reference {
  /** What it adds to the metadata of the result. */
  readonly metadata: ReadonlyMap<string, string>;
  /** The categories in which the members of a part's results are counted. */
  categories(part: WindowedPart): readonly Categories[];
  /** The columns that it adds after all others, for parts one after the other. */
  columns(parts: readonly WindowedPart[], concat: ConcatResults): readonly NewColumn[];
}
