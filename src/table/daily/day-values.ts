import { type Amounts, freshSteps, knownDays, stepEdges } from '../../ensemble/accumulation.js';
import { isFall, roundingTolerance } from '../../ensemble/accumulation-evidence.js';
import { type DailySteps, dailySteps, type Stamps } from '../../ensemble/daily-steps.js';
import { DataError, isPlumecastError } from '../../errors.js';
import type { UnitConversion } from '../../variable/unit-conversion.js';
import type { StepRule } from './step-rule.js';

/** How values of time steps become daily values. */
export interface DayRule {
  readonly rule: StepRule;
  readonly conversion: UnitConversion;
}

/** The steps that days are made from. */
export interface StepDays extends DailySteps {
  /**
   * For amounts that grow: for each step 1 if its amount counts from its own start, 0 if it continues that of the step
   * before.
   */
  readonly fresh?: Uint8Array;
}

/** The days of series. Neighbouring series mostly have the same times, whose days are then found only once. */
export class DaysOfSeries {
  /** The length of the very first step in seconds; 0 before there is one. */
  step = 0;
  readonly #stamps: Stamps;
  readonly #source: string | undefined;
  readonly #growth: { readonly amounts: Amounts; readonly init: number | undefined } | undefined;
  #times = new Float64Array(0);
  #steps?: StepDays;

  /** For amounts that grow over several steps, `growth` says how, and when the run began. */
  constructor(stamps: Stamps, source?: string, growth?: { amounts: Amounts; init: number | undefined }) {
    this.#stamps = stamps;
    this.#source = source;
    this.#growth = growth;
  }

  /**
   * The days of the times of some rows; undefined for a single time, whose step has no known length. Throws a DataError
   * if all steps are longer than a day.
   */
  of(rows: Int32Array, timeOf: Float64Array): StepDays | undefined {
    if (rows.length < 2) return undefined;
    const isSame = rows.length === this.#times.length && rows.every((row, i) => timeOf[row] === this.#times[i]);
    if (isSame) return this.#steps;
    this.#times = Float64Array.from(rows, (row) => timeOf[row]);
    this.#steps = this.#daysOf(this.#times);
    this.step ||= this.#steps.seconds[0];
    return this.#steps;
  }

  #daysOf(times: Float64Array): StepDays {
    try {
      const steps = dailySteps(times, { stamps: this.#stamps });
      if (this.#growth === undefined) return steps;
      const { amounts, init } = this.#growth;
      const edges = stepEdges(times, steps.seconds, this.#stamps);
      const fresh = freshSteps(edges, amounts, init);
      return { ...knownDays(steps, edges, fresh, init), fresh };
    } catch (error) {
      if (!isPlumecastError(error, 'data')) throw error;
      const { problem, received, allowed } = error;
      throw new DataError({ source: this.#source, problem: `time ${problem}`, received, allowed });
    }
  }
}

/**
 * The value of each day: the sum, the mean weighted by the lengths of steps, the lowest or the highest of its steps'
 * values, in the unit that the conversion gives. NaN if the day is not whole or a step is missing.
 */
export function dayValues(steps: StepDays, valueAt: (step: number) => number, how: DayRule): Float64Array {
  const values = new Float64Array(steps.days).fill(Number.NaN);
  const { fresh } = steps;
  for (let day = 0; day < steps.days; day++) {
    if (steps.whole[day] === 0) continue;
    const first = steps.firstStep[day];
    const end = first + steps.steps[day];
    if (fresh !== undefined) values[day] = dayGrowth(first, end, fresh, valueAt) * how.conversion.factor;
    else values[day] = dayValue(first, end, steps.seconds, valueAt, how);
  }
  return values;
}

function dayValue(
  from: number,
  to: number,
  seconds: Float64Array,
  valueAt: (step: number) => number,
  { rule, conversion: { factor, offset, perSecond } }: DayRule,
): number {
  let [sum, duration, low, high] = [0, 0, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (let step = from; step < to; step++) {
    const value = valueAt(step) * factor * (perSecond ? seconds[step] : 1) + offset;
    sum += rule === 'mean' ? value * seconds[step] : value;
    duration += seconds[step];
    low = Math.min(low, value);
    high = Math.max(high, value);
  }
  if (rule === 'mean') return sum / duration;
  return rule === 'sum' ? sum : rule === 'min' ? low : high;
}

/** How much amounts grow from step `from` to `to` (exclusive); 0 if rounding makes it less than 0. */
function dayGrowth(from: number, to: number, fresh: Uint8Array, valueAt: (step: number) => number): number {
  let growth = fresh[from] === 1 ? 0 : -valueAt(from - 1);
  for (let step = from; step < to; step++) if (step === to - 1 || fresh[step + 1] === 1) growth += valueAt(step);
  return growth < 0 && valueAt(to - 1) >= 0 ? 0 : growth;
}

/**
 * The first step at which growing amounts fall by more than rounding, and the amounts before and after it; undefined if
 * they never do.
 */
export function firstFall(
  { fresh }: StepDays,
  count: number,
  valueAt: (step: number) => number,
  smallest: number,
): { step: number; before: number; after: number } | undefined {
  if (fresh === undefined) return undefined;
  let before = Number.NaN;
  for (let step = 0; step < count; step++) {
    const after = valueAt(step);
    const rounding = roundingTolerance(10 * smallest, Math.max(Math.abs(before), Math.abs(after)));
    if (fresh[step] === 0 && isFall(before, after, rounding)) return { step, before, after };
    if (fresh[step] === 1 || !Number.isNaN(after)) before = after;
  }
  return undefined;
}
