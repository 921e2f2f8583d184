import {
  type BoundingBox,
  boxText,
  degreesFromWest,
  hasLatitude,
  isAround,
  isWithinBox,
} from '../../../ensemble/bounding-box.js';
import { noCellError } from '../../../ensemble/cells-in-box.js';
import { assertIds, cellsWithIds } from '../../../ensemble/cells-with-ids.js';
import type { Grid } from '../../../ensemble/grid.js';
import { idsOf } from '../../../ensemble/place-labels.js';
import type { ArrayLayout } from '../array-layout.js';
import { forRoles } from '../array-layout.js';
import { type SelectedAxis, selectedArray } from './selected-array.js';

/** A layout, and a note for people on what was selected. */
export interface CellsWithin {
  readonly layout: ArrayLayout;
  readonly note: string;
}

/**
 * Selects the cells of a layout whose centres are within a box, its edges included. Rows and columns of a rectilinear
 * grid stay in the order of the file; columns on both sides of the meridian where the grid begins are joined, from west
 * to east, with longitudes that ascend over it. Cells with a latitude and longitude each stay a grid if they are all
 * cells of some rows and columns, else they become a list of places. Throws OptionError where no cell is within the
 * box, and DataError where cells have no coordinates.
 */
export function cellsWithin(source: string, layout: ArrayLayout, box: BoundingBox): CellsWithin {
  const { grid } = layout.cells;
  const selected =
    grid.kind === 'rectilinear'
      ? selectAxes(layout, grid, box)
      : selectPlaces(layout, grid, (latitude, longitude) => isWithinBox(box, latitude, longitude));
  if (selected === undefined) throw noCellError(source, box, grid);
  const all = layout.length.y * layout.length.x;
  const { y, x } = selected.length;
  return { layout: selected, note: `${y * x} of ${all} cells are within ${boxText(box)}` };
}

/**
 * Selects the cells of a curvilinear grid that have a latitude and longitude, as a list of places; undefined where all
 * have them, or none.
 */
export function placedCells(layout: ArrayLayout): CellsWithin | undefined {
  const { grid } = layout.cells;
  if (grid.kind !== 'places' || grid.shape.length < 2) return undefined;
  const { latitude, longitude } = grid;
  const isPlaced = (north: number, east: number) => !Number.isNaN(north + east);
  if (latitude.every((north, cell) => isPlaced(north, longitude[cell]))) return undefined;
  const selected = selectPlaces(layout, grid, isPlaced);
  if (selected === undefined) return undefined;
  const count = latitude.length - selected.length.y * selected.length.x;
  return {
    layout: selected,
    note: `${count} of ${latitude.length} cells have no latitude and longitude, and are left out`,
  };
}

/** Selects the places with some ids, in the order of the file. Throws OptionError for an id that no place has. */
export function cellsOfIds(source: string, layout: ArrayLayout, ids: readonly string[]): CellsWithin {
  const { grid } = layout.cells;
  assertIds(ids, new Set(idsOf(grid.labels)), source);
  const wanted = new Set(cellsWithIds(grid.labels, ids));
  const places = grid as Extract<Grid, { kind: 'places' }>;
  const selected = selectPlaces(layout, places, (_latitude, _longitude, cell) => wanted.has(cell)) as ArrayLayout;
  return { layout: selected, note: `${wanted.size} of ${grid.latitude.length} places have the ids ${ids.join(', ')}` };
}

/** The indices of the rows and columns of a rectilinear grid within a box; undefined where there are none. */
function selectAxes(
  layout: ArrayLayout,
  { latitude, longitude }: Extract<Grid, { kind: 'rectilinear' }>,
  box: BoundingBox,
): ArrayLayout | undefined {
  const rows = indicesWhere(latitude, (value) => hasLatitude(box, value));
  const inside = indicesWhere(longitude, (value) => degreesFromWest(box, value) !== undefined);
  if (rows.length === 0 || inside.length === 0) return undefined;
  const columns = isAround(box) ? undefined : joinedColumns(longitude, inside, box);
  const indices = columns?.indices ?? inside;
  const grid: Grid = {
    kind: 'rectilinear',
    latitude: Float64Array.from(rows, (row) => latitude[row]),
    longitude: columns?.longitude ?? Float64Array.from(inside, (column) => longitude[column]),
  };
  return withRowsAndColumns(layout, grid, rows, indices);
}

/**
 * Columns from west to east, or the reverse where the grid is so, if they lie on both sides of the meridian where the
 * grid begins; undefined where they are one part of it already, and where longitudes from -180 to 360 cannot ascend
 * over it.
 */
