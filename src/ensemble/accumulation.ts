import { mentionOption } from '../errors.js';
import type { DailySteps } from './daily-steps.js';

/** The hours of the buckets that amounts of forecasts fill. */
export const BUCKET_HOURS = [24, 12, 6, 3, 1] as const;

type BucketHours = (typeof BUCKET_HOURS)[number];

/**
 * What the amount of a time step counts: `per-step`, what fell in the step alone; `since-start`, what fell since the run began; `buckets`, what fell since the
 * last of resets at a regular interval, which `buckets-6h` names: 0 to 3 hours, 0 to 6, then 6 to 9, 6 to 12.
 */
export type Accumulation = 'per-step' | 'since-start' | 'buckets' | `buckets-${BucketHours}h`;

/** Every accumulation. */
export const ACCUMULATIONS: readonly Accumulation[] = /* @__PURE__ */ Object.freeze([
  ...(['per-step', 'since-start', 'buckets'] as const),
  ...BUCKET_HOURS.map((hours) => `buckets-${hours}h` as const),
]);

/** Daily amounts that never fall over so many days are warned of. */
export const MIN_GROWING_DAYS = 20;
export const DAILY_GROWTH_WARNING =
  "daily amounts never fall: if they grow from the start of the run, say so by accumulation: 'since-start'";

const HOUR = 3600;
/** How far times that are meant to be equal may be apart: those written as fractions of days are not exact. */
const TOLERANCE = 60;

/** The time that each step begins at and that it ends at, in seconds. */
export interface StepEdges {
  readonly starts: Float64Array;
  readonly ends: Float64Array;
}

/** Resets at every so many hours, one of them `phase` seconds after 1970-01-01 UTC. */
export interface Buckets {
  readonly hours: number;
  readonly phase: number;
}

/** What the amounts of time steps count, and how that is known. */
export interface Amounts {
  /** `either` where amounts are so small, or so few, that both ways to count them give the same days. */
  readonly kind: 'per-step' | 'since-start' | 'buckets' | 'either';
  /** For people: `by the option accumulation`. */
  readonly by: string;
  /** Of buckets where metadata do not tell each of them. */
  readonly buckets?: Buckets;
  /** For each step 1 where its amount counts from its own start on, as metadata tell it. */
  readonly fresh?: Uint8Array;
}

/** What an option says; undefined where it says that there are resets, but not how often. */
export function amountsOfOption(accumulation: Accumulation, init: number | undefined): Amounts | undefined {
  const by = `by ${mentionOption('accumulation')}`;
  if (accumulation === 'per-step' || accumulation === 'since-start') return { kind: accumulation, by };
  const hours = Number(/\d+/.exec(accumulation)?.[0] ?? Number.NaN);
  return Number.isNaN(hours) ? undefined : { kind: 'buckets', by, buckets: { hours, phase: init ?? 0 } };
}

/** The edges of steps whose times mark their ends, or their starts. */
export function stepEdges(times: Float64Array, seconds: Float64Array, stamps: 'start' | 'end'): StepEdges {
  return stamps === 'end'
    ? { starts: times.map((time, step) => time - seconds[step]), ends: times }
    : { starts: times, ends: times.map((time, step) => time + seconds[step]) };
}

/** Whether two times are meant to be the same. */
export function sameTime(one: number, other: number): boolean {
  return Math.abs(one - other) <= TOLERANCE;
}

/** Whether buckets are reset at a time. */
export function isReset(time: number, { hours, phase }: Buckets): boolean {
  const length = hours * HOUR;
  const beyond = (((time - phase) % length) + length) % length;
  return Math.min(beyond, length - beyond) <= TOLERANCE;
}

/** Whether a step lasts over a reset. */
export function crossesReset({ starts, ends }: StepEdges, step: number, { hours, phase }: Buckets): boolean {
  const bucketOf = (time: number) => Math.floor((time - phase) / (hours * HOUR));
  return bucketOf(starts[step] + TOLERANCE) !== bucketOf(ends[step] - TOLERANCE);
}

/**
 * For each step 1 where its amount counts from its own start on, so that it is that of the step; 0 where it goes on from the
 * step before. The first amount since the start of a run is that of its step only where the run began with the step.
 */
export function freshSteps(edges: StepEdges, { kind, buckets, fresh }: Amounts, init: number | undefined): Uint8Array {
  const { starts } = edges;
  if (fresh !== undefined) return fresh;
  if (kind === 'buckets' && buckets !== undefined) {
    return Uint8Array.from(starts, (start) => (isReset(start, buckets) ? 1 : 0));
  }
  return Uint8Array.from(starts, (start) => (init !== undefined && sameTime(start, init) ? 1 : 0));
}

/**
 * The days of growing amounts, of those that steps cover: a day is known where its first step counts from its own start, or
 * the one before ended where that step begins. Those before the run's start are left out.
 */
export function knownDays(
  steps: DailySteps,
  { starts, ends }: StepEdges,
  fresh: Uint8Array,
  init: number | undefined,
): DailySteps {
  const isKnown = (first: number) => fresh[first] === 1 || (first > 0 && sameTime(ends[first - 1], starts[first]));
  const whole = steps.whole.map((is, day) => (is === 1 && isKnown(steps.firstStep[day]) ? 1 : 0));
  const known = { ...steps, whole };
  const isBefore = init !== undefined && steps.days > 1 && ends[steps.firstStep[0] + steps.steps[0] - 1] <= init;
  return isBefore ? withoutFirstDay(known) : known;
}

function withoutFirstDay(steps: DailySteps): DailySteps {
  return {
    ...{ firstDay: steps.firstDay + 1, days: steps.days - 1, seconds: steps.seconds },
    ...{ firstStep: steps.firstStep.slice(1), steps: steps.steps.slice(1), whole: steps.whole.slice(1) },
  };
}

/** What is done with growing amounts, for people. */
export function amountsInWords({ kind, by, buckets }: Amounts): string {
  const how = 'differences of neighbouring steps to daily sums';
  if (kind === 'since-start') return `amounts since the start of the run, ${by}: ${how}`;
  if (kind === 'buckets') {
    return `amounts in buckets${buckets === undefined ? '' : ` of ${buckets.hours} h`}, ${by}: ${how}`;
  }
  return kind === 'either'
    ? 'amounts of each step or growing ones, which makes no difference'
    : `amounts of each step, ${by}`;
}
