import { layoutBox, stridesIn } from '../array-layout.js';
import { readNumbers } from '../array-reader.js';
import { cellRectangles } from '../cells/cell-rectangles.js';
import { checkGrowth } from './check-growth.js';
import { extentOf, type ReadPlan } from './read-plan.js';
import { reduceDays } from './reduce-days.js';
import { slices } from './slices.js';

/**
 * Fills `into` with the daily values of one cell: member after member, the days of each in order, NaN where missing,
 * rounded to float32. Needs no core, so any number of cells can be read at a time. Throws what the array's `read`
 * throws.
 */
export async function readCell(plan: ReadPlan, cell: number, into: Float32Array<ArrayBuffer>): Promise<void> {
  const { layout, steps, coding } = plan;
  const { days } = steps;
  const [place] = cellRectangles(cell, 1, layout.length.x);
  into.fill(Number.NaN);
  for (const slice of slices(plan, extentOf(plan, place, 0, days), 0, days)) {
    const { member, time } = slice.extent;
    if (time.count === 0) continue;
    const box = layoutBox(layout, slice.extent);
    const values = await readNumbers(layout.array, box, coding);
    const strides = stridesIn(layout, box);
    for (let m = 0; m < member.count; m++) {
      const stored = { values, strides, at: m * strides.member, firstStep: time.start, rows: 1, width: 1 };
      checkGrowth(plan, stored, time.count, { member: member.start + m, cellAt: () => cell });
      const at = (member.start + m) * days + slice.day;
      reduceDays(plan, stored, { values: into, at, dayStride: 1, cellStride: 1, width: 1 }, slice.day, slice.end);
    }
  }
}
