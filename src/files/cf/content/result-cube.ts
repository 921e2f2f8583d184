import type { FloatType } from '../../../core/number-arrays.js';
import type { Grid } from '../../../ensemble/grid.js';
import type { WindowTable } from '../../../period/period.js';
import type { Statistic } from '../../../statistics/statistic.js';
import type { Variable, WindowRule } from '../../../variable/variable.js';

/** The windows of results, in order of time. */
export type ResultWindows = Pick<WindowTable, 'granularity' | 'count' | 'start' | 'end' | 'days' | 'complete' | 'keys'>;

/** A column of results: a value for each window and cell. */
export interface ResultColumn {
  /** The metadata of its field in tables. */
  readonly metadata?: ReadonlyMap<string, string>;
  /** As in tables of statistics: `mean`, `q05`, `spread`, `n_members`, `p_gt_20`, `p_below`, `anomaly`. */
  readonly name: string;
  readonly type: FloatType | 'int32';
  /** What its values are. Default: what its name says. */
  readonly statistic?: Statistic;
}

/**
 * Statistics of one variable at the cells of a grid, by windows: read column by column in parts, so that not all are in
 * memory.
 *
 * Values of a column are ordered by window, the cells of each in the order of the grid; NaN is missing.
 */
export interface ResultCube {
  readonly variable: Variable | undefined;
  readonly units: string | undefined;
  /** How days were combined. */
  readonly window: WindowRule | undefined;
  /** General texts: those of the input, and how the results were computed. */
  readonly metadata: ReadonlyMap<string, string>;
  readonly grid: Grid;
  readonly windows: ResultWindows;
  readonly columns: readonly ResultColumn[];
  /**
   * Reads the values of all cells for `count` windows from the window `first` on; they are valid until the next call.
   * `column` is an index of `columns`.
   */
  read(column: number, first: number, count: number): ResultValues | Promise<ResultValues>;
}

export type ResultValues = Float32Array | Float64Array | Int32Array;
