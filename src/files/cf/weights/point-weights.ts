import type { Grid, GridCells } from '../../../ensemble/grid.js';
import { isCurvilinear, type Places, wrapLongitude } from '../../../ensemble/nearest-place.js';
import { PlaceIndex } from '../../../ensemble/place-index.js';
import { DataError, OptionError } from '../../../errors.js';
import { type PlaceList, placeNames } from '../../places/place-list.js';
import { storedPlaces } from '../cells/cell-places.js';
import { type CellWeights, WeightsBuilder } from './cell-weights.js';

/** From this share of land on, a cell is one of land. */
const LAND = 0.5;

/** The cell of each point, and which of them is not of land although a mask was given. */
export interface NearestCells {
  readonly cells: Int32Array;
  readonly atSea: readonly number[];
}

/**
 * Finds the cell nearest to each point; with the share of `land` in each cell the nearest one of land, unless none is
 * within a grid step. Throws DataError for points that are farther from the grid than one grid step.
 */
export function nearestCells(
  grid: Grid,
  cells: number,
  points: PlaceList,
  source: string,
  land?: Float64Array,
): NearestCells {
  const places = storedPlaces(grid, 0, cells);
  const shape = grid.kind === 'places' ? grid.shape : undefined;
  const all = new PlaceIndex(places, shape);
  const isLand = (cell: number) => land === undefined || land[cell] >= LAND;
  const masked = (degrees: Float64Array) => degrees.map((value, cell) => (isLand(cell) ? value : Number.NaN));
  const onLand =
    land && new PlaceIndex({ latitude: masked(places.latitude), longitude: masked(places.longitude) }, shape);
  const [found, outside, atSea] = [new Int32Array(points.latitude.length), [] as number[], [] as number[]];
  for (let i = 0; i < found.length; i++) {
    const point = { latitude: points.latitude[i], longitude: points.longitude[i] };
    const nearest = all.covering(point);
    if (nearest === undefined) {
      outside.push(i);
      continue;
    }
    grid.labels?.assertOnly(places, nearest, source);
    const cell = isLand(nearest) ? nearest : onLand?.covering(point);
    if (cell === undefined) atSea.push(i);
    found[i] = cell ?? nearest;
  }
  if (outside.length > 0) throw notCovered(all, points, outside, source);
  return { cells: found, atSea };
}

function notCovered(all: PlaceIndex, points: PlaceList, outside: readonly number[], source: string): DataError {
  const { latitude, longitude } = points;
  const isSwapped = (i: number) =>
    Math.abs(longitude[i]) <= 90 && all.covering({ latitude: longitude[i], longitude: latitude[i] }) !== undefined;
  const isEach = outside.length === latitude.length;
  const hint = isEach && outside.every(isSwapped) ? ', as latitudes and longitudes seem to be swapped' : '';
  const count = isEach && outside.length > 1 ? 'none' : `${outside.length}`;
  return new DataError({
    ...{ source: points.source },
    problem:
      count === 'none'
        ? `none of its ${latitude.length} points is on the grid of ${source}${hint}`
        : `${count} of its ${latitude.length} points ${outside.length === 1 ? 'is' : 'are'} not on the grid of ${source}${hint}`,
    received: placeNames(points, outside),
    allowed: 'points within one grid step of a cell; leave the others out',
  });
}

/** One cell for each point. */
export function weightsOfCells(cells: number, found: Int32Array): CellWeights {
  const builder = new WeightsBuilder(cells);
  for (const cell of found) {
    builder.add(cell, 1);
    builder.end();
  }
  return builder.build();
}

/**
 * Weights of the cells around each point, bilinear in latitude and longitude; of curvilinear grids bilinear in the
 * quadrangle of four neighbours. Beside the outermost centres, those nearest to the point count alone. Throws
 * OptionError for a grid without rows and columns.
 */
export function bilinearWeights(grid: Grid, points: Places, nearest: Int32Array, source: string): CellWeights {
  const { latitude, longitude } = points;
  const cells = grid.kind === 'rectilinear' ? grid.latitude.length * grid.longitude.length : grid.latitude.length;
  const builder = new WeightsBuilder(cells);
  const around = cornersOf(grid, source);
  for (let i = 0; i < latitude.length; i++) {
    const sums = new Map<number, number>();
    for (const [cell, weight] of around(latitude[i], longitude[i], nearest[i])) {
      if (weight > 0) sums.set(cell, (sums.get(cell) ?? 0) + weight);
    }
    for (const [cell, weight] of [...sums].sort(([a], [b]) => a - b)) builder.add(cell, weight);
    builder.end();
  }
  return builder.build();
}

type Corner = readonly [cell: number, weight: number];
type CornerFinder = (latitude: number, longitude: number, nearest: number) => readonly Corner[];

function cornersOf(grid: GridCells, source: string): CornerFinder {
  if (grid.kind === 'rectilinear') return rectilinearCorners(grid, source);
  const { shape } = grid;
  if (isCurvilinear(shape))
    return (latitude, longitude, nearest) => quadrangle(grid, shape, latitude, longitude, nearest);
  throw new OptionError({
    ...{ subject: `${source}, pointMethod`, problem: 'cells have no rows and columns', received: 'bilinear' },
    allowed: 'nearest',
  });
}

/** The place of a value on an axis: the indices around it, and the weight of the second. */
type Bracket = readonly [one: number, other: number, weight: number];

