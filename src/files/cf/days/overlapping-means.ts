import { DataError, mentionOption } from '../../../errors.js';
import { DAY_SECONDS } from '../../../period/day.js';
import { unitConversion } from '../../../variable/unit-conversion.js';
import type { Variable } from '../../../variable/variable.js';
import type { ArrayFile } from '../../array/array-file.js';
import type { ArrayLayout } from '../array-layout.js';
import { textAttribute } from '../attribute-values.js';
import type { CheckedGridOptions } from '../grid-options.js';
import { type TimeMethod, timeMethod } from '../time/time-axis.js';
import { valueCoding } from '../value-coding.js';
import { sampleSeries } from './array-amounts.js';
import { reductionOf } from './daily-rule.js';
import { areSinceStart } from './means-since-start.js';

/**
 * Numbers of steps after which means may begin again: 0 to 3 h, 0 to 6 h; or 0 to 1 h up to 0 to 6 h, to 12 h or to a
 * day. A larger bucket holds what smaller ones show.
 */
const STEPS_OF_BUCKET = [24, 12, 8, 6, 4, 3, 2];
/** Means that fall by less than this share are packed otherwise. */
const ROUNDING = 1 / 50;
/** The least number of steps at which means fall within their bucket. */
const MIN_FALLS = 4;

/** Where the run is not known buckets may begin at any step. Of longer steps the course of a day looks like buckets. */
const MAX_STEP_WITHOUT_RUN = DAY_SECONDS / 8;

/** Times without a run that go on longer are of none: ECMWF's seasonal forecasts have 215 days. */
const MAX_RUN_SECONDS = 220 * DAY_SECONDS;

/** Within their bucket means differ by less than half the variance of those that begin again, as a third is expected. */
const MAX_VARIANCE_SHARE = 1 / 2;
/** The same of other producers, which also make means of each step: weather, which changes slowly, gives a tenth to a fifth. */
const MAX_SHARE_OF_OTHERS = 0.3;
/** Their longest bucket and step: beyond them the variance at different times of day differs as much. */
const MAX_BUCKET_OF_OTHERS = DAY_SECONDS / 2;
const MAX_STEP_OF_OTHERS = DAY_SECONDS / 8;
/** The least number of differences of each kind. */
const MIN_DIFFERENCES = 20;
const MIN_DIFFERENCES_OF_OTHERS = 40;
/** Extremes since the start of a run: within so long extremes of single steps fall, and rise, and are seldom equal. */
const MIN_SPAN_OF_EXTREMES = 2 * DAY_SECONDS;
const MIN_EQUAL = 1 / 4;

/** What a sample is compared with. */
interface Overlap {
  readonly seconds: Float64Array;
  readonly init: number | undefined;
  /** The length of a step. */
  readonly step: number;
  /** Whether values are never below 0. */
  readonly areShares: boolean;
  /** Whether values are rates: over a day some are near 0. */
  readonly areRates: boolean;
  /** Whether the variable is known: others may settle down after the start of a run. */
  readonly isKnown: boolean;
  readonly centre: string | undefined;
}

/**
 * Throws DataError for means of a run that overlap and have lost the ranges of their steps, as where cfgrib writes the
 * means of NCEP (0 to 3 h, 0 to 6 h): they are told by their alternation. A mean since the start of a bucket is at least
 * the share of the one before it, if values are never below 0; where buckets began one step later, many would be less.
 * Rates that never fall by more than this share are means since the start of the run. Where the start of the run is not
 * known, buckets may begin at any step, and all others must show that they are wrong. Means of NCEP
 * (`GRIB_centre: kwbc`), which overlap unless they were made otherwise, and those that are no rates, are also told by
 * their differences, which are smaller within a bucket. Extremes since the start of a run are told as they never fall,
 * or never rise; other means since it, as their differences shrink (`areSinceStart`). Nothing is read for arrays with
 * bounds, and where times without a run go on longer than one.
 */
