import type { Table } from 'apache-arrow';
import type { Core } from '../../core/load.js';
import type { Ensemble } from '../../ensemble/ensemble.js';
import type { CheckedStatisticsOptions } from '../../statistics/options.js';
import { GrowingLabels } from '../../statistics/place-columns.js';
import type { Reference } from '../../statistics/reference.js';
import { statisticsInGroups } from '../../statistics/statistics.js';
import { LocationStream } from '../../table/location-stream.js';

/** Results that make up one table, about. */
export const RESULTS_AT_ONCE = 65_536;

/** What is done with each ensemble of a stream. */
interface EnsembleHooks {
  /** Told each ensemble that is computed, and what it is set against. */
  readonly seen?: (ensemble: Ensemble, reference?: Reference) => void;
  /** What an ensemble is set against. */
  readonly referenceOf?: (ensemble: Ensemble) => Reference;
}

/** Statistics of rows by location that come table by table: those of a location when all its rows are there. */
export class StatisticsStream {
  readonly #core: Core;
  readonly #options: CheckedStatisticsOptions;
  readonly #locations: LocationStream;
  readonly #labels = new GrowingLabels();
  readonly #hooks: EnsembleHooks;
  /** A table without rows, to tell the columns where there is no other. */
  #empty?: Table;
  #hasResults = false;

  constructor(core: Core, options: CheckedStatisticsOptions, hooks: EnsembleHooks = {}) {
    this.#core = core;
    this.#options = options;
    this.#locations = new LocationStream(options);
    this.#hooks = hooks;
  }

  /** The statistics of the locations that are whole now; its values are no longer needed when they are taken. */
  add(table: Table): Iterable<Table> {
    return this.#statistics(this.#locations.add(table));
  }

  /** The last statistics; a table without rows where there are none at all. */
  *end(): Iterable<Table> {
    yield* this.#statistics(this.#locations.end());
    if (!this.#hasResults && this.#empty !== undefined) yield this.#empty;
  }

  *#statistics(ensemble: Ensemble | undefined): Iterable<Table> {
    if (ensemble === undefined) return;
    const reference = this.#hooks.referenceOf?.(ensemble);
    this.#hooks.seen?.(ensemble, reference);
    const labels = this.#labels.of.bind(this.#labels);
    for (const table of statisticsInGroups(this.#core, ensemble, this.#options, RESULTS_AT_ONCE, reference, labels)) {
      if (table.numRows === 0) this.#empty ??= table;
      else yield table;
      this.#hasResults ||= table.numRows > 0;
    }
  }
}
