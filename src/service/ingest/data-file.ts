import type { Table } from 'apache-arrow';
import type { NamedPlaces } from '../../ensemble/align-ensembles.js';
import type { Ensemble } from '../../ensemble/ensemble.js';
import { checkPoint } from '../../ensemble/nearest-cell.js';
import type { Places, Point } from '../../ensemble/nearest-place.js';
import { idsOf } from '../../ensemble/place-labels.js';
import { PlaceRows } from '../../ensemble/place-rows.js';
import { DataError } from '../../errors.js';
import { assertUtcDays } from '../../period/stated-days.js';
import type { ColumnRoles } from '../../table/columns/column-role.js';
import { assertRealDates } from '../../table/columns/day-column.js';
import { readEnsemble } from '../../table/rows/read-ensemble.js';
import { readPlaces } from '../../table/rows/read-places.js';
import type { HorizonName } from '../../variable/availability.js';
import type { Variable } from '../../variable/variable.js';
import { type DailyValues, type PlacedValues, placedEnsemble, placedValues } from './daily-values.js';

/** Daily values of one variable, read on demand, and more than once, so that few values are in memory at a time. */
export interface DataFile {
  /** Its name in messages. */
  readonly source: string;
  /** Columns of a table by their role, where their names do not show it. */
  readonly columns?: ColumnRoles;
  /**
   * A text that changes with the values, such as a checksum, or the size and the time of a file: where it is there, an
   * ingest that was stopped is continued, and values that were written by the same text are not read again.
   */
  readonly state?: string;
  /** The variable that is read, of a file of several, as its name was given. */
  readonly of?: string | undefined;
  /** The place of a single series that does not state it. */
  readonly at?: Point;
  /**
   * Loads a table, or an ensemble that was read from a table or from arrays; or opens values that are read some cells at a
   * time, which are closed again.
   */
  load(): Promise<Table | Ensemble | DailyValues>;
}

/** A table of one variable of one horizon. */
export interface ForecastFile extends DataFile {
  readonly horizon: HorizonName;
  /** Whether its places are those of the 1 km grid. */
  readonly fine: boolean;
}

/** The content of a file: its values at all places, in the order of `like` where there is one. */
export interface FileContent extends PlacedValues, Pick<Ensemble, 'metadata' | 'notes'> {
  readonly variable: Variable;
  /** Whether they are read some places at a time. */
  readonly isOpened: boolean;
}

/**
 * Opens a file, calls `use` with its content, and closes it. Throws DataError where its variable or its places are
 * unknown, or its places are not those of `like`.
 */
export async function useFile<Result>(
  file: DataFile,
  { variables, like }: { readonly variables?: readonly Variable[]; readonly like?: NamedPlaces },
  use: (content: FileContent) => Result | Promise<Result>,
): Promise<Result> {
  const loaded = await file.load();
  const values = isDailyValues(loaded) ? loaded : undefined;
  try {
    return await use(contentOf(file, loaded, variables, like));
  } finally {
    await values?.close();
  }
}

function contentOf(
  { source, columns, at }: DataFile,
  loaded: Table | Ensemble | DailyValues,
  variables: readonly Variable[] | undefined,
  like: NamedPlaces | undefined,
): FileContent {
  if (at !== undefined) checkPoint(at, 'at');
  const isOpened = isDailyValues(loaded);
  const read =
    isOpened || isEnsemble(loaded) ? loaded : readEnsemble(loaded, { source, columns, variables, places: readPlaces });
  const { metadata, variable, notes } = read;
  assertRealDates(metadata, 'the service', source);
  assertUtcDays(metadata, 'the service', source);
  if (variable === undefined) {
    throw new DataError({
      source,
      problem: 'does not state its variable',
      received: metadata.get('variable'),
      allowed: "a variable's slug in the metadata, in a column named variable, or as the name of the value column",
    });
  }
  const placed = isOpened
    ? placedValues(source, loaded, like, at && placeOf(at))
    : placedEnsemble(source, at === undefined ? (read as Ensemble) : placeAt(read as Ensemble, at), like);
  if (placed.latitude.some(Number.isNaN) || placed.longitude.some(Number.isNaN)) {
    throw new DataError({
      source,
      problem: 'does not state where its values are',
      allowed: 'columns latitude and longitude, both in the metadata, or of a single series the option at',
    });
  }
  assertDistinctPlaces(placed, source);
  return { ...placed, metadata, variable, notes, isOpened };
}

function isDailyValues(loaded: Table | Ensemble | DailyValues): loaded is DailyValues {
  return typeof loaded === 'object' && loaded !== null && 'blocks' in loaded && 'read' in loaded;
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

function isEnsemble(loaded: Table | Ensemble | DailyValues): loaded is Ensemble {
  return typeof loaded === 'object' && loaded !== null && 'parts' in loaded;
}

/**
 * Places a single series without coordinates at a point; returns other ensembles unchanged.
 */
function placeAt(ensemble: Ensemble, at: Point): Ensemble {
  const { parts } = ensemble;
  const [{ field, latitude, longitude }] = parts;
  const isPlaceless = Number.isNaN(latitude[0]) && Number.isNaN(longitude[0]);
  if (parts.length > 1 || field.cells > 1 || !isPlaceless) return ensemble;
  return { ...ensemble, parts: [{ field, ...placeOf(at) }] };
}

function placeOf({ latitude, longitude }: Point): Places {
  return { latitude: Float64Array.of(latitude), longitude: Float64Array.of(longitude) };
}
