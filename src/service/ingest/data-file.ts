import type { Table } from 'apache-arrow';
import { convertField } from '../../core/field.js';
import { alignEnsembles, type NamedPlaces } from '../../ensemble/align-ensembles.js';
import type { Ensemble, EnsemblePart } from '../../ensemble/ensemble.js';
import { checkPoint } from '../../ensemble/nearest-cell.js';
import type { Places, Point } from '../../ensemble/nearest-place.js';
import { idsOf } from '../../ensemble/place-labels.js';
import { PlaceRows } from '../../ensemble/place-rows.js';
import { DataError } from '../../errors.js';
import type { ColumnRoles } from '../../table/columns/column-role.js';
import { assertRealDates } from '../../table/columns/day-column.js';
import { readPlaces } from '../../table/rows/read-places.js';
import { readEnsemble } from '../../table/rows/read-ensemble.js';
import type { HorizonName } from '../../variable/availability.js';
import type { Variable } from '../../variable/variable.js';

/** Daily values of one variable, read on demand, and more than once, so that few values are in memory at a time. */
export interface DataFile {
  /** Its name in messages. */
  readonly source: string;
  /** Columns of a table by their role, where their names do not show it. */
  readonly columns?: ColumnRoles;
  /** The place of a single series that does not state it. */
  readonly at?: Point;
  /** Loads a table, or an ensemble that was read from a table or from arrays. */
  load(): Promise<Table | Ensemble>;
}

/** A table of one variable of one horizon. */
export interface ForecastFile extends DataFile {
  readonly horizon: HorizonName;
  /** Whether its places are those of the 1 km grid. */
  readonly fine: boolean;
}

/** The content of a file. */
export interface FileContent {
  readonly ensemble: Ensemble;
  readonly variable: Variable;
  /** In float32, rows by location, in the order of `like` where there is one. */
  readonly part: EnsemblePart;
}

/**
 * Reads a file. Throws DataError where its variable or its places are unknown, or its places are not those of `like`.
 */
export async function readFile(
  { source, columns, at, load }: DataFile,
  variables?: readonly Variable[],
  like?: NamedPlaces,
): Promise<FileContent> {
  const loaded = await load();
  const read = isEnsemble(loaded) ? loaded : readEnsemble(loaded, { source, columns, variables, places: readPlaces });
  const ensemble = at === undefined ? read : placeAt(read, at);
  assertRealDates(ensemble.metadata, 'the service', source);
  const { variable } = ensemble;
  if (variable === undefined) {
    throw new DataError({
      source,
      problem: 'does not state its variable',
      received: ensemble.metadata.get('variable'),
      allowed: "a variable's slug in the metadata, in a column named variable, or as the name of the value column",
    });
  }
  const [part] = alignEnsembles([{ source, ensemble }], like);
  if (part.latitude.some(Number.isNaN) || part.longitude.some(Number.isNaN)) {
    throw new DataError({
      source,
      problem: 'does not state where its values are',
      allowed: 'columns latitude and longitude, both in the metadata, or of a single series the option at',
    });
  }
  assertDistinctPlaces(part, source);
  return { ensemble, variable, part: { ...part, field: convertField(part.field, 'float32') } };
}

/** Throws DataError for places that only their ids tell apart: a store has coordinates alone. */
function assertDistinctPlaces({ latitude, longitude, labels }: Places, source: string): void {
  const ids = idsOf(labels);
  if (ids === undefined) return;
  const places = new PlaceRows();
  for (const [place, id] of ids.entries()) {
    const before = places.add(latitude[place], longitude[place], place);
    if (before === undefined) continue;
    throw new DataError({
      ...{ source, problem: `places ${ids[before]} and ${id} have the same coordinates, by which a store finds them` },
      ...{ received: `${latitude[place]}, ${longitude[place]}`, allowed: 'one place at each point' },
    });
  }
}

function isEnsemble(loaded: Table | Ensemble): loaded is Ensemble {
  return typeof loaded === 'object' && loaded !== null && 'parts' in loaded;
}

/**
 * Places a single series without coordinates at a point; returns other ensembles unchanged. Throws OptionError for what
 * is not a point.
 */
function placeAt(ensemble: Ensemble, at: Point): Ensemble {
  checkPoint(at, 'at');
  const { parts } = ensemble;
  const [{ field, latitude, longitude }] = parts;
  const isPlaceless = Number.isNaN(latitude[0]) && Number.isNaN(longitude[0]);
  if (parts.length > 1 || field.cells > 1 || !isPlaceless) return ensemble;
  const place = { latitude: Float64Array.of(at.latitude), longitude: Float64Array.of(at.longitude) };
  return { ...ensemble, parts: [{ field, ...place }] };
}
