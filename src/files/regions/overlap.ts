import type { CellRow } from '../../ensemble/cell-shapes/cell-rows.js';
import type { CellOutlines } from '../../ensemble/cell-shapes/healpix-cells.js';
import type { RegionEdges } from './region.js';

/** Takes the area that a region and a cell share, in steradians; a cell may come several times. */
export type CellOverlap = (cell: number, area: number) => void;

/** Cells of a grid with their areas on the sphere, and what regions share with them. */
export interface CellAreas {
  /** The area of each cell, in steradians; 0 of cells without a place. */
  areas(cells: number): Float64Array;
  overlap(edges: RegionEdges, add: CellOverlap): void;
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
