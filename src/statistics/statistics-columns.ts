import type { EnsembleField } from '../core/field.js';
import { type FloatArray, floatArray, valueBytes } from '../core/float-array.js';
import type { WindowTable } from '../period/window-table.js';
import type { StatisticsRequest } from './statistics-request.js';

/**
 * Statistics over members, one entry for each cell and window, in the order of the input: by cell and then window where
 * the day is fastest, by window and then cell where the cell is. NaN where too few members are valid.
 */
export interface StatisticsColumns {
  readonly length: number;
  readonly mean: FloatArray;
  /** Standard deviation with n - 1; NaN for a single member. */
  readonly spread?: FloatArray;
  /** One array for each requested quantile. */
  readonly quantiles: readonly FloatArray[];
  /** One array for each threshold: the share of valid members that exceed it, both rounded to the field's type. */
  readonly probabilities: readonly FloatArray[];
  /**
   * For each requested set of categories, one array for each category, from the lowest: the share of valid members in
   * it.
   */
  readonly categories: readonly (readonly FloatArray[])[];
  /** The number of valid members. */
  readonly members: Int32Array;
}

/** Columns shorter than this share one buffer: allocating them one by one takes longer than computing them. */
const SHORT_COLUMN = 512;

/** New columns for the results of a request. */
export function emptyColumns(
  { type, cells }: Pick<EnsembleField, 'type' | 'cells'>,
  windows: Pick<WindowTable, 'count'>,
  request: StatisticsRequest,
): StatisticsColumns {
  const length = cells * windows.count;
  if (length >= SHORT_COLUMN) return statisticsColumns(request, () => floatArray(type, length), new Int32Array(length));
  const bytes = length * valueBytes(type);
  const buffer = new ArrayBuffer(bytes * columnCount(request) + 4 * length);
  let next = 0;
  const column = () => {
    const from = next;
    next += bytes;
    return type === 'float32' ? new Float32Array(buffer, from, length) : new Float64Array(buffer, from, length);
  };
  return statisticsColumns(request, column, new Int32Array(buffer, buffer.byteLength - 4 * length, length));
}

/** The columns of a request, each made by `column`. */
export function statisticsColumns(
  { quantiles, thresholds, spread, categories = [] }: StatisticsRequest,
  column: () => FloatArray,
  members: Int32Array,
): StatisticsColumns {
  return {
    length: members.length,
    mean: column(),
    spread: spread ? column() : undefined,
    quantiles: quantiles.map(column),
    probabilities: thresholds.map(column),
    categories: categories.map(({ limits }) => [column(), ...limits.map(column)]),
    members,
  };
}

/** All columns but that of members, in the order in which they are made and the kernels write them. */
export function valueColumns({ mean, spread, quantiles, probabilities, categories }: StatisticsColumns): FloatArray[] {
  return [mean, ...(spread ? [spread] : []), ...quantiles, ...probabilities, ...categories.flat()];
}

/** The number of columns of a request, not counting that of members. */
export function columnCount({ quantiles, thresholds, spread, categories = [] }: StatisticsRequest): number {
  const shares = categories.reduce((sum, { limits }) => sum + limits.length + 1, 0);
  return 1 + quantiles.length + (spread ? 1 : 0) + thresholds.length + shares;
}
