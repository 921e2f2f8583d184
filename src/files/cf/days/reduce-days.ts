import type { FloatArray } from '../../../core/number-arrays.js';
import type { DailySteps } from '../../../ensemble/daily-steps.js';
import { decodeRow, isStoredAsIs, type NumberValues, scaleValues, type ValueCoding } from '../value-coding.js';
import type { DailyRule, Growth } from './daily-rule.js';

/** Stored numbers of one member: that of (step, y, x) is at `at` plus the sum of its indices times the strides. */
export interface StoredSteps {
  readonly values: NumberValues;
  readonly at: number;
  /** The first of these steps on the time axis. */
  readonly firstStep: number;
  readonly strides: { readonly time: number; readonly y: number; readonly x: number };
  readonly rows: number;
  readonly width: number;
}

/**
 * Where daily values are written: that of (day, y, x), counted from 0, to `at + day * dayStride + (y * width + x) *
 * cellStride`.
 */
export interface DailyTarget {
  readonly values: FloatArray;
  readonly at: number;
  readonly dayStride: number;
  readonly cellStride: number;
  readonly width: number;
}

/** The number of cells reduced at a time: their sums stay in the nearest cache. */
const CELLS = 1024;

/** How stored numbers become daily values. */
export interface DailyPlan {
  readonly steps: DailySteps;
  readonly rule: DailyRule;
  readonly coding: ValueCoding;
}

/**
 * Reduces the steps of days `day` up to, not including, `end` to daily values; NaN for incomplete days and for missing
 * values.
 */
export function reduceDays(plan: DailyPlan, stored: StoredSteps, target: DailyTarget, day: number, end: number): void {
  if (isOfSeries(stored)) {
    reduceSeries(plan, stored, target, day, end);
  } else {
    reduceFields(plan, stored, target, day, end);
  }
}

/** Whether the steps of a cell are closer together than the cells of a step. */
export function isOfSeries({ rows, width, strides }: Pick<StoredSteps, 'rows' | 'width' | 'strides'>): boolean {
  return rows * width === 1 || strides.time < strides.x;
}

/** Reduces fields: cells are contiguous, so that each step is added to the sums of many cells. */
function reduceFields(plan: DailyPlan, stored: StoredSteps, target: DailyTarget, day: number, end: number): void {
  const { rows, width, strides } = stored;
  const isFlat = strides.y === width * strides.x && width === target.width;
  const [lines, length] = isFlat ? [1, rows * width] : [rows, width];
  const sums = new Float64Array(Math.min(CELLS, length));
  const row = new Float64Array(sums.length);
  for (let line = 0; line < lines; line++) {
    for (let from = 0; from < length; from += CELLS) {
      const count = Math.min(CELLS, length - from);
      const [ofCells, ofStep] = [sums.subarray(0, count), row.subarray(0, count)];
      const at = stored.at + line * strides.y + from * strides.x;
      for (let d = day; d < end; d++) {
        reduceDay(plan, stored, at, d, ofCells, ofStep);
        put(plan, ofCells, target, (d - day) * target.dayStride, line * target.width + from);
      }
    }
  }
}

function reduceDay(
  { steps, rule, coding }: DailyPlan,
  { values, firstStep, strides }: StoredSteps,
  at: number,
  day: number,
  sums: Float64Array,
  row: Float64Array,
): void {
  const first = steps.firstStep[day];
  const last = first + steps.steps[day] - 1;
  if (steps.whole[day] === 0) {
    sums.fill(Number.NaN);
    return;
  }
  const place = (step: number) => at + (step - firstStep) * strides.time;
  const decode = (step: number, into: Float64Array) => decodeRow(values, place(step), strides.x, into, coding);
  if (rule.growth !== undefined) {
    const { fresh, smallest } = rule.growth;
    const weightOf = (step: number) => rule.weights?.[step] ?? 1;
    if (fresh[first] === 1) sums.fill(0);
    else decode(first - 1, sums);
    const before = fresh[first] === 1 ? 1 : weightOf(first - 1);
    for (let i = 0; i < sums.length; i++) sums[i] *= -before;
    for (let step = first; step <= last; step++) {
      if (step < last && fresh[step + 1] === 0) continue;
      decode(step, row);
      const weight = weightOf(step);
      for (let i = 0; i < sums.length; i++) sums[i] += row[i] * weight;
    }
    if (smallest !== undefined) clearRounding(sums, row);
    return;
  }
  const isSummed = rule.reduction === 'sum' || rule.reduction === 'mean';
  if (isSummed && rule.weights === undefined && strides.x === 1 && isStoredAsIs(coding)) {
    sumStored(values, place(first), strides.time, last - first + 1, sums);
  } else {
    decode(first, sums);
    scaleValues(sums, rule.weights?.[first] ?? 1, 0);
    for (let step = first + 1; step <= last; step++) {
      decode(step, row);
      combine(rule, sums, row, rule.weights?.[step] ?? 1);
    }
  }
  if (rule.reduction === 'mean') divide(sums, divisor(rule, first, last));
}

/** Growth below 0 of amounts that are not below 0 is rounding: real falls are errors, see check-growth.ts. */
function clearRounding(growth: Float64Array, amounts: Float64Array): void {
  for (let i = 0; i < growth.length; i++) if (growth[i] < 0 && amounts[i] >= 0) growth[i] = 0;
}

