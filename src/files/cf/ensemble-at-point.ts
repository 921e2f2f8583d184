import { nearestPlace } from '../../ensemble/nearest-cell.js';
import {
  covers,
  curvilinearStep,
  findGridStep,
  findNearest,
  isCurvilinear,
  type Places,
  type Point,
} from '../../ensemble/nearest-place.js';
import { cellPlaces } from './cells/cell-places.js';
import type { GridEnsemble } from './grid-ensemble.js';

type StepAt = typeof findGridStep;

/** From this share of land on, a cell is one of land. */
const LAND = 0.5;

/**
 * Creates an ensemble of the one cell that is nearest to a point; with the share of `land` in each cell, of the nearest
 * one of land, unless none is within a grid step. Throws OptionError for what is not a point, and DataError where the
 * point is farther from the grid than one grid step.
 */
export function ensembleAtPoint(ensemble: GridEnsemble, point: Point, land?: Float64Array): GridEnsemble {
  const places = cellPlaces(ensemble.grid, 0, ensemble.cells);
  const { grid } = ensemble;
  const shape = grid.kind === 'places' ? grid.shape : undefined;
  const stepAt: StepAt = isCurvilinear(shape) ? (_, place) => curvilinearStep(places, shape, place) : findGridStep;
  const nearest = nearestPlace(places, point, ensemble.source, stepAt);
  const cell =
    land === undefined || land[nearest] >= LAND ? nearest : (nearestLand(places, point, land, stepAt) ?? nearest);
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

/** The cell of land that is nearest to a point; undefined where none is within a grid step. */
function nearestLand(places: Places, point: Point, land: Float64Array, stepAt: StepAt): number | undefined {
  const onLand = (degrees: Float64Array) => degrees.map((value, cell) => (land[cell] >= LAND ? value : Number.NaN));
  const { latitude, longitude } = places;
  const cells = { latitude: onLand(latitude), longitude: onLand(longitude) };
  const found = findNearest(cells, point);
  return found !== undefined && covers(cells, found, point, stepAt(cells, found.place)) ? found.place : undefined;
}
