import { assertKnownKeys, assertOneOf, type Choice } from '../../../check/option-checks.js';
import { cellsOfGrid } from '../../../ensemble/grid.js';
import { distanceFrom, onSphere } from '../../../ensemble/nearest-place.js';
import { westernLongitude } from '../../../ensemble/place-rows.js';
import { OptionError, unusable } from '../../../errors.js';
import { type PlaceList, placeNames, withNumbers } from '../../places/place-list.js';
import { storedPlace } from '../cells/cell-places.js';
import type { GridEnsemble } from '../grid-ensemble.js';
import { OrderedRuns } from './ordered-runs.js';
import { bilinearWeights, nearestCells, weightsOfCells } from './point-weights.js';
import { weightedEnsemble } from './weighted-ensemble.js';

/** How points take values of a grid. */
const POINT_METHODS = ['nearest', 'bilinear'] as const;

/** Options of `atPoints`. */
export interface AtPointsOptions {
  /** The nearest cell, or four cells around each point by their distance in degrees. Default: `nearest`. */
  readonly method?: Choice<(typeof POINT_METHODS)[number]>;
  /** The share of land in each cell, from 0 to 1: of the cells within a grid step the nearest one of land is taken. */
  readonly land?: Float64Array;
  /** Kelvin per kilometre by which temperatures fall with height, for the points' elevation: usually 6.5. */
  readonly lapseRate?: number;
  /** The height of the surface of each cell in metres, for the lapse rate. */
  readonly cellElevation?: Float64Array;
}

const NAMES: readonly (keyof AtPointsOptions)[] = ['method', 'land', 'lapseRate', 'cellElevation'];

/** Steeper lapse rates are units that were confused. */
const MAX_LAPSE_RATE = 15;
const KILOMETRE = 1000;
/** The kilometres of a degree on a sphere of 6,371 km. */
const OF_DEGREE = (6371 * Math.PI) / 180;

/**
 * The ensemble of a grid at points: each keeps its id and its coordinates, and all are read in one pass over the file.
 * Results have the cell of each point (`cell_latitude`, `cell_longitude`, `distance_km`), and what was done in their
 * metadata. Throws DataError for points that are farther from the grid than one grid step, and OptionError.
 */
export function atPoints(ensemble: GridEnsemble, points: PlaceList, options: AtPointsOptions = {}): GridEnsemble {
  assertKnownKeys(options, NAMES);
  const { land, lapseRate } = options;
  const method = (options.method ?? 'nearest') as (typeof POINT_METHODS)[number];
  assertOneOf('pointMethod', method, POINT_METHODS);
  const { grid, source, variable } = ensemble;
  const cells = cellsOfGrid(grid);
  if (land !== undefined && land.length !== cells) throw unusable('land', land, `the share of land of ${cells} cells`);
  const { cells: nearest, atSea } = nearestCells(grid, cells, points, source, land);
  const isNearest = method === 'nearest';
  if (!isNearest && land !== undefined) {
    const problem = 'cannot be given together with bilinear weights, which cells of water have, too';
    throw new OptionError({ subject: 'landMask', problem, allowed: 'points by the nearest cell' });
  }
  const weights = isNearest ? weightsOfCells(cells, nearest) : bilinearWeights(grid, points, nearest, source);
  const warnings = [...ensemble.warnings];
  if (atSea.length > 0) {
    warnings.push(
      `no cell of land is within a grid step of ${atSea.length} points, which have the nearest cell: ${placeNames(points, atSea)}`,
    );
  }
  if (!isNearest && variable?.window === 'sum') {
    warnings.push(`bilinear values of ${variable.slug} have more wet days and lower extremes than cells have`);
  }
  const { latitude, longitude } = points;
  const lapse = lapseRate === undefined ? undefined : lapseOf(ensemble, points, nearest, options);
  const some = latitude.length === 1 ? '1 point' : `${latitude.length} points`;
  const done = isNearest
    ? `${some} by the nearest cell${land === undefined ? '' : ' of land'}`
    : `${some} by bilinear weights of the cells around`;
  const how = [
    done,
    ...(lapse === undefined ? [] : [`temperature by ${lapseRate} K/km and the difference of elevation`]),
  ];
  const labels = withNumbers(
    points.labels,
    {
      ...(isNearest && cellColumns(ensemble, points, nearest)),
      cell_elevation: lapse?.cellElevation.map((metres) => Math.round(metres * 100) / 100),
    },
    latitude.length,
  );
  return weightedEnsemble(
    ensemble,
    {
      runs: new OrderedRuns(weights),
      statistic: isNearest ? 'value' : 'mean',
      whole: new Float64Array(latitude.length).fill(1),
      minShare: 1,
      added: lapse?.added,
    },
    {
      grid: { kind: 'places', latitude, longitude, labels, shape: [latitude.length] },
      conversions: [...ensemble.conversions, ...how],
      warnings,
      metadata: new Map([...ensemble.metadata, ['points', how.join('; ')]]),
    },
  );
}

