import { nearestOf } from '../arrow/nearest-cell.js';
import type { Places, Point } from '../arrow/nearest-place.js';
import type { GridEnsemble } from './grid-ensemble.js';

/**
 * The cell of an ensemble that is nearest to a point, as an ensemble of its own. Throws OptionError for what is no point, and DataError
 * where it lies farther from the grid than one of its steps.
 */
export function ensembleAtPoint(ensemble: GridEnsemble, point: Point): GridEnsemble {
  const places = placesOf(ensemble);
  const cell = nearestOf(places, point, ensemble.source);
  const days = ensemble.days;
  return {
    ...ensemble,
    grid: {
      kind: 'places',
      latitude: places.latitude.slice(cell, cell + 1),
      longitude: places.longitude.slice(cell, cell + 1),
      shape: [1],
    },
    cells: 1,
    blocks: () => [{ cell: 0, cells: 1, day: 0, days }],
    read: (block, core) => ensemble.read({ ...block, cell }, core),
  };
}

/** The latitude and longitude of each cell. */
export function placesOf({ grid, cells }: Pick<GridEnsemble, 'grid' | 'cells'>): Places {
  if (grid.kind === 'places') return grid;
  const width = grid.longitude.length;
  return {
    latitude: Float64Array.from({ length: cells }, (_, cell) => grid.latitude[Math.floor(cell / width)]),
    longitude: Float64Array.from({ length: cells }, (_, cell) => grid.longitude[cell % width]),
  };
}
