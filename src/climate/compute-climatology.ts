import type { Table } from 'apache-arrow';
import { alignedParts } from '../arrow/aligned-parts.js';
import type { Core } from '../core/load.js';
import { windowRule } from '../statistics/statistics.js';
import { limitProbabilities } from './category-limits.js';
import { type Climatology, climateKeys } from './climatology.js';
import { climatologyMetadata } from './climatology-metadata.js';
import { computePools } from './compute-pools.js';
import { lackingYears, yearsLacking } from './lacking-years.js';
import { type ClimatologyOptions, checkClimatologyOptions } from './options.js';
import { poolChanges } from './pool-changes.js';
import { readOptions, referenceEnsembles } from './reference-ensembles.js';
import { referenceWindows } from './reference-windows.js';
import { sampleSource } from './sample-source.js';

/**
 * The reference distribution of a history, or of a model's hindcasts, for each place and period of the year.
 *
 * A table is anything that `statistics` takes: a single series, or an ensemble. The samples of a period are the values of all
 * members of all tables in the reference years. Weekly, they are the values of the ISO week in each ISO year, days beyond the
 * calendar years included, and for W53 those of the seven days from 28 December of every year; monthly, of the month in each
 * year; days are summed or averaged as in forecasts. Daily, they are the values of the days up to `halfWidth` days from the date in
 * each year, none from outside the reference years; 29 February is 28 February in common years.
 *
 * Null and NaN are missing, and so is a window with a missing day, or one that is not wholly within its table's days. An entry calls
 * for a sample of each window of its period that lies within a table's days, and of each member; with a smaller share of valid ones
 * than `minSampleShare` its statistics are missing. Several tables must hold the same variable in the same units at the same places.
 *
 * Throws OptionError for options; DataError for values that cannot be used, an infinite one among them, for tables that do not
 * belong together, and for reference years that they lack, unless fewer are asked for.
 */
export function climatology(
  core: Core,
  tables: Table | readonly Table[],
  options: ClimatologyOptions = {},
): Climatology {
  const checked = checkClimatologyOptions(options);
  const list = 'schema' in tables ? [tables] : tables;
  const inputs = referenceEnsembles(list, checked);
  const [{ ensemble }] = inputs;
  const { granularity, reference, halfWidth, quantiles, thresholds, categories, fewerYears } = checked;
  const window = windowRule(ensemble, readOptions(checked, 0, list.length));
  const parts = alignedParts(inputs);
  const windows = referenceWindows(granularity, reference);
  const sources = parts.map(({ field }) => sampleSource(field, windows));
  const lacking = lackingYears(windows, sources);
  const mayLack = fewerYears ? reference.lastYear - reference.firstYear : 0;
  if (lacking.length > mayLack) throw yearsLacking(windows, lacking, sources, checked.sources.join(', ') || undefined);

  const keys = climateKeys(granularity);
  const pools = poolChanges(windows, keys.length, halfWidth, sources, lacking);
  const asked = [...quantiles, ...limitProbabilities(categories)];
  const columns = computePools(core, sources, pools, { ...checked, window, quantiles: asked });
  return {
    variable: ensemble.variable,
    units: ensemble.units,
    ...{ granularity, window, reference, keys, quantiles, categories, thresholds },
    metadata: climatologyMetadata(
      inputs.map((input) => input.ensemble),
      checked,
      lacking,
    ),
    latitude: parts[0].latitude,
    longitude: parts[0].longitude,
    samples: columns.samples,
    mean: columns.mean,
    quantileValues: columns.quantiles.slice(0, quantiles.length),
    limits: columns.quantiles.slice(quantiles.length),
    probabilities: columns.probabilities,
  };
}