/** The cell of each point, and how far it is. */
function cellColumns({ grid }: GridEnsemble, points: PlaceList, nearest: Int32Array): Record<string, Float64Array> {
  const { length } = nearest;
  const [north, east, away] = [new Float64Array(length), new Float64Array(length), new Float64Array(length)];
  for (let i = 0; i < length; i++) {
    const { latitude, longitude } = storedPlace(grid, nearest[i]);
    const at = onSphere({ latitude: points.latitude[i], longitude: points.longitude[i] });
    const distance = distanceFrom(at, latitude, longitude) * OF_DEGREE;
    north[i] = latitude;
    east[i] = westernLongitude(longitude);
    away[i] = Math.round(distance * KILOMETRE) / KILOMETRE;
  }
  return { cell_latitude: north, cell_longitude: east, distance_km: away };
}

/** What is added to temperatures because points are higher or lower than their cells. Throws OptionError. */
function lapseOf(
  { variable, units, array, source, grid }: GridEnsemble,
  points: PlaceList,
  nearest: Int32Array,
  { lapseRate = 0, cellElevation, method }: AtPointsOptions,
): { added: Float64Array; cellElevation: Float64Array } {
  const fail = (problem: string, received: unknown, allowed: string) =>
    new OptionError({ subject: `${source}, lapseRate`, problem, received, allowed });
  if (!(typeof lapseRate === 'number' && Math.abs(lapseRate) <= MAX_LAPSE_RATE)) {
    throw fail(
      'is no lapse rate',
      lapseRate,
      `kelvin per kilometre from -${MAX_LAPSE_RATE} to ${MAX_LAPSE_RATE}, such as 6.5`,
    );
  }
  if (!(variable?.slug ?? '').startsWith('temp_') || units !== 'degC') {
    throw fail('is for temperatures of the air', variable?.slug ?? array, 'temp_mean, temp_min or temp_max');
  }
  if (method === 'bilinear') throw fail('needs one cell for each point', 'bilinear', 'points by the nearest cell');
  if (cellElevation === undefined || cellElevation.length !== cellsOfGrid(grid)) {
    throw fail('needs the height of each cell', cellElevation, 'cellElevation in metres, one for each cell');
  }
  const own = Float64Array.from(nearest, (cell) => cellElevation[cell]);
  const unknown = Array.from(own.keys()).filter((i) => Number.isNaN(own[i] + points.elevation[i]));
  if (unknown.length > 0) {
    throw fail(
      `needs the elevation of each point in metres, and of its cell`,
      placeNames(points, unknown),
      `a column elevation in ${points.source}, and heights of all cells`,
    );
  }
  const added = own.map((metres, i) => (lapseRate * (metres - points.elevation[i])) / KILOMETRE);
  return { added, cellElevation: own };
}
