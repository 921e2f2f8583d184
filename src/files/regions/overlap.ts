import type { CellRow } from '../../ensemble/cell-shapes/cell-rows.js';
import type { CellOutlines } from '../../ensemble/cell-shapes/healpix-cells.js';
import type { RegionEdges } from './region.js';

/** The area that one region after the other shares with each cell, in steradians. */
export class SharedAreas {
  readonly #areas: Float64Array;
  #cells = new Int32Array(1024);
  #length = 0;
  #isAscending = true;

  constructor(cells: number) {
    this.#areas = new Float64Array(cells);
  }

  /** Adds to the area of a cell, which may come several times. */
  add(cell: number, area: number): void {
    if (this.#areas[cell] === 0) {
      const last = this.#length - 1;
      if (last >= 0 && this.#cells[last] >= cell) this.#isAscending = false;
      if (this.#length === this.#cells.length) {
        const more = new Int32Array(2 * this.#length);
        more.set(this.#cells);
        this.#cells = more;
      }
      this.#cells[this.#length++] = cell;
    }
    this.#areas[cell] += area;
  }

  /** The cells with an area, ascending, until the next region begins. A cell whose sum was 0 in between comes twice. */
  cells(): Int32Array {
    const cells = this.#cells.subarray(0, this.#length);
    return this.#isAscending ? cells : cells.sort();
  }

  /** The area of a cell, which has none from then on: of a cell that comes twice, the second time. */
  take(cell: number): number {
    const area = this.#areas[cell];
    this.#areas[cell] = 0;
    return area;
  }

  /** Begins the next region, after all cells were taken. */
  clear(): void {
    this.#length = 0;
    this.#isAscending = true;
  }
}

/** Cells of a grid with their areas on the sphere, and what regions share with them. */
export interface CellAreas {
  /** The area of each cell, in steradians; 0 of cells without a place. */
  areas(cells: number): Float64Array;
  /** Adds what a region shares with cells, but for less than a billionth of a cell. */
  overlap(edges: RegionEdges, into: SharedAreas): void;
}

/** The shapes of the cells of a grid. */
export type CellShapes =
  | { readonly kind: 'rows'; readonly rows: readonly CellRow[] }
  | {
      readonly kind: 'outlines';
      readonly outlines: CellOutlines;
      /** Whether edges are the shortest ways between corners, and not straight in longitude and latitude. */
      readonly areGreatCircles: boolean;
      /** Whether cells lie between parallels, which edges between corners of one latitude then follow. */
      readonly hasParallels?: boolean;
    };
