import type { CellRow } from '../../ensemble/cell-shapes/cell-rows.js';
import { element, rounded } from '../svg.js';
import { MISSING_COLOURS } from '../theme.js';
import { forEachPolygon } from './cell-polygons.js';
import { encodePng, pngUrl } from './indexed-png.js';
import type { MapCells } from './map-cells.js';
import type { MapField } from './map-field.js';
import type { MapProjection } from './map-projection.js';

/** Grids of more cells are drawn as an image. */
const MAX_SHAPES = 20_000;

/** The class of elements with a colour, whose rule is in the style sheet of the picture. */
export function colourClass(colour: string): string {
  return `fill-${colour.slice(1)}`;
}

/** Draws the cells of a map: `kinds` has the class of each, -1 where it is missing, and -2 where it is not drawn. */
export function drawCells(
  cells: MapCells,
  kinds: Int16Array,
  projection: MapProjection,
  colours: readonly string[],
): string[] {
  const { width, height } = projection;
  if (kinds.length > MAX_SHAPES) {
    const href = cellImage(cells, kinds, projection, colours);
    const look = { preserveAspectRatio: 'none', 'image-rendering': 'optimizeSpeed' };
    return [element('image', { class: 'cells', x: 0, y: 0, width, height, ...look, href })];
  }
  if (cells.kind === 'places') return drawPlaces(cells, kinds, projection, colours);
  const paths = new Map<number, string>();
  const add = (kind: number, d: string) => paths.set(kind, (paths.get(kind) ?? '') + d);
  if (cells.kind === 'rows' && projection.name === 'equirectangular') {
    for (const row of cells.rows) addRow(row, kinds, projection, add);
  } else {
    forEachPolygon(cells, projection, (cell, x, y, count) => {
      const points = Array.from({ length: count }, (_, k) => `${rounded(x[k])},${rounded(y[k])}`);
      if (!Number.isNaN(sumOf(x) + sumOf(y))) add(kinds[cell], `M${points.join('L')}Z`);
    });
  }
  return [...paths]
    .filter(([kind]) => kind >= -1)
    .sort(([a], [b]) => a - b)
    .map(([kind, d]) => element('path', { class: `cells ${classOfKind(kind, colours)}`, d }));
}

function sumOf(values: Float64Array): number {
  return values.reduce((sum, value) => sum + value, 0);
}

function classOfKind(kind: number, colours: readonly string[]): string {
  return kind < 0 ? 'missing-cell' : colourClass(colours[kind]);
}

/** Adds the cells of a row to the path of their class; neighbours of one class together. */
function addRow(
  { south, north, west, east, cells }: CellRow,
  kinds: Int16Array,
  { extent, point, height }: MapProjection,
  add: (kind: number, d: string) => void,
): void {
  const [top, bottom] = [north, south].map((latitude) =>
    Math.min(height, Math.max(0, point(extent.west, latitude)[1])),
  );
  if (rounded(top) === rounded(bottom)) return;
  for (let i = 0; i < cells.length; ) {
    const first = i++;
    while (i < cells.length && kinds[cells[i]] === kinds[cells[first]] && west[i] - east[i - 1] < 1e-6) i++;
    for (const turn of [-720, -360, 0, 360]) {
      const [from, to] = [Math.max(extent.west, west[first] + turn), Math.min(extent.east, east[i - 1] + turn)];
      const [left, right] = [from, to].map((longitude) => rounded(point(longitude, north)[0]));
      if (from >= to || left === right) continue;
      add(kinds[cells[first]], `M${left},${rounded(top)}H${right}V${rounded(bottom)}H${left}Z`);
    }
  }
}

