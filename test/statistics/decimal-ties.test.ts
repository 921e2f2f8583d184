import { tableFromArrays } from 'apache-arrow';
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { climatology } from '../../src/climate/compute-climatology.js';
import type { EnsembleField } from '../../src/core/field.js';
import { type Core, loadCore } from '../../src/core/load.js';
import { MemberColumn } from '../../src/core/member-column.js';
import { type FloatType, floatArray } from '../../src/core/number-arrays.js';
import { tieBound } from '../../src/statistics/categories.js';
import { computeStatistics } from '../../src/statistics/compute.js';
import type { Threshold } from '../../src/statistics/options.js';
import type { StatisticsRequest } from '../../src/statistics/statistics-request.js';
import { isFullCheck } from '../full-check.js';
import { holds } from '../property/fuzz.js';
import { exactOf, roundedToFloat32 } from '../reference/exact.js';
import { seeded } from '../reference/fields.js';

let core: Core;
beforeAll(async () => {
  core = await loadCore();
});

const OPERATORS = ['>', '>=', '<', '<='] as const;

/** Whether a whole number meets a limit, which is one, too. */
function meets<T extends number | bigint>(value: T, operator: Threshold['operator'], limit: T): boolean {
  if (value === limit) return operator.length > 1;
  return operator.startsWith('>') ? value > limit : value < limit;
}

/** Windows of decimals as whole numbers of 10^-places: a list of windows, each of members, each of days. */
interface Decimals {
  readonly places: number;
  readonly windows: readonly (readonly (readonly number[])[])[];
}

/** A cell for each window: days as decimals, which are not exact in binary. */
function fieldOf({ places, windows }: Decimals, type: FloatType): EnsembleField {
  const scale = 10 ** places;
  const days = windows[0][0].length;
  const members = windows[0].map((_, m) => {
    const values = floatArray(type, windows.length * days);
    windows.forEach((each, w) => {
      each[m].forEach((whole, day) => {
        values[w * days + day] = whole / scale;
      });
    });
    return new MemberColumn(`m${m}`, [{ values }]);
  });
  return { type, order: 'day-fastest', firstDay: 0, days, cells: windows.length, members };
}

/** Statistics of one window for each cell, which has all days. */
function statisticsOf(field: EnsembleField, requested: Partial<StatisticsRequest>) {
  const windows = { count: 1, first: Int32Array.of(0), days: Int32Array.of(field.days), firstDay: 0 };
  return computeStatistics(core, field, windows as never, {
    ...{ window: 'sum', quantiles: [], quantileType: 7, thresholds: [], spread: false, minMemberShare: 0.8 },
    ...requested,
  });
}

/** Seeded decimals whose sums are near a limit, of which many are on it. */
function seededDecimals(seed: number, shape: { windows: number; members: number; days: number; places: number }) {
  const random = seeded(seed);
  const scale = 10 ** shape.places;
  const step = () => Math.round((random() - (seed % 3 === 0 ? 0.5 : 0.1)) * 2 * scale);
  const windows = Array.from({ length: shape.windows }, () =>
    Array.from({ length: shape.members }, () => {
      const days = Array.from({ length: shape.days }, step);
      // Every other sum is put on a multiple of the scale.
      const sum = days.reduce((a, b) => a + b, 0);
      if (random() < 0.5) days[0] += Math.round(sum / scale) * scale - sum;
      return days;
    }),
  );
  return { places: shape.places, windows };
}

const total = (days: readonly number[]) => days.reduce((a, b) => a + b, 0);

