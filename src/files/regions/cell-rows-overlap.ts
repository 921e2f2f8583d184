import type { CellRow } from '../../ensemble/cell-shapes/cell-rows.js';
import { RADIANS } from '../projection/projection.js';
import type { CellAreas, SharedAreas } from './overlap.js';
import type { RegionEdges } from './region.js';
import { areaEastOf, heightBetween } from './sphere-area.js';

/** The cells of a row from west to east, in radians: gaps between them are cells without a number. */
interface Columns {
  /** The western edge of each, and the eastern one of the last. */
  readonly edges: Float64Array;
  /** The place of each in its row; -1 for gaps. */
  readonly place: Int32Array;
}

/** Cells between parallels and meridians, and what is computed once for all regions. */
export class RowOverlap implements CellAreas {
  readonly #rows: readonly CellRow[];
  readonly #columns: readonly Columns[];
  readonly #sums: readonly RowSums[];
  /** The rows in the order of their cells, in which these need not be sorted. */
  readonly #order: Int32Array;
  /** The southern and the northern edge of each row, in radians, and the height between them. */
  readonly #south: Float64Array;
  readonly #north: Float64Array;
  readonly #height: Float64Array;

  constructor(rows: readonly CellRow[]) {
    this.#rows = rows;
    let [known, columns] = [undefined as CellRow | undefined, undefined as Columns | undefined];
    this.#columns = rows.map((row) => {
      if (columns === undefined || known?.west !== row.west || known.east !== row.east) columns = columnsOf(row);
      known = row;
      return columns;
    });
    let sums: RowSums | undefined;
    this.#sums = this.#columns.map((own) => {
      if (sums?.columns !== own) sums = new RowSums(own);
      return sums;
    });
    this.#order = Int32Array.from(rows.keys()).sort((a, b) => rows[a].cells[0] - rows[b].cells[0]);
    this.#south = Float64Array.from(rows, ({ south }) => south * RADIANS);
    this.#north = Float64Array.from(rows, ({ north }) => north * RADIANS);
    this.#height = this.#south.map((south, row) => heightBetween(south, this.#north[row]));
  }

  areas(cells: number): Float64Array {
    const areas = new Float64Array(cells);
    for (const [r, { west, east, cells: own }] of this.#rows.entries()) {
      const height = this.#height[r];
      for (let i = 0; i < own.length; i++) areas[own[i]] = (east[i] - west[i]) * RADIANS * height;
    }
    return areas;
  }

  /**
   * Each edge of the outline is divided where it meets edges of cells. What is between such a piece and the eastern edge
   * of its cell counts for the cell, and the height of the piece for all cells east of it.
   */
  overlap({ count, ends, west, east }: RegionEdges, into: SharedAreas): void {
    const rows = this.#rows.length;
    const first = new Int32Array(count);
    const last = new Int32Array(count);
    const starts = new Int32Array(rows + 1);
    let [near, far] = [0, 0];
    for (let edge = 0; edge < count; edge++) {
      const lat1 = ends[4 * edge + 1] * RADIANS;
      const lat2 = ends[4 * edge + 3] * RADIANS;
      near = firstAbove(this.#north, lat1 < lat2 ? lat1 : lat2, near);
      far = firstAt(this.#south, lat1 < lat2 ? lat2 : lat1, far);
      first[edge] = near;
      last[edge] = lat1 === lat2 ? -1 : far - 1;
      for (let row = near; row <= last[edge]; row++) starts[row + 1]++;
    }
    for (let row = 0; row < rows; row++) starts[row + 1] += starts[row];
    const edgesOfRows = new Int32Array(starts[rows]);
    const at = starts.slice();
    for (let edge = 0; edge < count; edge++) {
      for (let row = first[edge]; row <= last[edge]; row++) edgesOfRows[at[row]++] = edge;
    }
    for (const row of this.#order) {
      if (starts[row] === starts[row + 1]) continue;
      this.#overlapRow(row, edgesOfRows.subarray(starts[row], starts[row + 1]), ends, [west, east], into);
    }
  }

  #overlapRow(
    row: number,
    edges: Int32Array,
    ends: Float64Array,
    [west, east]: readonly [number, number],
    into: SharedAreas,
  ): void {
    const bounds = this.#columns[row].edges;
    const sums = this.#sums[row];
    const lastEdge = bounds[bounds.length - 1];
    const circle = 2 * Math.PI;
    const from = Math.ceil((bounds[0] - east * RADIANS) / circle);
    const to = Math.floor((lastEdge - west * RADIANS) / circle);
    const parallels = { south: this.#south[row], north: this.#north[row] };
    for (let turn = from; turn <= to; turn++) sums.add(ends, edges, turn * circle, parallels);
    sums.end(this.#rows[row].cells, this.#height[row], into);
  }
}

/** What edges of an outline add to the cells of one row; zero again after its end, for the next row. */
class RowSums {
  readonly columns: Columns;
  /** The number of cells in a radian. */
  readonly #density: number;
  /** What counts for a cell alone, and the heights that count for all cells from it on. */
  readonly #own: Float64Array;
  readonly #height: Float64Array;
  #first: number;
  #last = -1;
  /** The last cell for which something counts alone. */
  #lastOwn = -1;

  constructor(columns: Columns) {
    const { edges, place } = columns;
    this.columns = columns;
    this.#density = place.length / (edges[place.length] - edges[0]);
    this.#own = new Float64Array(place.length);
    this.#height = new Float64Array(place.length + 1);
    this.#first = place.length;
  }

  /** Adds the parts of edges that are between two parallels, moved to the east. */
  add(
    ends: Float64Array,
    edges: Int32Array,
    shift: number,
    { south, north }: { readonly south: number; readonly north: number },
  ): void {
    // Numbers that are given from one function to another are objects: this one has all in it.
    const bounds = this.columns.edges;
    const own = this.#own;
    const heights = this.#height;
    const density = this.#density;
    const lastColumn = bounds.length - 2;
    let [first, last, lastOwn] = [this.#first, this.#last, this.#lastOwn];
    for (let i = 0; i < edges.length; i++) {
      const at = 4 * edges[i];
      const lonA = ends[at] * RADIANS + shift;
      const latA = ends[at + 1] * RADIANS;
      const lonB = ends[at + 2] * RADIANS + shift;
      const latB = ends[at + 3] * RADIANS;
      const eastward = (lonB - lonA) / (latB - latA);
      const lat1 = latA < south ? south : latA > north ? north : latA;
      const lat2 = latB < south ? south : latB > north ? north : latB;
      const lon1 = lat1 === latA ? lonA : lonA + (lat1 - latA) * eastward;
      const lon2 = lat2 === latB ? lonB : lonA + (lat2 - latA) * eastward;
      const low = lon1 < lon2 ? lon1 : lon2;
      const high = lon1 < lon2 ? lon2 : lon1;
      if (low >= bounds[lastColumn + 1]) continue;
      if (high <= bounds[0]) {
        heights[0] += heightBetween(lat1, lat2);
        first = 0;
        last = Math.max(last, 0);
        continue;
      }
      let column = -1;
      if (low > bounds[0]) {
        column = Math.min(lastColumn, Math.floor((low - bounds[0]) * density));
        if (bounds[column] > low || bounds[column + 1] <= low) column = columnAt(bounds, low);
      }
      const isEastward = lon1 <= lon2;
      const slope = (lat2 - lat1) / (lon2 - lon1);
      // From west to east; a piece that goes west counts with the other sign.
      let lonFrom = isEastward ? lon1 : lon2;
      let latFrom = isEastward ? lat1 : lat2;
      const lonEnd = isEastward ? lon2 : lon1;
      const latEnd = isEastward ? lat2 : lat1;
      const sign = isEastward ? 1 : -1;
      first = Math.min(first, Math.max(0, column));
      for (;;) {
        const bound = bounds[column + 1];
        const isLast = lonEnd <= bound;
        const lonTo = isLast ? lonEnd : bound;
        const latTo = isLast ? latEnd : lat1 + (bound - lon1) * slope;
        const height = heightBetween(latFrom, latTo);
        if (column >= 0) own[column] += sign * areaEastOf(bound, lonFrom, latFrom, lonTo, latTo, height);
        heights[column + 1] += sign * height;
        if (isLast || column === lastColumn) break;
        lonFrom = lonTo;
        latFrom = latTo;
        column++;
      }
      lastOwn = Math.max(lastOwn, column);
      last = Math.max(last, column + 1);
    }
    [this.#first, this.#last, this.#lastOwn] = [first, last, lastOwn];
  }

  /** Adds the area of each cell that the region has a part of; `cells` has those in the row. */
  end(cells: Int32Array, rowHeight: number, into: SharedAreas): void {
    const { edges, place } = this.columns;
    const own = this.#own;
    const heights = this.#height;
    const first = this.#first;
    const last = this.#last;
    let height = 0;
    for (let column = first; column < place.length; column++) {
      height += heights[column];
      const width = edges[column + 1] - edges[column];
      const area = own[column] + height * width;
      // Rounding leaves a little of cells beside the region.
      if (place[column] >= 0 && Math.abs(area) > TOUCHED * rowHeight * width) into.add(cells[place[column]], area);
      if (column >= last && Math.abs(height) < NONE) break;
    }
    own.fill(0, first, this.#lastOwn + 1);
    heights.fill(0, first, last + 1);
    [this.#first, this.#last, this.#lastOwn] = [place.length, -1, -1];
  }
}

/** A height that is left by rounding alone. */
const NONE = 1e-15;
/** The share of a cell that is left by rounding alone. */
const TOUCHED = 1e-10;

function columnsOf({ west, east }: CellRow): Columns {
  const edges: number[] = [];
  const place: number[] = [];
  for (let i = 0; i < west.length; i++) {
    const begin = west[i] * RADIANS;
    const before = edges[edges.length - 1];
    if (before === undefined) edges.push(begin);
    else if (begin > before + SAME) {
      edges.push(begin);
      place.push(-1);
    }
    edges.push(east[i] * RADIANS);
    place.push(i);
  }
  return { edges: Float64Array.from(edges), place: Int32Array.from(place) };
}

/** Radians between edges that are one: computed, or stored as float32. */
const SAME = 1e-7;

/** The index of the last of ascending edges at or before a value. */
function columnAt(edges: Float64Array, value: number): number {
  let [from, to] = [0, edges.length - 1];
  while (to - from > 1) {
    const middle = (from + to) >> 1;
    if (edges[middle] <= value) from = middle;
    else to = middle;
  }
  return from;
}

/** The index of the first of ascending values above a limit, which is often near to another index. */
function firstAbove(values: Float64Array, limit: number, near: number): number {
  let index = near;
  while (index < values.length && values[index] <= limit) index++;
  while (index > 0 && values[index - 1] > limit) index--;
  return index;
}

/** The index of the first of ascending values at or above a limit, which is often near to another index. */
function firstAt(values: Float64Array, limit: number, near: number): number {
  let index = near;
  while (index < values.length && values[index] < limit) index++;
  while (index > 0 && values[index - 1] >= limit) index--;
  return index;
}
