import { nearestPlace } from '../../ensemble/nearest-cell.js';
import type { Point } from '../../ensemble/nearest-place.js';
import { cellPlaces } from './cell-places.js';
import type { GridEnsemble } from './grid-ensemble.js';

/**
 * The cell of an ensemble that is nearest to a point, as an ensemble of its own. Throws OptionError for what is no point, and DataError
 * where it lies farther from the grid than one of its steps.
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
