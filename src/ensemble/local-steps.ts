import { DataError, type DataPlace, mentionOption } from '../errors.js';
import { type StepEdges, stepEdges } from './accumulation.js';
import { boundSeconds, checkDays, type DailySteps, type Stamps, stepSeconds, TOLERANCE } from './daily-steps.js';
import type { LocalDays } from './local-days.js';

/** Time steps, and the days that are made of them. */
export interface LocalSteps {
  /** Seconds since 1970-01-01 UTC, ascending, at least one. */
  readonly times: Float64Array;
  readonly stamps: Stamps;
  /** The start and the end of each step in turn; they take precedence unless all are mere instants. */
  readonly bounds?: Float64Array | undefined;
  /** Whether an instant is a value of its own, which is in one day, and stands for no step: not of a rate. */
  readonly areInstants: boolean;
  readonly days: LocalDays;
}

/**
 * Which time steps make up each day of a zone, as `dailySteps` finds them for UTC days; `shares` say which part of a step
 * lies in a day, unless all steps lie in one. An instant is in the day at whose start it is, or after it.
 *
 * A day is whole if its steps last as long as it does: 23 or 25 hours where clocks are changed. Of instants those from
 * its start to its end must be there, without a gap. Days before the first and after the last whole day are left out.
 * Throws DataError as `dailySteps` does.
 */
export function localSteps({ times, stamps, bounds, areInstants, days }: LocalSteps): DailySteps {
  const useBounds = bounds?.some((time, i) => i % 2 === 1 && time > bounds[i - 1]) ?? false;
  const seconds = useBounds ? boundSeconds(bounds as Float64Array) : stepSeconds(times, stamps);
  if (areInstants && !useBounds) return fromFirst(instantDays(times, seconds, days), seconds);
  const { starts, ends } = useBounds ? edgesOf(bounds as Float64Array) : stepEdges(times, seconds, stamps);
  checkDays(starts.map((start) => days.dayOf(start + Math.min(TOLERANCE, seconds[0] / 2))));
  return fromFirst(stepDays(starts, ends, days), seconds);
}

/** The starts and the ends of bounds. */
export function edgesOf(bounds: Float64Array): StepEdges {
  const edge = (side: 0 | 1) => Float64Array.from({ length: bounds.length / 2 }, (_, step) => bounds[2 * step + side]);
  return { starts: edge(0), ends: edge(1) };
}

/** All days from the first step to the last. */
interface FoundDays extends Omit<DailySteps, 'seconds'> {
  readonly shares: NonNullable<DailySteps['shares']>;
}

function emptyDays(firstDay: number, lastDay: number): FoundDays {
  const days = Math.max(0, lastDay - firstDay + 1);
  const numbers = () => new Float64Array(days);
  return {
    ...{ firstDay, days, firstStep: new Int32Array(days), steps: new Int32Array(days), whole: new Uint8Array(days) },
    shares: { first: numbers().fill(1), last: numbers().fill(1), length: numbers() },
  };
}

function stepDays(starts: Float64Array, ends: Float64Array, days: LocalDays): FoundDays {
  const count = starts.length;
  const found = emptyDays(days.dayOf(starts[0]), days.dayOf(ends[count - 1]));
  const { firstDay, firstStep, steps, whole, shares } = found;
  const overlap = (step: number, from: number, to: number) => Math.min(ends[step], to) - Math.max(starts[step], from);
  const shareOf = (step: number, from: number, to: number) => {
    const length = ends[step] - starts[step];
    const within = overlap(step, from, to);
    return length - within <= TOLERANCE ? 1 : within / length;
  };
  let step = 0;
  for (let d = 0; d < found.days; d++) {
    const [from, to] = [days.start(firstDay + d), days.end(firstDay + d)];
    shares.length[d] = to - from;
    while (step < count && ends[step] <= from + TOLERANCE) step++;
    let [end, covered] = [step, 0];
    while (end < count && starts[end] < to - TOLERANCE) covered += overlap(end++, from, to);
    firstStep[d] = step;
    steps[d] = end - step;
    if (end === step || to === from) continue;
    whole[d] = Math.abs(covered - (to - from)) <= TOLERANCE ? 1 : 0;
    shares.first[d] = shareOf(step, from, to);
    shares.last[d] = shareOf(end - 1, from, to);
  }
  return found;
}

