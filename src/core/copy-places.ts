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

/** Cells that are copied at a time: what is written stays in the caches. */
const BLOCK = 64;

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
  for (let first = 0; first < count; first += BLOCK) {
    const last = Math.min(first + BLOCK, count);
    for (let m = 0; m < columns.length; m++) {
      const values = columns[m];
      const start = m * width + at;
      for (let i = first; i < last; i++) {
        let source = (from === undefined ? i : from[i]) * cellStride + day * dayStride;
        let target = (to === undefined ? i : to[i]) * placeStride + start;
        for (const end = target + days; target < end; target++, source += dayStride) into[target] = values[source];
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
