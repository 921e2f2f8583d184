import { mentionOption } from '../errors.js';
import type { DailySteps, Stamps } from './daily-steps.js';
import { listOf, type StatedTexts } from './time-evidence.js';

/** The hours of the buckets that amounts of forecasts fill. */
export const BUCKET_HOURS = [24, 12, 6, 3, 1] as const;

export type BucketHours = (typeof BUCKET_HOURS)[number];

/**
 * What the amount of a time step counts: `per-step`, what fell in the step alone; `since-start`, what fell since the
 * run began; `buckets`, what fell since the last regular reset. `buckets-6h` also states the interval of the resets: 0
 * to 3 hours, 0 to 6, then 6 to 9, 6 to 12.
 */
export type Accumulation = 'per-step' | 'since-start' | 'buckets' | `buckets-${BucketHours}h`;

/** Every accumulation. */
export const ACCUMULATIONS: readonly Accumulation[] = /* @__PURE__ */ Object.freeze([
  ...(['per-step', 'since-start', 'buckets'] as const),
  ...BUCKET_HOURS.map((hours) => `buckets-${hours}h` as const),
]);

/** Daily amounts that never fall over this many days give a warning. */
export const MIN_GROWING_DAYS = 20;
export const DAILY_GROWTH_WARNING =
  "daily amounts never fall: if they grow from the start of the run, say so by accumulation: 'since-start'";

const HOUR = 3600;
/** Equal times may differ by this many seconds: times written as fractions of days are not exact. */
const TOLERANCE = 60;

/** The times at which each step begins and ends, in seconds. */
export interface StepEdges {
  readonly starts: Float64Array;
  readonly ends: Float64Array;
}

/** Resets every `hours` hours, one of them `phase` seconds after 1970-01-01 UTC. */
export interface Buckets {
  readonly hours: number;
  readonly phase: number;
}

/** What the amounts of time steps count, and how that is known. */
export interface Amounts {
  /** `either` if amounts are so small, or so few, that both ways to count them give the same days. */
  readonly kind: 'per-step' | 'since-start' | 'buckets' | 'either';
  /** For people: `by the option accumulation`. */
  readonly by: string;
  /** The resets, unless metadata state the range of each step. */
  readonly buckets?: Buckets;
  /** For each step 1 where its amount counts from its own start, as metadata state it. */
  readonly fresh?: Uint8Array;
}

/** What the option says that amounts count; undefined if it says that there are resets, but not how often. */
export function readAccumulation(accumulation: Accumulation, init: number | undefined): Amounts | undefined {
  const by = `by ${mentionOption('accumulation')}`;
  if (accumulation === 'per-step' || accumulation === 'since-start') return { kind: accumulation, by };
  const hours = Number(/\d+/.exec(accumulation)?.[0] ?? Number.NaN);
  return Number.isNaN(hours) ? undefined : { kind: 'buckets', by, buckets: { hours, phase: init ?? 0 } };
}

/** The edges of steps whose times mark their ends, their middles or their starts. */
export function stepEdges(times: Float64Array, seconds: Float64Array, stamps: Stamps): StepEdges {
  if (stamps === 'middle') {
    const edges = (sign: 1 | -1) => times.map((time, step) => time + (sign * seconds[step]) / 2);
    return { starts: edges(-1), ends: edges(1) };
  }
  return stamps === 'end'
    ? { starts: times.map((time, step) => time - seconds[step]), ends: times }
    : { starts: times, ends: times.map((time, step) => time + seconds[step]) };
}

/** Whether two times are the same, apart from rounding. */
function sameTime(one: number, other: number): boolean {
  return Math.abs(one - other) <= TOLERANCE;
}

/** Whether buckets are reset at a time. */
export function isReset(time: number, { hours, phase }: Buckets): boolean {
  const length = hours * HOUR;
  const sinceReset = (((time - phase) % length) + length) % length;
  return Math.min(sinceReset, length - sinceReset) <= TOLERANCE;
}