export async function assertNoOverlap(
  { source, attributes }: ArrayFile,
  layout: ArrayLayout,
  variable: Variable | undefined,
  { accumulation, missing }: CheckedGridOptions,
): Promise<void> {
  const { array, times } = layout;
  const { seconds, init, bounds } = times;
  const isOpen = bounds === undefined && accumulation === undefined && seconds.length > 2;
  const kind = isOpen ? kindOfMeans(layout, variable) : undefined;
  if (kind === undefined) return;
  const step = seconds[2] - seconds[1];
  const mayFall = variable !== undefined && variable.bounds[0] < 0;
  const isOfRun = init !== undefined || seconds[seconds.length - 1] - seconds[0] <= MAX_RUN_SECONDS;
  if (step >= DAY_SECONDS / 2 || !isOfRun) return;
  const coding = valueCoding(array, source, missing);
  const centre = textAttribute(array.attributes, 'GRIB_centre') ?? textAttribute(attributes, 'GRIB_centre');
  const areRates = variable !== undefined && reductionOf(variable, undefined) === 'sum';
  const overlap = { seconds, init, step, centre, areShares: !mayFall, areRates, isKnown: variable !== undefined };
  let found: string | undefined;
  for await (const { series, firstStep } of sampleSeries(layout, coding)) {
    found = kind === 'mean' ? findMeans(series, firstStep, overlap) : findExtremes(series, firstStep, overlap, kind);
    if (found === undefined) return;
  }
  if (found === undefined) return;
  const option = areRates ? mentionOption('accumulation', 'per-step') : mentionOption('stamps', 'end');
  throw new DataError({
    ...{ source, column: array.name },
    problem: `${found}, and have lost the ranges of their steps`,
    received: `cell method of time: ${timeMethod(array.attributes) ?? 'none'}, without bounds of time`,
    allowed: `the GRIB file itself, or bounds of time; or ${option}, if each is the ${kind} of its own step`,
  });
}

/** Whether values are means or extremes of steps: as they state, or as rates of a run that state nothing are means. */
function kindOfMeans(
  { array, times }: ArrayLayout,
  variable: Variable | undefined,
): Extract<TimeMethod, 'mean' | 'maximum' | 'minimum'> | undefined {
  const method = timeMethod(array.attributes);
  if (method === 'mean') return method;
  if (times.init === undefined) return undefined;
  if (method === 'maximum' || method === 'minimum') return method;
  const units = textAttribute(array.attributes, 'units');
  const areRates =
    method === undefined &&
    variable !== undefined &&
    units !== undefined &&
    reductionOf(variable, undefined) === 'sum' &&
    unitConversion(units, variable.units)?.perSecond === true;
  return areRates ? 'mean' : undefined;
}

/** What the means of a sample are, in words, where they overlap. */
function findMeans(series: readonly Float64Array[], firstStep: number, overlap: Overlap): string | undefined {
  const { seconds, init, step, areShares, areRates, isKnown, centre } = overlap;
  const hours = (steps: number) => `0 to ${(steps * step) / 3600} h`;
  const found = STEPS_OF_BUCKET.find((size) => {
    const placeOf = (shift: number) => (i: number) =>
      place(seconds, firstStep + i, init ?? seconds[0] - step, step, size, shift);
    const shifts = Array.from({ length: init === undefined ? size : 2 }, (_, shift) => shift);
    const counts = areShares ? shifts.map((shift) => countFalls(series, placeOf(shift))) : [];
    const isOwn = (own: number) =>
      counts[own].falls >= MIN_FALLS &&
      counts.every(({ impossible }, shift) => (shift === own ? impossible === 0 : impossible >= MIN_FALLS));
    if (init === undefined) return step <= MAX_STEP_WITHOUT_RUN && counts.some((_, shift) => isOwn(shift));
    if (areShares && isOwn(0)) return true;
    const isOther = centre !== 'kwbc' || !areShares;
    if (isOther && (areRates || step > MAX_STEP_OF_OTHERS || size * step > MAX_BUCKET_OF_OTHERS)) return false;
    const limits = isOther ? [MAX_SHARE_OF_OTHERS, MIN_DIFFERENCES_OF_OTHERS] : [MAX_VARIANCE_SHARE, MIN_DIFFERENCES];
    return areNearer(series, placeOf(0), (i) => seconds[firstStep + i] % DAY_SECONDS, limits);
  });
  if (found !== undefined) return `means overlap (${hours(1)}, ${hours(2)}, up to ${hours(found)}, then again)`;
  const neverFall = () => {
    if (init === undefined) return false;
    const last = (seconds[firstStep + series[0].length - 1] - init) / DAY_SECONDS;
    const count = seconds.length;
    const { falls, impossible } = countFalls(series, (i) => place(seconds, firstStep + i, init, step, count, 0));
    return last >= 1 && falls >= MIN_FALLS && impossible === 0;
  };
  const start = init ?? seconds[0] - step;
  const times = seconds.subarray(firstStep, firstStep + (series[0]?.length ?? 0));
  const isFound = areRates && areShares ? neverFall() : isKnown && areSinceStart(series, times, { start, step });
  return isFound ? `means are since the start of the run (${hours(1)}, ${hours(2)}, and so on)` : undefined;
}

