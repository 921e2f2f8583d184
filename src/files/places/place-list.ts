import type { Table } from 'apache-arrow';
import { isPlainObject } from '../../check/option-checks.js';
import type { Places } from '../../ensemble/nearest-place.js';
import { idsOf, type LabelColumn, labelAt, type PlaceLabels } from '../../ensemble/place-labels.js';
import { DataError, isPlumecastError, unusable } from '../../errors.js';
import { isTable, ownTable } from '../../table/arrow/own-table.js';
import { createTable, type NewColumn, numbers, textDictionary, texts } from '../../table/build/create-table.js';
import type { ColumnRoles } from '../../table/columns/column-role.js';
import { columnRoles, plain, withoutRole } from '../../table/columns/column-roles.js';
import { type Coordinates, tableCoordinates } from '../../table/columns/coordinates.js';
import { placeLabels } from '../../table/rows/label-columns.js';
import { isElevationName, isIdName, labelCandidates } from '../../table/rows/read-places.js';
import { RowPlaces } from '../../table/rows/row-places.js';
import { variableFinder } from '../../variable/find-variable.js';
import { findCoordinates } from './coordinate-columns.js';
import { featuresOf, type GeoObject } from './geo-json.js';

/** Places that someone wants values for, each of them once. */
export interface PlaceList extends Places {
  /** The name in messages. */
  readonly source: string;
  /** Metres above the sea; NaN where it is not known. */
  readonly elevation: Float64Array;
  /** What was taken for coordinates by the words in names of columns. */
  readonly notes: readonly string[];
}

/** One place as it is given to the library. Other properties go to results, too. */
export interface GivenPlace {
  readonly latitude: number;
  readonly longitude: number;
  readonly id?: string | number;
  /** Metres above the sea. */
  readonly elevation?: number;
}

/**
 * Reads places from a table with columns of latitude and longitude, by these or similar names, from GeoJSON with points, or
 * from a list of objects.
 * A column or property of ids tells places at the same coordinates apart; others go to results. Throws DataError for a
 * place without coordinates, or that is there twice.
 */
export function placeList(
  given: Table | GeoObject | readonly GivenPlace[],
  { source = 'points', columns }: { readonly source?: string; readonly columns?: ColumnRoles | undefined } = {},
): PlaceList {
  const table = tableOfPlaces(given, source);
  const { roles, note } = findCoordinates(table, columnRoles(table, columns, source), source);
  const { latitude, longitude } = coordinatesOf(table, roles, source);
  const id = roles.id ?? idOf(table, roles);
  const known = { ...roles, ...(id !== undefined && { id }) };
  const others = labelCandidates(table, known, new Set(), variableFinder());
  const names = id === undefined ? others : [id, ...others];
  const rows = new RowPlaces(table, { names, hasId: id !== undefined });
  const places = rows.number(table, { latitude, longitude });
  const repeated = places.findIndex((place, row) => place !== row);
  if (repeated >= 0) throw twice(source, id, rows.text(places[repeated]), places[repeated], repeated);
  const all: Places = rows.placed({ latitude: places, longitude: places } as Places);
  assertIds(source, id, idsOf(all.labels));
  const notes = note === undefined ? [] : [`${source}: ${note}`];
  return { ...all, latitude, longitude, source, notes, elevation: elevations(all.labels, latitude.length) };
}

/** The labels with more columns of numbers, which replace columns of the same name; NaN is none. */
export function withNumbers(
  labels: PlaceLabels | undefined,
  more: Readonly<Record<string, Float64Array | undefined>>,
  length: number,
): PlaceLabels {
  const added = Object.entries(more).flatMap(([name, values]): LabelColumn[] => {
    if (values === undefined) return [];
    const codes = Array.from(values, (value, place) => (Number.isNaN(value) ? -1 : place));
    return [{ name, isNumber: true, values: Array.from(values), codes }];
  });
  const names = new Set(added.map(({ name }) => name));
  const kept = labels?.columns.filter(({ name }, c) => (c === 0 && labels.hasId) || !names.has(name)) ?? [];
  const of = labels?.of ?? Int32Array.from({ length }, (_, place) => place);
  return placeLabels([...kept, ...added], labels?.hasId ?? false, of);
}

/** What people call a place: its id, or its coordinates. */
function placeName({ latitude, longitude, labels }: Places, place: number): string {
  return idsOf(labels)?.[place] ?? `${latitude[place]}, ${longitude[place]}`;
}

/** What people call some places, at most ten of them. */
export function placeNames(places: Places, some: readonly number[]): string {
  const named = some.slice(0, 10).map((place) => placeName(places, place));
  return named.join('; ') + (some.length > 10 ? ` and ${some.length - 10} more` : '');
}

function tableOfPlaces(given: Table | GeoObject | readonly GivenPlace[], source: string): Table {
  if (Array.isArray(given)) return tableOfRecords(given as readonly object[], source);
  if (isPlainObject(given) && 'type' in given) return tableOfRecords(recordsOf(given as GeoObject, source), source);
  if (!isTable(given))
    throw unusable(source, given, 'a list of { latitude, longitude, id }, GeoJSON, or an Arrow table');
  return ownTable(given as Table);
}

