import { cellCorners } from '../../../ensemble/cell-shapes/cell-corners.js';
import { type CellRow, cellRows } from '../../../ensemble/cell-shapes/cell-rows.js';
import { type CellOutlines, healpixCells } from '../../../ensemble/cell-shapes/healpix-cells.js';
import { cellsOfGrid, type Grid } from '../../../ensemble/grid.js';
import { isCurvilinear } from '../../../ensemble/nearest-place.js';
import { DataError } from '../../../errors.js';
import type { StoredArray } from '../../array/array-file.js';
import { RADIANS } from '../../projection/projection.js';
import type { CellShapes } from '../../regions/overlap.js';
import type { ArrayLayout } from '../array-layout.js';
import { type ArrayReader, arrayReader } from '../array-reader.js';
import { textAttribute } from '../attribute-values.js';
import { areTurned, arrayNamed, findCoordinates } from '../coordinates.js';
import { areRadians } from './projected-cells.js';

/** The bounds of a coordinate: `corners` values for each of its values, in degrees. */
interface StatedBounds {
  readonly name: string;
  readonly corners: number;
  /** The dimensions of the coordinate. */
  readonly dimensions: readonly string[];
  readonly values: Float64Array;
}

/** Bounds that overlap by less, in degrees, only touch: they may be stored as float32. */
const ROUNDING = 1e-4;

/**
 * Finds the shapes of the cells of a grid: by the bounds of its coordinates where the file states them; of HEALPix, of
 * rows along parallels and of curvilinear grids by its centres, with edges halfway between neighbours. Throws DataError
 * where no cell outlines can be known.
 */
export async function cellShapes(
  grid: Grid,
  source: string,
  from?: { readonly file: Parameters<typeof arrayReader>[0]; readonly layout: Pick<ArrayLayout, 'array' | 'cells'> },
): Promise<CellShapes> {
  const bounds = from && (await statedBounds(arrayReader(from.file), from.layout.array));
  const shape = grid.kind === 'places' ? grid.shape : undefined;
  if (grid.kind === 'rectilinear') return { kind: 'rows', rows: rectilinearRows(grid, bounds, source) };
  if (bounds !== undefined) {
    const outlines = outlinesOf(bounds, from?.layout, cellsOfGrid(grid));
    if (outlines !== undefined) return ofCorners(outlines);
  }
  const healpix = shape?.length === 1 ? healpixCells(grid) : undefined;
  if (healpix !== undefined) return { kind: 'outlines', outlines: healpix, areGreatCircles: false };
  const rows = grid.labels?.hasId ? undefined : cellRows(grid);
  if (rows !== undefined) return { kind: 'rows', rows };
  if (isCurvilinear(shape)) return ofCorners(quadrangles(grid, shape));
  throw unknownOutlines(source, `${cellsOfGrid(grid)} places without rows and columns`);
}

function ofCorners(outlines: CellOutlines): CellShapes {
  return { kind: 'outlines', outlines, areGreatCircles: true, hasParallels: areBetweenParallels(outlines) };
}

/** Latitudes that differ by less, in degrees, are one parallel. */
const SAME_PARALLEL = 1e-5;

/** Whether each cell lies between two parallels, as in a regular grid whose coordinates have two dimensions. */
function areBetweenParallels({ points, latitude }: CellOutlines): boolean {
  for (let first = 0; first < latitude.length; first += points) {
    const corners = latitude.subarray(first, first + points);
    const [south, north] = [corners.reduce((a, b) => Math.min(a, b)), corners.reduce((a, b) => Math.max(a, b))];
    const isBetween = (lat: number) => lat > south + SAME_PARALLEL && lat < north - SAME_PARALLEL;
    if (corners.some(isBetween)) return false;
  }
  return true;
}

function unknownOutlines(source: string, received: string): DataError {
  return new DataError({
    ...{ source, problem: 'does not show the outlines of its cells', received },
    allowed: 'a grid with rows and columns, HEALPix, or coordinates with bounds; or points of the nearest cells',
  });
}

