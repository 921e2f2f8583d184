import type { Table } from 'apache-arrow';
import { alignEnsembles, type NamedEnsemble, type NamedPlaces } from '../ensemble/align-ensembles.js';
import { assertConsistent } from '../ensemble/assert-consistent.js';
import type { Ensemble } from '../ensemble/ensemble.js';
import type { Places } from '../ensemble/nearest-place.js';
import { assertTable } from '../table/arrow/own-table.js';
import { assertRealDates } from '../table/columns/day-column.js';
import { ensembleOf, isOpened, OPENED, type Opened } from '../table/rows/read-ensemble.js';
import { readPlaces } from '../table/rows/read-places.js';
import type { Variable } from '../variable/variable.js';
import type { Horizon } from './horizon.js';
import type { CheckedBlendOptions } from './options.js';
import { commonVariable, horizonNames } from './timeline-metadata.js';

/** The horizons of a timeline as read from tables, all of the same cells. */
export interface ReadHorizons {
  readonly horizons: readonly Horizon[];
  readonly ensembles: readonly Ensemble[];
  /** Those of the first table that states them. */
  readonly variable?: Variable;
  readonly units?: string;
  readonly places: Places;
  /** Notes on the tables, by their source. */
  readonly notes: readonly { readonly source: string; readonly text: string }[];
}

/**
 * Reads horizons in order; their locations are in the order of `like`, the given pairing, or else of the first horizon. Throws
 * DataError where they differ in variable, units, calendar or locations.
 */
export function readHorizons(
  tables: readonly (Table | Opened)[],
  options: CheckedBlendOptions,
  like?: NamedPlaces,
): ReadHorizons {
  const texts = tables.map((table, h) => {
    if (isOpened(table)) return table[OPENED]({});
    assertTable(table, options.sources?.[h] ?? `horizon ${h + 1}`);
    return table.schema;
  });
  const names = options.names ?? options.pairing?.horizons.map(({ name }) => name) ?? horizonNames(texts);
  const named = tables.map((table, h): NamedEnsemble & { name: string } => {
    const name = names[h] ?? `horizon ${h + 1}`;
    const source = options.sources?.[h] ?? name;
    return { name, source, ensemble: ensembleOf(table, { ...options, source, places: readPlaces }) };
  });
  for (const { source, ensemble } of named) assertRealDates(ensemble.metadata, 'blending', source);
  assertConsistent(named);
  const places = options.pairing?.places;
  const parts = alignEnsembles(named, like ?? (places && { ...places, source: 'the pairing' }));
  const horizons = parts.map(({ field }, h) => ({ name: named[h].name, source: named[h].source, field }));
  const ensembles = named.map(({ ensemble }) => ensemble);
  const [{ latitude, longitude, labels }] = parts;
  const notes = named.flatMap(({ source, ensemble }) => (ensemble.notes ?? []).map((text) => ({ source, text })));
  return { horizons, ensembles, ...commonVariable(ensembles), places: { latitude, longitude, labels }, notes };
}
