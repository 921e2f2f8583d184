import type { Grid } from '../../../ensemble/grid.js';
import type { PlaceLabels } from '../../../ensemble/place-labels.js';

/** The grid of places, and the cell of each place. */
export interface FoundGrid {
  readonly grid: Grid;
  /** The cell of each place. */
  readonly cellOf: Int32Array;
}

/**
 * Finds the grid of places: rectilinear where they are every latitude with every longitude, at least two of each, in
 * any order, with its axes in the order of the places, or ascending where that is not monotonic. Else, and where they
 * have ids, they remain places, in their order.
 */
export function findGrid(latitude: Float64Array, longitude: Float64Array, labels?: PlaceLabels): FoundGrid {
  const [y, x] = [createAxis(latitude), createAxis(longitude)];
  const cellOf = Int32Array.from(
    latitude,
    (lat, i) => (y.get(lat) as number) * x.size + (x.get(longitude[i]) as number),
  );
  if (
    !labels?.hasId &&
    y.size > 1 &&
    x.size > 1 &&
    y.size * x.size === latitude.length &&
    new Set(cellOf).size === latitude.length
  ) {
    const of = new Int32Array(latitude.length);
    for (const [place, cell] of cellOf.entries()) of[cell] = labels?.of[place] ?? 0;
    const grid: Grid = {
      kind: 'rectilinear',
      labels: labels && { ...labels, of },
      latitude: Float64Array.from(y.keys()),
      longitude: Float64Array.from(x.keys()),
    };
    return { grid, cellOf };
  }
  return {
    grid: { kind: 'places', latitude, longitude, labels, shape: [latitude.length] },
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