/** Draws places as discs, which are smaller where there are many. */
function drawPlaces(
  { latitude, longitude }: { readonly latitude: Float64Array; readonly longitude: Float64Array },
  kinds: Int16Array,
  projection: MapProjection,
  colours: readonly string[],
): string[] {
  const { width, height } = projection;
  const r = Math.min(7, Math.max(1.5, 0.3 * Math.sqrt((width * height) / kinds.length)));
  return Array.from(kinds, (kind, i) => {
    const [cx, cy] = placeOnMap(projection, longitude[i], latitude[i]);
    if (kind < -1 || Number.isNaN(cx + cy)) return '';
    return element('circle', { class: `place ${classOfKind(kind, colours)}`, cx, cy, r });
  });
}

/** Pixels of an image for each pixel of a map, so that edges are crisp on most screens. */
const ZOOM = 2;
/** The first colours of an image: outside of the grid, and missing, which is hatched. */
const [OUTSIDE, MISSING, HATCH, FIRST] = [0, 1, 2, 3];

/** The image of a grid of many cells as a data URL: `kinds` has the class of each cell, -1 where
 * it is missing, and -2 where it is not drawn. */
function cellImage(cells: MapCells, kinds: Int16Array, projection: MapProjection, colours: readonly string[]): string {
  const [width, height] = [Math.round(ZOOM * projection.width), Math.round(ZOOM * projection.height)];
  const pixels = new Uint8Array(width * height);
  const canvas: Canvas = {
    ...{ width, height, zoomX: width / projection.width, zoomY: height / projection.height, crossings: [] },
    paint: (at, cell) => {
      const kind = kinds[cell];
      pixels[at] = kind >= 0 ? FIRST + kind : kind === -1 ? (isHatched(at, width) ? HATCH : MISSING) : OUTSIDE;
    },
  };
  if (cells.kind === 'rows' && projection.name === 'equirectangular') paintRows(cells.rows, projection, canvas);
  else if (cells.kind === 'places') paintPlaces(cells, projection, canvas);
  else forEachPolygon(cells, projection, (cell, x, y, count) => paintPolygon(canvas, cell, x, y, count));
  return pngUrl(encodePng({ width, height, pixels, colours: ['none', ...MISSING_COLOURS, ...colours] }));
}

interface Canvas {
  readonly width: number;
  readonly height: number;
  readonly zoomX: number;
  readonly zoomY: number;
  readonly paint: (at: number, cell: number) => void;
  /** Scratch: where the edges of a polygon cross a row of pixels. */
  readonly crossings: number[];
}

function isHatched(at: number, width: number): boolean {
  return ((at % width) + Math.floor(at / width)) % 10 < 2;
}

/** Each pixel has the colour of the cell that its centre lies in. */
function paintRows(rows: readonly CellRow[], { extent, width, point }: MapProjection, canvas: Canvas): void {
  const perDegree = (canvas.zoomX * width) / (extent.east - extent.west);
  const centres = Float64Array.from({ length: canvas.width }, (_, x) => extent.west + (x + 0.5) / perDegree);
  let known: { west: Float64Array; cells: Int32Array } | undefined;
  for (const { south, north, west, east, cells } of rows) {
    const [top, bottom] = [north, south].map((latitude) => canvas.zoomY * point(extent.west, latitude)[1]);
    const first = Math.max(0, Math.ceil(top - 0.5));
    const end = Math.min(canvas.height, Math.ceil(bottom - 0.5));
    if (first >= end) continue;
    // The rows of a rectilinear grid have the same edges.
    if (known?.west !== west) known = { west, cells: centres.length > 0 ? indicesAt(centres, west, east) : cells };
    for (let y = first; y < end; y++) {
      for (let x = 0; x < canvas.width; x++) {
        if (known.cells[x] >= 0) canvas.paint(y * canvas.width + x, cells[known.cells[x]]);
      }
    }
  }
}

/** The index of the cell of a row at each longitude, or -1. */
function indicesAt(longitudes: Float64Array, west: Float64Array, east: Float64Array): Int32Array {
  return Int32Array.from(longitudes, (longitude) => {
    const turned = longitude - 360 * Math.floor((longitude - west[0]) / 360);
    let [low, high] = [0, west.length - 1];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (turned >= west[middle]) low = middle;
      else high = middle - 1;
    }
    return turned < east[low] ? low : -1;
  });
}

