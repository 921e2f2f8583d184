import { DataError, mentionOption } from '../../../errors.js';
import { DAY_SECONDS } from '../../../period/day.js';
import type { Variable } from '../../../variable/variable.js';
import type { ArrayFile } from '../../array/array-file.js';
import type { ArrayLayout } from '../array-layout.js';
import { textAttribute } from '../attribute-values.js';
import type { CheckedGridOptions } from '../grid-options.js';
import { timeMethod } from '../time/time-axis.js';
import { valueCoding } from '../value-coding.js';
import { sampleSeries } from './array-amounts.js';

/** Numbers of steps after which means may begin again: 0 to 3 h, 0 to 6 h; or 0 to 1 h up to 0 to 6 h, or to 12 h. */
const STEPS_OF_BUCKET = [2, 3, 4, 6, 12];
/** Means that fall by less than this share are packed otherwise. */
const ROUNDING = 1 / 50;
/** The least number of steps at which means fall within their bucket. */
const MIN_FALLS = 4;

/** Where the run is not known buckets may begin at any step. Of longer steps the course of a day looks like buckets. */
const MAX_STEP_WITHOUT_RUN = DAY_SECONDS / 8;

/** Within their bucket means differ by less than half the variance of those that begin again, as a third is expected. */
const MAX_VARIANCE_SHARE = 1 / 2;
/** The least number of differences of each kind. */
const MIN_DIFFERENCES = 20;

/**
 * Throws DataError for means of a run that overlap and have lost the ranges of their steps, as where cfgrib writes the
 * means of NCEP (0 to 3 h, 0 to 6 h): they are told by their alternation. A mean since the start of a bucket is at least
 * the share of the one before it, if values are never below 0; where buckets began one step later, many would be less.
 * Where the start of the run is not known, buckets may begin at any step, and all others must show that they are wrong.
 * Means of NCEP (`GRIB_centre: kwbc`), which overlap unless they were made otherwise, are also told by their differences,
 * which are smaller within a bucket. Nothing is read for arrays with bounds, and for values that may be below 0.
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
  const mayFall = variable !== undefined && variable.bounds[0] < 0;
  if (!isOpen || mayFall || timeMethod(array.attributes) !== 'mean') return;
  const step = seconds[2] - seconds[1];
  if (step >= DAY_SECONDS / 2 || (init === undefined && step > MAX_STEP_WITHOUT_RUN)) return;
  const coding = valueCoding(array, source, missing);
  const centre = textAttribute(array.attributes, 'GRIB_centre') ?? textAttribute(attributes, 'GRIB_centre');
  for await (const { series, firstStep } of sampleSeries(layout, coding)) {
    const found = STEPS_OF_BUCKET.find((size) => {
      const placeOf = (shift: number) => (i: number) =>
        place(seconds, firstStep + i, init ?? seconds[0] - step, step, size, shift);
      const counts = Array.from({ length: init === undefined ? size : 2 }, (_, shift) =>
        countFalls(series, placeOf(shift)),
      );
      const areShares = (own: number) =>
        counts[own].falls >= MIN_FALLS &&
        counts.every(({ impossible }, shift) => (shift === own ? impossible === 0 : impossible >= MIN_FALLS));
      if (init === undefined) return counts.some((_, shift) => areShares(shift));
      return (
        areShares(0) ||
        (centre === 'kwbc' && areNearer(series, placeOf(0), (i) => seconds[firstStep + i] % DAY_SECONDS))
      );
    });
    if (found === undefined) return;
    const hours = (steps: number) => `0 to ${(steps * step) / 3600} h`;
    throw new DataError({
      ...{ source, column: array.name },
      problem: `means overlap (${hours(1)}, ${hours(2)}, up to ${hours(found)}, then again), and have lost the ranges of their steps`,
      received: `cell method of time: mean, without bounds of time`,
      allowed: `the GRIB file itself, or bounds of time; or ${mentionOption('accumulation', 'per-step')}, if each is the mean of its own step`,
    });
  }
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
  const isEnough = Math.min(within.count, between.count) >= MIN_DIFFERENCES;
  return isEnough && within.variance < MAX_VARIANCE_SHARE * between.variance;
}