/** Whether there is a reset within a step. */
export function crossesReset({ starts, ends }: StepEdges, step: number, { hours, phase }: Buckets): boolean {
  const bucketOf = (time: number) => Math.floor((time - phase) / (hours * HOUR));
  return bucketOf(starts[step] + TOLERANCE) !== bucketOf(ends[step] - TOLERANCE);
}

/**
 * For each step 1 where its amount counts from its own start, so that it is the amount of the step; 0 where it
 * continues that of the step before. The first amount since the start of a run is that of its step only if the run
 * began with the step.
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
 * Of the days that steps cover, those whose amounts can be computed from growing amounts: the first step of the day
 * counts from its own start, or the step before ended where it begins. Days before the start of the run are left out.
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
  const { shares } = steps;
  return {
    ...{ ...steps, firstDay: steps.firstDay + 1, days: steps.days - 1 },
    ...{ firstStep: steps.firstStep.slice(1), steps: steps.steps.slice(1), whole: steps.whole.slice(1) },
    ...(shares && {
      shares: { first: shares.first.slice(1), last: shares.last.slice(1), length: shares.length.slice(1) },
    }),
  };
}

/** What amounts count and what is done with them, for people; `areRows` says that steps stay steps. */
export function amountsInWords({ kind, by, buckets }: Amounts, areRows = false): string {
  const how = `differences of neighbouring steps${areRows ? '' : ' to daily sums'}`;
  if (kind === 'since-start') return `amounts since the start of the run, ${by}: ${how}`;
  if (kind === 'buckets') {
    return `amounts in buckets${buckets === undefined ? '' : ` of ${buckets.hours} h`}, ${by}: ${how}`;
  }
  return kind === 'either'
    ? 'amounts of each step or growing ones, which makes no difference'
    : `amounts of each step, ${by}`;
}

/** Attributes whose texts may state what amounts count. */
const TEXTS = ['cell_methods', 'long_name', 'GRIB_name', 'description', 'comment'];
const RANGES = ['GRIB_stepRange', 'GRIB_startStep'];
const SINCE_START =
  /\b(since|from) (the )?((model|forecast|run|simulation) )?(start|beginning|initiali[sz]ation|initial time|(?<=(forecast|run) )(reference|init))/i;
const OF_HOURS =
  /\b(\d+)[-_ ]?h(?:ou)?r?(?:s|ly)?[-_ ]accumul|\baccumul\w* (?:in|over|during|of) (?:the )?(?:(?:last|past|previous|preceding) )?(?:(\d+)[-_ ]?)?h/i;

/** Whether metadata have an attribute that may state what amounts count. */
export function mayStateAmounts(texts: StatedTexts): boolean {
  return [...TEXTS, ...RANGES].some((name) => texts.has(name));
}

/**
 * What amounts count, as metadata state it; undefined if they leave it open: `GRIB_stepType: accum` alone and `time:
 * sum` are used for all kinds. `bounds` are the start and the end of each step in turn, if the file has them: if all
 * begin with the run, amounts are since its start. GRIB's ranges of steps are read in the same way, and words such as
 * "accumulated since the start of the forecast".
 */
export function statedAmounts(texts: StatedTexts, edges: StepEdges, bounds?: Float64Array): Amounts | undefined {
  const { length } = edges.starts;
  if (length < 2) return undefined;
  if (bounds !== undefined) {
    const [lower, upper] = [0, 1].map((side) => Float64Array.from({ length }, (_, step) => bounds[2 * step + side]));
    const stated = amountsOfRanges(lower, upper, sameTime, 'by the bounds of time');
    if (stated !== undefined) return { ...stated, fresh: stated.fresh && withFirst(stated.fresh, lower, edges) };
  }
  return amountsOfSteps(texts, edges) ?? amountsOfWords(texts, edges);
}

