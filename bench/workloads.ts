import { parseDate } from '../src/period/day.js';
import { type Granularity, type WindowTable, windowTable } from '../src/period/window-table.js';

/** What every contestant computes of each cell and window, besides the mean. */
export const PROBABILITIES = [0.05, 0.25, 0.5, 0.75, 0.95];
export const MEMBERS = 31;
export const DAYS = 180;
/** A Sunday: 180 days from here hold 25 whole ISO weeks and five whole months, and neither begins on the first day. */
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
