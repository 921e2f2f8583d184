/**
 * The slow, obvious twins of the kernels. They fix the order of every sum: the results of the core are the same to the
 * last bit.
 */
import type { EnsembleField } from '../../src/core/field.js';
import type { WindowTable } from '../../src/period/period.js';
import type { StatisticsRequest } from '../../src/statistics/statistics-request.js';
import type { WindowMeasure, WindowValue } from '../../src/statistics/window-value.js';
import { quantilePosition } from './quantile.js';

/** The sum of the values at even places plus that of those at odd places. */
function evenOddSum(values: readonly number[]): number {
  let even = 0;
  let odd = 0;
  values.forEach((x, i) => {
    if (i % 2 === 0) even += x;
    else odd += x;
  });
  return even + odd;
}

/** The sum of what is before a border, from it backward, plus the sum of what is behind it. */
function borderSum(values: readonly number[], border: number): number {
  const add = (sum: number, x: number) => sum + x;
  return values.slice(0, border).reverse().reduce(add, 0) + values.slice(border).reduce(add, 0);
}

/**
 * One member's window before a mean is divided by its days; NaN where a day is missing. `border` is the number of days of a
 * rolling window before the border of the blocks of its length; undefined for other windows.
 */
export function windowTotal(days: readonly number[], value: WindowValue, border?: number): number {
  if (value === 'count') return days.filter((x) => !Number.isNaN(x)).length;
  if (value === 'first') return days[0];
  if (value === 'last') return days[days.length - 1];
  if (days.some(Number.isNaN)) return Number.NaN;
  if (value === 'min') return Math.min(...days);
  if (value === 'max') return Math.max(...days);
  if (value === 'range') return Math.max(...days) - Math.min(...days);
  if (typeof value === 'string') return border === undefined ? evenOddSum(days) : borderSum(days, border);
  return measureOf(days, value, border);
}

/** What a measure says of days without missing ones. */
function measureOf(days: readonly number[], { name, float64 }: WindowMeasure, border?: number) {
  const [, operator] = /([<>]=?)/.exec(name) as unknown as [string, string];
  const [, , limit, least] = float64;
  const fulfils = (x: number) =>
    isOn(x, limit) ? operator.endsWith('=') : operator.startsWith('>') ? x > limit : x < limit;
  const runs = days
    .map((x) => (fulfils(x) ? 'x' : ' '))
    .join('')
    .split(' ')
    .map((run) => run.length);
  if (name.startsWith('days')) return days.filter(fulfils).length;
  if (name.startsWith('longest spell')) return Math.max(...runs);
  if (name.startsWith('spells')) return runs.filter((run) => run >= least).length;
  if (name.startsWith('first day')) return days.some(fulfils) ? days.findIndex(fulfils) + 1 : Number.NaN;
  const beyond = days.map((x) => (fulfils(x) ? (operator.startsWith('>') ? x - limit : limit - x) : 0));
  return border === undefined ? evenOddSum(beyond) : borderSum(beyond, border);
}

export interface Entry {
  mean: number;
  spread: number;
  quantiles: number[];
  probabilities: number[];
  /** For each of the categories requested, the share of each category. */
  categories: number[][];
  members: number;
}

/** The shares of values in the categories between limits; a value on one of the first `lower` limits lies above it. */
function categoryShares(values: readonly number[], limits: readonly number[], lower: number): number[] {
  if (limits.some(Number.isNaN)) return Array(limits.length + 1).fill(Number.NaN);
  const counts = Array(limits.length + 1).fill(0);
  const above = (x: number) => (limit: number, k: number) => (isOn(x, limit) ? k < lower : x > limit);
  for (const x of values) counts[limits.filter(above(x)).length]++;
  return counts.map((count) => count / values.length);
}

/** Whether a value is on a limit but for the inexact sums of decimals. */
function isOn(x: number, limit: number): boolean {
  return Math.abs(x - limit) <= 1e-12 * Math.max(1, Math.abs(limit));
}

