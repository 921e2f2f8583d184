import { parseDate } from '../src/period/day.js';
import { type Granularity, type WindowTable, windowTable } from '../src/period/period.js';

/** The quantiles that every contestant computes for each cell and window, besides the mean. */
export const PROBABILITIES = [0.05, 0.25, 0.5, 0.75, 0.95];
export const MEMBERS = 31;
export const DAYS = 180;
/**
 * A Sunday: the 180 days from here hold 25 complete ISO weeks and five complete months, and neither begins on the first
 * day.
 */
export const FIRST_DAY = parseDate('2026-02-01');

export interface Workload {
  readonly key: 'W' | 'T' | 'M';
  readonly title: string;
  readonly data: 'rain' | 'temperature';
  readonly rule: 'sum' | 'mean';
  readonly windows: WindowTable;
}

export const WORKLOADS: readonly Workload[] = [
  workload('W', 'weekly rain sums', 'rain', 'sum', 'weekly'),
  workload('T', 'raw days of rain', 'rain', 'sum', 'daily'),
  workload('M', 'monthly mean temperatures', 'temperature', 'mean', 'monthly'),
];

function workload(
  key: Workload['key'],
  title: string,
  data: Workload['data'],
  rule: Workload['rule'],
  granularity: Granularity,
): Workload {
  return { key, title, data, rule, windows: windowTable(granularity, FIRST_DAY, FIRST_DAY + DAYS - 1) };
}

/**
 * The two order statistics, counted from 0, that a quantile of type 7 lies between, and the weight of the higher one.
 */
export interface QuantilePlace {
  readonly low: number;
  readonly high: number;
  readonly weight: number;
}

export function quantilePlaces(members: number): QuantilePlace[] {
  return PROBABILITIES.map((p) => {
    const rank = (members - 1) * p;
    const low = Math.floor(rank);
    return { low, high: Math.ceil(rank), weight: rank - low };
  });
}

/** The order statistics that the quantiles need, ascending, each once. */
export function neededRanks(places: readonly QuantilePlace[]): number[] {
  return [...new Set(places.flatMap(({ low, high }) => [low, high]))].sort((a, b) => a - b);
}

/** The rows of the input that lie in a window, cell by cell and day by day, and the numbers of their windows. */
export interface WindowRows {
  readonly row: Int32Array;
  readonly window: Int32Array;
}

export function windowRows({ first, days, count }: WindowTable, cells: number): WindowRows {
  const length = cells * days.reduce((sum, each) => sum + each, 0);
  const row = new Int32Array(length);
  const window = new Int32Array(length);
  let place = 0;
  for (let cell = 0; cell < cells; cell++) {
    for (let w = 0; w < count; w++) {
      for (let day = first[w]; day < first[w] + days[w]; day++, place++) {
        row[place] = cell * DAYS + day;
        window[place] = w;
      }
    }
  }
  return { row, window };
}
