import type { CellRow } from '../../ensemble/cell-shapes/cell-rows.js';
import { RADIANS } from '../projection/projection.js';
import type { CellAreas, CellOverlap } from './overlap.js';
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
  /** The southern and the northern edge of each row, in radians. */
  readonly #south: Float64Array;
  readonly #north: Float64Array;

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
    this.#south = Float64Array.from(rows, ({ south }) => south * RADIANS);
    this.#north = Float64Array.from(rows, ({ north }) => north * RADIANS);
  }

  areas(cells: number): Float64Array {
    const areas = new Float64Array(cells);
    for (const [r, { west, east, cells: own }] of this.#rows.entries()) {
      const height = heightBetween(this.#south[r], this.#north[r]);
      for (let i = 0; i < own.length; i++) areas[own[i]] = (east[i] - west[i]) * RADIANS * height;
    }
    return areas;
  }

  /**
   * Each edge of the outline is divided where it meets edges of cells. What is between such a piece and the eastern edge
   * of its cell counts for the cell, and the height of the piece for all cells east of it.
   */
  overlap({ count, ends, west, east }: RegionEdges, add: CellOverlap): void {
    const rows = this.#rows.length;
    const first = new Int32Array(count);
    const last = new Int32Array(count);
    const starts = new Int32Array(rows + 1);
    for (let edge = 0; edge < count; edge++) {
      const [lat1, lat2] = [ends[4 * edge + 1] * RADIANS, ends[4 * edge + 3] * RADIANS];
      const [low, high] = lat1 < lat2 ? [lat1, lat2] : [lat2, lat1];
      first[edge] = firstAbove(this.#north, low);
      last[edge] = low === high ? -1 : firstAbove(this.#south, high, true) - 1;
      for (let row = first[edge]; row <= last[edge]; row++) starts[row + 1]++;
    }
    for (let row = 0; row < rows; row++) starts[row + 1] += starts[row];
    const edgesOfRows = new Int32Array(starts[rows]);
    const at = starts.slice();
    for (let edge = 0; edge < count; edge++) {
      for (let row = first[edge]; row <= last[edge]; row++) edgesOfRows[at[row]++] = edge;
    }
    for (let row = 0; row < rows; row++) {
      if (starts[row] === starts[row + 1]) continue;
      this.#overlapRow(row, edgesOfRows.subarray(starts[row], starts[row + 1]), ends, [west, east], add);
    }
  }

  #overlapRow(
    row: number,
    edges: Int32Array,
    ends: Float64Array,
    [west, east]: readonly [number, number],
    add: CellOverlap,
  ): void {
    const columns = this.#columns[row];
    const sums = this.#sums[row];
    const [south, north] = [this.#south[row], this.#north[row]];
    const bounds = columns.edges;
    const lastEdge = bounds[bounds.length - 1];
    const circle = 2 * Math.PI;
    const from = Math.ceil((bounds[0] - east * RADIANS) / circle);
    const to = Math.floor((lastEdge - west * RADIANS) / circle);
    for (let turn = from; turn <= to; turn++) {
      for (const edge of edges) {
        const lon1 = ends[4 * edge] * RADIANS + turn * circle;
        const lat1 = ends[4 * edge + 1] * RADIANS;
        const lon2 = ends[4 * edge + 2] * RADIANS + turn * circle;
        const lat2 = ends[4 * edge + 3] * RADIANS;
        const slope = (lon2 - lon1) / (lat2 - lat1);
        const [lat3, lat4] = [within(lat1, south, north), within(lat2, south, north)];
        const lon3 = lat3 === lat1 ? lon1 : lon1 + (lat3 - lat1) * slope;
        const lon4 = lat4 === lat2 ? lon2 : lon1 + (lat4 - lat1) * slope;
        sums.add(lon3, lat3, lon4, lat4);
      }
    }
    const cells = this.#rows[row].cells;
    sums.end((place, area) => add(cells[place], area));
  }
}

/** What edges of an outline add to the cells of one row; zero again after its end, for the next row. */
class RowSums {
  readonly columns: Columns;
  /** What counts for a cell alone, and the heights that count for all cells from it on. */
  readonly #own: Float64Array;
  readonly #height: Float64Array;
  #first: number;
  #last = -1;
  /** The last cell for which something counts alone. */
  #lastOwn = -1;

  constructor(columns: Columns) {
    this.columns = columns;
    this.#own = new Float64Array(columns.place.length);
    this.#height = new Float64Array(columns.place.length + 1);
    this.#first = columns.place.length;
  }

  /** Adds a piece of an edge within the row. */
  add(lon1: number, lat1: number, lon2: number, lat2: number): void {
    const { edges } = this.columns;
    const lastColumn = edges.length - 2;
    const [low, high] = lon1 < lon2 ? [lon1, lon2] : [lon2, lon1];
    if (low >= edges[lastColumn + 1]) return;
    if (high <= edges[0]) {
      this.#count(0, heightBetween(lat1, lat2));
      return;
    }
    let column = low <= edges[0] ? -1 : Math.min(lastColumn, columnAt(edges, low));
    const isEastward = lon1 <= lon2;
    const slope = (lat2 - lat1) / (lon2 - lon1);
    // From west to east; a piece that goes west counts with the other sign.
    let [lonFrom, latFrom] = isEastward ? [lon1, lat1] : [lon2, lat2];
    const [lonEnd, latEnd] = isEastward ? [lon2, lat2] : [lon1, lat1];
    const sign = isEastward ? 1 : -1;
    for (;;) {
      const bound = edges[column + 1];
      const isLast = lonEnd <= bound;
      const [lonTo, latTo] = isLast ? [lonEnd, latEnd] : [bound, lat1 + (bound - lon1) * slope];
      const height = sign * heightBetween(latFrom, latTo);
      if (column >= 0) {
        this.#own[column] += sign * areaEastOf(bound, lonFrom, latFrom, lonTo, latTo);
        this.#first = Math.min(this.#first, column);
        this.#lastOwn = Math.max(this.#lastOwn, column);
      }
      this.#count(column + 1, height);
      if (isLast || column === lastColumn) return;
      [lonFrom, latFrom] = [lonTo, latTo];
      column++;
    }
  }

  #count(from: number, height: number): void {
    this.#height[from] += height;
    this.#first = Math.min(this.#first, from);
    this.#last = Math.max(this.#last, from);
  }

  /** The area of each cell that the region has a part of, by its place in the row. */
  end(add: (place: number, area: number) => void): void {
    const { edges, place } = this.columns;
    const [own, heights, first, last] = [this.#own, this.#height, this.#first, this.#last];
    let height = 0;
    for (let column = first; column < place.length; column++) {
      height += heights[column];
      const area = own[column] + height * (edges[column + 1] - edges[column]);
      if (place[column] >= 0 && area !== 0) add(place[column], area);
      if (column >= last && Math.abs(height) < NONE) break;
    }
    own.fill(0, first, this.#lastOwn + 1);
    heights.fill(0, first, last + 1);
    [this.#first, this.#last, this.#lastOwn] = [place.length, -1, -1];
  }
}

/** A height that is left by rounding alone. */
const NONE = 1e-15;

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

/** The index of the first of ascending values above a limit, or at it. */
function firstAbove(values: Float64Array, limit: number, orAt = false): number {
  let [from, to] = [0, values.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if (values[middle] > limit || (orAt && values[middle] === limit)) to = middle;
    else from = middle + 1;
  }
  return from;
}

function within(value: number, low: number, high: number): number {
  return value < low ? low : value > high ? high : value;
}