/** The first amount is that of its step if its range begins with the step. */
function withFirst(fresh: Uint8Array, lower: Float64Array, { starts }: StepEdges): Uint8Array {
  return fresh.with(0, sameTime(lower[0], starts[0]) ? 1 : 0);
}

function amountsOfRanges(
  lower: Float64Array,
  upper: Float64Array,
  isSame: (one: number, other: number) => boolean,
  by: string,
): Amounts | undefined {
  const fresh = new Uint8Array(lower.length).fill(1);
  // The first may be an instant: the start of the run.
  const first = upper[0] > lower[0] ? 0 : 1;
  if (first + 1 >= lower.length) return undefined;
  for (let step = first + 1; step < lower.length; step++) {
    if (!(upper[step] > lower[step])) return undefined;
    if (isSame(lower[step], lower[step - 1]) && upper[step] > upper[step - 1]) fresh[step] = 0;
    else if (lower[step] < upper[step - 1] && !isSame(lower[step], upper[step - 1])) return undefined;
  }
  const growing = fresh.filter((is) => is === 0).length;
  if (growing === 0) return { kind: 'per-step', by };
  return { kind: growing === lower.length - 1 - first ? 'since-start' : 'buckets', by, fresh };
}

/** By `GRIB_stepRange`, `0-6`, one for each step, or by `GRIB_startStep`, one for all or for each. */
function amountsOfSteps(texts: StatedTexts, edges: StepEdges): Amounts | undefined {
  const { length } = edges.starts;
  const ranges = listOf(texts.get('GRIB_stepRange')).map((range) => /^(\d+)-(\d+)$/.exec(range));
  const starts = listOf(texts.get('GRIB_startStep')).map(Number);
  const ends = listOf(texts.get('GRIB_endStep')).map(Number);
  const by = 'by the step ranges of GRIB';
  const isEqual = (one: number, other: number) => one === other;
  if (ranges.length === length && ranges.every((range) => range !== null)) {
    const side = (which: number) => Float64Array.from(ranges, (range) => Number(range?.[which]));
    return knownByRange(amountsOfRanges(side(1), side(2), isEqual, by), side(1), side(2), edges);
  }
  if (starts.length === length && ends.length === length) {
    const [lower, upper] = [Float64Array.from(starts), Float64Array.from(ends)];
    return knownByRange(amountsOfRanges(lower, upper, isEqual, by), lower, upper, edges);
  }
  // All messages have the same start, and different ends.
  const isOneRange = ranges.length > 0 || ends.length === 1;
  return starts.length === 1 && starts[0] === 0 && !isOneRange ? { kind: 'since-start', by } : undefined;
}

/**
 * Ranges count from the start of the run: the first amount is that of its step if its range has the length of the step.
 */
function knownByRange(
  amounts: Amounts | undefined,
  lower: Float64Array,
  upper: Float64Array,
  { starts, ends }: StepEdges,
): Amounts | undefined {
  if (amounts?.fresh === undefined) return amounts;
  const perUnit = (ends[1] - ends[0]) / (upper[1] - upper[0]);
  const isOfStep = sameTime((upper[0] - lower[0]) * perUnit, ends[0] - starts[0]);
  return { ...amounts, fresh: amounts.fresh.with(0, isOfStep ? 1 : 0) };
}

function amountsOfWords(texts: StatedTexts, { starts, ends }: StepEdges): Amounts | undefined {
  for (const name of TEXTS) {
    const text = texts.get(name);
    if (typeof text !== 'string') continue;
    if (SINCE_START.test(text)) return { kind: 'since-start', by: `by ${name}` };
    const hours = OF_HOURS.exec(text);
    if (hours === null) continue;
    const seconds = 3600 * Number(hours[1] ?? hours[2] ?? 1);
    if (starts.every((start, step) => sameTime(ends[step] - start, seconds)))
      return { kind: 'per-step', by: `by ${name}` };
  }
  return undefined;
}
