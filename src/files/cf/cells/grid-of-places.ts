import type { Grid } from '../../../ensemble/grid.js';
import type { Coordinates } from '../../../table/columns/coordinates.js';

/** The grid of places, and the cell of each place. */
export interface FoundGrid {
  readonly grid: Grid;
  /** The cell of each place. */
  readonly cellOf: Int32Array;
}

/**
 * Finds the grid of places: rectilinear where they are every latitude with every longitude, at least two of each, in
 * any order, with its axes in the order of the places, or ascending where that is not monotonic. Else they remain
 * places, in their order.
 */
export function findGrid(latitude: Float64Array, longitude: Float64Array): FoundGrid {
  const [y, x] = [createAxis(latitude), createAxis(longitude)];
  const cellOf = Int32Array.from(
    latitude,
    (lat, i) => (y.get(lat) as number) * x.size + (x.get(longitude[i]) as number),
  );
  if (y.size > 1 && x.size > 1 && y.size * x.size === latitude.length && new Set(cellOf).size === latitude.length) {
    const grid: Grid = {
      kind: 'rectilinear',
      latitude: Float64Array.from(y.keys()),
      longitude: Float64Array.from(x.keys()),
    };
    return { grid, cellOf };
  }
  return {
    grid: { kind: 'places', latitude, longitude, shape: [latitude.length] },
    cellOf: Int32Array.from(latitude, (_, i) => i),
  };
}

/** The index of each distinct value on an axis. */
function createAxis(values: Float64Array): Map<number, number> {
  const distinct = [...new Set(values)];
  const ascending = distinct.every((value, i) => i === 0 || value > distinct[i - 1]);
  const descending = distinct.every((value, i) => i === 0 || value < distinct[i - 1]);
  if (!ascending && !descending) distinct.sort((a, b) => a - b);
  return new Map(distinct.map((value, i) => [value, i]));
}

/** Distinct places in the order of their first rows. */
export interface PlacesOfRows {
  readonly latitude: Float64Array;
  readonly longitude: Float64Array;
  /** The index of each row's place. */
  readonly placeOf: Int32Array;
}

/** Finds the places of rows; a single one with unknown coordinates where rows do not have any. */
export function findPlaces({ latitude, longitude }: Coordinates, rows: number): PlacesOfRows {
  if (latitude === undefined || longitude === undefined) {
    return {
      latitude: Float64Array.of(Number.NaN),
      longitude: Float64Array.of(Number.NaN),
      placeOf: new Int32Array(rows),
    };
  }
  const known = new Map<number, Map<number, number>>();
  const [latitudes, longitudes]: [number[], number[]] = [[], []];
  const placeOf = new Int32Array(rows);
  for (let row = 0; row < rows; row++) {
    let ofLatitude = known.get(latitude[row]);
    if (ofLatitude === undefined) known.set(latitude[row], (ofLatitude = new Map()));
    let place = ofLatitude.get(longitude[row]);
    if (place === undefined) {
      place = latitudes.length;
      ofLatitude.set(longitude[row], place);
      latitudes.push(latitude[row]);
      longitudes.push(longitude[row]);
    }
    placeOf[row] = place;
  }
  return { latitude: Float64Array.from(latitudes), longitude: Float64Array.from(longitudes), placeOf };
}