/** Statistics of result `index` over members' totals; `divisor` is the days of a mean, else 1. */
function entryOf(
  totals: readonly number[],
  divisor: number,
  index: number,
  request: StatisticsRequest,
  round = (x: number) => x,
): Entry {
  const { categories = [] } = request;
  const there = totals.filter((x) => !Number.isNaN(x));
  const n = there.length;
  const required = Math.max(1, Math.ceil(request.minMemberShare * totals.length - 1e-9));
  if (n < required) {
    return {
      mean: Number.NaN,
      spread: Number.NaN,
      quantiles: request.quantiles.map(() => Number.NaN),
      probabilities: request.thresholds.map(() => Number.NaN),
      categories: categories.map(({ limits }) => [Number.NaN, ...limits.map(() => Number.NaN)]),
      members: n,
    };
  }
  const zeroed = totals.map((x) => (Number.isNaN(x) ? 0 : x));
  const sum = evenOddSum(zeroed);
  const centre = sum / n;
  const squares = evenOddSum(totals.map((x) => (Number.isNaN(x) ? 0 : (x - centre) * (x - centre))));
  const sorted = Float64Array.from(there).sort();
  return {
    mean: sum / (n * divisor),
    spread: Math.sqrt(squares / (n - 1)) / divisor,
    quantiles: request.quantiles.map((p) => {
      const { low, high, weight } = quantilePosition(request.quantileType, n, p);
      return Math.min(sorted[low] + weight * (sorted[high] - sorted[low]), sorted[high]) / divisor + 0;
    }),
    probabilities: request.thresholds.map(({ operator, limit: requested }) => {
      const limit = round(requested);
      const exceeds = (x: number) =>
        isOn(x, limit) ? operator.endsWith('=') : operator.startsWith('>') ? x > limit : x < limit;
      return there.filter((total) => exceeds(round(total / divisor))).length / n;
    }),
    categories: categories.map(({ limits, lower }) =>
      categoryShares(
        there.map((total) => round(total / divisor)),
        limits.map((values) => round(values[index])),
        lower,
      ),
    ),
    members: n,
  };
}

/** What windows hold, with the limit as values of the type are compared with it. */
export function roundedLimit(value: WindowValue, round: ((x: number) => number) | undefined): WindowValue {
  if (typeof value === 'string' || round === undefined) return value;
  const [bound, side, limit, days] = value.float64;
  return { ...value, float64: [bound, side, round(limit), days] };
}

/** The days of a rolling window before the next day whose number is a multiple of its length; undefined for others. */
export function borderOf({ rolling, first, days, firstDay }: WindowTable, w: number): number | undefined {
  if (rolling === undefined) return undefined;
  const place = (firstDay + first[w]) % rolling;
  return Math.min(days[w], rolling - (place < 0 ? place + rolling : place));
}

/** Every entry of a field, in the order of the input. */
export function statisticsTwin(field: EnsembleField, windows: WindowTable, request: StatisticsRequest): Entry[] {
  const shift = windows.firstDay - field.firstDay;
  const entry = (cell: number, w: number) => {
    const index = field.order === 'day-fastest' ? cell * windows.count + w : w * field.cells + cell;
    const days = Array.from({ length: windows.days[w] }, (_, d) => shift + windows.first[w] + d);
    const row = (day: number) => (field.order === 'day-fastest' ? cell * field.days + day : day * field.cells + cell);
    const round = field.type === 'float32' ? Math.fround : undefined;
    const value = roundedLimit(request.window, round);
    const totals = field.members.map((member) =>
      windowTotal(
        days.map((day) => member.value(row(day))),
        value,
        borderOf(windows, w),
      ),
    );
    return entryOf(totals, request.window === 'mean' ? windows.days[w] : 1, index, request, round);
  };
  const cells = Array.from({ length: field.cells }, (_, c) => c);
  const all = Array.from({ length: windows.count }, (_, w) => w);
  return field.order === 'day-fastest'
    ? cells.flatMap((cell) => all.map((w) => entry(cell, w)))
    : all.flatMap((w) => cells.map((cell) => entry(cell, w)));
}
