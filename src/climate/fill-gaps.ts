import type { Table } from 'apache-arrow';
import { type FloatArray, floatArray } from '../core/number-arrays.js';
import { alignEnsembles } from '../ensemble/align-ensembles.js';
import { commonMetadata } from '../ensemble/common-metadata.js';
import type { EnsemblePart } from '../ensemble/ensemble.js';
import { copyFiniteRows } from '../ensemble/finite-rows.js';
import { columnsOfLabels, createTable, dates, numbers, textDictionary, texts } from '../table/build/create-table.js';
import { type LocationRows, locationRows } from '../table/build/wide-table.js';
import { type FillOptions, type HistorySource, readSources } from './read-sources.js';

/**
 * Creates one history from several sources of the same variable, such as a reanalysis and, for the days missing in it,
 * the analysis: each day has the value of the first source that has one.
 *
 * A source is a table of daily values with one member, in any form that `statistics` reads; null and NaN are missing
 * values. All have the same locations. The result has a row for each location and each day from the first to the last
 * of any source, location by location: columns `latitude, longitude, date, value, origin`, where `origin` is the name
 * of the source that the value comes from; both are null where no source has one. Values are not changed: Float32 where
 * all sources are, else Float64. Metadata are the variable, its units, and all that is the same in the sources'
 * metadata. `statistics` reads the result as a series.
 *
 * Throws OptionError for an empty list and for names that are empty or come twice, and DataError where variables, units
 * or locations differ, for a source of several members, and for infinite values.
 */
export function fillGaps(sources: readonly HistorySource[], options: FillOptions = {}): Table {
  const named = readSources(sources, options);
  const parts = alignEnsembles(named);
  const { latitude, longitude, labels, date, value, origin } = filledRows(parts);
  const [{ ensemble: first }] = named;
  const metadata = commonMetadata(named.map(({ ensemble }) => ensemble));
  if (first.variable !== undefined) metadata.set('variable', first.variable.slug);
  if (first.units !== undefined) metadata.set('units', first.units);
  return createTable(
    [
      numbers('latitude', latitude),
      numbers('longitude', longitude),
      ...columnsOfLabels(labels),
      dates('date', date),
      numbers('value', value),
      texts('origin', origin, textDictionary([...named.map(({ source }) => source), null])),
    ],
    metadata,
  );
}

interface HistoryRows extends LocationRows {
  readonly value: FloatArray;
  /** The index of the source of each value; the number of sources where none has one. */
  readonly origin: Int32Array;
}

function filledRows(parts: readonly EnsemblePart[]): HistoryRows {
  const [places] = parts;
  const { field } = places;
  const firstDay = Math.min(...parts.map((part) => part.field.firstDay));
  const days = Math.max(...parts.map((part) => part.field.firstDay + part.field.days)) - firstDay;
  const length = field.cells * days;
  const rows = {
    ...locationRows(places, { firstDay, days }),
    value: floatArray(field.type, length).fill(Number.NaN),
    origin: new Int32Array(length).fill(parts.length),
  };
  for (let cell = 0; cell < field.cells; cell++) {
    for (const [source, part] of parts.entries()) {
      fillFrom(part, source, cell, cell * days + part.field.firstDay - firstDay, rows);
    }
  }
  return rows;
}

/** Copies the values of a source's cell to the rows from `at` on that have none yet. */
function fillFrom({ field }: EnsemblePart, source: number, cell: number, at: number, rows: HistoryRows): void {
  const values = floatArray(field.type, field.days);
  copyFiniteRows(field, 0, cell * field.days, values);
  for (let day = 0; day < values.length; day++) {
    if (Number.isNaN(values[day]) || !Number.isNaN(rows.value[at + day])) continue;
    rows.value[at + day] = values[day];
    rows.origin[at + day] = source;
  }
}
