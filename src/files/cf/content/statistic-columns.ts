import { resultColumn } from '../../../statistics/result-column.js';
import { parseStatisticName, type Statistic, statisticName } from '../../../statistics/statistic.js';
import { STATISTIC_KINDS } from '../../../statistics/statistic-kinds.js';
import { integers, type NewColumn, numbers } from '../../../table/build/create-table.js';
import type { StoredArray } from '../../array/array-file.js';
import type { ArrayReader } from '../array-reader.js';
import type { ResultValues } from './result-cube.js';

/**
 * A column of the table, and where its values are: an array, and its index along the dimension of quantiles where it
 * has one.
 */
export interface StatisticColumn {
  readonly name: string;
  /** Undefined where the array's name is not that of a statistic. */
  readonly statistic: Statistic | undefined;
  readonly array: StoredArray;
  readonly quantile?: number;
}

/** Finds the columns of statistics in the order of tables, which may not be the order in the file. */
export async function statisticColumns(reader: ArrayReader, slug: string): Promise<StatisticColumn[]> {
  const { arrays } = reader.file;
  const axis = arrays.get('quantile');
  const probabilities = axis === undefined ? [] : await reader.numbers(axis);
  const own = [...arrays.values()].filter(({ name }) => name.startsWith(`${slug}_`));
  const columns = own.flatMap((array): StatisticColumn[] => {
    const name = array.name.slice(slug.length + 1);
    if (name !== 'quantile') return [{ name, statistic: parseStatisticName(name), array }];
    return Array.from(probabilities, (probability, quantile) => {
      const statistic = { kind: 'quantile', probability } as const;
      return { name: statisticName(statistic), statistic, array, quantile };
    });
  });
  return columns
    .map((column, index) => ({ column, rank: rankOf(column.statistic), index }))
    .sort((a, b) => a.rank - b.rank || a.index - b.index)
    .map(({ column }) => column);
}

/** The order of kinds of statistics in tables. */
const KINDS: readonly string[] = /* @__PURE__ */ Object.keys(STATISTIC_KINDS);
const CATEGORIES: readonly unknown[] = ['below', 'normal', 'above'];

/** The place of a statistic in tables, between 0 and the number of kinds; -1 for other columns. */
function rankOf(statistic: Statistic | undefined): number {
  if (statistic === undefined) return -1;
  const rank = KINDS.indexOf(statistic.kind);
  return statistic.kind === 'category' ? rank + Math.max(0, CATEGORIES.indexOf(statistic.category)) / 3 : rank;
}

/** The dimensions of arrays of statistics, besides that of quantiles. */
export interface StatisticAxes {
  /** The dimension of windows, or of periods of the year, and its length. */
  readonly name: string;
  readonly length: number;
  /** The dimensions of the grid; undefined where there is none. */
  readonly y: string | undefined;
  readonly x: string | undefined;
  readonly width: number;
}

/** Reads a column on some rows of the grid: values ordered by cell, the windows of each together. */
export async function columnValues(
  column: StatisticColumn,
  axes: StatisticAxes,
  { row, count }: { row: number; count: number },
): Promise<NewColumn> {
  const { length: windows, width } = axes;
  const cells = count * width;
  const stored = await readStored(column, axes, { window: 0, windows, row, count });
  const values = stored.slice();
  for (let w = 0; w < windows; w++) {
    for (let cell = 0; cell < cells; cell++) values[cell * windows + w] = stored[w * cells + cell];
  }
  const { name, statistic } = column;
  if (statistic !== undefined) return resultColumn(statistic, values);
  return values instanceof Int32Array ? integers(name, values) : numbers(name, values);
}

/** Reads a column at one window, by cell. */
export function windowValues(column: StatisticColumn, axes: StatisticAxes, window: number, rows: number) {
  return readStored(column, axes, { window, windows: 1, row: 0, count: rows });
}

interface StoredPart {
  readonly window: number;
  readonly windows: number;
  readonly row: number;
  readonly count: number;
}

/** Reads a part of a column as it is stored: by window and then cell. */
async function readStored(
  { array, quantile }: StatisticColumn,
  { name: along, y, x, width }: StatisticAxes,
  { window, windows, row, count }: StoredPart,
): Promise<ResultValues> {
  const extents = array.dimensions.map((dimension) => {
    if (dimension === along) return { start: window, count: windows };
    if (dimension === 'quantile' && quantile !== undefined) return { start: quantile, count: 1 };
    if (dimension === y) return { start: row, count };
    return { start: 0, count: dimension === x ? width : 1 };
  });
  const box = { start: extents.map(({ start }) => start), count: extents.map(({ count: length }) => length) };
  const make = array.type === 'int32' ? Int32Array : array.type === 'float32' ? Float32Array : Float64Array;
  const stored = new make(windows * count * width);
  await array.read(box, stored);
  return stored;
}
