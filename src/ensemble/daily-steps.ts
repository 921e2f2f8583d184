import { DataError, mentionOption } from '../errors.js';
import { DAY_SECONDS, FIRST_DAY, formatDate, isScattered, LAST_DAY } from '../period/day.js';

/** The steps of a day may differ from it by this many seconds: times written as fractions of days are not exact. */
export const TOLERANCE = 60;

/** Which time steps make up each UTC day of an axis. */
export interface DailySteps {
  /** Day number of the first whole day. */
  readonly firstDay: number;
  /** The number of days up to the last whole day; 0 if there is none. */
  readonly days: number;
  /** For each day the first of its steps, which are consecutive, and their number; 0 where it has none. */
  readonly firstStep: Int32Array;
  readonly steps: Int32Array;
  /** For each day 1 where its steps cover it, else 0. */
  readonly whole: Uint8Array;
  /** For each step of the axis its length in seconds. */
  readonly seconds: Float64Array;
  /** Of days of other zones than UTC: the parts of steps that lie in them, where steps lie in several days. */
  readonly shares?: StepShares;
  /** Whether each "day" is a time step by itself, see `stepRows`. */
  readonly areRows?: boolean;
}

/** For each day the shares of its first and its last step that lie in it, and its length in seconds. */
interface StepShares {
  /** Also of a single step. */
  readonly first: Float64Array;
  readonly last: Float64Array;
  readonly length: Float64Array;
}

/** What a time of an axis marks: the start of the step of its value, its middle or end, or the instant of the value. */
export type Stamps = 'start' | 'middle' | 'end' | 'instant';

export const STAMPS: readonly Stamps[] = /* @__PURE__ */ Object.freeze(['start', 'middle', 'end', 'instant']);

/**
 * Which steps of a time axis make up each UTC day.
 *
 * `times` are seconds since 1970-01-01 UTC, ascending, at least one. `bounds`, the start and the end of each step in
 * turn, take precedence unless all are mere instants: a step belongs to the day of its middle, and bounds from the
 * first to the last instant of a day mean that day. Without bounds a step lasts until the next time (`stamps: 'start'`,
 * the default: the first step of a day is at 00:00), or from the time before (`'end'`: the last one is at 00:00 of the
 * next day); middles and instants belong to the day that they are in, as starts do; `stepSeconds` says what gaps and changes of the step mean. A single time means a whole day.
 *
 * A day is whole if its steps last 24 hours together. Days before the first and after the last whole day are left out.
 * The memory is bounded by the number of steps. Throws DataError if all steps are longer than a day, if they are
 * scattered over so many days that a time must be wrong, if days are outside the years 1 to 9999, and if bounds are not
 * in order.
 */
export function dailySteps(
  times: Float64Array,
  { bounds, stamps = 'start' }: { bounds?: Float64Array | undefined; stamps?: Stamps } = {},
): DailySteps {
  const useBounds = bounds?.some((time, i) => i % 2 === 1 && time > bounds[i - 1]) ?? false;
  const seconds = useBounds ? boundSeconds(bounds as Float64Array) : stepSeconds(times, stamps);
  if (useBounds) stretchInstants(bounds as Float64Array, seconds);
  const dayOfStep = useBounds ? boundDays(bounds as Float64Array) : stampDays(times, stamps);
  checkDays(dayOfStep);
  const from = dayOfStep[0];
  const span = dayOfStep[dayOfStep.length - 1] - from + 1;
  const firstStep = new Int32Array(span);
  const steps = new Int32Array(span);
  const covered = new Float64Array(span);
  for (let step = dayOfStep.length - 1; step >= 0; step--) {
    const day = dayOfStep[step] - from;
    firstStep[day] = step;
    steps[day]++;
    covered[day] += seconds[step];
  }
  const whole = Uint8Array.from(covered, (sum) => (Math.abs(sum - DAY_SECONDS) <= TOLERANCE ? 1 : 0));
  const first = Math.max(0, whole.indexOf(1));
  const end = whole.lastIndexOf(1) + 1;
  return {
    firstDay: from + first,
    days: Math.max(0, end - first),
    firstStep: firstStep.slice(first, end),
    steps: steps.slice(first, end),
    whole: whole.slice(first, end),
    seconds,
  };
}

/** Checks the days of steps before memory is allocated for all days from the first to the last. */
export function checkDays(dayOfStep: Float64Array): void {
  let present = 1;
  let gapEnd = 0;
  for (const [step, day] of dayOfStep.entries()) {
    if (!(day >= FIRST_DAY && day <= LAST_DAY)) {
      throw new DataError({
        ...{ subject: 'time', problem: `step ${step + 1} is not within the years 1 to 9999` },
        ...{ received: `day ${day} from 1970-01-01`, allowed: 'days from 0001-01-01 to 9999-12-31' },
      });
    }
    if (step === 0) continue;
    const distance = day - dayOfStep[step - 1];
    if (distance < 0) {
      throw new DataError({
        ...{ subject: 'time', problem: `step ${step + 1} has bounds before step ${step}` },
        ...{ received: `${formatDate(dayOfStep[step - 1])}, then ${formatDate(day)}`, allowed: 'steps in order' },
      });
    }
    if (distance > 0) present++;
    if (gapEnd === 0 || distance > dayOfStep[gapEnd] - dayOfStep[gapEnd - 1]) gapEnd = step;
  }
  const [first, last] = [dayOfStep[0], dayOfStep[dayOfStep.length - 1]];
  if (!isScattered(first, last, present)) return;
  throw new DataError({
    subject: 'time',
    problem: `steps are scattered: ${present} days over ${last - first + 1}`,
    received: `${formatDate(dayOfStep[gapEnd - 1])} at step ${gapEnd}, then ${formatDate(dayOfStep[gapEnd])}`,
    allowed: 'days that follow each other, with gaps; one of these times may be mistaken',
  });
}

