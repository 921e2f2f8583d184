/**
 * The slow, obvious twin of climatologies: for every key the sample values are found by walking over the years, by the
 * civil calendar of Date, and each pool is sorted anew.
 */
import type { Threshold } from '../../src/statistics/options.js';
import type { WindowRule } from '../../src/variable/variable.js';
import { quantilePosition } from './quantile.js';

/** The values of one member at one place: `values[i]` is that of the day `firstDay + i`; NaN where missing. */
export interface TwinSeries {
  readonly firstDay: number;
  readonly values: readonly number[];
}

export interface TwinRequest {
  readonly granularity: 'daily' | 'weekly' | 'monthly';
  readonly firstYear: number;
  readonly lastYear: number;
  readonly halfWidth: number;
  readonly window: WindowRule;
  /** Those of quantiles, then those of limits. */
  readonly quantiles: readonly number[];
  readonly quantileType: number;
  readonly thresholds: readonly Threshold[];
  readonly minSampleShare: number;
  /** Rounds to the type of results. */
  readonly round: (x: number) => number;
}

export interface TwinEntry {
  readonly key: string;
  readonly samples: number;
  readonly mean: number;
  readonly quantiles: number[];
  readonly probabilities: number[];
}

const DAY = 86_400_000;
const two = (x: number) => String(x).padStart(2, '0');
const dayOf = (year: number, month: number, day: number) => Date.UTC(year, month - 1, day) / DAY;
const dateOf = (day: number) => new Date(day * DAY);
const isLeap = (year: number) => new Date(Date.UTC(year, 1, 29)).getUTCMonth() === 1;

/** The ISO year and week of a day: those of its week's Thursday. */
function isoWeekOf(day: number): { year: number; week: number } {
  const weekday = (dateOf(day).getUTCDay() + 6) % 7;
  const thursday = dateOf(day - weekday + 3);
  const year = thursday.getUTCFullYear();
  return { year, week: Math.floor((thursday.getTime() / DAY - dayOf(year, 1, 1)) / 7) + 1 };
}

/**
 * A window: its first and last day, the reference year that it is of, and the day that a series must have to give it.
 */
interface TwinWindow {
  readonly first: number;
  readonly last: number;
  readonly year: number;
  readonly date: number;
}

/** Each window whose value is a sample of a key, in the reference years. */
function windowsOfKey(key: string, { firstYear, lastYear, halfWidth }: TwinRequest): TwinWindow[] {
  const windows: TwinWindow[] = [];
  for (let year = firstYear; year <= lastYear; year++) {
    if (key.startsWith('W')) {
      const week = Number(key.slice(1));
      if (week === 53)
        windows.push({ year, first: dayOf(year, 12, 28), last: dayOf(year + 1, 1, 3), date: dayOf(year, 12, 28) });
      else {
        for (let day = dayOf(year - 1, 12, 25); day <= dayOf(year, 12, 31); day++) {
          const found = isoWeekOf(day);
          if (found.year === year && found.week === week && dateOf(day).getUTCDay() === 1)
            windows.push({ year, first: day, last: day + 6, date: day });
        }
      }
    } else if (key.length === 2) {
      const first = dayOf(year, Number(key), 1);
      windows.push({ year, first, last: dayOf(year, Number(key) + 1, 1) - 1, date: first });
    } else {
      const [month, dayOfMonth] = key === '02-29' && !isLeap(year) ? [2, 28] : key.split('-').map(Number);
      const date = dayOf(year, month, dayOfMonth);
      for (let day = date - halfWidth; day <= date + halfWidth; day++) {
        const its = dateOf(day).getUTCFullYear();
        if (its >= firstYear && its <= lastYear) windows.push({ year: its, first: day, last: day, date });
      }
    }
  }
  return windows;
}

function keysOf(granularity: TwinRequest['granularity']): string[] {
  if (granularity === 'weekly') return Array.from({ length: 53 }, (_, w) => `W${two(w + 1)}`);
  if (granularity === 'monthly') return Array.from({ length: 12 }, (_, m) => two(m + 1));
  return Array.from({ length: 366 }, (_, d) =>
    dateOf(dayOf(2000, 1, 1) + d)
      .toISOString()
      .slice(5, 10),
  );
}

/**
 * The value of a window; undefined where it, or its date, is not wholly within the series, NaN where a day is missing.
 */
function windowValue({ firstDay, values }: TwinSeries, { first, last, date }: TwinWindow, rule: WindowRule) {
  if (Math.min(first, date) < firstDay || Math.max(last, date) >= firstDay + values.length) return undefined;
  const days = values.slice(first - firstDay, last - firstDay + 1);
  if (rule === 'count') return days.filter((x) => !Number.isNaN(x)).length;
  if (days.some(Number.isNaN)) return Number.NaN;
  if (rule === 'min') return Math.min(...days);
  if (rule === 'max') return Math.max(...days);
  const total = evenOddSum(days);
  return rule === 'mean' ? total / days.length : total;
}

function evenOddSum(values: readonly number[]): number {
  const sums = [0, 0];
  values.forEach((x, i) => {
    sums[i % 2] += x;
  });
  return sums[0] + sums[1];
}

/** The climatology of each place from the series of all members of all tables there. */
export function climatologyTwin(places: readonly (readonly TwinSeries[])[], request: TwinRequest): TwinEntry[][] {
  const keys = keysOf(request.granularity);
  const found = new Set<number>();
  for (const window of keys.flatMap((key) => windowsOfKey(key, { ...request, halfWidth: 0 }))) {
    const isWhole = (series: TwinSeries) => Number.isFinite(windowValue(series, window, 'sum'));
    if (!found.has(window.year) && places.flat().some(isWhole)) found.add(window.year);
  }
  return places.map((series) => keys.map((key) => entryOfKey(series, key, found, request)));
}

function entryOfKey(series: readonly TwinSeries[], key: string, years: ReadonlySet<number>, request: TwinRequest) {
  const windows = windowsOfKey(key, request).filter(({ year }) => years.has(year));
  const called = series
    .flatMap((each) => windows.map((window) => windowValue(each, window, request.window)))
    .filter((value) => value !== undefined);
  return { key, ...entryOf(called, request) };
}

function entryOf(called: readonly number[], request: TwinRequest): Omit<TwinEntry, 'key'> {
  const { quantiles, quantileType, thresholds, minSampleShare, round } = request;
  const pool = Float64Array.from(called.filter((x) => !Number.isNaN(x)).map((x) => x + 0)).sort();
  const n = pool.length;
  if (n < Math.max(1, Math.ceil(minSampleShare * called.length - 1e-9))) {
    const nothing = (list: readonly unknown[]) => list.map(() => Number.NaN);
    return { samples: n, mean: Number.NaN, quantiles: nothing(quantiles), probabilities: nothing(thresholds) };
  }
  return {
    samples: n,
    mean: round(evenOddSum([...pool]) / n),
    quantiles: quantiles.map((p) => {
      const { low, high, weight } = quantilePosition(quantileType, n, p);
      return round(Math.min(pool[low] + weight * (pool[high] - pool[low]), pool[high]));
    }),
    probabilities: thresholds.map(({ operator, limit: requested }) => {
      const limit = round(requested);
      const exceeds = (x: number) =>
        operator === '>' ? x > limit : operator === '>=' ? x >= limit : operator === '<' ? x < limit : x <= limit;
      return round([...pool].filter((x) => exceeds(round(x))).length / n);
    }),
  };
}
