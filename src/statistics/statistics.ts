import type { Table } from 'apache-arrow';
import { isPlainObject } from '../check/option-checks.js';
import { assertCore } from '../core/assert-core.js';
import type { Core } from '../core/load.js';
import type { Ensemble } from '../ensemble/ensemble.js';
import { unusable } from '../errors.js';
import { type Opened, type RowOptions, requestedEnsemble } from '../table/rows/read-ensemble.js';
import { checkStatisticsOptions, type StatisticsOptions } from './options.js';
import { BANDS, COMPARE, type Comparison, type HasStatistics, OWN_STATISTICS } from './own-statistics.js';
import { statisticsTable } from './statistics-plan.js';
import type { StatisticsTable } from './statistics-table.js';

/** What `statistics` takes: a table, one that `ensemble` has opened, or the timeline that `blend` returns. */
export type StatisticsData = Table | HasStatistics;

/**
 * Window statistics of an ensemble: each member's days are combined by window, then mean, quantiles and other requested
 * statistics are computed over members.
 *
 * A table is wide (a column per member), long (a row per member and day), has a list of members in each row, or is a
 * single series; one place or many; days ascending. The result has a row for each place and window, in the order of the
 * input: columns `variable, units, latitude, longitude, period, start, end, complete, n_days, n_members, mean`, a
 * column for each quantile (`q05`), and if requested `spread` and a column for each threshold (`p_gt_20`); it is empty
 * where no window is complete. Float32 gives Float32, all else Float64, computed in Float64 and rounded once.
 *
 * With a climatology, columns of shares by category follow, if requested shares above quantiles of the climatology, and
 * the anomaly, and bands of sampling error: see `Comparison`. The statistics of a timeline that `blend` returns are computed without making it, faster
 * than from its table, and to the same bit. What `ensemble` has opened takes no options of reading.
 *
 * Null and NaN are missing: a missing day makes that member's window missing, and a window with fewer valid members
 * than `minMemberShare` has null statistics. Throws OptionError for options and DataError for values that cannot be
 * used, such as an infinite one.
 *
 * @example
 * ```js
 * import { loadCore, statistics } from 'plumecast';
 * import { demoTable } from 'plumecast/demo';
 *
 * const options = { granularity: 'weekly', quantiles: [0.1, 0.9], thresholds: ['>20'] };
 * const weeks = statistics(await loadCore(), demoTable('precipitation'), options);
 * const { period, mean, q10, q90, p_gt_20 } = weeks.get(0);
 * console.log(period, mean.toFixed(1), q10.toFixed(1), q90.toFixed(1), p_gt_20.toFixed(2));
 * ```
 *
 * ```text
 * 2026-W10 13.6 0.0 54.7 0.23
 * ```
 */
export function statistics(
  core: Core,
  data: StatisticsData,
  options: StatisticsOptions & Comparison = {},
): StatisticsTable {
  assertCore(core);
  return (
    (data as Partial<HasStatistics>)?.[OWN_STATISTICS]?.(core, options) ??
    statisticsOf(core, data as Table, options, requestedEnsemble)
  );
}

/** The statistics of what `read` reads. Throws as `statistics` does. */
export function statisticsOf<Data extends Table | Opened>(
  core: Core,
  data: Data,
  options: StatisticsOptions & Comparison,
  read: (data: Data, options: RowOptions) => Ensemble,
): Table {
  const { climatology, exceed, anomaly, bands, ...others } = Object(options) as typeof options;
  const addBands = bands?.[BANDS];
  if (bands !== undefined && !addBands) throw unusable('bands', bands, 'what samplingBands returns');
  if (climatology === undefined && exceed === undefined && anomaly === undefined) {
    const checked = checkStatisticsOptions(isPlainObject(options) ? others : options);
    const ensemble = read(data, checked);
    return statisticsTable(core, ensemble, checked, addBands?.(core, ensemble, checked));
  }
  if (climatology?.[COMPARE]) return climatology[COMPARE](core, data, { ...others, exceed, anomaly }, addBands);
  throw unusable('climatology', climatology, 'what climatology or readClimatology returns, for exceed and anomaly too');
}
