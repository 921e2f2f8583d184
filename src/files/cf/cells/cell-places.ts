import { westernLongitude } from '../../../ensemble/degrees.js';
import type { Grid } from '../../../ensemble/grid.js';
import type { DataPlace } from '../../../errors.js';
import { dateText, type ModelCalendar } from '../../../period/calendar.js';
import type { GridEnsemble } from '../grid-ensemble.js';

/**
 * The latitude and longitude of some consecutive cells, as in results: longitudes above 180 degrees become negative
 * ones.
 */
export function cellPlaces(
  grid: Grid,
  cell: number,
  cells: number,
): { latitude: Float64Array; longitude: Float64Array } {
  const { latitude, longitude } = storedPlaces(grid, cell, cells);
  for (let i = 0; i < cells; i++) longitude[i] = westernLongitude(longitude[i]);
  return { latitude, longitude };
}

/** The latitude and longitude of some consecutive cells, unchanged. */
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

/** The place of a value of an array, for messages. */
export function valuePlace(
  { source, array, calendar }: Pick<GridEnsemble, 'source' | 'array'> & { readonly calendar?: ModelCalendar },
  member: string,
  day: number,
  latitude: number,
  longitude: number,
): DataPlace {
  const where = `latitude ${latitude}, longitude ${longitude}`;
  return { source, column: `${array} (member ${member}, ${dateText(calendar, day)}, ${where})` };
}
