import { DataError } from '../../../errors.js';
import type { ArrayFile, StoredArray } from '../../array/array-file.js';
import { arrayReader } from '../array-reader.js';
import { listedNames, numberAttributes, textAttribute } from '../attribute-values.js';
import { type CellAxes, cellAxes } from '../cells/cell-axes.js';
import { type ArrayDimension, arrayDimensions } from '../coordinates.js';
import { dataArrays } from '../open-grid-ensemble.js';
import { readCells } from '../static-field.js';
import { valueCoding } from '../value-coding.js';

/** The cells of a region in the grid of a mask, ascending, and its share of each; without shares it has all of them. */
export interface MaskLayer {
  readonly name: string;
  readonly cells: Int32Array;
  readonly shares?: Float64Array;
}

/** What a mask shows. */
export interface Mask {
  readonly array: StoredArray;
  /** Its grid, and where it is in the array. */
  readonly cells: CellAxes;
  /** The regions that have cells. */
  readonly layers: readonly MaskLayer[];
  /** The names of those that have none. */
  readonly empty: readonly string[];
}

/** A mask with more regions than this is something else. */
const MAX_REGIONS = 4096;
/** Shares may exceed 0 and 1 by rounding. */
const ROUNDING = 1e-6;
const PERCENT = 0.01;

/**
 * Reads a mask: an array of whole numbers, which the attributes `flag_values` and `flag_meanings` name; of the shares of
 * one region, which has the name of the array; or of shares with a further dimension of regions. Throws DataError for what is none.
 */
export async function readMask(file: ArrayFile): Promise<Mask> {
  const array = maskArray(file);
  const dimensions = arrayDimensions(file, array).filter(
    ({ kind }) => kind !== 'time' && kind !== 'lead' && kind !== 'init',
  );
  const region = regionDimension(file, array, dimensions);
  const ofCells = dimensions.filter((dimension) => dimension !== region);
  const cells = await cellAxes(arrayReader(file), array, ofCells);
  const read = layerReader(file, array, cells, region);
  if (region === undefined) {
    return { array, cells, layers: layersOfNumbers(file.source, array, await read(0)), empty: [] };
  }
  const { length } = region;
  if (length > MAX_REGIONS) throw notMask(file.source, array, `${length} regions`, `at most ${MAX_REGIONS}`);
  const names = await namesOfLayers(file, region);
  const layers: MaskLayer[] = [];
  const empty: string[] = [];
  for (const [r, name] of names.entries()) {
    const layer = layerOfShares(file.source, array, name, await read(r));
    if (layer.cells.length > 0) layers.push(layer);
    else empty.push(name);
  }
  if (layers.length === 0) throw notMask(file.source, array, 'no cells', 'at least one cell of a region');
  return { array, cells, layers, empty };
}

/** The only array of a file that may be a mask, or the only one that names its numbers. */
function maskArray(file: ArrayFile): StoredArray {
  const { source } = file;
  const found = dataArrays(file).filter(({ shape }) => shape.filter((length) => length > 1).length >= 1);
  if (found.length === 1) return found[0];
  const named = found.filter(({ attributes }) => attributes.has('flag_meanings'));
  if (named.length === 1) return named[0];
  throw new DataError({
    ...{ source, problem: found.length === 0 ? 'has no mask' : 'has several arrays that may be the mask' },
    received: found.map(({ name }) => name).join(', ') || 'no arrays of numbers',
    allowed: 'one array of numbers of regions, or of shares with a dimension of regions',
  });
}

/** The dimension with names of regions, or the first of three that has no places. */
function regionDimension(
  file: ArrayFile,
  array: StoredArray,
  dimensions: readonly ArrayDimension[],
): ArrayDimension | undefined {
  const isOfPlaces = ({ kind }: ArrayDimension) => kind === 'latitude' || kind === 'longitude';
  const others = dimensions.filter((dimension) => !isOfPlaces(dimension));
  const named = others.find(
    ({ name }) => namesAlong(file, name) !== undefined || /^(region|mask|basin)s?$/i.test(name),
  );
  return named ?? (array.shape.length >= 3 ? others[0] : undefined);
}

