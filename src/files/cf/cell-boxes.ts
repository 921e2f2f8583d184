import type { Block } from './grid-ensemble.js';

/** Cells of a block that are a box of the grid. */
export interface CellBox {
  readonly start: readonly number[];
  readonly count: readonly number[];
  /** The first of them, counted from the block's first. */
  readonly from: number;
  readonly cells: number;
}

/** The boxes, at most three, that consecutive cells make up on a grid of `shape`: what is left of a row, whole rows, the beginning of one. */
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
    const whole = column === 0 && left >= width;
    const count = whole ? [Math.floor(left / width), width] : [1, Math.min(left, width - column)];
    yield { start: [row, column], count, from, cells: count[0] * count[1] };
    from += count[0] * count[1];
  }
}
