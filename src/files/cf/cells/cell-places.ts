import type { Grid } from '../../../ensemble/grid.js';
import type { Places, Point } from '../../../ensemble/nearest-place.js';
import { westernLongitude } from '../../../ensemble/place-rows.js';
import type { DataPlace } from '../../../errors.js';
import { dateText, type ModelCalendar } from '../../../period/calendar.js';
import type { Block, GridEnsemble } from '../grid-ensemble.js';
import { utcText } from '../time/time-units.js';

/**
 * The latitude and longitude of some consecutive cells, as in results: longitudes above 180 degrees become negative
 * ones.
 */
export function cellPlaces(grid: Grid, cell: number, cells: number): Places {
  const places = storedPlaces(grid, cell, cells);
  const { longitude } = places;
  for (let i = 0; i < cells; i++) longitude[i] = westernLongitude(longitude[i]);
  return places;
}

/** The latitude and longitude of some consecutive cells, unchanged. */
export function storedPlaces(grid: Grid, cell: number, cells: number): Places {
  const { kind, labels } = grid;
  const latitude = new Float64Array(cells);
  const longitude = new Float64Array(cells);
  if (kind === 'places') {
    latitude.set(grid.latitude.subarray(cell, cell + cells));
    longitude.set(grid.longitude.subarray(cell, cell + cells));
  } else {
    const width = grid.longitude.length;
    for (let i = 0, row = Math.floor(cell / width), column = cell % width; i < cells; i++, column++) {
      if (column === width) {
        row++;
        column = 0;
      }
      latitude[i] = grid.latitude[row];
      longitude[i] = grid.longitude[column];
    }
  }
  return { latitude, longitude, labels: labels && { ...labels, of: labels.of.subarray(cell, cell + cells) } };
}

/** The latitude and longitude of one cell, unchanged. */
export function storedPlace({ kind, latitude, longitude }: Grid, cell: number): Point {
  if (kind === 'places') return { latitude: latitude[cell], longitude: longitude[cell] };
  const { length } = longitude;
  return { latitude: latitude[Math.floor(cell / length)], longitude: longitude[cell % length] };
}

/** The place of a value of an array, for messages. */
export function valuePlace(
  { source, array, calendar, edges }: PlacedArray,
  member: string,
  day: number,
  latitude: number,
  longitude: number,
): DataPlace {
  const where = `latitude ${latitude}, longitude ${longitude}`;
  const when = edges === undefined ? dateText(calendar, day) : utcText(edges.ends[day], calendar);
  return { source, column: `${array} (member ${member}, ${when}, ${where})` };
}

type PlacedArray = Pick<GridEnsemble, 'source' | 'array' | 'edges'> & { readonly calendar?: ModelCalendar };

/** Cells of a grid that form a rectangle: `cell` is the first of them, counted from the first requested cell. */
export interface CellRectangle {
  readonly cell: number;
  readonly y: { readonly start: number; readonly count: number };
  readonly x: { readonly start: number; readonly count: number };
}

/**
 * Divides consecutive cells of a grid with rows of `width` cells into at most three rectangles: part of a row, full
 * rows, part of a row.
 */
export function cellRectangles(first: number, cells: number, width: number): CellRectangle[] {
  const rectangles: CellRectangle[] = [];
  for (let cell = first; cell < first + cells; ) {
    const left = first + cells - cell;
    const start = cell % width;
    const rows = start === 0 ? Math.max(1, Math.floor(left / width)) : 1;
    const count = Math.min(width - start, left);
    const y = { start: Math.floor(cell / width), count: rows };
    rectangles.push({ cell: cell - first, y, x: { start, count } });
    cell += rows * count;
  }
  return rectangles;
}

/** Cells of a block that form a box of the grid. */
export interface CellBox {
  readonly start: readonly number[];
  readonly count: readonly number[];
  /** The first of them, counted from the block's first. */
  readonly from: number;
  readonly cells: number;
}

/**
 * Divides consecutive cells of a grid of `shape` into at most three boxes: the rest of a row, full rows, the beginning
 * of a row.
 */
export function* cellBoxes(
  { cell, cells }: Pick<Block, 'cell' | 'cells'>,
  shape: readonly number[],
): Generator<CellBox> {
  if (shape.length === 1) {
    yield { start: [cell], count: [cells], from: 0, cells };
    return;
  }
  const [, width] = shape;
  for (let from = 0; from < cells; ) {
    const [row, column] = [Math.floor((cell + from) / width), (cell + from) % width];
    const left = cells - from;
    const isFull = column === 0 && left >= width;
    const count = isFull ? [Math.floor(left / width), width] : [1, Math.min(left, width - column)];
    yield { start: [row, column], count, from, cells: count[0] * count[1] };
    from += count[0] * count[1];
  }
}
