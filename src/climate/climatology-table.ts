import type { Table } from 'apache-arrow';
import { resultColumn } from '../statistics/result-column.js';
import { columnsOfLabels, createTable, flags, numbers, textDictionary, texts } from '../table/build/create-table.js';
import { assertClimatology } from './assert-climatology.js';
import { isDegenerate, limitStatistics } from './category-limits.js';
import type { Climatology } from './climatology.js';
import { formatReference } from './reference-years.js';

/**
 * Writes a climatology to a table, a row for each place and key: columns `variable, units, latitude, longitude, period,
 * n_samples, mean`, one for each quantile (`q05`), for each limit between categories (`t33`) and for each threshold
 * (`p_gt_20`), and `degenerate`, which says where limits coincide. Missing values are null. The metadata hold the rest:
 * `readClimatology` reads the same climatology back.
 *
 * @example
 * ```js
 * import { climatology, climatologyTable, loadCore, readClimatology } from 'plumecast';
 * import { demoTable } from 'plumecast/demo';
 *
 * const history = demoTable('temp_mean', { initDate: 8401, days: 10_957, members: 1 });
 * const table = climatologyTable(climatology(await loadCore(), history, { granularity: 'monthly' })); // to be written
 * console.log(table.numRows, readClimatology(table).reference);
 * ```
 *
 * ```text
 * 12 { firstYear: 1993, lastYear: 2022 }
 * ```
 */
export function climatologyTable(climatology: Climatology): Table {
  assertClimatology(climatology);
  const { latitude, longitude, labels, keys, samples, quantiles, quantileValues, limits, thresholds } = climatology;
  const places = latitude.length;
  const perRow = (values: Float64Array) =>
    Float64Array.from(samples, (_, row) => values[Math.floor(row / keys.length)]);
  return createTable(
    [
      texts('variable', new Int32Array(samples.length), textDictionary([climatology.variable?.slug ?? null])),
      texts('units', new Int32Array(samples.length), textDictionary([climatology.units ?? null])),
      numbers('latitude', perRow(latitude)),
      numbers('longitude', perRow(longitude)),
      ...columnsOfLabels(
        labels,
        Int32Array.from(samples, (_, row) => labels?.of[Math.floor(row / keys.length)] ?? 0),
      ),
      texts(
        'period',
        Int32Array.from({ length: places * keys.length }, (_, row) => row % keys.length),
        textDictionary(keys),
      ),
      resultColumn({ kind: 'count', of: 'samples' }, samples),
      resultColumn({ kind: 'mean' }, climatology.mean),
      ...quantiles.map((probability, k) => resultColumn({ kind: 'quantile', probability }, quantileValues[k])),
      ...limitStatistics(climatology.categories).map((limit, k) => resultColumn(limit, limits[k])),
      ...thresholds.map((threshold, k) =>
        resultColumn({ kind: 'exceedance', threshold }, climatology.probabilities[k]),
      ),
      flags(
        'degenerate',
        Uint8Array.from(samples, (_, entry) => (isDegenerate(climatology, entry) ? 1 : 0)),
      ),
    ],
    tableMetadata(climatology),
  );
}

function tableMetadata(climatology: Climatology): Map<string, string> {
  const { metadata, variable, units, granularity, window, reference, categories } = climatology;
  const result = new Map(metadata);
  if (variable !== undefined) result.set('variable', variable.slug);
  if (units !== undefined) result.set('units', units);
  result.set('granularity', `${granularity}`);
  if (window !== undefined) result.set('window', `${window}`);
  if (reference !== undefined) result.set('reference', formatReference(reference));
  return result.set('categories', String(categories));
}