describe('decimals that are equal on paper tie with a limit', () => {
  it('a million sums of one to three decimals meet all limits as their exact totals do', () => {
    const wanted = isFullCheck ? 1_000_000 : 60_000;
    let sums = 0;
    for (let seed = 1; sums < wanted; seed++) {
      const shape = { windows: 100, members: 20, days: 1 + (seed % 31), places: 1 + (seed % 3) };
      const decimals = seededDecimals(seed, shape);
      const scale = 10 ** shape.places;
      const limits = [-scale, 0, scale, 3 * scale, 3, -7].map((whole) => Math.round(whole));
      const thresholds = limits.flatMap((whole) =>
        OPERATORS.map((operator) => ({ operator, limit: whole / scale, whole })),
      );
      const window = seed % 2 === 0 ? 'sum' : 'mean';
      const { probabilities, categories } = statisticsOf(fieldOf(decimals, 'float64'), {
        window,
        thresholds,
        categories: limits.map((whole) => ({
          limits: [0, 1].map(() => new Float64Array(shape.windows).fill(whole / scale)),
          lower: 1,
        })),
      });
      const exact = decimals.windows.map((members) => members.map(total));
      const factor = window === 'mean' ? shape.days : 1;
      const share = (of: readonly number[], test: (sum: number) => boolean) => of.filter(test).length / of.length;
      thresholds.forEach(({ operator, whole }, k) => {
        const right = exact.map((of) => share(of, (sum) => meets(sum, operator, factor * whole)));
        expect(Array.from(probabilities[k]), `${operator}${whole} / ${scale}, seed ${seed}`).toEqual(right);
      });
      limits.forEach((whole, k) => {
        const [below, , above] = categories[k];
        expect(Array.from(below)).toEqual(exact.map((of) => share(of, (sum) => sum < factor * whole)));
        expect(Array.from(above)).toEqual(exact.map((of) => share(of, (sum) => sum > factor * whole)));
      });
      sums += shape.windows * shape.members;
    }
  }, 600_000);

  it('sums of float32 values meet limits as their exact totals, rounded to float32, do', () => {
    const wanted = isFullCheck ? 300_000 : 20_000;
    let sums = 0;
    for (let seed = 1; sums < wanted; seed++) {
      const shape = { windows: 50, members: 20, days: 1 + (seed % 10), places: 1 };
      const decimals = seededDecimals(seed, shape);
      const limits = [1, 0.3, 2.7, 5];
      const thresholds = limits.flatMap((limit) => OPERATORS.map((operator) => ({ operator, limit })));
      const { probabilities } = statisticsOf(fieldOf(decimals, 'float32'), { window: 'sum', thresholds });
      const rounded = decimals.windows.map((members) =>
        members.map((days) => {
          const numerator = days.reduce((sum, whole) => sum + exactOf(Math.fround(whole / 10)), 0n);
          return roundedToFloat32({ numerator, denominator: 1n });
        }),
      );
      thresholds.forEach(({ operator, limit }, k) => {
        const right = rounded.map((of) => of.filter((x) => meets(x, operator, Math.fround(limit))).length / of.length);
        expect(Array.from(probabilities[k])).toEqual(right.map(Math.fround));
      });
      sums += shape.windows * shape.members;
    }
  }, 600_000);

  const decimal = fc.record({ places: fc.integer({ min: 0, max: 6 }), seed: fc.nat() });
  holds('of any places and window, and of any limit that a sum may be on', 300, decimal, ({ places, seed }) => {
    const random = seeded(seed);
    const scale = 10 ** places;
    const days = 1 + Math.floor(random() * 40);
    const windows = [Array.from({ length: 9 }, () => Array.from({ length: days }, () => Math.floor(random() * 9e7)))];
    const limit = total(windows[0][Math.floor(random() * 9)]);
    const thresholds = OPERATORS.map((operator) => ({ operator, limit: limit / scale }));
    const { probabilities } = statisticsOf(fieldOf({ places, windows }, 'float64'), { thresholds });
    OPERATORS.forEach((operator, k) => {
      const right = windows[0].filter((of) => meets(total(of), operator, limit)).length / 9;
      expect(probabilities[k][0], operator).toBe(right);
    });
  });

  const near = fc.record({ limit: fc.double({ min: -1e9, max: 1e9, noNaN: true }), off: fc.constantFrom(0.5, 2) });
  holds('within 1e-12 times the larger of 1 and the limit, and no farther', 300, near, ({ limit, off }) => {
    const reach = 1e-12 * Math.max(1, Math.abs(limit));
    for (const value of [limit + off * reach, limit - off * reach]) {
      const field = { ...fieldOf({ places: 0, windows: [[[0]]] }, 'float64') };
      const members = [new MemberColumn('m', [{ values: Float64Array.of(value) }])];
      const thresholds = OPERATORS.map((operator) => ({ operator, limit }));
      const { probabilities } = statisticsOf({ ...field, members }, { window: 'sum', thresholds });
      const right = OPERATORS.map((operator) => meets(off < 1 ? limit : value, operator, limit));
      expect(probabilities.map(([share]) => share === 1)).toEqual(right);
    }
  });

  it('a float32 value has no such bits, but ties with a limit of 0 within 1e-12', () => {
    expect(tieBound(0.1, 1, true)).toBe(Math.fround(0.1) + 1e-12);
    const values = Float32Array.of(-1e-18, 1e-13, 1.1e-12);
    const members = Array.from(values, (value, m) => new MemberColumn(`m${m}`, [{ values: Float32Array.of(value) }]));
    const field = { ...fieldOf({ places: 0, windows: [[[0]]] }, 'float32'), members };
    const thresholds = OPERATORS.map((operator) => ({ operator, limit: 0 }));
    const found = statisticsOf(field, { thresholds }).probabilities.map(([share]) => share);
    expect(found).toEqual([1 / 3, 1, 0, 2 / 3].map(Math.fround));
  });

  it('samples of a climatology, too', () => {
    const date = Array.from({ length: 730 }, (_, i) => new Date(Date.UTC(2001, 0, 1 + i)));
    const rain = Float64Array.from(date, (_, i) => [0.1, 0.2, 0.3, 0.7][i % 4]);
    const table = tableFromArrays({ date, rain });
    const exact = Array.from({ length: 31 }, (_, i) => [1, 2, 3, 7][i % 4]).reduce((a, b) => a + b, 0) / 10;
    const made = climatology(core, table, {
      ...{ variable: 'precipitation', granularity: 'monthly', reference: '2001-2001', categories: 0 },
      thresholds: OPERATORS.map((operator) => `${operator}${exact}`),
    } as never);
    expect(made.mean[0]).not.toBe(exact);
    expect(made.probabilities.map(([share]) => share)).toEqual([0, 1, 0, 1]);
  });
});
