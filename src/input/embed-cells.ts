import type { Grid } from '../ensemble/grid.js';

/** Values on a grid. */
interface GridValues {
  readonly grid: Grid;
  readonly values: Float64Array;
}

/**
 * Puts the values of some cells of a curvilinear grid, in their order, where they belong on it: on the rows and columns
 * that they are in, and those next to them. Others are missing. Undefined if the grid is another one, or if other cells
 * are meant.
 */
export function embedCells(
  values: Float64Array,
  whole: Grid,
  isMeant: (latitude: number, longitude: number) => boolean,
): GridValues | undefined {
  if (whole.kind !== 'places' || whole.shape.length !== 2) return undefined;
  const { latitude, longitude, projection } = whole;
  const [height, width] = whole.shape;
  const cells: number[] = [];
  for (const [cell, north] of latitude.entries()) if (isMeant(north, longitude[cell])) cells.push(cell);
  if (cells.length !== values.length || cells.length === 0) return undefined;
  const rows = around(
    cells.map((cell) => Math.floor(cell / width)),
    height,
  );
  const columns = around(
    cells.map((cell) => cell % width),
    width,
  );
  const shape = [rows.count, columns.count];
  const cut = (all: Float64Array) =>
    Float64Array.from({ length: rows.count * columns.count }, (_, i) => {
      const row = rows.first + Math.floor(i / columns.count);
      return all[row * width + columns.first + (i % columns.count)];
    });
  const spread = new Float64Array(latitude.length).fill(Number.NaN);
  for (const [i, cell] of cells.entries()) spread[cell] = values[i];
  const grid: Grid = { kind: 'places', latitude: cut(latitude), longitude: cut(longitude), shape, projection };
  return { grid, values: cut(spread) };
}

/** The range of indices, with one more on each side. */
function around(indices: readonly number[], length: number): { first: number; count: number } {
  const first = Math.max(0, indices.reduce((least, index) => Math.min(least, index)) - 1);
  const last = Math.min(length - 1, indices.reduce((most, index) => Math.max(most, index)) + 1);
  return { first, count: last - first + 1 };
}
