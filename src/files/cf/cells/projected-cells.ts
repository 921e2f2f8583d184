import type { Grid, GridProjection } from '../../../ensemble/grid.js';
import { singleDegrees } from '../../../ensemble/place-rows.js';
import { DataError, isPlumecastError } from '../../../errors.js';
import type { ArrayFile, Attributes, StoredArray } from '../../array/array-file.js';
import { RADIANS, withinCircle } from '../../projection/projection.js';
import { fromRotated } from '../../projection/rotation.js';
import type { ArrayReader } from '../array-reader.js';
import { textAttribute } from '../attribute-values.js';
import { type ArrayDimension, isRotated } from '../coordinates.js';
import { findGridMapping, GRID_MAPPINGS, type GridMapping, mappingName, readGridMapping } from './grid-mapping.js';

/** The rows and columns of a grid on a plane. */
export interface PlaneAxes {
  readonly y: PlaneAxis;
  readonly x: PlaneAxis;
}

interface PlaneAxis {
  readonly dimension: ArrayDimension;
  readonly coordinate: StoredArray;
}

/** Grids of more cells take more memory than a machine may have. */
const MAX_CELLS = 2 ** 25;

/** Finds the rows and columns of a grid whose coordinates are not latitudes and longitudes. */
export function findPlaneAxes(dimensions: readonly ArrayDimension[]): PlaneAxes | undefined {
  const find = (axis: 'x' | 'y'): PlaneAxis | undefined => {
    for (const dimension of dimensions) {
      const { coordinate } = dimension;
      if (coordinate !== undefined && planeAxis(coordinate) === axis) return { dimension, coordinate };
    }
    return undefined;
  };
  const [y, x] = [find('y'), find('x')];
  return y && x && { y, x };
}

/** Whether a coordinate is along the rows or the columns of a plane, by its standard name, its axis, its name or its long name. */
export function planeAxis(array: StoredArray): 'x' | 'y' | undefined {
  const { name: path, attributes } = array;
  const standardName = textAttribute(attributes, 'standard_name') ?? '';
  const [, named] = /^projection_([xy])(_angular)?_coordinate$/.exec(standardName) ?? [];
  if (named !== undefined) return named as 'x' | 'y';
  if (standardName === 'grid_longitude') return 'x';
  if (standardName === 'grid_latitude') return 'y';
  const axis = textAttribute(attributes, 'axis')?.toLowerCase();
  if (axis === 'x' || axis === 'y') return axis;
  const name = path.slice(path.lastIndexOf('/') + 1).toLowerCase();
  if (/^(x|xc|rlon)$/.test(name)) return 'x';
  if (/^(y|yc|rlat)$/.test(name)) return 'y';
  const [rotated] = isRotated(array)
    ? (/lat|lon/i.exec(`${name} ${textAttribute(attributes, 'long_name')}`) ?? [])
    : [];
  return rotated === undefined ? undefined : rotated.toLowerCase() === 'lat' ? 'y' : 'x';
}

/**
 * The places of a grid on a plane, by the grid mapping of its array; undefined where the file states none. Cells beside
 * the globe, as around the disc that a satellite sees, have no place: NaN. Throws DataError for a projection that is
 * not known or cannot be, and for units that are not those of its coordinates.
 */
