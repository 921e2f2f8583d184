import type { Grid } from '../../ensemble/grid.js';
import { cellsOfGrid } from '../../ensemble/grid.js';
import { wrapLongitude } from '../../ensemble/nearest-place.js';
import { PlaceIndex } from '../../ensemble/place-index.js';
import { DataError, inWords } from '../../errors.js';
import type { ArrayFile, StoredArray } from '../array/array-file.js';
import { arrayReader, readNumbers } from './array-reader.js';
import { textAttribute } from './attribute-values.js';
import { cellAxes } from './cells/cell-axes.js';
import { storedPlaces } from './cells/cell-places.js';
import { arrayDimensions } from './coordinates.js';
import { decodeRow, type ValueCoding, valueCoding } from './value-coding.js';

/** Values of cells that are the same at all times: a mask, a height. NaN where they are missing. */
export interface StaticField {
  readonly array: StoredArray;
  readonly grid: Grid;
  readonly values: Float64Array;
}

const OF_TIME_AND_MEMBERS = ['time', 'lead', 'init', 'member'];

/** Reads the values of an array at its first time and member. Throws DataError as `cellAxes` does. */
export async function readStaticField(file: ArrayFile, array: StoredArray): Promise<StaticField> {
  const dimensions = arrayDimensions(file, array);
  const ofPlaces = dimensions.filter(({ kind }) => !OF_TIME_AND_MEMBERS.includes(kind ?? ''));
  const { grid, y, x } = await cellAxes(arrayReader(file), array, ofPlaces);
  const values = await readCells(array, { y, x }, valueCoding(array, file.source));
  return { array, grid, values };
}

/** The dimensions of cells; undefined where an array has none. */
interface CellDimensions {
  readonly y: { readonly name: string } | undefined;
  readonly x: { readonly name: string } | undefined;
}

/**
 * Reads the values of all cells, decoded, in the order of the grid: row by row, also where columns vary slower in the
 * array. Of other dimensions one element is read: the first, or the one that `elementOf` gives.
 */
export async function readCells(
  array: StoredArray,
  { y, x }: CellDimensions,
  coding: ValueCoding,
  elementOf: (dimension: string) => number = () => 0,
): Promise<Float64Array> {
  const { dimensions, shape } = array;
  const isOfCells = (name: string) => name === y?.name || name === x?.name;
  const start = dimensions.map((name) => (isOfCells(name) ? 0 : elementOf(name)));
  const count = dimensions.map((name, d) => (isOfCells(name) ? shape[d] : 1));
  const stored = await readNumbers(array, { start, count }, coding);
  const values = new Float64Array(stored.length);
  const [row, column] = [y, x].map((one) => (one === undefined ? -1 : dimensions.indexOf(one.name)));
  if (column < 0 || row < column) {
    decodeRow(stored, 0, 1, values, coding);
    return values;
  }
  const [rows, width] = [shape[row], shape[column]];
  for (let r = 0; r < rows; r++) decodeRow(stored, r, rows, values.subarray(r * width, (r + 1) * width), coding);
  return values;
}

/** Centres that are so near to each other, in degrees, are the same cell: files round coordinates. */
const SAME = 1e-3;

/** The values of a field for the cells of a grid, in its order. Throws DataError where it is on another grid. */
export function onGrid(
  { array, grid, values }: StaticField,
  wanted: Grid,
  source: string,
  ofWhat: string,
): Float64Array {
  const cells = cellsOfGrid(wanted);
  const [own, others] = [storedPlaces(grid, 0, values.length), storedPlaces(wanted, 0, cells)];
  const isAt = (mine: number, other: number) =>
    Math.abs(own.latitude[mine] - others.latitude[other]) <= SAME &&
    Math.abs(wrapLongitude(own.longitude[mine] - others.longitude[other])) <= SAME;
  const isPlaced = (cell: number) => !Number.isNaN(others.latitude[cell] + others.longitude[cell]);
  const differs = (cell: number) => isPlaced(cell) && !isAt(cell, cell);
  if (values.length === cells && !others.latitude.some((_, cell) => differs(cell))) return values;
  const index = new PlaceIndex(own, grid.kind === 'places' ? grid.shape : undefined);
  return Float64Array.from({ length: cells }, (_, cell) => {
    if (!isPlaced(cell)) return Number.NaN;
    const [latitude, longitude] = [others.latitude[cell], others.longitude[cell]];
    const found = index.covering({ latitude, longitude });
    if (found !== undefined && isAt(found, cell)) return values[found];
    const difference = `without a cell at ${latitude}, ${longitude}`;
    throw anotherGrid({ array, grid }, { wanted, source, ofWhat, difference });
  });
}

/** The error of a field that is on another grid than the wanted one, and how it differs. */
export function anotherGrid(
  { array, grid }: Pick<StaticField, 'array' | 'grid'>,
  of: { readonly wanted: Grid; readonly source: string; readonly ofWhat: string; readonly difference: string },
): DataError {
  return new DataError({
    ...{ source: of.source, column: array.name },
    problem: `is on another grid than ${of.ofWhat}, ${of.difference}`,
    received: inWords(describeGrid(grid)),
    allowed: describeGrid(of.wanted),
  });
}

function describeGrid({ kind, latitude, longitude, ...others }: Grid): string {
  const lengths =
    kind === 'rectilinear' ? [latitude.length, longitude.length] : (others as { shape: readonly number[] }).shape;
  const ends = (values: Float64Array) => `${values[0]} to ${values[values.length - 1]}`;
  return `${lengths.join(' x ')} cells, latitudes ${ends(latitude)}, longitudes ${ends(longitude)}`;
}

const LAND_NAMES = ['land_binary_mask', 'land_area_fraction'];

/** Whether an array is a land mask, by its names. */
export function isLandMask({ name, attributes }: Pick<StoredArray, 'name' | 'attributes'>): boolean {
  const standardName = textAttribute(attributes, 'standard_name') ?? '';
  return LAND_NAMES.includes(standardName) || name === 'lsm' || textAttribute(attributes, 'GRIB_shortName') === 'lsm';
}

/** The share of land in each cell of a grid, by the mask of a file. Throws DataError where it has none, or several. */
export async function landOnGrid(file: ArrayFile, grid: Grid, ofWhat: string): Promise<Float64Array> {
  const { source, arrays } = file;
  const fields = [...arrays.values()].filter(
    ({ type, shape }) => type !== 'text' && shape.some((length) => length > 1),
  );
  const named = fields.filter(isLandMask);
  const found = named.length > 0 ? named : fields.filter(({ name, dimensions }) => !dimensions.includes(name));
  const ofCells = named.length > 0 ? named : found.filter(({ dimensions }) => dimensions.length > 1);
  if (ofCells.length !== 1) {
    throw new DataError({
      ...{
        source,
        problem: ofCells.length === 0 ? 'has no land mask' : 'has several arrays that may be the land mask',
      },
      received: (ofCells.length === 0 ? fields : ofCells).map(({ name }) => name).join(', '),
      allowed: 'one array of the standard name land_binary_mask or land_area_fraction, or called lsm',
    });
  }
  const field = await readStaticField(file, ofCells[0]);
  const wrong = field.values.find((value) => value < -1e-3 || value > 1.001);
  if (wrong !== undefined) {
    throw new DataError({
      ...{ source, column: ofCells[0].name, problem: 'is no land mask', received: wrong },
      allowed: 'shares of land from 0 to 1',
    });
  }
  return onGrid(field, grid, source, ofWhat);
}
