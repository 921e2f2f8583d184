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
  const known = Array.from(latitude, (_, i) => i).filter((i) => !Number.isNaN(latitude[i] + longitude[i]));
  if (known.length === 0) return undefined;
  let [south, north] = [90, -90];
  for (const i of known) {
    south = Math.min(south, latitude[i]);
    north = Math.max(north, latitude[i]);
  }
  const extent = { south, north, ...aroundGap(known.map((i) => longitude[i])) };
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

/** The span of longitudes without the widest gap between them; all where no gap is wide. */
function aroundGap(longitudes: readonly number[]): { west: number; east: number } {
  const sorted = Float64Array.from(longitudes, (degrees) => ((degrees % 360) + 360) % 360).sort();
  let [gap, west] = [sorted[0] + 360 - sorted[sorted.length - 1], sorted[0]];
  for (let i = 1; i < sorted.length; i++) {
    if (sorted[i] - sorted[i - 1] > gap) [gap, west] = [sorted[i] - sorted[i - 1], sorted[i]];
  }
  if (gap < 5) return { west: -180, east: 180 };
  const begin = west >= 180 ? west - 360 : west;
  return { west: begin, east: begin + 360 - gap };
}
