import type { Grid } from '../../../ensemble/grid.js';
import { singleDegrees } from '../../../ensemble/place-rows.js';
import { DataError, mentionOption } from '../../../errors.js';
import type { ArrayFile, StoredArray } from '../../array/array-file.js';
import { RADIANS } from '../../projection/projection.js';
import type { ArrayReader } from '../array-reader.js';
import { textAttribute } from '../attribute-values.js';
import { type ArrayDimension, areTurned, findCoordinates, isLength, isRotated } from '../coordinates.js';
import { findGridMapping, mappingName } from './grid-mapping.js';
import { areRadians, findPlaneAxes, type PlaneAxes, projectedGrid, statedProjection } from './projected-cells.js';
import { stationLabels } from './station-labels.js';

/** The cells of an array, and their dimensions: the index of a cell is `y * length of x + x`. */
export interface CellAxes {
  readonly grid: Grid;
  readonly y: ArrayDimension | undefined;
  readonly x: ArrayDimension | undefined;
  /** The coordinates that say where they are, for people; undefined where none do. */
  readonly by?: string;
}

/**
 * Finds the cells of an array, by latitude and longitude along those `dimensions` that are neither time nor members:
 * one each (a rectilinear grid), one or two for both (places, a curvilinear grid), or none, for a single cell; without
 * them by the coordinates of a projection, see `projectedGrid`. A single cell may have no coordinates: they are NaN.
 *
 * Throws DataError where cells have no latitude and longitude, and where these are not degrees.
 */
export async function cellAxes(
  reader: ArrayReader,
  array: StoredArray,
  dimensions: readonly ArrayDimension[],
): Promise<CellAxes> {
  const found = await cellsByCoordinates(reader, array, dimensions);
  const { grid, x, y } = found;
  if (grid.kind !== 'places' || x === undefined || y !== undefined) return found;
  return { ...found, grid: { ...grid, labels: await stationLabels(reader, x) } };
}

async function cellsByCoordinates(
  reader: ArrayReader,
  array: StoredArray,
  dimensions: readonly ArrayDimension[],
): Promise<CellAxes> {
  const of = (name: string) => dimensions.find((dimension) => dimension.name === name);
  const along = (kind: 'latitude' | 'longitude') =>
    findCoordinates(reader.file, array, kind)
      .map((coordinate) => ({ coordinate, axes: coordinate.dimensions.map(of).filter((axis) => axis !== undefined) }))
      // A coordinate that changes with time or member is not a coordinate of cells.
      .filter(({ coordinate, axes }) => axes.length >= coordinate.shape.filter((length) => length > 1).length);
  const pairs = along('latitude').flatMap((lat) => along('longitude').map((lon) => ({ lat, lon })));
  const usable = pairs.filter(({ lat, lon }) => (lat.axes.length <= 1 && lon.axes.length <= 1) || sameAxes(lat, lon));
  const long = dimensions.filter(({ length }) => length > 1);
  const pair =
    usable.find(({ lat, lon }) => long.every((axis) => [...lat.axes, ...lon.axes].includes(axis))) ?? usable[0];
  if (pair === undefined)
    return (await onPlane(reader, array, dimensions)) ?? (await withoutCoordinates(reader, array, long));
  if (isNamedAsAxis(pair.lat.coordinate) && !sameAxes(pair.lat, pair.lon)) {
    const plane = await onPlane(reader, array, dimensions);
    if (plane !== undefined) return plane;
  }
  const rotated = rotatedAxes(reader.file, array, pair);
  if (rotated !== undefined) return (await onPlane(reader, array, dimensions, rotated)) as CellAxes;
  const [latitude, longitude] = [
    await degrees(reader, pair.lat.coordinate, -90, 90),
    await degrees(reader, pair.lon.coordinate, -180, 360),
  ];
  const { lat, lon } = pair;
  const by = `${lat.coordinate.name} and ${lon.coordinate.name}`;
  if (lat.axes.length + lon.axes.length === 0) {
    return { grid: { kind: 'places', latitude, longitude, shape: [1] }, y: undefined, x: undefined, by };
  }
  if (!sameAxes(lat, lon)) {
    return { grid: { kind: 'rectilinear', latitude, longitude }, y: lat.axes[0], x: lon.axes[0], by };
  }
  const found = places(pair.lat.axes, latitude, longitude, pair);
  const projection = lat.coordinate.projection ?? statedProjection(reader.file, array);
  const isPlane = found.y !== undefined && projection !== undefined;
  return { ...found, by, ...(isPlane && { grid: { ...found.grid, projection } as Grid }) };
}