/** The bounds of the latitudes and the longitudes of an array, where both state them. */
async function statedBounds(
  reader: ArrayReader,
  array: StoredArray,
): Promise<readonly [StatedBounds, StatedBounds] | undefined> {
  const of = (kind: 'latitude' | 'longitude') => {
    for (const coordinate of findCoordinates(reader.file, array, kind)) {
      const name = textAttribute(coordinate.attributes, 'bounds');
      const bounds = name === undefined ? undefined : arrayNamed(reader.file, coordinate, name);
      if (bounds !== undefined) return { coordinate, bounds };
    }
    return undefined;
  };
  const [lat, lon] = [of('latitude'), of('longitude')];
  if (lat === undefined || lon === undefined) return undefined;
  return [await readBounds(reader, lat), await readBounds(reader, lon)];
}

async function readBounds(
  reader: ArrayReader,
  { coordinate, bounds }: { readonly coordinate: StoredArray; readonly bounds: StoredArray },
): Promise<StatedBounds> {
  const { dimensions, shape, attributes } = coordinate;
  const corners = bounds.shape[bounds.shape.length - 1];
  const isOfCoordinate =
    bounds.shape.length === shape.length + 1 && shape.every((length, d) => bounds.shape[d] === length);
  if (!isOfCoordinate || corners < 2 || bounds.type === 'text') {
    throw new DataError({
      ...{ source: reader.file.source, column: bounds.name, problem: `is no array of bounds of ${coordinate.name}` },
      received: `shape ${bounds.shape.join(' x ')}`,
      allowed: `shape ${shape.join(' x ')} and the number of corners`,
    });
  }
  const stored = await reader.numbers(bounds);
  const stating = textAttribute(bounds.attributes, 'units') === undefined ? attributes : bounds.attributes;
  const isTurned = areTurned(textAttribute(stating, 'units'));
  const factor = areRadians(stating) ? 1 / RADIANS : isTurned ? -1 : 1;
  const values = factor === 1 ? stored : stored.map((angle) => angle * factor);
  return { name: bounds.name, corners, dimensions, values };
}

/** Rows of a grid with an axis of latitudes and one of longitudes. Throws DataError where edges cannot be known. */
function rectilinearRows(
  grid: Extract<Grid, { kind: 'rectilinear' }>,
  bounds: readonly [StatedBounds, StatedBounds] | undefined,
  source: string,
): readonly CellRow[] {
  const isAxis = ({ corners, dimensions }: StatedBounds) => corners === 2 && dimensions.length === 1;
  const { latitude, longitude } = grid;
  const [lat, lon] = bounds ?? [];
  const isStated =
    lat !== undefined &&
    lon !== undefined &&
    isAxis(lat) &&
    isAxis(lon) &&
    lat.values.length === 2 * latitude.length &&
    lon.values.length === 2 * longitude.length;
  if (!isStated) {
    if (latitude.length > 1 && longitude.length > 1) return cellRows(grid) as CellRow[];
    throw unknownOutlines(source, `${latitude.length} x ${longitude.length} cells without bounds`);
  }
  const width = longitude.length;
  const rows = cellRows(grid) as CellRow[];
  const [first] = rows;
  const columns = Array.from(first.cells, (cell, i) => {
    const [one, other] = lon.values.subarray(2 * (cell % width), 2 * (cell % width) + 2);
    const span = Math.abs(other - one) > 180 && Math.abs(other - one) < 360 ? turned(other - one) : other - one;
    const west = span < 0 ? one + span : one;
    const shift = 360 * Math.round((first.west[i] - west) / 360);
    return { west: west + shift, east: west + shift + Math.abs(span) };
  });
  const [west, east] = [
    Float64Array.from(columns, (each) => each.west),
    Float64Array.from(columns, (each) => each.east),
  ];
  assertApart(lon, west, east, source);
  const found = rows.map(({ cells }) => {
    const y = Math.floor(cells[0] / width);
    const [one, other] = lat.values.subarray(2 * y, 2 * y + 2);
    const [south, north] = [Math.max(-90, Math.min(one, other)), Math.min(90, Math.max(one, other))];
    return { south, north, west, east, cells };
  });
  const [souths, norths] = [Float64Array.from(found, (row) => row.south), Float64Array.from(found, (row) => row.north)];
  assertApart(lat, souths, norths, source);
  return found;
}

