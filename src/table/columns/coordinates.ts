import type { Table } from 'apache-arrow';
import { MemberColumn } from '../../core/member-column.js';
import type { EnsemblePart } from '../../ensemble/ensemble.js';
import { singleDegrees, westernLongitude } from '../../ensemble/place-rows.js';
import { DataError, mentionOption } from '../../errors.js';
import { columnOf } from '../arrow/table-schema.js';
import type { ColumnRoles } from './column-role.js';
import { floatType, numberChunks } from './column-values.js';
import type { NumberedPlaces } from './place-reader.js';

/** The place of each row; both are undefined if the table has no such columns, or if they are empty. */
export interface Coordinates {
  readonly latitude?: Float64Array;
  readonly longitude?: Float64Array;
}

/**
 * Reads latitudes from -90 to 90 and longitudes from -180 to 360. Longitudes above 180 degrees become western ones, as
 * in grids, so that both forms of a longitude mean the same place. Throws DataError if one of the two columns is
 * missing, and for the first row without a value or with one out of range. `placesOf` gives the rows whose place is not
 * that of the row before, the first included; without it, all rows are looked at.
 */
export function tableCoordinates(
  table: Table,
  roles: ColumnRoles,
  source?: string,
  placesOf?: PlaceFinder,
): Coordinates {
  const { latitude, longitude } = roles;
  if (latitude === undefined && longitude === undefined) return {};
  if (latitude === undefined || longitude === undefined) {
    const [present, absent] = latitude === undefined ? ['longitude', 'latitude'] : ['latitude', 'longitude'];
    throw new DataError({
      source,
      column: roles[present as 'latitude'],
      problem: `a ${present} without a ${absent}`,
      allowed: `both or none; a column with another name by ${mentionOption('columns', { [absent]: 'NAME' })}`,
    });
  }
  const [north, east] = [latitude, longitude].map((name) => coordinateValues(table, name, source));
  const rows = placesOf?.(north, east);
  const [noNorth] = checkColumn(north, latitude, [-90, 90], rows, source);
  const [noEast, easternmost] = checkColumn(east, longitude, [-180, 360], rows, source);
  if (noNorth === table.numRows && noEast === noNorth) return {};
  if (noNorth > 0) throw missingCoordinate(north, latitude, source);
  if (noEast > 0) throw missingCoordinate(east, longitude, source);
  return { latitude: north, longitude: easternmost > 180 ? east.map(westernLongitude) : east };
}

/** Finds the rows whose place is not that of the row before, the first included; one without coordinates never is. */
export type PlaceFinder = (latitude: Float64Array, longitude: Float64Array) => Int32Array;

/** The number of rows without a value, and the highest value; `rows` lists the rows to look at, if not all. */
function checkColumn(
  values: Float64Array,
  name: string,
  [least, most]: readonly [number, number],
  rows: Int32Array | undefined,
  source: string | undefined,
): [missing: number, highest: number] {
  let [missing, highest, before] = [0, Number.NEGATIVE_INFINITY, Number.NaN];
  for (let i = 0; i < (rows ?? values).length; i++) {
    const row = rows?.[i] ?? i;
    const value = values[row];
    // Places come in runs.
    if (value === before) continue;
    before = value;
    if (value > highest) highest = value;
    if (value >= least && value <= most) continue;
    if (!Number.isNaN(value)) {
      const allowed = `degrees from ${least} to ${most}`;
      throw new DataError({ source, row: row + 1, column: name, problem: 'out of range', received: value, allowed });
    }
    missing++;
  }
  return [missing, highest];
}

/** The values of a column; a single chunk of float64 without nulls is not copied. */
function coordinateValues(table: Table, name: string, source?: string): Float64Array {
  const column = columnOf(table, name);
  const chunks = numberChunks(column, name, 'float64', source);
  const [only] = chunks;
  const values =
    chunks.length === 1 && only.bitmap === undefined && only.values instanceof Float64Array
      ? only.values
      : new Float64Array(table.numRows);
  if (values !== only?.values) new MemberColumn(name, chunks).copyTo(values, 0, 0, table.numRows);
  return floatType([column]) === 'float64' ? values : values.map(singleDegrees);
}

function missingCoordinate(values: Float64Array, column: string, source?: string): DataError {
  return new DataError({
    source,
    row: values.findIndex(Number.isNaN) + 1,
    column,
    problem: 'missing coordinate',
    received: null,
    allowed: 'a number of degrees in every row, or in none',
  });
}

/**
 * The parts with the coordinates and labels of their places, where these are numbers, and for places without coordinates
 * those of a schema's metadata.
 */
export function withCoordinates(
  parts: readonly EnsemblePart[],
  metadata: ReadonlyMap<string, string>,
  places?: NumberedPlaces,
): readonly EnsemblePart[] {
  const latitude = Number.parseFloat(metadata.get('latitude') ?? '');
  const longitude = westernLongitude(Number.parseFloat(metadata.get('longitude') ?? ''));
  const placed = parts.map((part) => places?.placed(part) ?? part);
  if (Number.isNaN(latitude) || Number.isNaN(longitude)) return placed;
  return placed.map((part) => ({
    ...part,
    latitude: part.latitude.map((own) => (Number.isNaN(own) ? latitude : own)),
    longitude: part.longitude.map((own) => (Number.isNaN(own) ? longitude : own)),
  }));
}