/** The points of GeoJSON as records of their properties. */
function recordsOf(given: GeoObject, source: string): readonly object[] {
  return featuresOf(given, source).map(({ geometry, properties, id }, index) => {
    if (geometry?.type !== 'Point') {
      throw new DataError({
        ...{
          source,
          subject: `feature ${index + 1}`,
          problem: 'is no point',
          received: geometry?.type ?? 'no geometry',
        },
        allowed: 'features with a Point',
      });
    }
    const [longitude, latitude, elevation] = geometry.coordinates as readonly number[];
    const own = Object.keys(properties);
    return {
      ...(id !== undefined && !own.some((name) => isIdName(name) && plain(name) !== 'name') && { id }),
      ...properties,
      ...(elevation !== undefined && !own.some(isElevationName) && { elevation }),
      ...{ latitude, longitude },
    };
  });
}

function tableOfRecords(records: readonly object[], source: string): Table {
  if (records.length === 0) throw new DataError({ source, problem: 'has no places', allowed: 'at least one' });
  for (const record of records)
    if (!isPlainObject(record)) throw unusable(source, record, '{ latitude, longitude, id }');
  const all = records as readonly Readonly<Record<string, unknown>>[];
  const names = [...new Set(all.flatMap((record) => Object.keys(record)))];
  const columns = names.flatMap((name): NewColumn[] => {
    const values = all.map((record) => record[name] ?? null);
    const whole = values.find((value) => typeof value === 'bigint');
    if (whole !== undefined) throw unusable(`${source}, ${name}`, whole, 'a number, or a text');
    if (values.every((value) => value === null || typeof value === 'number')) {
      return [
        numbers(
          name,
          Float64Array.from(values, (value) => (value as number | null) ?? Number.NaN),
        ),
      ];
    }
    const distinct = [
      ...new Set(values.flatMap((value) => (Object(value) === value || value === null ? [] : String(value)))),
    ];
    const placeOf = new Map(distinct.map((text, i) => [text, i + 1]));
    const indices = Int32Array.from(values, (value) =>
      Object(value) === value ? 0 : (placeOf.get(String(value)) ?? 0),
    );
    return distinct.length === 0 ? [] : [texts(name, indices, textDictionary([null, ...distinct]))];
  });
  return createTable(columns, new Map());
}

/** The coordinates of a table. Throws DataError, which says so where latitudes are longitudes. */
function coordinatesOf(table: Table, roles: ColumnRoles, source: string): Required<Coordinates> {
  try {
    const { latitude, longitude } = tableCoordinates(table, roles, source);
    if (latitude !== undefined && longitude !== undefined) return { latitude, longitude };
  } catch (error) {
    if (!isPlumecastError(error, 'data') || error.problem !== 'out of range' || !fitsSwapped(table, roles)) throw error;
    throw new DataError({
      ...{ source, row: error.row, column: error.column, received: error.received },
      problem: 'out of range, as latitudes and longitudes seem to be swapped',
      allowed: 'latitudes from -90 to 90, longitudes from -180 to 360',
    });
  }
  const problem = 'has empty columns of coordinates';
  throw new DataError({ source, problem, allowed: 'a latitude and a longitude for each point, in degrees' });
}

function fitsSwapped(table: Table, { latitude, longitude, ...roles }: ColumnRoles): boolean {
  try {
    tableCoordinates(table, { ...roles, latitude: longitude, longitude: latitude });
    return true;
  } catch {
    return false;
  }
}

/** The column of ids: of those that may be it, one of names last. */
function idOf(table: Table, roles: ColumnRoles): string | undefined {
  const all = withoutRole(table, roles).filter(isIdName);
  return all.find((name) => plain(name) !== 'name') ?? all[0];
}

function elevations(labels: PlaceLabels | undefined, length: number): Float64Array {
  const column = labels?.columns.find(({ name, isNumber }) => isNumber && isElevationName(name));
  return Float64Array.from({ length }, (_, place) =>
    Number((labels && column && labelAt(labels, column, place)) ?? Number.NaN),
  );
}

/** Throws DataError for an id that is missing, or that two places have. */
function assertIds(source: string, column: string | undefined, ids: readonly string[] | undefined): void {
  const rows = new Map<string, number>();
  for (const [row, id] of ids?.entries() ?? []) {
    const before = rows.get(id);
    if (id !== '' && before === undefined) {
      rows.set(id, row);
      continue;
    }
    throw new DataError({
      ...{ source, row: row + 1, ...(column !== undefined && { column }) },
      problem: before === undefined ? 'has no id' : `has the id of row ${before + 1}`,
      ...(before !== undefined && { received: id }),
      allowed: 'an id for each place, and each id once',
    });
  }
}

function twice(source: string, id: string | undefined, place: string, first: number, second: number): DataError {
  return new DataError({
    ...{ source, row: second + 1, problem: `is the place of row ${first + 1} once more`, received: place },
    allowed: id === undefined ? 'each place once, or a column of ids that tells them apart' : 'each place once',
  });
}
