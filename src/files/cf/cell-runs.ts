/** Cells of a grid that form a rectangle: `cell` is the first of them, counted from the first of those asked for. */
export interface CellRectangle {
  readonly cell: number;
  readonly y: { readonly start: number; readonly count: number };
  readonly x: { readonly start: number; readonly count: number };
}

/** Consecutive cells of a grid with rows of `width` cells as at most three rectangles: a part of a row, whole rows, a part of a row. */
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
