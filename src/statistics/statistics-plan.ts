import type { Table } from 'apache-arrow';
import { concatenate, type FloatArray } from '../core/float-array.js';
import type { Core } from '../core/load.js';
import type { Ensemble } from '../ensemble/ensemble.js';
import { OptionError } from '../errors.js';
import { createTable, type NewColumn } from '../table/build/create-table.js';
import { variables } from '../variable/built-in.js';
import type { WindowRule } from '../variable/variable.js';
import type { ConcatResults, Reference } from './comparison.js';
import { computeColumns } from './compute.js';
import type { CheckedStatisticsOptions, CheckedWindowOptions } from './options.js';
import { placeColumns, type ResultLabels, resultLabels } from './place-columns.js';
import { resultColumn, type Statistic } from './result-column.js';
import type { StatisticsColumns } from './statistics-columns.js';
import type { StatisticsRequest } from './statistics-request.js';
import { type WindowedPart, windowedParts } from './windowed-part.js';

/** What is known of an ensemble without its values. */
export type EnsembleHead = Pick<Ensemble, 'variable' | 'units' | 'metadata'>;

/** What to compute for an ensemble, and the columns and metadata of the results. */
export class StatisticsPlan {
  readonly window: WindowRule;
  /** The metadata of the results. */
  readonly metadata: ReadonlyMap<string, string>;
  readonly #ensemble: EnsembleHead;
  readonly #options: CheckedStatisticsOptions;
  readonly #reference: Reference | undefined;

  /** Throws OptionError where it is not known how days are combined. */
  constructor(ensemble: EnsembleHead, options: CheckedStatisticsOptions, reference?: Reference) {
    this.window = windowRule(ensemble, options);
    this.metadata = new Map([...resultMetadata(ensemble, options, this.window), ...(reference?.metadata ?? [])]);
    this.#ensemble = ensemble;
    this.#options = options;
    this.#reference = reference;
  }

  /** Computes the results of a part. Throws DataError for an infinite value. */
  compute(core: Core, part: WindowedPart): StatisticsColumns {
    return computeColumns(core, part.field, part.windows, this.request(part));
  }

  /** What to compute for a part. */
  request(part: WindowedPart): StatisticsRequest {
    return { ...this.#options, window: this.window, categories: this.#reference?.categories(part) };
  }

  /** The texts in the tables of some parts; in a stream of ensembles they continue those `before`. */
  labels(parts: readonly WindowedPart[], before?: ResultLabels): ResultLabels {
    const { variable, units } = this.#ensemble;
    return resultLabels(variable?.slug, units, parts, before);
  }

  /** The table of the results of some parts, in order. */
  table(
    parts: readonly WindowedPart[],
    results: readonly StatisticsColumns[],
    labels: ResultLabels = this.labels(parts),
  ): Table {
    return createTable([...placeColumns(parts, labels), ...this.columns(parts, results)], this.metadata);
  }

  /**
   * The columns of the results of some parts, in order, and after these the columns of the reference; without places
   * and windows.
   */
  columns(parts: readonly WindowedPart[], results: readonly StatisticsColumns[]): NewColumn[] {
    const { quantiles, thresholds, spread } = this.#options;
    const concat: ConcatResults = (pick) => concatenate(results.map(pick));
    const column = (statistic: Statistic, pick: (columns: StatisticsColumns) => FloatArray) =>
      resultColumn(statistic, concat(pick));
    return [
      resultColumn({ kind: 'count', of: 'members' }, concatenatedCounts(results)),
      column({ kind: 'mean' }, ({ mean }) => mean),
      ...quantiles.map((probability, k) => column({ kind: 'quantile', probability }, (all) => all.quantiles[k])),
      ...(spread ? [column({ kind: 'spread' }, (all) => all.spread as FloatArray)] : []),
      ...thresholds.map((threshold, k) => column({ kind: 'exceedance', threshold }, (all) => all.probabilities[k])),
      ...(this.#reference?.columns(parts, concat) ?? []),
    ];
  }
}

/** The statistics of one ensemble in one table: see `statistics`. */
export function statisticsTable(
  core: Core,
  ensemble: Ensemble,
  options: CheckedStatisticsOptions,
  reference?: Reference,
): Table {
  const plan = new StatisticsPlan(ensemble, options, reference);
  const parts = windowedParts(ensemble, options);
  const results = parts.map((part) => plan.compute(core, part));
  return plan.table(parts, results);
}

/** How days are combined: as requested, or by the variable's own rule. Throws OptionError where neither is known. */
export function windowRule({ variable, metadata }: EnsembleHead, { window, source }: CheckedWindowOptions): WindowRule {
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
  { metadata, variable, units }: EnsembleHead,
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
