import type { EnsembleField } from './field.js';
import { type FloatArray, floatArray } from './float-array.js';
import type { MemberColumn } from './member-column.js';

/** Cells of a field that are copied: the i-th goes to place `to[i]`; all of them, or in their order, where nothing says otherwise. */
export interface CopiedCells {
  readonly from?: Int32Array;
  readonly to?: Int32Array;
}

/** Cells and days that are turned at a time: their values stay in the nearest cache. */
const BLOCK = 64;

/**
 * Copies the days of some cells to an array for each member, which has them by location (the day fastest), whatever their order in the
 * field. Missing values are NaN. Throws as `MemberColumn.copyTo` does.
 */
export function copyCells(field: EnsembleField, { from, to }: CopiedCells, into: readonly FloatArray[]): void {
  const { days, cells, members, order } = field;
  const isByLocation = order === 'day-fastest' || cells === 1;
  members.forEach((member, m) => {
    if (!isByLocation) {
      turn(plainValues(member), into[m], field, { from, to });
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

/** The values of a member in one array: its own where it has one and none is told missing. */
function plainValues(member: MemberColumn): FloatArray {
  const { chunks } = member.slice(0, member.length);
  if (chunks.length === 1 && chunks[0].bitmap === undefined) return chunks[0].values;
  const values = floatArray(member.type ?? 'float64', member.length);
  member.copyTo(values, 0, 0, member.length);
  return values;
}

function turn(
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
