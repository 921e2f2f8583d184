import type { Grid } from './grid-ensemble.js';

/** A grid that was found among places, and where each of them is on it. */
export interface FoundGrid {
  readonly grid: Grid;
  /** For each place, its cell. */
  readonly cellOf: Int32Array;
}

/**
 * The grid that places make up: rectilinear where they are every latitude with every longitude, at least two of each, in any order, with
 * its axes in the order of the places, or ascending where that is not monotonic. Else they stay places, in their order.
 */
export function gridOfPlaces(latitude: Float64Array, longitude: Float64Array): FoundGrid {
  const [y, x] = [axisOf(latitude), axisOf(longitude)];
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

/** The place of each distinct value on an axis. */
function axisOf(values: Float64Array): Map<number, number> {
  const distinct = [...new Set(values)];
  const ascending = distinct.every((value, i) => i === 0 || value > distinct[i - 1]);
  const descending = distinct.every((value, i) => i === 0 || value < distinct[i - 1]);
  if (!ascending && !descending) distinct.sort((a, b) => a - b);
  return new Map(distinct.map((value, i) => [value, i]));
}
