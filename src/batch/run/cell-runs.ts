import type { CopiedCells } from '../../core/copy-cells.js';

/** Consecutive cells that are read together, and which of them are wanted: `from` counts from the first of them, `to` is where they go. */
export interface CellRun extends CopiedCells {
  readonly cell: number;
  readonly cells: number;
}

/**
 * What is read for some places of an order, `count` of them from `first` on: runs of consecutive cells, none longer than `count`, as few as
 * can be. Without `order` places are cells.
 */
export function cellRuns(first: number, count: number, order?: Int32Array): CellRun[] {
  if (order === undefined) return [{ cell: first, cells: count }];
  const wanted = order.subarray(first, first + count);
  const sorted = Int32Array.from({ length: count }, (_, i) => i).sort((a, b) => wanted[a] - wanted[b]);
  const runs: CellRun[] = [];
  for (let begin = 0, end = 0; begin < count; begin = end) {
    const cell = wanted[sorted[begin]];
    while (end < count && wanted[sorted[end]] < cell + count) end++;
    const to = sorted.slice(begin, end);
    runs.push({
      cell,
      cells: wanted[sorted[end - 1]] - cell + 1,
      from: Int32Array.from(to, (i) => wanted[i] - cell),
      to,
    });
  }
  return runs;
}
