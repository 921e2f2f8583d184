import { shareOfStep } from '../../../ensemble/local-steps.js';
import { DAY_SECONDS } from '../../../period/day.js';
import { decodeRow } from '../value-coding.js';
import { type DailyPlan, type DailyTarget, isOfSeries, put, reduceDays, type StoredSteps } from './reduce-days.js';

/** The number of cells reduced at a time. */
const CELLS = 1024;

/**
 * Reduces the steps of days `day` up to `end` as `reduceDays` does, also where steps lie in several days: each counts by
 * the part of it that lies in a day. A lowest or highest value counts for each of the days.
 */
export function reduceAnyDays(
  plan: DailyPlan,
  stored: StoredSteps,
  target: DailyTarget,
  day: number,
  end: number,
): void {
  if (plan.steps.shares === undefined) {
    reduceDays(plan, stored, target, day, end);
    return;
  }
  const { rows, width, strides } = stored;
  // Cells whose steps are close together are read one by one.
  const most = isOfSeries(stored) ? 1 : Math.min(CELLS, width);
  const scratch = [0, 1, 2].map(() => new Float64Array(most));
  for (let y = 0; y < rows; y++) {
    for (let x = 0; x < width; x += most) {
      const [sums, row, before] = scratch.map((values) => values.subarray(0, Math.min(most, width - x)));
      const at = stored.at + y * strides.y + x * strides.x;
      for (let d = day; d < end; d++) {
        reduceDay(plan, { ...stored, at }, d, sums, row, before);
        put(plan, sums, target, (d - day) * target.dayStride, y * target.width + x);
      }
    }
  }
}

function reduceDay(
  { steps, rule, coding }: DailyPlan,
  { values, at, firstStep, strides }: StoredSteps,
  day: number,
  sums: Float64Array,
  row: Float64Array,
  before: Float64Array,
): void {
  if (steps.whole[day] === 0) {
    sums.fill(Number.NaN);
    return;
  }
  const { weights, growth, reduction } = rule;
  const first = steps.firstStep[day];
  const end = first + steps.steps[day];
  const decode = (step: number, into: Float64Array) => {
    decodeRow(values, at + (step - firstStep) * strides.time, strides.x, into, coding);
    const weight = growth === undefined ? 1 : (weights?.[step] ?? 1);
    if (weight !== 1) for (let i = 0; i < into.length; i++) into[i] *= weight;
  };
  const isLowest = reduction === 'minimum';
  const isExtreme = isLowest || reduction === 'maximum';
  sums.fill(isExtreme ? (isLowest ? Number.POSITIVE_INFINITY : Number.NEGATIVE_INFINITY) : 0);
  if (growth !== undefined && growth.fresh[first] === 0) decode(first - 1, before);
  let divisor = 0;
  for (let step = first; step < end; step++) {
    decode(step, row);
    const share = shareOfStep(steps, day, step);
    if (isExtreme) {
      const pick = isLowest ? Math.min : Math.max;
      for (let i = 0; i < sums.length; i++) sums[i] = pick(sums[i], row[i]);
    } else if (growth !== undefined) {
      const isFresh = growth.fresh[step] === 1;
      for (let i = 0; i < sums.length; i++) sums[i] += share * (isFresh ? row[i] : row[i] - before[i]);
      before.set(row);
    } else {
      const weight = share * (weights?.[step] ?? 1);
      divisor += weight;
      for (let i = 0; i < sums.length; i++) sums[i] += weight * row[i];
    }
  }
  if (reduction === 'mean') for (let i = 0; i < sums.length; i++) sums[i] /= divisor;
  if (growth?.smallest !== undefined) for (let i = 0; i < sums.length; i++) if (sums[i] < 0 && row[i] >= 0) sums[i] = 0;
  // The rule divides the growth of means by the seconds of a day.
  const length = steps.shares?.length[day] ?? DAY_SECONDS;
  if (rule.isMeanOfGrowth && length !== DAY_SECONDS)
    for (let i = 0; i < sums.length; i++) sums[i] *= DAY_SECONDS / length;
}
