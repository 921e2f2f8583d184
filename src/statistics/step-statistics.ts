import type { Table } from 'apache-arrow';
import { assertObject } from '../check/option-checks.js';
import type { Core } from '../core/load.js';
import { ownTable } from '../table/arrow/own-table.js';
import { numberedSteps, timedTable } from '../table/daily/timed-table.js';
import type { StatisticsOptions } from './options.js';
import { statistics } from './statistics.js';

/** Options of `statistics` that are not about windows of days. */
export type StepStatisticsOptions = Omit<
  StatisticsOptions,
  'granularity' | 'window' | 'partial' | 'startDate' | 'endDate' | 'columns' | 'calendar'
>;

/**
 * Computes statistics over the members of each time step, of a table of time steps, as `timeSteps` and `stepsAtPoint`
 * give it: a row for each place and step, with `start` and `end` in UTC, and columns `variable, units, latitude,
 * longitude, n_members, mean`, quantiles and shares as `statistics` has them. Null and NaN are missing. Throws as
 * `statistics` does, and DataError for a table that is not of time steps.
 */
export function stepStatistics(core: Core, table: Table, options: StepStatisticsOptions = {}): Table {
  assertObject('options', options, '{ quantiles: [0.5] }');
  const { source } = options;
  const steps = numberedSteps(ownTable(table, source), source);
  return timedTable(statistics(core, steps.table, { ...options, granularity: 'daily' }), steps.edges, 'start');
}
