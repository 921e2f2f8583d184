import type { Table } from 'apache-arrow';
import type { Ensemble } from '../arrow/ensemble.js';
import { nearestCell } from '../arrow/nearest-cell.js';
import { readEnsemble } from '../arrow/read-ensemble.js';
import { integers, numbers, tableOf } from '../arrow/write-table.js';
import { type FloatArray, floatArray } from '../core/field.js';
import type { Core } from '../core/load.js';
import { OptionError } from '../errors.js';
import { variables } from '../variable/built-in.js';
import type { WindowRule } from '../variable/variable.js';
import { computeStatistics, type StatisticsColumns } from './compute.js';
import {
  type CheckedStatisticsOptions,
  type CheckedWindowOptions,
  checkStatisticsOptions,
  type StatisticsOptions,
} from './options.js';
import { quantileName } from './quantiles.js';
import { thresholdName } from './thresholds.js';
import { placeAndWindowColumns, windowsOfPart } from './windows-of-part.js';

/**
 * Window statistics of an ensemble: each member's days are combined by window, then mean, quantiles and what else is asked are
 * computed over members.
 *
 * The table is wide (a column per member), long (a row per member and day), has a list of members in each row, or is a single
 * series; one place or many; days ascending. The result has a row for each place and window, in the order of the input: columns
 * `variable, units, latitude, longitude, period, start, end, complete, n_days, n_members, mean`, a column for each quantile
 * (`q05`), and where asked `spread` and a column for each threshold (`p_gt_20`); it is empty where no window is complete.
 * Float32 gives Float32, all else Float64, computed in Float64 and rounded once.
 *
 * Null and NaN are missing: a missing day makes that member's window missing, and a window with fewer valid members than
 * `minMemberShare` has null statistics. Throws OptionError for options and DataError for values that cannot be used, an
 * infinite one among them.
 */
export function statistics(core: Core, table: Table, options: StatisticsOptions = {}): Table {
  const checked = checkStatisticsOptions(options);
  return statisticsOfEnsemble(core, ensembleAsked(table, checked), checked);
}

/** The ensemble of a table, at the point that is asked for. */
export function ensembleAsked(table: Table, options: CheckedWindowOptions): Ensemble {
  const ensemble = readEnsemble(table, options);
  return options.point === undefined ? ensemble : nearestCell(ensemble, options.point, options.source);
}

/** As `statistics`, of an ensemble that is read already and with options that are checked. */
export function statisticsOfEnsemble(core: Core, ensemble: Ensemble, options: CheckedStatisticsOptions): Table {
  const { parts } = ensemble;
  const window = windowRule(ensemble, options);
  const windows = parts.map((part) => windowsOfPart(part, options));
  const results = parts.map(({ field }, i) => computeStatistics(core, field, windows[i], { ...options, window }));
  const all = (pick: (columns: StatisticsColumns) => FloatArray) => concatenated(results.map(pick));
  const { quantiles, thresholds, spread } = options;
  return tableOf(
    [
      ...placeAndWindowColumns(parts, windows, ensemble.variable?.slug, ensemble.units),
      integers('n_members', concatenatedCounts(results)),
      numbers(
        'mean',
        all(({ mean }) => mean),
      ),
      ...quantiles.map((p, k) =>
        numbers(
          quantileName(p),
          all((columns) => columns.quantiles[k]),
        ),
      ),
      ...(spread
        ? [
            numbers(
              'spread',
              all((columns) => columns.spread as FloatArray),
            ),
          ]
        : []),
      ...thresholds.map((threshold, k) =>
        numbers(
          thresholdName(threshold),
          all((columns) => columns.probabilities[k]),
        ),
      ),
    ],
    resultMetadata(ensemble, options, window),
  );
}

/** How days are combined: as asked, or by the variable's own rule. Throws OptionError where neither is known. */
export function windowRule({ variable }: Ensemble, { window, source }: CheckedWindowOptions): WindowRule {
  const rule = window ?? variable?.window;
  if (rule === undefined) {
    throw new OptionError({
      subject: source === undefined ? 'variable' : `${source}, variable`,
      problem: 'neither named nor told by the table, so that it is unknown whether its days are summed or averaged',
      allowed: `one of ${variables.map(({ slug }) => slug).join(', ')}`,
    });
  }
  return rule;
}

/** What the input's metadata say, and what was computed. */
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

function concatenated(parts: readonly FloatArray[]): FloatArray {
  if (parts.length === 1) return parts[0];
  const single = parts.every((part) => part instanceof Float32Array);
  const whole = floatArray(
    single ? 'float32' : 'float64',
    parts.reduce((sum, { length }) => sum + length, 0),
  );
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

function concatenatedCounts(results: readonly StatisticsColumns[]): Int32Array {
  if (results.length === 1) return results[0].members;
  const whole = new Int32Array(results.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const { members } of results) {
    whole.set(members, at);
    at += members.length;
  }
  return whole;
}