/** The array of texts along a dimension that names its elements best. */
function namesAlong(file: ArrayFile, dimension: string): StoredArray | undefined {
  const texts = [...file.arrays.values()].filter(
    ({ type, dimensions }) => type === 'text' && dimensions.length === 1 && dimensions[0] === dimension,
  );
  return texts.find(({ name }) => /name/i.test(name)) ?? texts.find(({ name }) => name === dimension) ?? texts[0];
}

async function namesOfLayers(file: ArrayFile, { name, length, coordinate }: ArrayDimension): Promise<string[]> {
  const named = namesAlong(file, name);
  const reader = arrayReader(file);
  if (named !== undefined) return (await reader.texts(named)).map((text) => text.trim());
  const numbers = coordinate === undefined ? Array(length).keys() : await reader.numbers(coordinate);
  return Array.from(numbers, String);
}

/** Reads the values of all cells of an element of the dimension of regions, percents as shares. */
function layerReader(
  { source }: ArrayFile,
  array: StoredArray,
  axes: CellAxes,
  region: ArrayDimension | undefined,
): (element: number) => Promise<Float64Array> {
  const coding = valueCoding(array, source);
  const factor = textAttribute(array.attributes, 'units') === '%' ? PERCENT : 1;
  return async (element) => {
    const values = await readCells(array, axes, coding, (name) => (name === region?.name ? element : 0));
    return factor === 1 ? values : values.map((value) => value * factor);
  };
}

function layerOfShares(source: string, array: StoredArray, name: string, values: Float64Array): MaskLayer {
  let count = 0;
  for (let cell = 0; cell < values.length; cell++) {
    const value = values[cell];
    if (value < -ROUNDING || value > 1 + ROUNDING) throw notMask(source, array, value, 'shares of cells from 0 to 1');
    if (value > 0) count++;
  }
  const [cells, shares] = [new Int32Array(count), new Float64Array(count)];
  for (let cell = 0, i = 0; i < count; cell++) {
    if (!(values[cell] > 0)) continue;
    cells[i] = cell;
    shares[i++] = Math.min(1, values[cell]);
  }
  return { name, cells, shares };
}

function isShare(value: number): boolean {
  return value >= -ROUNDING && value <= 1 + ROUNDING;
}

/** The regions of a mask of numbers; 0 is no region where no cell is without a number. */
function layersOfNumbers(source: string, array: StoredArray, values: Float64Array): readonly MaskLayer[] {
  const flags = numberAttributes(array.attributes, 'flag_values');
  const meanings = listedNames(array.attributes, 'flag_meanings');
  const hasMissing = values.some(Number.isNaN);
  const isRegion = (value: number) => !Number.isNaN(value) && (hasMissing || value !== 0 || flags.includes(0));
  const numbers = new Set(values.filter(isRegion));
  const isWhole = [...numbers].every(Number.isInteger);
  const isOne = numbers.size === 1 && numbers.has(1);
  if ((isOne || !isWhole) && flags.length === 0 && [...numbers].every(isShare)) {
    return [layerOfShares(source, array, array.name, values)];
  }
  const wrong = [...numbers].find((value) => !Number.isInteger(value) || (flags.length > 0 && !flags.includes(value)));
  if (wrong !== undefined || numbers.size > MAX_REGIONS) {
    const allowed =
      flags.length > 0
        ? `the flag_values ${flags.slice(0, 10).join(', ')}`
        : 'whole numbers, one for each region, or shares of one region from 0 to 1';
    throw notMask(source, array, wrong ?? `${numbers.size} numbers`, allowed);
  }
  if (flags.length !== meanings.length) {
    throw notMask(
      source,
      array,
      `${flags.length} flag_values and ${meanings.length} flag_meanings`,
      'as many of both, or neither',
    );
  }
  if (numbers.size === 0) throw notMask(source, array, 'no numbers', 'a number for each region');
  const cellsOf = new Map([...numbers].sort((a, b) => a - b).map((number) => [number, [] as number[]]));
  for (const [cell, value] of values.entries()) cellsOf.get(value)?.push(cell);
  const nameOf = (number: number) => meanings[flags.indexOf(number)] ?? String(number);
  return [...cellsOf].map(([number, cells]) => ({ name: nameOf(number), cells: Int32Array.from(cells) }));
}

function notMask(source: string, { name }: StoredArray, received: unknown, allowed: string): DataError {
  return new DataError({ source, column: name, problem: 'is no mask of regions', received, allowed });
}
