import { type FloatType, valueBytes } from '../core/number-arrays.js';
import { columnCount, type StatisticsColumns, statisticsColumns } from '../statistics/statistics-columns.js';
import type { StatisticsRequest } from '../statistics/statistics-request.js';

/**
 * A buffer for the results of one job, to which all workers write: the columns one after the other, then the counts of
 * members.
 */
export interface SharedResults {
  readonly buffer: SharedArrayBuffer;
  /** The number of results. */
  readonly length: number;
}

export function createSharedResults(type: FloatType, length: number, request: StatisticsRequest): SharedResults {
  return { buffer: new SharedArrayBuffer(columnCount(request) * columnBytes(type, length) + 4 * length), length };
}

/** Columns begin at multiples of eight bytes. */
function columnBytes(type: FloatType, length: number): number {
  return Math.ceil((length * valueBytes(type)) / 8) * 8;
}

/** The results as columns: views of the shared buffer. */
export function columnsIn(
  { buffer, length }: SharedResults,
  type: FloatType,
  request: StatisticsRequest,
): StatisticsColumns {
  const bytes = columnBytes(type, length);
  let at = 0;
  const column = () => {
    const from = at;
    at += bytes;
    return type === 'float32' ? new Float32Array(buffer, from, length) : new Float64Array(buffer, from, length);
  };
  return statisticsColumns(request, column, new Int32Array(buffer, columnCount(request) * bytes, length));
}
