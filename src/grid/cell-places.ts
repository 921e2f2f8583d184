import type { Grid } from './grid-ensemble.js';

/** The latitude and longitude of some consecutive cells, as results show them: longitudes above 180 degrees are western ones. */
export function cellPlaces(
  grid: Grid,
  cell: number,
  cells: number,
): { latitude: Float64Array; longitude: Float64Array } {
  const { kind, latitude, longitude } = grid;
  const western = (degrees: number) => (degrees > 180 ? degrees - 360 : degrees);
  if (kind === 'places') {
    return {
      latitude: latitude.slice(cell, cell + cells),
      longitude: longitude.slice(cell, cell + cells).map(western),
    };
  }
  const width = longitude.length;
  const indices = Float64Array.from({ length: cells }, (_, i) => cell + i);
  return {
    latitude: indices.map((index) => latitude[Math.floor(index / width)]),
    longitude: indices.map((index) => western(longitude[index % width])),
  };
}
