import type { BoundingBox } from '../../ensemble/bounding-box.js';
import type { MapCells } from './map-cells.js';

/** The part of the globe that a map shows, in degrees. `east` is greater than `west`, by at most 360. */
export interface MapExtent {
  readonly south: number;
  readonly north: number;
  readonly west: number;
  readonly east: number;
}

/** The extent of a box. */
export function extentOfBox({ south, north, west, east }: BoundingBox): MapExtent {
  if (east - west >= 360) return { south, north, west: -180, east: 180 };
  const begin = west > 180 ? west - 360 : west;
  return { south, north, west: begin, east: begin + ((((east - west) % 360) + 360) % 360) };
}

/** The smallest extent with all cells. One around the globe begins at -180 degrees. */
export function extentOfCells(cells: MapCells): MapExtent | undefined {
  if (cells.kind === 'rows') {
    const spans = cells.rows.map(({ west, east }) => [west[0], east[east.length - 1]] as const);
    const { rows } = cells;
    return { south: rows[0].south, north: rows[rows.length - 1].north, ...joined(spans) };
  }
  const { latitude, longitude } =
    cells.kind === 'corners' ? cells.corners : cells.kind === 'outlines' ? cells.outlines : cells;
  let [south, north] = [90, -90];
  for (let i = 0; i < latitude.length; i++) {
    if (Number.isNaN(latitude[i] + longitude[i])) continue;
    south = Math.min(south, latitude[i]);
    north = Math.max(north, latitude[i]);
  }
  if (south > north) return undefined;
  const extent = { south, north, ...aroundGap(longitude, latitude) };
  if (cells.kind !== 'places') return extent;
  const margin = Math.max(0.25, 0.05 * Math.max(extent.east - extent.west, north - south));
  const { west, east } = extent;
  return {
    south: Math.max(-90, south - margin),
    north: Math.min(90, north + margin),
    ...(east - west + 2 * margin >= 360 ? { west: -180, east: 180 } : { west: west - margin, east: east + margin }),
  };
}

/** The union of spans of longitudes, each turned so that it is next to the first. */
function joined([first, ...others]: readonly (readonly [number, number])[]): { west: number; east: number } {
  let [west, east] = first;
  for (const [from, to] of others) {
    const turns = 360 * Math.round(((west + east) / 2 - (from + to) / 2) / 360);
    west = Math.min(west, from + turns);
    east = Math.max(east, to + turns);
  }
  return east - west >= 360 - 1e-6 ? { west: -180, east: 180 } : { west, east };
}

/** A gap that is not wider, in degrees, is none. */
const MIN_GAP = 5;

/**
 * The span of longitudes without the widest gap between them; all where no gap is wide. Places without a latitude do not
 * count.
 */
function aroundGap(longitude: Float64Array, latitude: Float64Array): { west: number; east: number } {
  // Of each degree the first and the last one: wide gaps are between these.
  const ends = new Float64Array(720).fill(Number.NaN);
  for (let i = 0; i < longitude.length; i++) {
    if (Number.isNaN(latitude[i] + longitude[i])) continue;
    const degrees = ((longitude[i] % 360) + 360) % 360;
    const at = 2 * Math.floor(degrees);
    if (!(degrees >= ends[at])) ends[at] = degrees;
    if (!(degrees <= ends[at + 1])) ends[at + 1] = degrees;
  }
  const sorted = ends.filter((degrees) => !Number.isNaN(degrees)).sort();
  let [gap, west] = [sorted[0] + 360 - sorted[sorted.length - 1], sorted[0]];
  for (let i = 1; i < sorted.length; i++) {
    if (sorted[i] - sorted[i - 1] > gap) [gap, west] = [sorted[i] - sorted[i - 1], sorted[i]];
  }
  if (gap < MIN_GAP) return { west: -180, east: 180 };
  const begin = west >= 180 ? west - 360 : west;
  return { west: begin, east: begin + 360 - gap };
}