export async function projectedGrid(
  reader: ArrayReader,
  array: StoredArray,
  { y, x }: PlaneAxes,
): Promise<Grid | undefined> {
  const { source } = reader.file;
  const described = findGridMapping(reader.file, array);
  if (described === undefined || mappingName(described) === 'latitude_longitude') return undefined;
  const mapping = readGridMapping(source, described);
  if (mapping === undefined) {
    throw new DataError({
      ...{ source, column: array.name },
      problem: `its cells have no latitude and longitude, and the grid mapping of ${described.name} is not read`,
      received: mappingName(described) ?? 'no grid_mapping_name',
      allowed: `${GRID_MAPPINGS.join(', ')}; or latitudes and longitudes of cells, as cdo setgrid or remapbil write them`,
    });
  }
  const cells = y.dimension.length * x.dimension.length;
  if (cells > MAX_CELLS) {
    const problem = 'has too many cells to compute their places';
    throw new DataError({ source, column: array.name, problem, received: cells, allowed: `at most ${MAX_CELLS}` });
  }
  const [rows, columns] = [
    await planeNumbers(reader, y.coordinate, mapping),
    await planeNumbers(reader, x.coordinate, mapping),
  ];
  const shape = [rows.length, columns.length];
  const { projection } = mapping;
  if (mapping.kind === 'rotated') {
    return { kind: 'places', ...fromRotated(rows, columns, mapping.pole), shape, projection };
  }
  if (projection === undefined) {
    return {
      kind: 'rectilinear',
      latitude: rows.map((row) => mapping.toEarth(0, row)[0] / RADIANS),
      longitude: columns.map((column) => withinCircle(mapping.toEarth(column, 0)[1] / RADIANS)),
    };
  }
  const [latitude, longitude] = [new Float64Array(cells), new Float64Array(cells)];
  let cell = 0;
  for (const row of rows) {
    for (const column of columns) {
      const [north, east] = mapping.toEarth(column, row);
      latitude[cell] = north / RADIANS;
      longitude[cell++] = withinCircle(east / RADIANS);
    }
  }
  return { kind: 'places', latitude, longitude, shape, projection };
}

/**
 * The projection that the grid mapping of an array describes; undefined where there is none, or none that can be read.
 */
export function statedProjection(file: ArrayFile, array: StoredArray): GridProjection | undefined {
  const described = findGridMapping(file, array);
  try {
    return described && readGridMapping(file.source, described)?.projection;
  } catch (error) {
    if (isPlumecastError(error)) return undefined;
    throw error;
  }
}

const RADIAN = /^rad(ian)?s?$/i;

/** Whether a coordinate is in radians, by its units, or by its long name where it has none. */
export function areRadians(attributes: Attributes): boolean {
  const units = textAttribute(attributes, 'units');
  if (units !== undefined && units !== '') return RADIAN.test(units);
  return /\bradians?\b/i.test(textAttribute(attributes, 'long_name') ?? '');
}

const DEGREE = /^deg(ree)?s?$/i;
const METRE = /^m(et(er|re)s?)?$/i;
const KILOMETRE = /^k(m|ilomet(er|re)s?)$/i;

/** The coordinates of rows or columns: degrees of a rotated grid, radians of a view from space, else metres. */
async function planeNumbers(
  { file: { source }, numbers }: ArrayReader,
  coordinate: StoredArray,
  mapping: GridMapping,
): Promise<Float64Array> {
  const units = textAttribute(coordinate.attributes, 'units') ?? '';
  const factor = unitFactor(units, mapping);
  if (factor === undefined) {
    const isAngle = mapping.kind === 'rotated' || mapping.angleHeight !== undefined;
    throw new DataError({
      ...{ source, column: coordinate.name, problem: 'has units that do not fit its grid mapping', received: units },
      allowed: mapping.kind === 'rotated' ? 'degrees' : isAngle ? 'radians, degrees, m or km' : 'm or km',
    });
  }
  const stored = await numbers(coordinate);
  if (mapping.kind === 'rotated' && coordinate.type === 'float32') return stored.map(singleDegrees);
  return factor === 1 ? stored : stored.map((value) => value * factor);
}

function unitFactor(units: string, mapping: GridMapping): number | undefined {
  if (mapping.kind === 'rotated') return units === '' || /^deg/i.test(units) ? 1 : undefined;
  const { angleHeight } = mapping;
  const metres = METRE.test(units) ? 1 : KILOMETRE.test(units) ? 1000 : undefined;
  if (angleHeight === undefined) return units === '' ? 1 : metres;
  if (units === '' || units === '1' || RADIAN.test(units)) return 1;
  if (/^(microradians?|urad)$/i.test(units)) return 1e-6;
  return DEGREE.test(units) ? RADIANS : metres && metres / angleHeight;
}
