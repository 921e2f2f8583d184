import type { Table } from 'apache-arrow';
import { checkAgainstOptions } from '../../climate/against-options.js';
import { ClimateReference } from '../../climate/climate-reference.js';
import { readClimatology } from '../../climate/read-climatology.js';
import type { Core } from '../../core/load.js';
import type { FloatArray } from '../../core/number-arrays.js';
import type { Ensemble } from '../../ensemble/ensemble.js';
import type { Point } from '../../ensemble/nearest-place.js';
import type { WindowTable } from '../../period/period.js';
import { BandReference } from '../../statistics/bands/band-reference.js';
import {
  type CheckedStatisticsOptions,
  checkStatisticsOptions,
  type StatisticsOptions,
} from '../../statistics/options.js';
import type { StatisticsColumns } from '../../statistics/statistics-columns.js';
import { type Reference, StatisticsPlan } from '../../statistics/statistics-plan.js';
import { windowedParts } from '../../statistics/windowed-part.js';
import { ensembleOf } from '../../table/rows/read-ensemble.js';
import type { WindowChoice } from '../view/window-choice.js';

/** Statistics of the members of a series by window. */
export interface SeriesResults {
  /** In the unit of the data. */
  readonly columns: StatisticsColumns;
  readonly windows: WindowTable;
  /** The same as a table, as `statistics` makes it. */
  readonly table: () => Table;
}

/**
 * The statistics of one series, computed again and again for other quantiles and thresholds: what does not depend on
 * these is read once, and a table is only made where one is needed.
 */
export class SeriesStatistics {
  readonly #core: Core;
  readonly #ensemble: Ensemble;
  readonly #reference: Reference | undefined;
  readonly #check: (options: StatisticsOptions) => CheckedStatisticsOptions;

  /** Of a series of one place. Throws what `statistics` throws. */
  constructor(core: Core, table: Table, choice: WindowChoice, climatology: Table | undefined) {
    this.#core = core;
    const normal = climatology && readClimatology(climatology, { source: 'climatology' });
    this.#ensemble = ensembleOf(table, checkStatisticsOptions(choice));
    this.#reference = normal && new ClimateReference(normal, this.#ensemble, checkAgainstOptions(normal, choice));
    this.#check = (options) => checkStatisticsOptions({ ...choice, ...options });
  }

  /** Its coordinates; NaN where the table does not state them. */
  get place(): Point {
    const [{ latitude, longitude }] = this.#ensemble.parts;
    return { latitude: latitude[0], longitude: longitude[0] };
  }

  /** Throws what `statistics` throws. */
  compute(options: StatisticsOptions): SeriesResults {
    const checked = this.#check(options);
    const plan = new StatisticsPlan(this.#ensemble, checked, this.#reference);
    const [part] = windowedParts(this.#ensemble, checked);
    const columns = plan.compute(this.#core, part);
    return { columns, windows: part.windows, table: () => plan.table([part], [columns]) };
  }

  /** The band of sampling error of the median, by window, in the unit of the data: NaN for ends beyond the members. */
  medianBand(level: number): readonly [FloatArray, FloatArray] {
    const checked = this.#check({ quantiles: [0.5] });
    const plan = new StatisticsPlan(this.#ensemble, checked);
    const [part] = windowedParts(this.#ensemble, checked);
    const columns = plan.compute(this.#core, part);
    const reference = new BandReference(this.#core, this.#ensemble, checked, { level });
    const bands = reference.columns([part], (valuesOf) => valuesOf(columns));
    const [low, high] = ['q50_low', 'q50_high'].map((name) => {
      return bands.find((column) => column.name === name)?.data.values as FloatArray;
    });
    return [low, high];
  }
}
