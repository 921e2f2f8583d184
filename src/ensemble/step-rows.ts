import { DAY_SECONDS } from '../period/day.js';
import { type StepEdges, stepEdges } from './accumulation.js';
import { boundSeconds, checkDays, type DailySteps, type Stamps, stepSeconds } from './daily-steps.js';
import { edgesOf } from './local-steps.js';

/** Time steps as rows, and when each begins and ends; an instant begins where it ends. */
export interface StepRows {
  readonly rows: DailySteps;
  readonly edges: StepEdges;
}

/**
 * The rows of a time axis, in seconds since 1970-01-01 UTC, ascending: each step is a row by itself, as if it were a day,
 * and rows are numbered from 0. `bounds` and `stamps` are as for `dailySteps`; with `areInstants` a value is of its
 * time, and stands for no step. Throws DataError as `dailySteps` does.
 */
export function stepRows(
  times: Float64Array,
  { bounds, stamps, areInstants }: { bounds?: Float64Array | undefined; stamps: Stamps; areInstants: boolean },
): StepRows {
  const useBounds = bounds?.some((time, i) => i % 2 === 1 && time > bounds[i - 1]) ?? false;
  const seconds = useBounds ? boundSeconds(bounds as Float64Array) : stepSeconds(times, stamps);
  checkDays(times.map((time) => Math.floor(time / DAY_SECONDS)));
  const marked = areInstants ? { starts: times, ends: times } : stepEdges(times, seconds, stamps);
  return { rows: rowsOf(seconds), edges: useBounds ? edgesOf(bounds as Float64Array) : marked };
}

/** A row for each of some steps of so many seconds. */
export function rowsOf(seconds: Float64Array): DailySteps {
  const days = seconds.length;
  return {
    ...{ firstDay: 0, days, firstStep: Int32Array.from({ length: days }, (_, step) => step) },
    ...{ steps: new Int32Array(days).fill(1), whole: new Uint8Array(days).fill(1), seconds, areRows: true },
  };
}
