import type { Table } from 'apache-arrow';
import { assertCore } from '../core/assert-core.js';
import { concatenate, type FloatArray } from '../core/float-array.js';
import type { Core } from '../core/load.js';
import type { Ensemble } from '../ensemble/ensemble.js';
import { nearestCell } from '../ensemble/nearest-cell.js';
import { OptionError } from '../errors.js';
import { createTable, integers, type NewColumn, numbers } from '../table/create-table.js';
import { readEnsemble } from '../table/read-ensemble.js';
import { variables } from '../variable/built-in.js';
import type { WindowRule } from '../variable/variable.js';
import type { ConcatResults, Reference } from './comparison.js';
import { computeColumns } from './compute.js';
import {
  type CheckedStatisticsOptions,
  type CheckedWindowOptions,
  checkStatisticsOptions,
  type StatisticsOptions,
} from './options.js';
import { placeColumns, resultLabels } from './place-columns.js';
import { quantileName } from './quantile-options.js';
import type { StatisticsColumns } from './statistics-columns.js';
import { thresholdName } from './thresholds.js';
import { groupsOfParts, type WindowedPart, windowedParts } from './windowed-part.js';

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
  const [result] = statisticsInGroups(core, requestedEnsemble(table, checked), checked, Number.POSITIVE_INFINITY);
  return result;
}

/** Reads the ensemble of a table, at the requested point if there is one. */
export function requestedEnsemble(table: Table, options: CheckedWindowOptions): Ensemble {
  const ensemble = readEnsemble(table, options);
  return options.point === undefined ? ensemble : nearestCell(ensemble, options.point, options.source);
}

/**
 * As `statistics`, for an ensemble and checked options: a table of about `rows` rows at a time, so that a long result
 * need not be in memory all at once. The columns of a reference come after all others. All tables have the same schema
 * and share their dictionaries; `labelsOf` creates these, so that they can continue from ensemble to ensemble.
 */
export function* statisticsInGroups(
  core: Core,
  ensemble: Ensemble,
  options: CheckedStatisticsOptions,
  rows: number,
  reference?: Reference,
  labelsOf: typeof resultLabels = resultLabels,
): Generator<Table> {
  const { parts, window, tableOfParts } = planStatistics(ensemble, options, reference, labelsOf);
  for (const group of groupsOfParts(parts, rows)) {
    const results = group.map((part) => {
      const categories = reference?.categories(part);
      return computeColumns(core, part.field, part.windows, { ...options, window, categories });
    });
    yield tableOfParts(group, results);
  }
}

/** What to compute for a table of statistics, and how to create the table from the results. */
export interface StatisticsPlan {
  readonly parts: readonly WindowedPart[];
  readonly window: WindowRule;
  /** Creates the table of some parts, in order, from their results. */
  tableOfParts(parts: readonly WindowedPart[], results: readonly StatisticsColumns[]): Table;
}

export function planStatistics(
  ensemble: Ensemble,
  options: CheckedStatisticsOptions,
  reference?: Reference,
  labelsOf: typeof resultLabels = resultLabels,
): StatisticsPlan {
  const window = windowRule(ensemble, options);
  const parts = windowedParts(ensemble, options);
  const labels = labelsOf(ensemble.variable?.slug, ensemble.units, parts);
  const metadata = new Map([...resultMetadata(ensemble, options, window), ...(reference?.metadata ?? [])]);
  const columnsOf = statisticColumns(options, reference);
  const tableOfParts = (group: readonly WindowedPart[], results: readonly StatisticsColumns[]) =>
    createTable([...placeColumns(group, labels), ...columnsOf(group, results)], metadata);
  return { parts, window, tableOfParts };
}

/**
 * Returns a function that creates the requested columns of results, then those of the reference; without places and
 * windows.
 */
export function statisticColumns(
  { quantiles, thresholds, spread }: CheckedStatisticsOptions,
  reference?: Reference,
): (parts: readonly WindowedPart[], results: readonly StatisticsColumns[]) => NewColumn[] {
  return (parts, results) => {
    const concat: ConcatResults = (pick) => concatenate(results.map(pick));
    const column = (name: string, pick: (columns: StatisticsColumns) => FloatArray) => numbers(name, concat(pick));
    return [
      integers('n_members', concatenatedCounts(results)),
      column('mean', ({ mean }) => mean),
      ...quantiles.map((p, k) => column(quantileName(p), (columns) => columns.quantiles[k])),
      ...(spread ? [column('spread', (columns) => columns.spread as FloatArray)] : []),
      ...thresholds.map((threshold, k) => column(thresholdName(threshold), (columns) => columns.probabilities[k])),
      ...(reference?.columns(parts, concat) ?? []),
    ];
  };
}

/** How days are combined: as requested, or by the variable's own rule. Throws OptionError where neither is known. */
export function windowRule({ variable, metadata }: Ensemble, { window, source }: CheckedWindowOptions): WindowRule {
  const rule = window ?? variable?.window;
  if (rule === undefined) {
    throw new OptionError({
      subject: source === undefined ? 'variable' : `${source}, variable`,
      problem: 'not given, and nothing names it, so that it is not known whether days are summed or averaged',
      ...(metadata.has('variable') && { received: metadata.get('variable') }),
      allowed: `one of ${variables.map(({ slug }) => slug).join(', ')}`,
    });
  }
  return rule;
}

/** The metadata of the input, and what was computed. */
export function resultMetadata(
  { metadata, variable, units }: Ensemble,
  options: CheckedWindowOptions,
  window: WindowRule,
) {
  const result = new Map(metadata);
  for (const key of ['member_names', 'pandas', 'ARROW:schema']) result.delete(key);
  if (variable !== undefined) result.set('variable', variable.slug);
  if (units !== undefined) result.set('units', units);
  return result.set('granularity', options.granularity).set('window', window);
}

function concatenatedCounts(results: readonly StatisticsColumns[]): Int32Array {
  if (results.length === 1) return results[0].members;
  const counts = new Int32Array(results.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const { members } of results) {
    counts.set(members, at);
    at += members.length;
  }
  return counts;
}
