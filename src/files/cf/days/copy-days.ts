import type { FloatArray } from '../../../core/float-array.js';
import { clearMissing, scaleValues } from './decode-row.js';
import type { ReadPlan } from './read-plan.js';
import { type DailyTarget, isOfSeries, type StoredSteps } from './reduce-days.js';

/**
 * Whether daily values are stored values in the order of results, except that fields or series are in separate runs.
 */
export function isCopied({ conversion, steps }: ReadPlan, stored: StoredSteps, target: DailyTarget): boolean {
  if (conversion === undefined || !(stored.values instanceof Float32Array || stored.values instanceof Float64Array))
    return false;
  if (!isOfSeries(stored)) return stored.strides.x === 1 && target.cellStride === 1;
  return stored.strides.time === 1 && target.dayStride === 1 && steps.whole.every((whole) => whole === 1);
}

/** Copies the steps of days `day` up to, not including, `end`, then clears missing values and scales the others. */
export function copyDays(plan: ReadPlan, stored: StoredSteps, target: DailyTarget, day: number, end: number): void {
  if (isOfSeries(stored)) {
    copySeries(plan, stored, target, day, end);
    return;
  }
  const { rows, width, strides, firstStep, at } = stored;
  const { steps } = plan;
  const isFlat = strides.y === width && target.width === width;
  const [lines, length] = isFlat ? [1, rows * width] : [rows, width];
  for (let d = day; d < end; d++) {
    for (let line = 0; line < lines; line++) {
      const to = target.at + (d - day) * target.dayStride + line * target.width;
      const from = at + (steps.firstStep[d] - firstStep) * strides.time + line * strides.y;
      if (steps.whole[d] === 0) target.values.fill(Number.NaN, to, to + length);
      else copy(plan, stored.values as FloatArray, from, target.values, to, length);
    }
  }
}

function copySeries(plan: ReadPlan, stored: StoredSteps, target: DailyTarget, day: number, end: number): void {
  const { rows, width, strides, firstStep } = stored;
  const first = stored.at + (plan.steps.firstStep[day] - firstStep);
  for (let y = 0; y < rows; y++) {
    for (let x = 0; x < width; x++) {
      const to = target.at + (y * target.width + x) * target.cellStride;
      const from = first + y * strides.y + x * strides.x;
      copy(plan, stored.values as FloatArray, from, target.values, to, end - day);
    }
  }
}

function copy(
  { coding, conversion }: ReadPlan,
  values: FloatArray,
  from: number,
  target: FloatArray,
  to: number,
  length: number,
): void {
  const copied = target.subarray(to, to + length);
  copied.set(values.subarray(from, from + length));
  clearMissing(copied, coding);
  scaleValues(copied, conversion?.factor ?? 1, conversion?.offset ?? 0);
}
