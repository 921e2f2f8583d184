import type { Table } from 'apache-arrow';
import type { Core } from '../../core/load.js';
import type { Ensemble } from '../../ensemble/ensemble.js';
import type { Reference } from '../../statistics/comparison.js';
import type { CheckedStatisticsOptions } from '../../statistics/options.js';
import { GrowingLabels } from '../../statistics/place-columns.js';
import { statisticsInGroups } from '../../statistics/statistics.js';
import { LocationStream } from '../../table/location-stream.js';

/** About how many results make up one table. */
export const RESULTS_AT_ONCE = 65_536;

/** Callbacks for each ensemble of a stream. */
interface EnsembleHooks {
  /** Called with each ensemble that is computed, and its reference. */
  readonly onEnsemble?: (ensemble: Ensemble, reference?: Reference) => void;
  /** Creates the reference of an ensemble. */
  readonly createReference?: (ensemble: Ensemble) => Reference;
}

/** Computes statistics of rows by location that come table by table: a location as soon as all its rows are there. */
export class StatisticsStream {
  readonly #core: Core;
  readonly #options: CheckedStatisticsOptions;
  readonly #locations: LocationStream;
  readonly #labels = new GrowingLabels();
  readonly #hooks: EnsembleHooks;
  /** A table without rows, which has the columns if there is no other table. */
  #empty?: Table;
  #hasResults = false;

  constructor(core: Core, options: CheckedStatisticsOptions, hooks: EnsembleHooks = {}) {
    this.#core = core;
    this.#options = options;
    this.#locations = new LocationStream(options);
    this.#hooks = hooks;
  }

  /** The statistics of locations that are complete now; the table is no longer needed when they are read. */
  add(table: Table): Iterable<Table> {
    return this.#statistics(this.#locations.add(table));
  }

  /** The last statistics; a table without rows if there are none at all. */
  *end(): Iterable<Table> {
    yield* this.#statistics(this.#locations.end());
    if (!this.#hasResults && this.#empty !== undefined) yield this.#empty;
  }

  *#statistics(ensemble: Ensemble | undefined): Iterable<Table> {
    if (ensemble === undefined) return;
    const reference = this.#hooks.createReference?.(ensemble);
    this.#hooks.onEnsemble?.(ensemble, reference);
    const labels = this.#labels.of.bind(this.#labels);
    for (const table of statisticsInGroups(this.#core, ensemble, this.#options, RESULTS_AT_ONCE, reference, labels)) {
      if (table.numRows === 0) this.#empty ??= table;
      else yield table;
      this.#hasResults ||= table.numRows > 0;
    }
  }
}
