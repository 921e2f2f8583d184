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
function extentOfBox({ south, north, west, east }: BoundingBox): MapExtent {
  if (east - west >= 360) return { south, north, west: -180, east: 180 };
  const begin = west > 180 ? west - 360 : west;
  return { south, north, west: begin, east: begin + ((((east - west) % 360) + 360) % 360) };
}

/** The share of its size that a box of places is extended by, so that discs at its edge are whole. */
const DISC = 0.02;

/**
 * The extent of the cells of a map that are seen in a box, each of them whole; the box itself, if there are none. The extent
 * of places is a little larger than the box.
 */
export function extentOfSeen(
  cells: MapCells,
  box: BoundingBox,
  isSeen: (cell: number) => boolean = () => true,
): MapExtent {
  const own = extentOfBox(box);
  if (cells.kind === 'places') return widened(own, DISC * (own.east - own.west), DISC * (own.north - own.south));
  const middle = (own.west + own.east) / 2;
  let [south, north, west, east] = [90, -90, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  forEachShape(cells, isSeen, (latitudes, longitudes) => {
    for (const latitude of latitudes) {
      south = Math.min(south, latitude);
      north = Math.max(north, latitude);
    }
    const [least, most] = [Math.min(...longitudes), Math.max(...longitudes)];
    if (most - least > 180) {
      // One over a pole has all longitudes.
      if (latitudes[0] > 0) north = 90;
      else south = -90;
      return;
    }
    const turns = 360 * Math.round((middle - (least + most) / 2) / 360);
    west = Math.min(west, least + turns);
    east = Math.max(east, most + turns);
  });
  if (!(south < north && west < east)) return own;
  const isAll = own.east - own.west >= 360 || east - west >= 360;
  return { south, north, ...(isAll ? { west: -180, east: 180 } : { west, east }) };
}

function widened({ south, north, west, east }: MapExtent, width: number, height: number): MapExtent {
  const isAll = east - west + 2 * width >= 360;
  return {
    ...{ south: Math.max(-90, south - height), north: Math.min(90, north + height) },
    ...(isAll ? { west: -180, east: 180 } : { west: west - width, east: east + width }),
  };
}

type Areas = Exclude<MapCells, { kind: 'places' }>;

/** Visits the corners of the cells that are seen and known: their latitudes, and longitudes next to each other. */
function forEachShape(
  cells: Areas,
  isSeen: (cell: number) => boolean,
  visit: (latitudes: readonly number[], longitudes: readonly number[]) => void,
): void {
  if (cells.kind === 'rows') {
    for (const { south, north, west, east, cells: own } of cells.rows)
      own.forEach((cell, i) => {
        if (isSeen(cell)) visit([south, north], [west[i], east[i]]);
      });
    return;
  }
  const { latitude, longitude } = cells.kind === 'corners' ? cells.corners : cells.outlines;
  const count = cells.kind === 'corners' ? cells.corners.rows * cells.corners.columns : latitude.length;
  for (let cell = 0; cell < count; cell++) {
    const corners = cornersOf(cells, cell);
    if (corners.length === 0) return;
    if (!isSeen(cell) || corners.some((corner) => Number.isNaN(latitude[corner] + longitude[corner]))) continue;
    const first = longitude[corners[0]];
    visit(
      corners.map((corner) => latitude[corner]),
      corners.map((corner) => longitude[corner] - 360 * Math.round((longitude[corner] - first) / 360)),
    );
  }
}

/** The indices of the corners of a cell; none behind the last one. */
function cornersOf(cells: Exclude<Areas, { kind: 'rows' }>, cell: number): number[] {
  if (cells.kind === 'outlines') {
    const { points, latitude } = cells.outlines;
    const from = cell * points;
    return from >= latitude.length ? [] : Array.from({ length: points }, (_, k) => from + k);
  }
  const { columns } = cells.corners;
  const first = Math.floor(cell / columns) * (columns + 1) + (cell % columns);
  return [first, first + 1, first + columns + 1, first + columns + 2];
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
  return widened(extent, margin, margin);
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
