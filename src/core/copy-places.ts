import { type CopiedCells, plainValues } from './copy-cells.js';
import type { EnsembleField } from './field.js';

/** Which days of a field are copied, and where they go in rows of `width` days: from `at` on. */
export interface CopiedDays {
  /** Counted from the field's first day. */
  readonly day: number;
  readonly days: number;
  readonly at: number;
  readonly width: number;
}

/** Cells that are copied at a time: what is written of them, days of all members, stays in the first-level cache. */
const BLOCK = 16;

/**
 * Copies days of some cells to one array: place after place, and of each place a row for each member, as stores keep
 * values. Missing values are NaN. Throws as `MemberColumn.copyTo` does.
 */
export function copyPlaces(
  field: EnsembleField,
  { from, to }: CopiedCells,
  { day, days, at, width }: CopiedDays,
  into: Float32Array,
): void {
  const { members, cells, order, days: rowDays } = field;
  const columns = members.map(plainValues);
  const count = (from ?? to)?.length ?? cells;
  const [dayStride, cellStride] = order === 'day-fastest' ? [1, rowDays] : [cells, 1];
  const placeStride = members.length * width;
  const offset = day * dayStride;
  for (let first = 0; first < count; first += BLOCK) {
    const last = Math.min(first + BLOCK, count);
    for (let m = 0; m < columns.length; m++) {
      const values = columns[m];
      const start = m * width + at;
      for (let i = first; i < last; i++) {
        // All of these are small integers: said so, they are computed as such.
        let source = (Math.imul(from === undefined ? i : from[i], cellStride) + offset) | 0;
        let target = (Math.imul(to === undefined ? i : to[i], placeStride) + start) | 0;
        const end = (target + days) | 0;
        while (target < end) {
          into[target] = values[source];
          target = (target + 1) | 0;
          source = (source + dayStride) | 0;
        }
      }
    }
  }
}

const INFINITE = 0x7f800000;

/** The index of the first infinite value; -1 where there is none. */
export function findInfinite({ buffer, byteOffset, length }: Float32Array): number {
  const patterns = new Int32Array(buffer, byteOffset, length);
  for (let i = 0; i < length; i++) if ((patterns[i] & 0x7fffffff) === INFINITE) return i;
  return -1;
}