/** Throws DataError where cells that are stated by their bounds overlap, or have no extent. */
function assertApart({ name: column }: StatedBounds, low: Float64Array, high: Float64Array, source: string): void {
  const wrong = low.findIndex((value, i) => !(high[i] > value) || (i > 0 && value < high[i - 1] - ROUNDING));
  if (wrong < 0) return;
  throw new DataError({
    ...{
      source,
      column,
      problem: 'states cells that overlap, or have no extent',
      received: `${low[wrong]} to ${high[wrong]}`,
    },
    allowed: 'two bounds for each cell, of which neighbours share one',
  });
}

/** A difference of longitudes the short way. */
function turned(degrees: number): number {
  return degrees - 360 * Math.round(degrees / 360);
}

/** The outlines that bounds of each cell state; undefined for bounds of other cells. */
function outlinesOf(
  [lat, lon]: readonly [StatedBounds, StatedBounds],
  layout: Pick<ArrayLayout, 'cells'> | undefined,
  cells: number,
): CellOutlines | undefined {
  const { corners } = lat;
  if (lon.corners !== corners || lat.values.length !== cells * corners || lon.values.length !== lat.values.length) {
    return undefined;
  }
  const { y, x } = layout?.cells ?? {};
  const own = [lat, lon].map(({ dimensions }) => dimensions.filter((name) => name === y?.name || name === x?.name));
  if (own[0].join() !== own[1].join()) return undefined;
  const isTransposed = own[0].length === 2 && own[0][0] === x?.name;
  const order = (values: Float64Array) =>
    isTransposed ? transposedCells(values, corners, x?.length ?? 1, y?.length ?? 1) : values;
  if (corners > 2) return { points: corners, latitude: order(lat.values), longitude: order(lon.values) };
  const boxes = { latitude: new Float64Array(cells * 4), longitude: new Float64Array(cells * 4) };
  const [norths, easts] = [order(lat.values), order(lon.values)];
  for (let cell = 0; cell < cells; cell++) {
    boxes.latitude.set(
      [0, 0, 1, 1].map((end) => norths[2 * cell + end]),
      4 * cell,
    );
    boxes.longitude.set(
      [0, 1, 1, 0].map((end) => easts[2 * cell + end]),
      4 * cell,
    );
  }
  return { points: 4, ...boxes };
}

/** Bounds that are stored column by column, row by row. */
function transposedCells(values: Float64Array, corners: number, width: number, height: number): Float64Array {
  return values.map((_, i) => {
    const [cell, corner] = [Math.floor(i / corners), i % corners];
    const [y, x] = [Math.floor(cell / width), cell % width];
    return values[(x * height + y) * corners + corner];
  });
}

/** The cells of a curvilinear grid with corners in the middle of four centres. */
function quadrangles(grid: Grid, shape: readonly [number, number]): CellOutlines {
  const { latitude, longitude } = cellCorners(grid, shape);
  const [rows, columns] = shape;
  const found = { latitude: new Float64Array(rows * columns * 4), longitude: new Float64Array(rows * columns * 4) };
  for (let cell = 0; cell < rows * columns; cell++) {
    const first = Math.floor(cell / columns) * (columns + 1) + (cell % columns);
    for (const [i, corner] of [first, first + 1, first + columns + 2, first + columns + 1].entries()) {
      found.latitude[4 * cell + i] = latitude[corner];
      found.longitude[4 * cell + i] = longitude[corner];
    }
  }
  return { points: 4, ...found };
}
