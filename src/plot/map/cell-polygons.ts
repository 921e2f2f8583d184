import type { CellCorners } from '../../ensemble/cell-shapes/cell-corners.js';
import type { CellRow } from '../../ensemble/cell-shapes/cell-rows.js';
import type { CellOutlines } from '../../ensemble/cell-shapes/healpix-cells.js';
import type { MapCells } from './map-cells.js';
import type { MapProjection } from './map-projection.js';

/** The corners of a cell in pixels, one after the other; valid until the next cell. */
export type VisitPolygon = (cell: number, x: Float64Array, y: Float64Array, count: number) => void;

/** Edges along a parallel are bent in most projections: they have a point at least this often, in degrees. */
const BEND = 2;

/** Visits the cells that may be on a map, each as a polygon; one on the edge of the map may come twice. */
export function forEachPolygon(cells: MapCells, projection: MapProjection, visit: VisitPolygon): void {
  if (cells.kind === 'corners') forEachOfCorners(cells.corners, projection, visit);
  else if (cells.kind === 'outlines') forEachOutline(cells.outlines, projection, visit);
  else if (cells.kind === 'rows') for (const row of cells.rows) forEachOfRow(row, projection, visit);
}

function forEachOfRow({ south, north, west, east, cells }: CellRow, { point }: MapProjection, visit: VisitPolygon) {
  for (let i = 0; i < cells.length; i++) {
    const steps = Math.max(1, Math.ceil((east[i] - west[i]) / BEND));
    const count = 2 * (steps + 1);
    const [x, y] = [new Float64Array(count), new Float64Array(count)];
    for (let k = 0; k <= steps; k++) {
      const longitude = west[i] + (k / steps) * (east[i] - west[i]);
      [x[k], y[k]] = point(longitude, south);
      [x[count - 1 - k], y[count - 1 - k]] = point(longitude, north);
    }
    visit(cells[i], x, y, count);
  }
}

function forEachOfCorners(corners: CellCorners, projection: MapProjection, visit: VisitPolygon): void {
  const { rows, columns, latitude, longitude } = corners;
  const { point } = projection;
  const [px, py] = [new Float64Array(latitude.length), new Float64Array(latitude.length)];
  for (let i = 0; i < latitude.length; i++) [px[i], py[i]] = point(longitude[i], latitude[i]);
  const [x, y] = [new Float64Array(4), new Float64Array(4)];
  const turns = new Turns(projection, 4, visit);
  for (let row = 0, cell = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++, cell++) {
      const first = row * (columns + 1) + column;
      const around = [first, first + 1, first + columns + 2, first + columns + 1];
      for (let k = 0; k < 4; k++) {
        x[k] = px[around[k]];
        y[k] = py[around[k]];
      }
      turns.visit(cell, x, y);
    }
  }
}

function forEachOutline({ points, latitude, longitude }: CellOutlines, projection: MapProjection, visit: VisitPolygon) {
  const { point } = projection;
  const [x, y] = [new Float64Array(points), new Float64Array(points)];
  const turns = new Turns(projection, points, visit);
  for (let cell = 0, at = 0; at < latitude.length; cell++) {
    for (let k = 0; k < points; k++, at++) [x[k], y[k]] = point(longitude[at], latitude[at]);
    turns.visit(cell, x, y);
  }
}

/** Visits polygons at each place where they are on a map: one over the edge of the globe is on both. */
class Turns {
  readonly #projection: MapProjection;
  readonly #visit: VisitPolygon;
  readonly #shifted: Float64Array;
  /** The pixels of a full circle; infinite where meridians are not parallel. */
  readonly #turn: number;

  constructor(projection: MapProjection, points: number, visit: VisitPolygon) {
    const { name, extent, width } = projection;
    this.#projection = projection;
    this.#visit = visit;
    this.#shifted = new Float64Array(points);
    this.#turn = name === 'equirectangular' ? (360 * width) / (extent.east - extent.west) : Number.POSITIVE_INFINITY;
  }

  /** Changes `x`. */
  visit(cell: number, x: Float64Array, y: Float64Array): void {
    const turn = this.#turn;
    const isFlat = Number.isFinite(turn);
    let [least, most] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
    let [top, bottom] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
    for (let k = 0; k < x.length; k++) {
      if (isFlat && k > 0) x[k] -= turn * Math.round((x[k] - x[0]) / turn);
      least = Math.min(least, x[k]);
      most = Math.max(most, x[k]);
      top = Math.min(top, y[k]);
      bottom = Math.max(bottom, y[k]);
    }
    const { width, height } = this.#projection;
    // Only around a pole a cell is half as wide as the globe; and beside the cut of another projection.
    if (most - least > (isFlat ? turn : width) / 2) {
      if (isFlat) visitCap(cell, y, this.#projection, this.#visit);
    } else if (!isFlat) {
      this.#visit(cell, x, y, x.length);
    } else {
      if (bottom < 0 || top > height) return;
      for (let shift = -turn * Math.floor(most / turn + 1); least + shift < width; shift += turn) {
        if (most + shift <= 0) continue;
        for (let k = 0; k < x.length; k++) this.#shifted[k] = x[k] + shift;
        this.#visit(cell, this.#shifted, y, x.length);
      }
    }
  }
}

/** The cell with a pole in it is a strip along the edge of a map of latitudes and longitudes. */
function visitCap(cell: number, y: Float64Array, { width, point, extent }: MapProjection, visit: VisitPolygon): void {
  const [top, bottom] = [point(extent.west, 90)[1], point(extent.west, -90)[1]];
  const isNorth = Math.min(...y) - top < bottom - Math.max(...y);
  const [from, to] = isNorth ? [top, Math.max(...y)] : [Math.min(...y), bottom];
  visit(cell, Float64Array.of(0, width, width, 0), Float64Array.of(from, from, to, to), 4);
}
