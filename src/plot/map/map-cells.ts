import { type CellCorners, cellCorners } from '../../ensemble/cell-shapes/cell-corners.js';
import { type CellRow, cellRows } from '../../ensemble/cell-shapes/cell-rows.js';
import { type CellOutlines, healpixCells } from '../../ensemble/cell-shapes/healpix-cells.js';
import type { Grid, GridProjection } from '../../ensemble/grid.js';

/** The shapes of the cells of a map. */
export type MapCells =
  | { readonly kind: 'rows'; readonly rows: readonly CellRow[] }
  | { readonly kind: 'corners'; readonly corners: CellCorners; readonly projection?: GridProjection }
  | { readonly kind: 'outlines'; readonly outlines: CellOutlines }
  /** Places without neighbours, such as stations. */
  | { readonly kind: 'places'; readonly latitude: Float64Array; readonly longitude: Float64Array };

/** Finds the shapes of the cells of a grid: those of HEALPix, rows along parallels, cells with corners, else places. */
export function mapCells(grid: Grid): MapCells {
  const outlines = grid.kind === 'places' && grid.shape.length === 1 ? healpixCells(grid) : undefined;
  if (outlines !== undefined) return { kind: 'outlines', outlines };
  const rows = cellRows(grid);
  if (rows !== undefined) return { kind: 'rows', rows };
  const { latitude, longitude } = grid;
  if (grid.kind === 'places' && grid.shape.length === 2 && grid.shape[0] > 1 && grid.shape[1] > 1) {
    return { kind: 'corners', corners: cellCorners(grid, grid.shape), projection: grid.projection };
  }
  return { kind: 'places', latitude, longitude };
}
