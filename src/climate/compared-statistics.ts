import type { Table } from 'apache-arrow';
import type { Core } from '../core/load.js';
import type { AddColumns } from '../statistics/own-statistics.js';
import { statisticsTable } from '../statistics/statistics-plan.js';
import { ensembleOf, type Opened } from '../table/rows/read-ensemble.js';
import { readPlaces } from '../table/rows/read-places.js';
import { checkAgainstOptions, type StatisticsAgainstOptions } from './against-options.js';
import { assertClimatology } from './assert-climatology.js';
import { ClimateReference } from './climate-reference.js';
import type { Climatology } from './climatology.js';

/** The statistics of an ensemble, compared with a climatology: see `statistics`. */
export function compared(
  this: Climatology,
  core: Core,
  data: Table | Opened,
  options: StatisticsAgainstOptions,
  addColumns?: AddColumns,
): Table {
  assertClimatology(this);
  const checked = checkAgainstOptions(this, options);
  const ensemble = ensembleOf(data, { ...checked, places: readPlaces });
  const reference = new ClimateReference(this, ensemble, checked);
  return statisticsTable(core, ensemble, checked, addColumns?.(core, ensemble, checked, reference) ?? reference);
}
