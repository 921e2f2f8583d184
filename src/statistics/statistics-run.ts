import type { Table } from 'apache-arrow';
import type { Core } from '../core/load.js';
import type { Ensemble } from '../ensemble/ensemble.js';
import type { Reference } from './comparison.js';
import type { CheckedStatisticsOptions } from './options.js';
import type { ResultLabels } from './place-columns.js';
import { StatisticsPlan } from './statistics-plan.js';
import { groupsOfParts, windowedParts } from './windowed-part.js';

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
    const labels = plan.labels(parts, this.#labels);
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
