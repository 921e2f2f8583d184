import type { Table } from 'apache-arrow';
import { assertCore } from '../core/assert-core.js';
import type { Core } from '../core/load.js';
import type { Ensemble } from '../ensemble/ensemble.js';
import { nearestCell } from '../ensemble/nearest-cell.js';
import type { Point } from '../ensemble/nearest-place.js';
import type { ReadOptions } from '../table/columns/read-options.js';
import { readEnsemble } from '../table/rows/read-ensemble.js';
import { checkStatisticsOptions, type StatisticsOptions } from './options.js';
import { statisticsTable } from './statistics-plan.js';

/**
 * Window statistics of an ensemble: each member's days are combined by window, then mean, quantiles and other requested
 * statistics are computed over members.
 *
 * The table is wide (a column per member), long (a row per member and day), has a list of members in each row, or is a
 * single series; one place or many; days ascending. The result has a row for each place and window, in the order of the
 * input: columns `variable, units, latitude, longitude, period, start, end, complete, n_days, n_members, mean`, a
 * column for each quantile (`q05`), and if requested `spread` and a column for each threshold (`p_gt_20`); it is empty
 * where no window is complete. Float32 gives Float32, all else Float64, computed in Float64 and rounded once.
 *
 * Null and NaN are missing: a missing day makes that member's window missing, and a window with fewer valid members
 * than `minMemberShare` has null statistics. Throws OptionError for options and DataError for values that cannot be
 * used, such as an infinite one.
 */
export function statistics(core: Core, table: Table, options: StatisticsOptions = {}): Table {
  assertCore(core);
  const checked = checkStatisticsOptions(options);
  return statisticsTable(core, requestedEnsemble(table, checked), checked);
}

/** How to read the rows of a table, and at which point. */
export interface RowOptions extends ReadOptions {
  readonly point?: Point;
}

/** Reads the ensemble of a table, at the requested point if there is one. */
export function requestedEnsemble(table: Table, options: RowOptions): Ensemble {
  const ensemble = readEnsemble(table, options);
  return options.point === undefined ? ensemble : nearestCell(ensemble, options.point, options.source);
}
