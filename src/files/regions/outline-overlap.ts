import type { CellOutlines } from '../../ensemble/cell-shapes/healpix-cells.js';
import { EdgeIndex } from './edge-index.js';
import { type FlatPolygon, flatOutline } from './flat-outline.js';
import type { CellAreas, CellShapes, SharedAreas } from './overlap.js';
import type { RegionEdges } from './region.js';
import { areaEastOf } from './sphere-area.js';

const CIRCLE = 2 * Math.PI;

/**
 * Cells with any outlines. A region is the sum of what lies east of its edges, counted as positive where an edge goes
 * north, else as negative: so is its overlap with a cell, of which each edge cuts a part. Nothing depends on whether
 * edges of both meet, touch or lie on each other.
 */
export class OutlineOverlap implements CellAreas {
  readonly #shapes: Extract<CellShapes, { kind: 'outlines' }>;
  /** Southern, northern, western and eastern end, and area of each cell, in radians; NaN of cells without a place. */
  readonly #extents: Float64Array;

  constructor(shapes: Extract<CellShapes, { kind: 'outlines' }>) {
    this.#shapes = shapes;
    const cells = cellsOf(shapes.outlines);
    this.#extents = new Float64Array(cells * 5).fill(Number.NaN);
    for (let cell = 0; cell < cells; cell++) {
      const outline = this.#outline(cell);
      if (outline !== undefined) this.#extents.set(extentOf(outline), 5 * cell);
    }
  }

  areas(cells: number): Float64Array {
    return Float64Array.from({ length: cells }, (_, cell) => this.#extents[5 * cell + 4] || 0);
  }

  overlap(edges: RegionEdges, into: SharedAreas): void {
    const index = new EdgeIndex(edges);
    const { west, east, south, north } = index;
    for (let at = 0, cell = 0; at < this.#extents.length; at += 5, cell++) {
      const [cellSouth, cellNorth, cellWest, cellEast, area] = this.#extents.subarray(at, at + 5);
      if (!(cellNorth > south && cellSouth < north)) continue;
      const from = Math.ceil((cellWest - east) / CIRCLE);
      const to = Math.floor((cellEast - west) / CIRCLE);
      for (let turn = from; turn <= to; turn++) {
        const part = this.#part(index, cell, area, turn * CIRCLE);
        if (part !== 0) into.add(cell, part);
      }
    }
  }

  #outline(cell: number): FlatPolygon | undefined {
    return flatOutline(this.#shapes, cell);
  }

  /** The area that a region and a cell share, the region moved to the east. */
  #part(index: EdgeIndex, cell: number, area: number, shift: number): number {
    const [south, north, west, east] = this.#extents.subarray(5 * cell, 5 * cell + 4);
    const { ends, next } = index;
    let outline: FlatPolygon | undefined;
    const polygon = () => (outline ??= this.#outline(cell) as FlatPolygon);
    const below = (latitude: number) =>
      latitude <= south ? 0 : latitude >= north ? area : areaBelow(polygon(), latitude, west);
    const isWest = (edge: number) => Math.max(ends[4 * edge], ends[4 * edge + 2]) + shift <= west;
    const isBeside = (edge: number) => {
      const [lat1, lat2] = [ends[4 * edge + 1], ends[4 * edge + 3]];
      return Math.max(lat1, lat2) <= south || Math.min(lat1, lat2) >= north;
    };
    let sum = 0;
    index.visit(south, north, (edge) => {
      const at = 4 * edge;
      if (isBeside(edge) || Math.min(ends[at], ends[at + 2]) + shift >= east) return;
      if (!isWest(edge)) {
        sum += areaCut(polygon(), ends[at] + shift, ends[at + 1], ends[at + 2] + shift, ends[at + 3], west);
        return;
      }
      // What edges that follow each other add at the end that they share is nothing.
      const { before } = index;
      if (!(isWest(next[edge]) && !isBeside(next[edge]))) sum += below(ends[at + 3]);
      if (!(isWest(before[edge]) && !isBeside(before[edge]))) sum -= below(ends[at + 1]);
    });
    return sum;
  }
}

function cellsOf({ points, latitude }: CellOutlines): number {
  return latitude.length / points;
}

function extentOf({ longitude, latitude }: FlatPolygon): readonly number[] {
  let [south, north, west, east] = [4, -4, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const lat of latitude) {
    south = Math.min(south, lat);
    north = Math.max(north, lat);
  }
  for (const lon of longitude) {
    west = Math.min(west, lon);
    east = Math.max(east, lon);
  }
  return [south, north, west, east, areaOf({ longitude, latitude }, west)];
}

/** The area of a polygon that is so directed that it is positive. */
function areaOf({ longitude, latitude }: FlatPolygon, west: number): number {
  const last = latitude.length - 1;
  let area = 0;
  for (let i = 0, j = last; i <= last; j = i++) {
    area += areaEastOf(0, longitude[j] - west, latitude[j], longitude[i] - west, latitude[i]);
  }
  return area;
}

function areaBelow(polygon: FlatPolygon, latitude: number, west: number): number {
  return areaOf(
    clipped(polygon, (_, lat) => latitude - lat),
    west,
  );
}

/** The area of a polygon that is east of an edge, and between the parallels of its ends; negative of one that goes south. */
function areaCut(polygon: FlatPolygon, lon1: number, lat1: number, lon2: number, lat2: number, west: number): number {
  if (lat1 === lat2) return 0;
  const sign = lat2 > lat1 ? 1 : -1;
  const [low, high] = sign > 0 ? [lat1, lat2] : [lat2, lat1];
  const [east, north] = [sign * (lon2 - lon1), sign * (lat2 - lat1)];
  let rest = clipped(polygon, (_, lat) => lat - low);
  rest = clipped(rest, (_, lat) => high - lat);
  rest = clipped(rest, (lon, lat) => (lon - lon1) * north - (lat - lat1) * east);
  return sign * areaOf(rest, west);
}

/** The part of a polygon where a linear function is positive (Sutherland and Hodgman, 1974). */
function clipped({ longitude, latitude }: FlatPolygon, distance: (lon: number, lat: number) => number): FlatPolygon {
  const length = longitude.length;
  const found: { longitude: number[]; latitude: number[] } = { longitude: [], latitude: [] };
  if (length === 0) return found;
  let [lon1, lat1] = [longitude[length - 1], latitude[length - 1]];
  let before = distance(lon1, lat1);
  for (let i = 0; i < length; i++) {
    const [lon2, lat2] = [longitude[i], latitude[i]];
    const here = distance(lon2, lat2);
    if (before * here < 0) {
      const share = before / (before - here);
      found.longitude.push(lon1 + share * (lon2 - lon1));
      found.latitude.push(lat1 + share * (lat2 - lat1));
    }
    if (here >= 0) {
      found.longitude.push(lon2);
      found.latitude.push(lat2);
    }
    [lon1, lat1, before] = [lon2, lat2, here];
  }
  return found;
}
