import { westernLongitude } from '../../ensemble/degrees.js';
import type { Grid } from './grid-ensemble.js';

/** The latitude and longitude of some consecutive cells, as results show them: longitudes above 180 degrees are western ones. */
export function cellPlaces(
  grid: Grid,
  cell: number,
  cells: number,
): { latitude: Float64Array; longitude: Float64Array } {
  const { latitude, longitude } = storedPlaces(grid, cell, cells);
  for (let i = 0; i < cells; i++) longitude[i] = westernLongitude(longitude[i]);
  return { latitude, longitude };
}

/** The latitude and longitude of some consecutive cells as they are. */
export function storedPlaces(
  grid: Grid,
  cell: number,
  cells: number,
): { latitude: Float64Array; longitude: Float64Array } {
  const { kind } = grid;
  const latitude = new Float64Array(cells);
  const longitude = new Float64Array(cells);
  if (kind === 'places') {
    latitude.set(grid.latitude.subarray(cell, cell + cells));
    longitude.set(grid.longitude.subarray(cell, cell + cells));
  } else {
    const width = grid.longitude.length;
    for (let i = 0, row = Math.floor(cell / width), column = cell % width; i < cells; i++, column++) {
      if (column === width) {
        row++;
        column = 0;
      }
      latitude[i] = grid.latitude[row];
      longitude[i] = grid.longitude[column];
    }
  }
  return { latitude, longitude };
}
