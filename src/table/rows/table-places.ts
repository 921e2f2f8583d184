import type { Table } from 'apache-arrow';
import type { Places } from '../../ensemble/nearest-place.js';
import { PlaceRows } from '../../ensemble/place-rows.js';
import { columnRoles } from '../columns/column-roles.js';
import { tableCoordinates } from '../columns/coordinates.js';
import { idColumn, isNamedLabel, labelCandidates } from './read-places.js';
import { RowPlaces } from './row-places.js';

/** Distinct places in the order of their first rows, told apart by coordinates and id. */
export interface PlacesOfRows extends Places {
  /** The index of each row's place. */
  readonly placeOf: Int32Array;
}

/**
 * Finds the places of the rows of a table of results, and what it says of them; a single one with unknown coordinates
 * where rows have neither coordinates nor ids. `isResult` says which columns hold results.
 */
export function findPlaces(table: Table, isResult: (name: string) => boolean, source?: string): PlacesOfRows {
  const found = columnRoles(table, {}, source);
  const id = idColumn(table, found);
  const roles = { ...found, id };
  const coordinates = tableCoordinates(table, roles, source);
  const { latitude, longitude } = coordinates;
  const hasId = id !== undefined;
  const others = labelCandidates(table, roles, { has: isResult }, () => undefined);
  const names = [...(hasId ? [id] : []), ...(hasId || latitude !== undefined ? others : [])];
  if (names.length > 0) {
    const all = new RowPlaces(table, { names, hasId });
    all.number(table, coordinates);
    const constant = new RowPlaces(table, { names: all.constant(isNamedLabel), hasId });
    const placeOf = Int32Array.from(constant.number(table, coordinates));
    const count = placeOf.reduce((most, place) => Math.max(most, place), -1) + 1;
    const numbers = Float64Array.from({ length: count }, (_, place) => place);
    return { ...constant.placed({ latitude: numbers, longitude: numbers }), placeOf };
  }
  if (latitude === undefined || longitude === undefined) {
    const nowhere = Float64Array.of(Number.NaN);
    return { latitude: nowhere, longitude: nowhere, placeOf: new Int32Array(table.numRows) };
  }
  const known = new PlaceRows();
  const first: number[] = [];
  const placeOf = Int32Array.from(latitude, (north, row) => {
    return known.add(north, longitude[row], first.length) ?? first.push(row) - 1;
  });
  const degrees = (of: Float64Array) => Float64Array.from(first, (row) => of[row]);
  return { latitude: degrees(latitude), longitude: degrees(longitude), placeOf };
}
