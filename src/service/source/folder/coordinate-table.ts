import { DataType, Float32, Float64, makeVector, Table, type Vector } from 'apache-arrow';
import type { Places } from '../../../ensemble/nearest-place.js';
import { FormatError } from '../../../errors.js';

/** Places with their elevations in metres above sea level; NaN where unknown. */
export interface Elevations extends Places {
  readonly metres: Float32Array;
}

/** Creates a table of places with `latitude` and `longitude` in degrees, and `elevation` in metres where given. */
export function coordinateTable({ latitude, longitude }: Places, elevation?: Float32Array): Table {
  const columns: Record<string, Vector<Float64 | Float32>> = {
    latitude: makeVector(latitude),
    longitude: makeVector(longitude),
  };
  if (elevation !== undefined) columns.elevation = makeVector(elevation);
  return new Table(columns);
}

/** The places of a table. Throws FormatError, with `file` as its subject, where it has none. */
export function findCoordinates(table: Table, file: string): Places {
  return {
    latitude: numbers(table, 'latitude', new Float64(), file) as Float64Array,
    longitude: numbers(table, 'longitude', new Float64(), file) as Float64Array,
  };
}

/**
 * The elevations of a table, in metres, NaN where missing. Throws FormatError, with `file` as its subject, where it has
 * none.
 */
export function readElevations(table: Table, file: string): Float32Array {
  return numbers(table, 'elevation', new Float32(), file) as Float32Array;
}

function numbers(table: Table, name: string, type: Float64 | Float32, file: string): Float64Array | Float32Array {
  const column = table.getChild(name);
  if (column !== null && DataType.isFloat(column.type) && column.type.precision === type.precision) {
    if (column.nullCount === 0) return column.toArray();
  }
  const allowed = `${type} without nulls`;
  throw new FormatError({ subject: file, problem: `has no usable column ${name}`, received: column?.type, allowed });
}
