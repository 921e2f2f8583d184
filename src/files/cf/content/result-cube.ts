import type { FloatType } from '../../../core/float-array.js';
import type { WindowTable } from '../../../period/window-table.js';
import type { Variable, WindowRule } from '../../../variable/variable.js';
import type { Grid } from '../grid-ensemble.js';

/** The windows that results are of, in order of time. */
export type ResultWindows = Pick<WindowTable, 'granularity' | 'count' | 'start' | 'end' | 'days' | 'complete'>;

/** A column of results: a value for each window and cell. */
export interface ResultColumn {
  /** As in tables of statistics: `mean`, `q05`, `spread`, `n_members`, `p_gt_20`, `p_below`, `anomaly`. */
  readonly name: string;
  readonly type: FloatType | 'int32';
}

/**
 * Statistics of one variable at the cells of a grid, by windows: read column by column in pieces, so that they need not be in memory.
 *
 * Values of a column lie window after window, the cells of each in the order of the grid; NaN is missing.
 */
export interface ResultCube {
  readonly variable: Variable | undefined;
  readonly units: string | undefined;
  /** How days were combined. */
  readonly window: WindowRule | undefined;
  /** Texts about the whole: those of the input, and how the results were computed. */
  readonly metadata: ReadonlyMap<string, string>;
  readonly grid: Grid;
  readonly windows: ResultWindows;
  readonly columns: readonly ResultColumn[];
  /**
   * The values of all cells for `count` windows from the window `first` on; good until the next call. `column` counts from 0 in
   * `columns`.
   */
  read(column: number, first: number, count: number): ResultValues | Promise<ResultValues>;
}

export type ResultValues = Float32Array | Float64Array | Int32Array;

/** The number of cells of a grid. */
export function cellsOfGrid({ kind, latitude, longitude }: Grid): number {
  return kind === 'rectilinear' ? latitude.length * longitude.length : latitude.length;
}