/** Sums the values of `steps` steps in their order; two at a time take less time. */
function sumStored(values: NumberValues, at: number, stride: number, steps: number, sums: Float64Array): void {
  const { length } = sums;
  if (steps % 2 === 1) for (let i = 0; i < length; i++) sums[i] = values[at + i];
  else for (let i = 0, b = at + stride; i < length; i++, b++) sums[i] = values[at + i] + values[b];
  for (let step = 2 - (steps % 2); step < steps; step += 2) {
    for (let i = 0, a = at + step * stride, b = a + stride; i < length; i++, a++, b++) {
      sums[i] = sums[i] + values[a] + values[b];
    }
  }
}

function divide(sums: Float64Array, by: number): void {
  for (let i = 0; i < sums.length; i++) sums[i] /= by;
}

function combine({ reduction }: DailyRule, sums: Float64Array, row: Float64Array, weight: number): void {
  const { length } = sums;
  if (reduction === 'minimum') {
    for (let i = 0; i < length; i++) sums[i] = Math.min(sums[i], row[i]);
  } else if (reduction === 'maximum') {
    for (let i = 0; i < length; i++) sums[i] = Math.max(sums[i], row[i]);
  } else {
    for (let i = 0; i < length; i++) sums[i] += row[i] * weight;
  }
}

function divisor({ weights }: DailyRule, first: number, last: number): number {
  if (weights === undefined) return last - first + 1;
  let sum = 0;
  for (let step = first; step <= last; step++) sum += weights[step];
  return sum;
}

export function put({ rule }: DailyPlan, sums: Float64Array, target: DailyTarget, at: number, cell: number): void {
  const { values, cellStride } = target;
  const { factor, offset } = rule;
  const count = sums.length;
  let to = target.at + at + cell * cellStride;
  if (factor === 1 && offset === 0) {
    for (let i = 0; i < count; i++, to += cellStride) values[to] = sums[i];
  } else {
    for (let i = 0; i < count; i++, to += cellStride) values[to] = sums[i] * factor + offset;
  }
}

/** Reduces series: the steps of a cell are contiguous, so that each cell is reduced on its own. */
function reduceSeries(plan: DailyPlan, stored: StoredSteps, target: DailyTarget, day: number, end: number): void {
  const { steps, coding } = plan;
  const { firstStep, strides, rows, width } = stored;
  const used = stepsOfDays(plan, day, end);
  const series = new Float64Array(used.end - used.start);
  const days = new Float64Array(end - day);
  for (let y = 0; y < rows; y++) {
    for (let x = 0; x < width; x++) {
      const at = stored.at + y * strides.y + x * strides.x + (used.start - firstStep) * strides.time;
      decodeRow(stored.values, at, strides.time, series, coding);
      for (let d = day; d < end; d++) {
        days[d - day] = steps.whole[d] === 0 ? Number.NaN : dayOfSeries(plan, series, used.start, d);
      }
      const cell = target.at + (y * target.width + x) * target.cellStride;
      put(plan, days, { ...target, at: cell, cellStride: target.dayStride }, 0, 0);
    }
  }
}

function dayOfSeries({ steps, rule }: DailyPlan, series: Float64Array, firstStep: number, day: number): number {
  const from = steps.firstStep[day] - firstStep;
  const to = from + steps.steps[day];
  const { reduction, weights } = rule;
  if (rule.growth !== undefined) return growthOfSeries(rule.growth, weights, series, firstStep, from, to);
  let value = series[from] * (weights?.[firstStep + from] ?? 1);
  if (reduction === 'minimum') {
    for (let i = from + 1; i < to; i++) value = Math.min(value, series[i]);
  } else if (reduction === 'maximum') {
    for (let i = from + 1; i < to; i++) value = Math.max(value, series[i]);
  } else if (weights === undefined) {
    for (let i = from + 1; i < to; i++) value += series[i];
  } else {
    for (let i = from + 1; i < to; i++) value += series[i] * weights[firstStep + i];
  }
  return reduction === 'mean' ? value / divisor(rule, firstStep + from, firstStep + to - 1) : value;
}

/** The growth over a day's steps, from `from` up to `to` of a series whose first step is `firstStep`. */
function growthOfSeries(
  { fresh, smallest }: Growth,
  weights: Float64Array | undefined,
  series: Float64Array,
  firstStep: number,
  from: number,
  to: number,
): number {
  const amountAt = (i: number) => series[i] * (weights?.[firstStep + i] ?? 1);
  let value = fresh[firstStep + from] === 1 ? 0 : -amountAt(from - 1);
  for (let i = from; i < to; i++) if (i === to - 1 || fresh[firstStep + i + 1] === 1) value += amountAt(i);
  return smallest !== undefined && value < 0 && series[to - 1] >= 0 ? 0 : value;
}

/** The steps that days `day` up to `end` need; an empty range if all days are incomplete. */
export function stepsOfDays(
  { steps, rule }: Pick<DailyPlan, 'steps' | 'rule'>,
  day: number,
  end: number,
): { start: number; end: number } {
  let [first, last] = [day, end - 1];
  while (first < end && steps.whole[first] === 0) first++;
  while (last > first && steps.whole[last] === 0) last--;
  if (first === end) return { start: 0, end: 0 };
  const before = rule.growth?.fresh[steps.firstStep[first]] === 0 ? 1 : 0;
  return { start: steps.firstStep[first] - before, end: steps.firstStep[last] + steps.steps[last] };
}