/**
 * The rows and columns of an array that names the mapping of a rotated grid, whose coordinates are latitudes and
 * longitudes by their units or names: CDO rotates these, too. Standard names, which the caller may give them, decide
 * otherwise.
 */
function rotatedAxes(
  file: ArrayFile,
  array: StoredArray,
  { lat, lon }: { lat: Named; lon: Named },
): PlaneAxes | undefined {
  const [[y, ...others], [x, ...more]] = [lat.axes, lon.axes];
  const areAxes = y !== undefined && x !== undefined && y !== x && others.length + more.length === 0;
  if (!areAxes || textAttribute(array.attributes, 'grid_mapping') === undefined) return undefined;
  const described = findGridMapping(file, array);
  const isNamed = [lat, lon].some(
    ({ coordinate }) => textAttribute(coordinate.attributes, 'standard_name') !== undefined,
  );
  if (isNamed || described === undefined || mappingName(described) !== 'rotated_latitude_longitude') return undefined;
  return { y: { dimension: y, coordinate: lat.coordinate }, x: { dimension: x, coordinate: lon.coordinate } };
}

/** Whether a latitude is one by the name `y` alone: a grid mapping knows better. */
function isNamedAsAxis({ attributes }: StoredArray): boolean {
  const [standardName, units] = ['standard_name', 'units'].map((name) => textAttribute(attributes, name));
  return standardName === undefined && /^deg(ree)?s?$/i.test(units ?? '');
}

type Named = { coordinate: StoredArray; axes: ArrayDimension[] };

/**
 * Cells with a latitude and longitude each, in the order of the array, also where its coordinates have another order.
 */
function places(
  axes: readonly ArrayDimension[],
  latitude: Float64Array,
  longitude: Float64Array,
  { lat, lon }: { lat: Named; lon: Named },
): CellAxes {
  const long = axes.filter(({ length }) => length > 1);
  const [y, x] = [...(long.length > 0 ? long : axes.slice(-1))].sort((a, b) => a.index - b.index);
  const inArrayOrder = (values: Float64Array, own: readonly ArrayDimension[]) => {
    const order = own.filter((axis) => axis === y || axis === x);
    return order.length === 2 && order[0] === x ? transposed(values, order[0].length, order[1].length) : values;
  };
  const shape = x === undefined ? [y.length] : [y.length, x.length];
  const grid: Grid = {
    kind: 'places',
    latitude: inArrayOrder(latitude, lat.axes),
    longitude: inArrayOrder(longitude, lon.axes),
    shape,
  };
  return x === undefined ? { grid, y: undefined, x: y } : { grid, y, x };
}

function transposed(values: Float64Array, rows: number, columns: number): Float64Array {
  return values.map((_, i) => values[(i % rows) * columns + Math.floor(i / rows)]);
}

function sameAxes(lat: Named, lon: Named): boolean {
  return lat.axes.length === lon.axes.length && lat.axes.every((axis) => lon.axes.includes(axis));
}

/** Cells whose coordinates are those of a map projection or a rotated grid, which a grid mapping describes. */
async function onPlane(
  reader: ArrayReader,
  array: StoredArray,
  dimensions: readonly ArrayDimension[],
  axes = findPlaneAxes(dimensions),
): Promise<CellAxes | undefined> {
  const grid = axes && (await projectedGrid(reader, array, axes));
  if (axes === undefined || grid === undefined) return undefined;
  const by = `${axes.y.dimension.name} and ${axes.x.dimension.name} of its projection`;
  return { ...inOrder(grid, axes.y.dimension, axes.x.dimension), by };
}

/** The cells of a grid, the dimension that comes first in the array as `y`. */
function inOrder(grid: Grid, y: ArrayDimension, x: ArrayDimension): CellAxes {
  if (grid.kind === 'rectilinear' || y.index < x.index) return { grid, y, x };
  const [rows, columns] = [y.length, x.length];
  const [latitude, longitude] = [grid.latitude, grid.longitude].map((values) => transposed(values, rows, columns));
  return { grid: { ...grid, latitude, longitude, shape: [columns, rows] }, y: x, x: y };
}