/** What the extremes of a sample are, in words, where they are since the start of the run. */
function findExtremes(
  series: readonly Float64Array[],
  firstStep: number,
  { seconds, step }: Overlap,
  kind: 'maximum' | 'minimum',
): string | undefined {
  const count = series[0]?.length ?? 0;
  const sign = kind === 'maximum' ? 1 : -1;
  let [equal, pairs, changes] = [0, 0, 0];
  for (const values of series) {
    for (let i = 1; i < count; i++) {
      const change = sign * (values[i] - values[i - 1]);
      if (Number.isNaN(change)) continue;
      if (change < 0) return undefined;
      pairs++;
      if (change > 0) changes++;
      else equal++;
    }
  }
  const span = count === 0 ? 0 : seconds[firstStep + count - 1] - seconds[firstStep] + step;
  const areSinceStart = span >= MIN_SPAN_OF_EXTREMES && changes >= MIN_FALLS && equal >= MIN_EQUAL * pairs;
  const noun = kind === 'maximum' ? 'maxima never fall' : 'minima never rise';
  return areSinceStart ? `${noun}, as they are since the start of the run` : undefined;
}

/** The place of a step in its bucket, from 1 on; 0 where the axis has other steps. */
function place(seconds: Float64Array, i: number, init: number, step: number, size: number, shift: number): number {
  if (i === 0 || seconds[i] - seconds[i - 1] !== step) return 0;
  const count = (seconds[i] - init) / step + shift;
  return Number.isInteger(count) ? ((((count - 1) % size) + size) % size) + 1 : 0;
}

/**
 * The number of steps at which means fall within their bucket, and of those at which they fall to less than all values
 * since the step before may give.
 */
function countFalls(series: readonly Float64Array[], placeOf: (i: number) => number) {
  let [falls, impossible] = [0, 0];
  const steps = series[0]?.length ?? 0;
  for (let i = 1; i < steps; i++) {
    const at = placeOf(i);
    if (at < 2) continue;
    const isAny = (limit: (before: number) => number) =>
      series.some((values) => values[i - 1] > 0 && values[i] < limit(values[i - 1]) * (1 - ROUNDING));
    if (isAny((before) => before)) falls++;
    if (isAny((before) => (before * (at - 1)) / at)) impossible++;
  }
  return { falls, impossible };
}

/**
 * Whether the differences within buckets, apart from those that each time of day has, have much less variance than
 * those from one bucket to the next.
 */
function areNearer(
  series: readonly Float64Array[],
  placeOf: (i: number) => number,
  timeOfDay: (i: number) => number,
  [maxShare, minDifferences]: readonly number[],
): boolean {
  const groups = new Map<string, number[]>();
  for (let i = 1; i < (series[0]?.length ?? 0); i++) {
    const at = placeOf(i);
    if (at === 0) continue;
    const key = `${at > 1} ${timeOfDay(i)}`;
    const differences = groups.get(key) ?? [];
    for (const values of series)
      if (!Number.isNaN(values[i] - values[i - 1])) differences.push(values[i] - values[i - 1]);
    groups.set(key, differences);
  }
  const spread = (isWithin: boolean) => {
    let [sum, count] = [0, 0];
    for (const [key, differences] of groups) {
      if (!key.startsWith(String(isWithin))) continue;
      const mean = differences.reduce((a, b) => a + b, 0) / differences.length;
      for (const difference of differences) sum += (difference - mean) ** 2;
      count += differences.length;
    }
    return { variance: sum / count, count };
  };
  const [within, between] = [spread(true), spread(false)];
  const isEnough = Math.min(within.count, between.count) >= minDifferences;
  return isEnough && within.variance < maxShare * between.variance;
}
