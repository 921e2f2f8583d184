import { cellsOfGrid } from '../../../ensemble/grid.js';
import { DataError } from '../../../errors.js';
import type { ArrayFile, StoredArray } from '../../array/array-file.js';
import { RADIANS } from '../../projection/projection.js';
import { RowOverlap } from '../../regions/cell-rows-overlap.js';
import { OutlineOverlap } from '../../regions/outline-overlap.js';
import type { RegionPlaces } from '../../regions/region.js';
import { namedRegions } from '../../regions/region-list.js';
import { arrayReader, readNumbers } from '../array-reader.js';
import { listedNames, numberAttributes } from '../attribute-values.js';
import { type CellAxes, cellAxes } from '../cells/cell-axes.js';
import { storedPlaces } from '../cells/cell-places.js';
import { cellShapes } from '../cells/cell-shapes.js';
import { type ArrayDimension, arrayDimensions } from '../coordinates.js';
import type { GridEnsemble } from '../grid-ensemble.js';
import { dataArrays } from '../open-grid-ensemble.js';
import { onGrid } from '../static-field.js';
import { decodeRow, valueCoding } from '../value-coding.js';
import { WeightsBuilder } from './cell-weights.js';
import type { RegionWeights } from './region-weights.js';

/** Regions that a mask shows, and the weights of their cells. */
export interface MaskRegions {
  readonly regions: RegionPlaces;
  readonly weights: RegionWeights;
}

/** The cells of a region in the grid of a mask, ascending, and its share of each. */
interface MaskLayer {
  readonly name: string;
  readonly cells: readonly number[];
  readonly share: (cell: number) => number;
}

/** A mask with more regions than this is something else. */
const MAX_REGIONS = 4096;
/** Shares may exceed 0 and 1 by rounding. */
const ROUNDING = 1e-6;

/**
 * Reads regions from a mask: an array of whole numbers, which the attributes `flag_values` and `flag_meanings` name, or
 * one of shares with a further dimension of regions. Cells are weighted by their area and the region's share of them.
 * Throws DataError for what is no mask, or one on another grid.
 */
export async function maskRegions(file: ArrayFile, ensemble: GridEnsemble): Promise<MaskRegions> {
  const array = maskArray(file);
  const dimensions = arrayDimensions(file, array).filter(
    ({ kind }) => kind !== 'time' && kind !== 'lead' && kind !== 'init',
  );
  const cells = await cellAxes(arrayReader(file), array, withoutRegions(file, array, dimensions));
  const layers = await readLayers(file, array, dimensions, cells);
  const { grid } = cells;
  const own = cellsOfGrid(grid);
  const shapes = await cellShapes(grid, file.source, { file, layout: { array, cells } });
  const areas = (shapes.kind === 'rows' ? new RowOverlap(shapes.rows) : new OutlineOverlap(shapes)).areas(own);
  const ownCells = Float64Array.from({ length: own }, (_, cell) => cell);
  const ownOf = onGrid({ array, grid, values: ownCells }, ensemble.grid, file.source, ensemble.source);
  const cellOf = new Int32Array(own).fill(-1);
  for (const [cell, from] of ownOf.entries()) if (!Number.isNaN(from)) cellOf[from] = cell;
  const builder = new WeightsBuilder(ownOf.length);
  const whole = new Float64Array(layers.length);
  const covered = new Float64Array(layers.length);
  for (const [r, layer] of layers.entries()) {
    const weighed: [cell: number, weight: number][] = [];
    for (const from of layer.cells) {
      const weight = layer.share(from) * areas[from];
      whole[r] += weight;
      if (cellOf[from] < 0) continue;
      covered[r] += weight;
      weighed.push([cellOf[from], weight]);
    }
    for (const [cell, weight] of weighed.sort(([one], [other]) => one - other)) builder.add(cell, weight);
    builder.end();
    covered[r] /= whole[r];
  }
  const places = storedPlaces(grid, 0, own);
  const middle = layers.map((layer) => middleOf(places, layer, areas));
  const names = layers.map(({ name }) => name);
  return { regions: namedRegions(file.source, names, middle), weights: { weights: builder.build(), whole, covered } };
}

/** The only array of a file that may be a mask. */
function maskArray(file: ArrayFile): StoredArray {
  const { source } = file;
  const found = dataArrays(file).filter(({ shape }) => shape.filter((length) => length > 1).length >= 1);
  if (found.length === 1) return found[0];
  throw new DataError({
    ...{ source, problem: found.length === 0 ? 'has no mask' : 'has several arrays that may be the mask' },
    received: found.map(({ name }) => name).join(', ') || 'no arrays of numbers',
    allowed: 'one array of numbers of regions, or of shares with a dimension of regions',
  });
}

