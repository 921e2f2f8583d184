import { cellsOfGrid, type Grid } from '../../../ensemble/grid.js';
import type { ArrayFile } from '../../array/array-file.js';
import { RADIANS } from '../../projection/projection.js';
import type { RegionPlaces } from '../../regions/region.js';
import { namedRegions } from '../../regions/region-list.js';
import { storedPlaces } from '../cells/cell-places.js';
import { cellShapes } from '../cells/cell-shapes.js';
import type { GridEnsemble } from '../grid-ensemble.js';
import { anotherGrid, onGrid } from '../static-field.js';
import { WeightsBuilder } from './cell-weights.js';
import { type MaskLayer, readMask } from './mask-layers.js';
import { areasOfCells, type RegionWeights } from './region-weights.js';

/** Regions that a mask shows, and the weights of their cells. */
export interface MaskRegions {
  readonly regions: RegionPlaces;
  readonly weights: RegionWeights;
}

/**
 * Reads regions from a mask, which may go on beyond the grid. Cells are weighted by their area and the region's share of
 * them. Throws DataError for what is no mask, or one on another grid.
 */
export async function maskRegions(file: ArrayFile, ensemble: GridEnsemble): Promise<MaskRegions> {
  const { source } = file;
  const { array, cells, layers, empty } = await readMask(file);
  const { grid } = cells;
  const own = cellsOfGrid(grid);
  const ownCells = Float64Array.from({ length: own }, (_, cell) => cell);
  const ownOf = onGrid({ array, grid, values: ownCells }, ensemble.grid, source, ensemble.source);
  const cellOf = new Int32Array(own).fill(-1);
  for (const [cell, from] of ownOf.entries()) if (!Number.isNaN(from)) cellOf[from] = cell;
  if (hasCellsBetween(cellOf, grid)) {
    const difference = 'with cells between the ones of the grid';
    throw anotherGrid({ array, grid }, { wanted: ensemble.grid, source, ofWhat: ensemble.source, difference });
  }
  const areas = areasOfCells(await cellShapes(grid, source, { file, layout: { array, cells } })).areas(own);
  const builder = new WeightsBuilder(ownOf.length);
  const whole = new Float64Array(layers.length);
  const covered = new Float64Array(layers.length);
  for (const [r, layer] of layers.entries()) {
    const weighed: [cell: number, weight: number][] = [];
    for (const [i, from] of layer.cells.entries()) {
      const weight = shareOf(layer, i) * areas[from];
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
  const regions = namedRegions(source, names, middle);
  const notes = empty.length === 0 ? [] : [`left out of the mask, without any cell: ${empty.join('; ')}`];
  return { regions: { ...regions, notes }, weights: { weights: builder.build(), whole, covered } };
}

/**
 * Whether a grid has rows or columns between those that another has of it, which is coarser then: what the other has are
 * adjacent rows and columns, in a grid around the globe also across its ends.
 */
function hasCellsBetween(cellOf: Int32Array, grid: Grid): boolean {
  const { kind, latitude, longitude } = grid;
  const [rows, columns] = kind === 'rectilinear' ? [latitude.length, longitude.length] : grid.shape;
  if (columns === undefined) return false;
  const hasRow = new Uint8Array(rows);
  const hasColumn = new Uint8Array(columns);
  for (const [cell, other] of cellOf.entries()) {
    if (other < 0) continue;
    hasRow[Math.floor(cell / columns)] = 1;
    hasColumn[cell % columns] = 1;
  }
  const beginnings = (has: Uint8Array) => has.filter((one, i) => one === 1 && has.at(i - 1) === 0).length;
  return beginnings(hasRow) > 1 || beginnings(hasColumn) > 1;
}

function shareOf({ shares }: MaskLayer, i: number): number {
  return shares === undefined ? 1 : shares[i];
}

/** The middle of the cells of a region, on the sphere. */
function middleOf(
  { latitude, longitude }: { readonly latitude: Float64Array; readonly longitude: Float64Array },
  layer: MaskLayer,
  areas: Float64Array,
): { readonly latitude: number; readonly longitude: number } {
  let [x, y, z] = [0, 0, 0];
  for (const [i, cell] of layer.cells.entries()) {
    const weight = shareOf(layer, i) * areas[cell];
    const [lat, lon] = [latitude[cell] * RADIANS, longitude[cell] * RADIANS];
    x += weight * Math.cos(lat) * Math.cos(lon);
    y += weight * Math.cos(lat) * Math.sin(lon);
    z += weight * Math.sin(lat);
  }
  const rounded = (angle: number) => Math.round((angle / RADIANS) * 1e4) / 1e4;
  return { latitude: rounded(Math.atan2(z, Math.hypot(x, y))), longitude: rounded(Math.atan2(y, x)) };
}