function rectilinearCorners(
  { latitude, longitude }: Extract<GridCells, { kind: 'rectilinear' }>,
  source: string,
): CornerFinder {
  const width = longitude.length;
  const east = longitude.map((degrees) => around(degrees - longitude[0]));
  // Neighbours are less than half a circle apart.
  const isDescending = width > 1 && east[1] > 180;
  const along = isDescending ? longitude.map((degrees) => around(longitude[0] - degrees)) : east;
  const sign = latitude.length > 1 && latitude[1] < latitude[0] ? -1 : 1;
  const up = latitude.map((degrees) => sign * degrees);
  for (const axis of [along, up]) {
    if (axis.every((value, i) => i === 0 || value > axis[i - 1])) continue;
    throw new DataError({
      ...{ source, problem: 'its rows or columns are in no order', allowed: 'points by the nearest cell' },
    });
  }
  const widest = along.reduce((most, value, i) => (i === 0 ? most : Math.max(most, value - along[i - 1])), 0);
  const isRound = width > 2 && 360 - along[width - 1] <= 1.5 * widest;
  return (north, easterly) => {
    const [south, above, share] = bracket(up, sign * north);
    const position = around(isDescending ? longitude[0] - easterly : easterly - longitude[0]);
    const [west, beside, part] = columnsAround(along, position, isRound);
    return [
      [south * width + west, (1 - share) * (1 - part)],
      [south * width + beside, (1 - share) * part],
      [above * width + west, share * (1 - part)],
      [above * width + beside, share * part],
    ];
  };
}

function columnsAround(along: Float64Array, position: number, isRound: boolean): Bracket {
  const last = along.length - 1;
  if (position <= along[last]) return bracket(along, position);
  if (isRound) return [last, 0, (position - along[last]) / (360 - along[last])];
  return position - along[last] <= 360 - position ? [last, last, 0] : [0, 0, 0];
}

/** The place of a value on an ascending axis; beyond an end only the outermost counts. */
function bracket(axis: Float64Array, value: number): Bracket {
  let [from, to] = [0, axis.length - 1];
  if (value <= axis[0]) return [0, 0, 0];
  if (value >= axis[to]) return [to, to, 0];
  while (to - from > 1) {
    const middle = (from + to) >> 1;
    if (axis[middle] <= value) from = middle;
    else to = middle;
  }
  return [from, to, (value - axis[from]) / (axis[to] - axis[from])];
}

/** Degrees of longitude from 0 up to 360. */
function around(degrees: number): number {
  const positive = degrees % 360;
  return positive < 0 ? positive + 360 : positive;
}

/** A point counts for a quadrangle although it is beside it by rounding. */
const BESIDE = 1e-9;
/** Newton's method reaches full precision in a few steps. */
const MAX_STEPS = 20;

/** The corners of the quadrangle of centres that a point is in; the nearest cell alone where it is in none. */
function quadrangle(
  grid: Places,
  [rows, columns]: readonly [number, number],
  latitude: number,
  longitude: number,
  nearest: number,
): readonly Corner[] {
  const [row, column] = [Math.floor(nearest / columns), nearest % columns];
  for (const y of [row - 1, row]) {
    for (const x of [column - 1, column]) {
      if (y < 0 || x < 0 || y + 1 >= rows || x + 1 >= columns) continue;
      const cells = [y * columns + x, y * columns + x + 1, (y + 1) * columns + x, (y + 1) * columns + x + 1];
      const found = positionWithin(grid, cells, latitude, longitude);
      if (found === undefined) continue;
      const [s, t] = found;
      return [
        [cells[0], (1 - s) * (1 - t)],
        [cells[1], s * (1 - t)],
        [cells[2], (1 - s) * t],
        [cells[3], s * t],
      ];
    }
  }
  return [[nearest, 1]];
}

/** Where a point is in a quadrangle, from 0 to 1 along columns and rows: the inverse of bilinear interpolation. */
function positionWithin(
  { latitude, longitude }: Places,
  cells: readonly number[],
  north: number,
  east: number,
): readonly [number, number] | undefined {
  const ys = cells.map((cell) => latitude[cell] - north);
  const xs = cells.map((cell) => wrapLongitude(longitude[cell] - east));
  if ([...ys, ...xs].some(Number.isNaN)) return undefined;
  let [s, t] = [0.5, 0.5];
  for (let step = 0; step < MAX_STEPS; step++) {
    const at = (v: readonly number[]) => (v[0] * (1 - s) + v[1] * s) * (1 - t) + (v[2] * (1 - s) + v[3] * s) * t;
    const alongColumns = (v: readonly number[]) => (v[1] - v[0]) * (1 - t) + (v[3] - v[2]) * t;
    const alongRows = (v: readonly number[]) => (v[2] - v[0]) * (1 - s) + (v[3] - v[1]) * s;
    const [x, y] = [at(xs), at(ys)];
    const [xs1, ys1, xt, yt] = [alongColumns(xs), alongColumns(ys), alongRows(xs), alongRows(ys)];
    const determinant = xs1 * yt - xt * ys1;
    if (determinant === 0) return undefined;
    const [ds, dt] = [(x * yt - y * xt) / determinant, (y * xs1 - x * ys1) / determinant];
    [s, t] = [s - ds, t - dt];
    if (Math.abs(ds) + Math.abs(dt) < 1e-13) break;
  }
  const isWithin = (share: number) => share >= -BESIDE && share <= 1 + BESIDE;
  if (!isWithin(s) || !isWithin(t)) return undefined;
  const limited = (share: number) => Math.min(1, Math.max(0, share));
  return [limited(s), limited(t)];
}
