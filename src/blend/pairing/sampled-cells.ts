import { type Places, wrapLongitude } from '../../ensemble/nearest-place.js';
import { locate, type Regions } from './regions.js';

/** Some cells of a region, spread evenly over it, that stand for all. */
export interface SampledCells {
  /** Their indices in the field, from south to north and from west to east. */
  readonly cells: Int32Array;
  /** The area that each stands for; all sum to 1. */
  readonly weights: Float64Array;
  /** The quarter of the region that each lies in, 0 to 3. */
  readonly quarters: Uint8Array;
}

/** Whether a cell has values to pair members by. */
export type HasValues = (cell: number) => boolean;

/** Distances and coordinates that differ by less are the same. */
const SAME = 1e-6;

/**
 * Samples each region: the cell nearest to the middle of each of its parts, `across` times as many of equal height and
 * width, weighted by the cosine of its latitude. Cells without coordinates, and the ones that `hasValues` denies, such as
 * the sea of data of land, are not looked at: a region without others has none.
 */
export function sampleRegions(
  regions: Regions,
  { latitude, longitude }: Places,
  across: number,
  hasValues: HasValues,
): SampledCells[] {
  const parts = regions.count * across * across;
  const nearest = new Int32Array(parts).fill(-1);
  const distance = new Float64Array(parts).fill(Number.POSITIVE_INFINITY);
  /** Cells of the same distance: the southern one is taken, then the western one, whatever the order of cells. */
  const isSouthWest = (cell: number, other: number) => {
    const south = latitude[other] - latitude[cell];
    return Math.abs(south) > SAME ? south > 0 : wrapLongitude(longitude[other] - longitude[cell]) > SAME;
  };
  const partOf = (along: number) => Math.min(Math.max(0, Math.floor(along * across)), across - 1);
  for (let cell = 0; cell < latitude.length; cell++) {
    if (Number.isNaN(latitude[cell] + longitude[cell]) || !hasValues(cell)) continue;
    const { region, x, y } = locate(regions, latitude[cell], longitude[cell]);
    const [column, row] = [partOf(x), partOf(y)];
    const part = (region * across + row) * across + column;
    const away = (x * across - column - 0.5) ** 2 + (y * across - row - 0.5) ** 2;
    const isNearer = away < distance[part] - SAME;
    if (isNearer || (away < distance[part] + SAME && isSouthWest(cell, nearest[part]))) {
      distance[part] = away;
      nearest[part] = cell;
    }
  }
  return Array.from({ length: regions.count }, (_, region) => {
    const own = nearest.subarray(region * across * across, (region + 1) * across * across);
    const found = [...own.keys()].filter((part) => own[part] >= 0);
    const cells = Int32Array.from(found, (part) => own[part]);
    const isEnd = (at: number) => (at >= across / 2 ? 1 : 0);
    const quarters = Uint8Array.from(found, (part) => 2 * isEnd(Math.floor(part / across)) + isEnd(part % across));
    return { cells, quarters, weights: shares(Float64Array.from(cells, (cell) => areaAt(latitude[cell]))) };
  });
}

/**
 * Samples `most` of the cells with values whose coordinates are not known, of equal weight, spread by index. Multiples of
 * the golden ratio spread them over rows and columns, whatever the length of a row.
 */
export function sampleByIndex(count: number, most: number, hasValues: HasValues): SampledCells {
  const known = new Int32Array(count);
  let found = 0;
  for (let cell = 0; cell < count; cell++) if (hasValues(cell)) known[found++] = cell;
  const sampled = Math.min(found, most);
  const step = found / sampled;
  const golden = (Math.sqrt(5) - 1) / 2;
  const cells = Int32Array.from({ length: sampled }, (_, i) => {
    return known[Math.floor((i + (step > 1 ? (i * golden) % 1 : 0)) * step)];
  });
  return { cells, quarters: new Uint8Array(cells.length), weights: shares(new Float64Array(cells.length).fill(1)) };
}

/** The cell of a grid has an area in proportion to the cosine of its latitude; no cell counts nothing. */
function areaAt(latitude: number): number {
  return Math.max(1e-3, Math.cos((latitude * Math.PI) / 180));
}

function shares(weights: Float64Array): Float64Array {
  const sum = weights.reduce((total, weight) => total + weight, 0);
  return weights.map((weight) => weight / sum);
}
