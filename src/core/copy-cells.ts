import type { EnsembleField } from './field.js';
import type { MemberColumn } from './member-column.js';
import { type FloatArray, floatArray } from './number-arrays.js';

/**
 * Which cells of a field are copied, by default all, and to which places, by default in order: cell `from[i]` to
 * `to[i]`.
 */
export interface CopiedCells {
  readonly from?: Int32Array;
  readonly to?: Int32Array;
}

/** Cells and days that are transposed at a time: their values stay in the first-level cache. */
const BLOCK = 64;

/**
 * Copies the days of some cells to one array per member, with the day fastest, whatever the order of the field. Missing
 * values are NaN. Throws as `MemberColumn.copyTo` does.
 */
export function copyCells(field: EnsembleField, { from, to }: CopiedCells, into: readonly FloatArray[]): void {
  const { days, cells, members, order } = field;
  const isByLocation = order === 'day-fastest' || cells === 1;
  members.forEach((member, m) => {
    if (!isByLocation) {
      transpose(plainValues(member), into[m], field, { from, to });
    } else if (from === undefined && to === undefined) {
      member.copyTo(into[m], 0, 0, member.length);
    } else {
      const count = (from ?? to)?.length ?? cells;
      for (let i = 0; i < count; i++) {
        const start = (from?.[i] ?? i) * days;
        member.copyTo(into[m], (to?.[i] ?? i) * days, start, start + days);
      }
    }
  });
}

/** The values of a member in one array, without a copy if they are in one chunk without a bitmap. */
export function plainValues(member: MemberColumn): FloatArray {
  const { chunks } = member.slice(0, member.length);
  if (chunks.length === 1 && chunks[0].bitmap === undefined) return chunks[0].values;
  const values = floatArray(member.type ?? 'float64', member.length);
  member.copyTo(values, 0, 0, member.length);
  return values;
}

function transpose(
  byDay: FloatArray,
  byCell: FloatArray,
  { days, cells: width }: EnsembleField,
  { from, to }: CopiedCells,
): void {
  const count = (from ?? to)?.length ?? width;
  for (let first = 0; first < count; first += BLOCK) {
    const last = Math.min(first + BLOCK, count);
    for (let firstDay = 0; firstDay < days; firstDay += BLOCK) {
      const end = Math.min(firstDay + BLOCK, days);
      for (let i = first; i < last; i++) {
        const own = from?.[i] ?? i;
        const at = (to?.[i] ?? i) * days;
        for (let day = firstDay; day < end; day++) byCell[at + day] = byDay[day * width + own];
      }
    }
  }
}