function joinedColumns(
  longitude: Float64Array,
  inside: Int32Array,
  box: BoundingBox,
): { indices: Int32Array; longitude: Float64Array } | undefined {
  const falls = inside.subarray(1).filter((column, i) => longitude[column] < longitude[inside[i]]).length;
  const isDescending = 2 * falls > inside.length - 1;
  const sign = isDescending ? -1 : 1;
  const distance = (column: number) => degreesFromWest(box, longitude[column]) as number;
  const indices = inside.slice().sort((a, b) => sign * (distance(a) - distance(b)) || a - b);
  if (indices.every((column, i) => column === inside[i])) return undefined;
  const columns = indices.filter((column, i) => i === 0 || distance(column) !== distance(indices[i - 1]));
  const first = longitude[columns[isDescending ? columns.length - 1 : 0]];
  const eastern = Float64Array.from(columns, (column) => longitude[column] + (longitude[column] < first ? 360 : 0));
  const shifted = [eastern, eastern.map((degrees) => degrees - 360)];
  const values = shifted.find((degrees) => degrees.every((each) => each >= -180 && each <= 360));
  return values && { indices: columns, longitude: values };
}

/** Selects cells with a latitude and longitude each; undefined where none is meant. */
function selectPlaces(
  layout: ArrayLayout,
  { latitude, longitude, labels, projection }: Extract<Grid, { kind: 'places' }>,
  isMeant: (latitude: number, longitude: number, cell: number) => boolean,
): ArrayLayout | undefined {
  const cells = indicesWhere(latitude, (value, cell) => isMeant(value, longitude[cell], cell));
  if (cells.length === 0) return undefined;
  const width = layout.length.x;
  const [rows, columns] = [cells.map((cell) => Math.floor(cell / width)), cells.map((cell) => cell % width)];
  const [ofRows, ofColumns] = [distinct(rows), distinct(columns)];
  const places = (shape: readonly number[]): Grid => ({
    kind: 'places',
    latitude: Float64Array.from(cells, (cell) => latitude[cell]),
    longitude: Float64Array.from(cells, (cell) => longitude[cell]),
    labels: labels && { ...labels, of: cells.map((cell) => labels.of[cell]) },
    shape,
    ...(shape.length === 2 && projection !== undefined && { projection }),
  });
  if (layout.dimension.y < 0) return withRowsAndColumns(layout, places([cells.length]), ofRows, ofColumns);
  if (ofRows.length * ofColumns.length === cells.length) {
    return withRowsAndColumns(layout, places([ofRows.length, ofColumns.length]), ofRows, ofColumns);
  }
  return withPairs(layout, places([cells.length]), rows, columns);
}

function withRowsAndColumns(layout: ArrayLayout, grid: Grid, rows: Int32Array, columns: Int32Array): ArrayLayout {
  const { array, dimension } = layout;
  const axes = array.shape.map((_, d): SelectedAxis => {
    if (d === dimension.y) return { kind: 'some', dimension: d, indices: rows };
    if (d === dimension.x) return { kind: 'some', dimension: d, indices: columns };
    return { kind: 'all', dimension: d };
  });
  const length = { ...layout.length, y: rows.length, x: columns.length };
  return { ...layout, array: selectedArray(array, axes), length, cells: { ...layout.cells, grid } };
}

/** Cells of a list, along the dimension of columns; that of rows is gone. */
function withPairs(layout: ArrayLayout, grid: Grid, rows: Int32Array, columns: Int32Array): ArrayLayout {
  const { array, dimension, fixed } = layout;
  const { y, x } = dimension;
  const kept = array.shape.map((_, d) => d).filter((d) => d !== y);
  const axes = kept.map(
    (d): SelectedAxis =>
      d === x ? { kind: 'pairs', dimensions: [y, x], indices: [rows, columns] } : { kind: 'all', dimension: d },
  );
  return {
    ...layout,
    array: selectedArray(array, axes),
    cells: { grid, y: undefined, x: layout.cells.x },
    dimension: forRoles((role) => (role === 'y' ? -1 : kept.indexOf(dimension[role]))),
    length: { ...layout.length, y: 1, x: rows.length },
    fixed: kept.map((d) => fixed[d]),
  };
}

function indicesWhere(values: Float64Array, isWithin: (value: number, index: number) => boolean): Int32Array {
  const found: number[] = [];
  for (const [index, value] of values.entries()) if (isWithin(value, index)) found.push(index);
  return Int32Array.from(found);
}

function distinct(indices: Int32Array): Int32Array {
  return Int32Array.from(new Set(indices)).sort();
}
