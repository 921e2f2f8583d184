import type { WindowTable } from '../src/period/window-table.js';
import type { Members } from './data.js';

/**
 * Phase 1 of plain JavaScript: each member's windows of one cell, added up in `totals` at `window * members + member`.
 * `start` is the row of the cell's first day.
 */
export function addUpWindows(
  members: Members,
  start: number,
  { first, days, count }: WindowTable,
  totals: Float64Array | Float32Array,
): void {
  const width = members.length;
  for (let m = 0; m < width; m++) {
    const values = members[m];
    for (let w = 0, to = m; w < count; w++, to += width) {
      const from = start + first[w];
      const length = days[w];
      // Weeks and days without a loop, and four chains of additions for the rest: one would be waited for.
      if (length === 7) {
        totals[to] =
          values[from] +
          values[from + 1] +
          (values[from + 2] + values[from + 3]) +
          (values[from + 4] + values[from + 5] + values[from + 6]);
      } else if (length === 1) {
        totals[to] = values[from];
      } else {
        const end = from + length;
        let a = 0;
        let b = 0;
        let c = 0;
        let d = 0;
        let i = from;
        for (; i < end - 3; i += 4) {
          a += values[i];
          b += values[i + 1];
          c += values[i + 2];
          d += values[i + 3];
        }
        for (; i < end; i++) a += values[i];
        totals[to] = a + b + (c + d);
      }
    }
  }
}

/** What totals are divided by: the days of a mean, else 1. */
export function divisorsOf(rule: 'sum' | 'mean', { days, count }: WindowTable): Float64Array {
  return Float64Array.from({ length: count }, (_, w) => (rule === 'mean' ? days[w] : 1));
}