/** Each pixel whose centre lies in a polygon. */
function paintPolygon(canvas: Canvas, cell: number, px: Float64Array, py: Float64Array, count: number): void {
  const { width, height, zoomX, zoomY, paint, crossings } = canvas;
  let [top, bottom] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (let k = 0; k < count; k++) {
    if (Number.isNaN(px[k] + py[k])) return;
    top = Math.min(top, py[k] * zoomY);
    bottom = Math.max(bottom, py[k] * zoomY);
  }
  const end = Math.min(height, Math.ceil(bottom - 0.5));
  for (let y = Math.max(0, Math.ceil(top - 0.5)); y < end; y++) {
    let found = 0;
    for (let k = 0; k < count; k++) {
      const next = k + 1 < count ? k + 1 : 0;
      const from = py[k] * zoomY - y - 0.5;
      const to = py[next] * zoomY - y - 0.5;
      if (from <= 0 === to <= 0) continue;
      const crossing = zoomX * (px[k] + ((px[next] - px[k]) * from) / (from - to));
      // In order: there are mostly two.
      let at = found++;
      for (; at > 0 && crossings[at - 1] > crossing; at--) crossings[at] = crossings[at - 1];
      crossings[at] = crossing;
    }
    for (let k = 0; k + 1 < found; k += 2) {
      const last = Math.min(width, Math.ceil(crossings[k + 1] - 0.5));
      for (let x = Math.max(0, Math.ceil(crossings[k] - 0.5)); x < last; x++) paint(y * width + x, cell);
    }
  }
}

/** Squares that are as large as the density of places allows. */
function paintPlaces(
  { latitude, longitude }: { readonly latitude: Float64Array; readonly longitude: Float64Array },
  projection: MapProjection,
  canvas: Canvas,
): void {
  const half = Math.max(1, 0.5 * Math.sqrt((canvas.width * canvas.height) / latitude.length));
  for (let i = 0; i < latitude.length; i++) {
    const [x, y] = placeOnMap(projection, longitude[i], latitude[i]);
    const [left, top] = [x * canvas.zoomX - half, y * canvas.zoomY - half];
    const [right, bottom] = [left + 2 * half, top + 2 * half];
    paintPolygon(
      { ...canvas, zoomX: 1, zoomY: 1 },
      i,
      Float64Array.of(left, right, right, left),
      Float64Array.of(top, top, bottom, bottom),
      4,
    );
  }
}

/** Dots that are closer are one: pixels. */
const DOT_STEP = 4;

/** The path of the dots of a field at the middles of its cells, which are seen; empty where it has none. */
export function dotsPath({ grid, dots }: MapField, kinds: Int16Array, projection: MapProjection): string {
  if (dots === undefined) return '';
  const { latitude, longitude } = grid;
  const isGrid = grid.kind === 'rectilinear';
  const taken = new Set<number>();
  let path = '';
  for (let cell = 0; cell < kinds.length; cell++) {
    if (!dots[cell] || kinds[cell] < 0) continue;
    const [row, column] = isGrid ? [Math.floor(cell / longitude.length), cell % longitude.length] : [cell, cell];
    const [x, y] = placeOnMap(projection, longitude[column], latitude[row]);
    const place = Math.floor(y / DOT_STEP) * 16_384 + Math.floor(x / DOT_STEP);
    if (Number.isNaN(x + y) || taken.has(place)) continue;
    taken.add(place);
    path += `M${rounded(x)},${rounded(y)}h.1`;
  }
  return path;
}

/** The pixel of a place, with its longitude turned into the extent of the map. */
function placeOnMap({ extent, point }: MapProjection, longitude: number, latitude: number): readonly [number, number] {
  return point(longitude - 360 * Math.floor((longitude - extent.west) / 360), latitude);
}
