import { element, rounded } from '../svg.js';
import { cellImage, placeOnMap } from './cell-image.js';
import { forEachPolygon } from './cell-polygons.js';
import type { CellRow } from './cell-rows.js';
import type { MapCells } from './map-cells.js';
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
