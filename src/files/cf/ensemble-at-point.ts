import { nearestPlace } from '../../ensemble/nearest-cell.js';
import type { Point } from '../../ensemble/nearest-place.js';
import { cellPlaces } from './cells/cell-places.js';
import type { GridEnsemble } from './grid-ensemble.js';

/**
 * Creates an ensemble of the one cell that is nearest to a point. Throws OptionError for what is not a point, and
 * DataError where the point is farther from the grid than one grid step.
 */
export function ensembleAtPoint(ensemble: GridEnsemble, point: Point): GridEnsemble {
  const places = cellPlaces(ensemble.grid, 0, ensemble.cells);
  const cell = nearestPlace(places, point, ensemble.source);
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