export function boundSeconds(bounds: Float64Array): Float64Array {
  return Float64Array.from({ length: bounds.length / 2 }, (_, step) => bounds[2 * step + 1] - bounds[2 * step]);
}

/**
 * Bounds from the first to the last instant of a value, as CDO writes them for daily means of 6-hourly values (00:00 to
 * 18:00), mean a whole day: each lies within one UTC day, and the longest are shorter by the time between two instants.
 */
function stretchInstants(bounds: Float64Array, seconds: Float64Array): void {
  const longest = seconds.reduce((most, each) => Math.max(most, each), 0);
  const between = DAY_SECONDS - longest;
  if (!(between > TOLERANCE && longest >= DAY_SECONDS / 2 && DAY_SECONDS % between === 0)) return;
  for (let step = 0; step < seconds.length; step++) {
    const day = DAY_SECONDS * Math.floor(bounds[2 * step] / DAY_SECONDS);
    if (bounds[2 * step + 1] > day + DAY_SECONDS) return;
    if (
      step > 0 &&
      bounds[2 * step] < day + DAY_SECONDS &&
      Math.floor(bounds[2 * step - 1] / DAY_SECONDS) * DAY_SECONDS >= day
    )
      return;
  }
  for (let step = 0; step < seconds.length; step++) if (seconds[step] === longest) seconds[step] = DAY_SECONDS;
}

function boundDays(bounds: Float64Array): Float64Array {
  const middle = (step: number) => (bounds[2 * step] + bounds[2 * step + 1]) / 2;
  return Float64Array.from({ length: bounds.length / 2 }, (_, step) => Math.floor(middle(step) / DAY_SECONDS));
}

/** The day of each step; a step that ends at midnight belongs to the day before. */
function stampDays(times: Float64Array, stamps: Stamps): Float64Array {
  return times.map((time) => (stamps === 'end' ? Math.ceil(time / DAY_SECONDS) - 1 : Math.floor(time / DAY_SECONDS)));
}

/** Times that are rounded to seconds may differ by this many. */
const ROUNDING = 2;

/**
 * The length in seconds of each step of an axis of ascending times (in seconds): to the next time, or from the one
 * before.
 *
 * The step may change along the axis, as from 3 to 6 hours in forecasts. A distance is a gap if the axis has shorter
 * steps both before and after it, if it differs from both neighbours and one of them is shorter, or if it is longer
 * than a day; steps beyond a gap of days do not count for this. A step at a gap is as long as its neighbour. A single
 * time is a day. Throws DataError if all steps are longer than a day.
 */
export function stepSeconds(times: Float64Array, stamps: Stamps): Float64Array {
  if (times.length === 1) return Float64Array.of(DAY_SECONDS);
  const distances = Float64Array.from({ length: times.length - 1 }, (_, i) => times[i + 1] - times[i]);
  const before = shortestSoFar(distances);
  const after = shortestSoFar(distances.toReversed()).reverse();
  const isStep = distances.map((distance, i) => {
    const isBetweenShorter = Math.max(before[i], after[i]) < distance - ROUNDING;
    return distance <= DAY_SECONDS + ROUNDING && !isBetweenShorter && !standsAlone(distances, i) ? 1 : 0;
  });
  if (!isStep.includes(1)) {
    throw new DataError({
      subject: 'time',
      problem: 'steps are longer than a day',
      received: `${distances.reduce((a, b) => Math.min(a, b)) / DAY_SECONDS} days between two times`,
      allowed: `daily or sub-daily values; of a gridded file weeks and months by ${mentionOption('native', true)}`,
    });
  }
  const seconds = new Float64Array(times.length);
  if (stamps !== 'end') {
    let length = distances[isStep.indexOf(1)];
    for (let i = 0; i < times.length; i++) seconds[i] = length = isStep[i] === 1 ? distances[i] : length;
  } else {
    let length = distances[isStep.lastIndexOf(1)];
    for (let i = times.length - 1; i >= 0; i--) seconds[i] = length = isStep[i - 1] === 1 ? distances[i - 1] : length;
  }
  return seconds;
}

/** For each distance, the shortest one since the last gap of days. */
function shortestSoFar(distances: Float64Array): Float64Array {
  let shortest = Number.POSITIVE_INFINITY;
  return distances.map((distance) => {
    shortest = distance > DAY_SECONDS + ROUNDING ? Number.POSITIVE_INFINITY : Math.min(shortest, distance);
    return shortest;
  });
}

/** Whether a distance differs from both its neighbours, and one of them is shorter. */
function standsAlone(distances: Float64Array, i: number): boolean {
  const neighbours = [i - 1, i + 1].filter((k) => k >= 0 && k < distances.length);
  const isUnlike = neighbours.every((k) => Math.abs(distances[k] - distances[i]) > ROUNDING);
  return isUnlike && neighbours.some((k) => distances[k] < distances[i]);
}