async function withoutCoordinates(
  reader: ArrayReader,
  { name }: StoredArray,
  long: readonly ArrayDimension[],
): Promise<CellAxes> {
  const { source } = reader.file;
  if (long.length === 0) {
    const nowhere = Float64Array.of(Number.NaN);
    return { grid: { kind: 'places', latitude: nowhere, longitude: nowhere, shape: [1] }, y: undefined, x: undefined };
  }
  const [only] = long;
  if (long.length === 1 && (await stationLabels(reader, only))?.hasId) {
    const nowhere = new Float64Array(only.length).fill(Number.NaN);
    return {
      grid: { kind: 'places', latitude: nowhere, longitude: nowhere, shape: [only.length] },
      y: undefined,
      x: only,
    };
  }
  const received = `dimensions ${long.map((dimension) => `${dimension.name} (${dimension.length})`).join(', ')}`;
  const problem = 'its cells have no latitude and longitude';
  const plane = long.map(({ coordinate }) => coordinate && axisOfPlane(coordinate)).find((each) => each !== undefined);
  if (plane !== undefined) {
    const allowed =
      'an attribute grid_mapping that names an array with its projection; or a grid of latitudes and longitudes: remap it, as with cdo remapbil,r360x180';
    throw new DataError({ source, column: name, problem: `${problem}, but are on a ${plane}`, received, allowed });
  }
  throw new DataError({
    ...{ source, column: name, problem, received },
    allowed: `coordinates with the units degrees_north and degrees_east along these dimensions; or ${mentionOption('coordinates', { latitude: 'y', longitude: 'x' })}, to name those in degrees`,
  });
}

/** The kind of grid of a coordinate that is neither latitude nor longitude: projected or rotated. */
function axisOfPlane(coordinate: StoredArray): string | undefined {
  const { attributes } = coordinate;
  const standardName = textAttribute(attributes, 'standard_name') ?? '';
  const units = textAttribute(attributes, 'units');
  if (isRotated(coordinate)) return 'rotated grid';
  if (standardName.startsWith('projection_')) return `projected grid, in ${units ?? 'its own units'}`;
  return isLength(units) ? `projected grid, in ${units}` : undefined;
}

/** Decimals of degrees that are computed from radians: more are rounding. */
const DECIMALS = 1e10;

/** Reads a coordinate in degrees, converted by its units. Throws DataError for what can be no degrees. */
async function degrees(
  reader: ArrayReader,
  coordinate: StoredArray,
  lowest: number,
  highest: number,
): Promise<Float64Array> {
  const { source } = reader.file;
  const { name: column, attributes } = coordinate;
  const units = textAttribute(attributes, 'units');
  // Other units do not show which of both it is.
  const isNamed = units !== undefined && /north|south|east|west|degrees?_?[NSEW]$/.test(units);
  const stating = isNamed ? ['standard_name', 'units'] : ['standard_name'];
  const evidence = stating.find((name) => textAttribute(attributes, name) !== undefined);
  const by = evidence === undefined ? 'its name' : `its ${evidence} "${textAttribute(attributes, evidence)}"`;
  const what = lowest === -90 ? 'latitude' : 'longitude';
  const allowed = `degrees from ${lowest} to ${highest}, as it is taken for the ${what} by ${by}; or ${mentionOption('coordinates', { latitude: 'y', longitude: 'x' })}, to name other arrays`;
  if (isLength(units))
    throw new DataError({ source, column, problem: 'is a length, and not in degrees', received: units, allowed });
  const stored = await reader.numbers(coordinate);
  const isSingle = coordinate.type === 'float32';
  const values = !areRadians(attributes)
    ? towardsNorthEast(isSingle ? stored.map(singleDegrees) : stored, units)
    : stored.map((value) => {
        const ofCircle = value / RADIANS;
        return isSingle ? singleDegrees(ofCircle) : Math.round(ofCircle * DECIMALS) / DECIMALS;
      });
  // Computed coordinates, as of Gaussian grids or sums of steps, may exceed the limits by rounding.
  const wrong = values.findIndex((value) => value < lowest - 1e-3 || value > highest + 1e-3);
  if (wrong < 0) return values;
  const received = values[wrong] === stored[wrong] ? stored[wrong] : `${stored[wrong]} ${units ?? 'radians'}`;
  throw new DataError({ source, column, problem: 'out of range', received, allowed });
}

/** Degrees to the south or the west as degrees to the north or the east. */
function towardsNorthEast(degrees: Float64Array, units: string | undefined): Float64Array {
  if (!areTurned(units)) return degrees;
  const circle = degrees.some((value) => value > 180) ? 360 : 0;
  return degrees.map((value) => circle - value);
}
