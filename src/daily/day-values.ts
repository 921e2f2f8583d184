import { DataError, isPlumecastError } from '../errors.js';
import { type DailySteps, dailySteps, type Stamps } from '../period/daily-steps.js';
import type { UnitConversion } from '../variable/unit-conversion.js';
import type { StepRule } from './step-rule.js';

/** How values of time steps become daily values. */
export interface DayRule {
  readonly rule: StepRule;
  readonly conversion: UnitConversion;
}

/** The days of series, of which neighbours mostly have the same times: these are looked at once. */
export class DaysOfSeries {
  /** The seconds that the first step of all holds for; 0 while there is none. */
  step = 0;
  readonly #stamps: Stamps;
  readonly #source: string | undefined;
  #times = new Float64Array(0);
  #steps?: DailySteps;

  constructor(stamps: Stamps, source?: string) {
    this.#stamps = stamps;
    this.#source = source;
  }

  /**
   * The days of the times of some rows; undefined for a single time, of which nothing tells how long it holds. Throws a DataError where
   * all steps are longer than a day.
   */
  of(rows: Int32Array, timeOf: Float64Array): DailySteps | undefined {
    if (rows.length < 2) return undefined;
    const isSame = rows.length === this.#times.length && rows.every((row, i) => timeOf[row] === this.#times[i]);
    if (isSame) return this.#steps;
    this.#times = Float64Array.from(rows, (row) => timeOf[row]);
    this.#steps = this.#daysOf(this.#times);
    this.step ||= this.#steps.seconds[0];
    return this.#steps;
  }

  #daysOf(times: Float64Array): DailySteps {
    try {
      return dailySteps(times, { stamps: this.#stamps });
    } catch (error) {
      if (!isPlumecastError(error, 'data')) throw error;
      const { problem, received, allowed } = error;
      throw new DataError({ source: this.#source, problem: `time ${problem}`, received, allowed });
    }
  }
}

/**
 * The value of each day: the sum, the mean weighted by the lengths of steps, the lowest or the highest of its steps' values, in the
 * unit that the conversion gives. NaN where the day is not whole or a step is missing.
 */
export function dayValues(steps: DailySteps, valueAt: (step: number) => number, how: DayRule): Float64Array {
  const values = new Float64Array(steps.days).fill(Number.NaN);
  for (let day = 0; day < steps.days; day++) {
    if (steps.whole[day] === 0) continue;
    const first = steps.firstStep[day];
    values[day] = dayValue(first, first + steps.steps[day], steps.seconds, valueAt, how);
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