/** The dimensions of cells: all but one that has neither coordinates of places nor a length of one. */
function withoutRegions(
  file: ArrayFile,
  array: StoredArray,
  dimensions: readonly ArrayDimension[],
): readonly ArrayDimension[] {
  const region = regionDimension(file, array, dimensions);
  return dimensions.filter((dimension) => dimension !== region);
}

/** The dimension with names of regions, or the first of three. */
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

async function readLayers(
  file: ArrayFile,
  array: StoredArray,
  dimensions: readonly ArrayDimension[],
  { y, x }: CellAxes,
): Promise<readonly MaskLayer[]> {
  const region = regionDimension(file, array, dimensions);
  const coding = valueCoding(array, file.source);
  const read = async (element: number) => {
    const start = array.dimensions.map((name) => (name === region?.name ? element : 0));
    const count = array.dimensions.map((name, d) => (name === y?.name || name === x?.name ? array.shape[d] : 1));
    const stored = await readNumbers(array, { start, count }, coding);
    const values = new Float64Array(stored.length);
    decodeRow(stored, 0, 1, values, coding);
    return values;
  };
  if (region === undefined) return layersOfNumbers(file.source, array, await read(0));
  const { length } = region;
  if (length > MAX_REGIONS) throw notMask(file.source, array, `${length} regions`, `at most ${MAX_REGIONS}`);
  const named = namesAlong(file, region.name);
  const names =
    named !== undefined
      ? await arrayReader(file).texts(named)
      : Array.from(
          region.coordinate ? await arrayReader(file).numbers(region.coordinate) : Array(length).keys(),
          String,
        );
  const layers: MaskLayer[] = [];
  for (let r = 0; r < length; r++) {
    const values = await read(r);
    const wrong = values.find((value) => value < -ROUNDING || value > 1 + ROUNDING);
    if (wrong !== undefined) throw notMask(file.source, array, wrong, 'shares of cells from 0 to 1');
    const cells = [...values.keys()].filter((cell) => values[cell] > 0);
    const name = names[r].trim();
    if (cells.length === 0)
      throw notMask(file.source, array, `no cells of ${name}`, 'at least one cell of each region');
    layers.push({ name, cells, share: (cell) => Math.min(1, values[cell]) });
  }
  return layers;
}

/** The regions of a mask of numbers; 0 is no region where no cell is without a number. */
function layersOfNumbers(source: string, array: StoredArray, values: Float64Array): readonly MaskLayer[] {
  const flags = numberAttributes(array.attributes, 'flag_values');
  const meanings = listedNames(array.attributes, 'flag_meanings');
  const hasMissing = values.some(Number.isNaN);
  const numbers = new Set(
    values.filter((value) => !Number.isNaN(value) && (hasMissing || value !== 0 || flags.includes(0))),
  );
  const wrong = [...numbers].find((value) => !Number.isInteger(value) || (flags.length > 0 && !flags.includes(value)));
  if (wrong !== undefined || numbers.size > MAX_REGIONS) {
    const allowed =
      flags.length > 0 ? `the flag_values ${flags.slice(0, 10).join(', ')}` : 'whole numbers, one for each region';
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
  return [...cellsOf].map(([number, cells]) => ({ name: nameOf(number), cells, share: () => 1 }));
}

function notMask(source: string, { name }: StoredArray, received: unknown, allowed: string): DataError {
  return new DataError({ source, column: name, problem: 'is no mask of regions', received, allowed });
}

/** The middle of the cells of a region, on the sphere. */
function middleOf(
  { latitude, longitude }: { readonly latitude: Float64Array; readonly longitude: Float64Array },
  { cells, share }: MaskLayer,
  areas: Float64Array,
): { readonly latitude: number; readonly longitude: number } {
  let [x, y, z] = [0, 0, 0];
  for (const cell of cells) {
    const weight = share(cell) * areas[cell];
    const [lat, lon] = [latitude[cell] * RADIANS, longitude[cell] * RADIANS];
    x += weight * Math.cos(lat) * Math.cos(lon);
    y += weight * Math.cos(lat) * Math.sin(lon);
    z += weight * Math.sin(lat);
  }
  const rounded = (angle: number) => Math.round((angle / RADIANS) * 1e4) / 1e4;
  return { latitude: rounded(Math.atan2(z, Math.hypot(x, y))), longitude: rounded(Math.atan2(y, x)) };
}