function instantDays(times: Float64Array, seconds: Float64Array, days: LocalDays): FoundDays {
  const count = times.length;
  checkDays(times.map((time) => days.dayOf(time + TOLERANCE)));
  const found = emptyDays(days.dayOf(times[0] + TOLERANCE), days.dayOf(times[count - 1] + TOLERANCE));
  const { firstDay, firstStep, steps, whole, shares } = found;
  const isNext = (step: number) => Math.abs(times[step + 1] - times[step] - seconds[step]) <= TOLERANCE;
  let step = 0;
  for (let d = 0; d < found.days; d++) {
    const [from, to] = [days.start(firstDay + d), days.end(firstDay + d)];
    shares.length[d] = to - from;
    while (step < count && times[step] < from - TOLERANCE) step++;
    let end = step;
    while (end < count && times[end] < to - TOLERANCE) end++;
    firstStep[d] = step;
    steps[d] = end - step;
    let last = step;
    while (last + 1 < end && isNext(last)) last++;
    if (end === step || last < end - 1) continue;
    const beginsInTime = (step > 0 && isNext(step - 1)) || times[step] - from < seconds[step] - TOLERANCE;
    const endsInTime = times[last] + seconds[last] >= to - TOLERANCE;
    whole[d] = beginsInTime && endsInTime ? 1 : 0;
  }
  return found;
}

/** The days from the first whole one to the last; without shares where all steps lie in one day. */
function fromFirst({ firstDay, firstStep, steps, whole, shares }: FoundDays, seconds: Float64Array): DailySteps {
  const first = Math.max(0, whole.indexOf(1));
  const end = whole.lastIndexOf(1) + 1;
  const { first: ofFirst, last: ofLast, length } = shares;
  return {
    ...{ firstDay: firstDay + first, days: Math.max(0, end - first), seconds },
    firstStep: firstStep.slice(first, end),
    steps: steps.slice(first, end),
    whole: whole.slice(first, end),
    shares: {
      first: ofFirst.slice(first, end),
      last: ofLast.slice(first, end),
      length: length.slice(first, end),
    },
  };
}

/** The same days without shares, where no step lies in two: as faster loops take them. */
export function withoutShares({ shares, ...steps }: DailySteps): DailySteps {
  return shares === undefined || splitSteps({ ...steps, shares }) > 0 ? { ...steps, shares } : steps;
}

/** The number of steps that lie in several days, or in part beside the hours that count, of whole days. */
export function splitSteps({ firstStep, steps, whole, shares }: DailySteps): number {
  const split = new Set<number>();
  for (const [day, is] of whole.entries()) {
    if (is === 0 || shares === undefined) continue;
    if (shares.first[day] < 1) split.add(firstStep[day]);
    if (shares.last[day] < 1) split.add(firstStep[day] + steps[day] - 1);
  }
  return split.size;
}

/** The part of a step that lies in a day. */
export function shareOfStep({ firstStep, steps, shares }: DailySteps, day: number, step: number): number {
  if (shares === undefined) return 1;
  if (step === firstStep[day]) return shares.first[day];
  return step === firstStep[day] + steps[day] - 1 ? shares.last[day] : 1;
}

/** Notes on the days of time steps: which they are, and what is done to steps that lie in several of them. */
export function localDayNotes(found: DailySteps, days: LocalDays, areExtremes: boolean): string[] {
  const count = splitSteps(found);
  if (count === 0) return [`${days}`];
  const steps = count === 1 ? '1 step lies' : `${count} steps lie`;
  const how = areExtremes ? 'its extreme counts for each day' : 'apportioned by hours';
  return [`${days}: ${steps} in one only in part, ${how}`];
}

/**
 * Throws DataError for daily minima and maxima of steps that lie in several days, unless they count for each of them:
 * nothing shows in which of the days an extreme was.
 */
export function assertUnsplit(
  { firstStep, steps, whole, shares }: DailySteps,
  { starts, ends }: StepEdges,
  days: LocalDays,
  place: DataPlace,
): void {
  if (days.splitExtremes || shares === undefined) return;
  for (const [day, is] of whole.entries()) {
    const last = firstStep[day] + steps[day] - 1;
    const split = shares.first[day] < 1 ? firstStep[day] : shares.last[day] < 1 ? last : undefined;
    if (is === 0 || split === undefined) continue;
    const text = (time: number) => `${new Date(1000 * time).toISOString().slice(0, 16)}Z`;
    throw new DataError({
      ...place,
      problem: `extremes of steps that cross the limits of days (${days})`,
      received: `${text(starts[split])} to ${text(ends[split])}`,
      allowed: `steps that end where days do, such as hourly ones; or ${mentionOption('splitExtremes', true)}, which counts an extreme for each day that its step lies in`,
    });
  }
}
