import type { Table } from 'apache-arrow';
import type { Core } from '../core/load.js';
import { concatenate, type FloatArray, joinArrays } from '../core/number-arrays.js';
import type { Ensemble } from '../ensemble/ensemble.js';
import { OptionError, subjectIn } from '../errors.js';
import { createTable, type NewColumn } from '../table/build/create-table.js';
import { allowedVariables } from '../variable/find-variable.js';
import type { Categories } from './categories.js';
import { computeColumns } from './compute.js';
import type { CheckedStatisticsOptions, CheckedWindowOptions } from './options.js';
import { resultColumn } from './result-column.js';
import { type StatisticsColumns, statisticsInOrder } from './statistics-columns.js';
import type { StatisticsRequest } from './statistics-request.js';
import { valueUnits, type WindowValue } from './window-value.js';
import {
  groupsOfParts,
  moreLabels,
  placeColumns,
  type ResultLabels,
  resultLabels,
  type WindowedPart,
  windowedParts,
} from './windowed-part.js';

/** Concatenates one array of each part's results, in the order of the parts. */
export type ConcatResults = (pick: (results: StatisticsColumns) => FloatArray) => FloatArray;

/** What the statistics of an ensemble are compared with, such as a climatology. */
export interface Reference {
  /** What it adds to the metadata of the result. */
  readonly metadata: ReadonlyMap<string, string>;
  /** The categories in which the members of a part's results are counted. */
  categories(part: WindowedPart): readonly Categories[];
  /** The columns that it adds after all others, for parts one after the other. */
  columns(parts: readonly WindowedPart[], concat: ConcatResults): readonly NewColumn[];
}

/** What is known of an ensemble without its values. */
export type EnsembleHead = Pick<Ensemble, 'variable' | 'units' | 'metadata'>;

/** What to compute for an ensemble, and the columns and metadata of the results. */
export class StatisticsPlan {
  readonly window: WindowValue;
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

  /** The texts in the tables of some parts. */
  labels(parts: readonly WindowedPart[]): ResultLabels {
    return resultLabels(this.metadata.get('variable'), valueUnits(this.window, this.#ensemble.units), parts);
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
    const concat: ConcatResults = (pick) => concatenate(results.map(pick));
    const of = `${this.#options.granularity} ${`${this.window}`}`;
    return [
      resultColumn(
        { kind: 'count', of: 'members' },
        joinArrays(
          results.map(({ members }) => members),
          (length) => new Int32Array(length),
        ),
      ),
      ...statisticsInOrder(this.#options).map(([statistic, pick]) =>
        resultColumn(statistic, concat(pick), statistic.kind === 'exceedance' ? of : undefined),
      ),
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

/**
 * How days are combined: as requested, or by the variable's own rule; days alone need none. Throws OptionError where
 * neither is known.
 */
export function windowRule(
  { variable, metadata }: EnsembleHead,
  { window, source, granularity }: CheckedWindowOptions,
): WindowValue {
  const rule = window ?? variable?.window ?? (granularity === 'daily' ? 'first' : undefined);
  if (rule === undefined) {
    throw new OptionError({
      subject: subjectIn(source, 'variable'),
      problem: 'nothing says whether days are summed or averaged',
      received: metadata.get('variable'),
      allowed: allowedVariables(),
    });
  }
  return rule;
}

/** The metadata of the input, and what was computed. */
export function resultMetadata(
  { metadata, variable, units }: EnsembleHead,
  options: CheckedWindowOptions,
  window: WindowValue,
) {
  const result = new Map(metadata);
  for (const key of ['member_names', 'pandas', 'ARROW:schema']) result.delete(key);
  if (variable !== undefined) result.set('variable', variable.slug);
  const own = valueUnits(window, units);
  if (own !== undefined) result.set('units', own);
  return result.set('granularity', `${options.granularity}`).set('window', `${window}`);
}

/** About how many results make up one table. */
const ROWS_AT_ONCE = 65_536;

/**
 * Computes the statistics of ensembles that come one after the other, such as the locations of a long table: the tables
 * together have the rows that `statistics` gives for all of them. All tables have the same schema, and share their
 * dictionaries.
 */
export class StatisticsRun {
  readonly #core: Core;
  readonly #options: CheckedStatisticsOptions;
  readonly #rows: number;
  #labels?: ResultLabels;
  /** A table without rows, which has the columns if there is no other table. */
  #empty?: Table;
  #hasResults = false;

  /** `rows` is about how many results make up one table. */
  constructor(core: Core, options: CheckedStatisticsOptions, rows = ROWS_AT_ONCE) {
    this.#core = core;
    this.#options = options;
    this.#rows = rows;
  }

  /** Whether there are results so far. */
  get hasResults(): boolean {
    return this.#hasResults;
  }

  /**
   * The statistics of an ensemble, whose values are no longer needed when they are read; the columns of its reference
   * come after all others. Throws OptionError and DataError as `statistics` does.
   */
  *add(ensemble: Ensemble, reference?: Reference): Generator<Table> {
    const plan = new StatisticsPlan(ensemble, this.#options, reference);
    const parts = windowedParts(ensemble, this.#options);
    const labels = this.#labels ? moreLabels(this.#labels, parts) : plan.labels(parts);
    this.#labels = labels;
    for (const group of groupsOfParts(parts, this.#rows)) {
      const results = group.map((part) => plan.compute(this.#core, part));
      const table = plan.table(group, results, labels);
      if (table.numRows === 0) {
        this.#empty ??= table;
      } else {
        this.#hasResults = true;
        yield table;
      }
    }
  }

  /** A table without rows if there are no results at all. */
  *end(): Generator<Table> {
    if (!this.#hasResults && this.#empty !== undefined) yield this.#empty;
  }
}
