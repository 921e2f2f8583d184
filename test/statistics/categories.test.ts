import { beforeAll, describe, expect, it } from 'vitest';
import type { EnsembleField } from '../../src/core/field.js';
import { type Core, loadCore } from '../../src/core/load.js';
import { floatArray } from '../../src/core/number-arrays.js';
import { GRANULARITIES, type Granularity, windowTable } from '../../src/period/period.js';
import type { Categories } from '../../src/statistics/categories.js';
import { computeStatistics } from '../../src/statistics/compute.js';
import type { StatisticsRequest } from '../../src/statistics/statistics-request.js';
import { isFullCheck } from '../full-check.js';
import { seeded, seededField } from '../reference/fields.js';
import { statisticsTwin } from '../reference/statistics.js';

let core: Core;
beforeAll(async () => {
  core = await loadCore();
});

const request: StatisticsRequest = {
  window: 'sum',
  quantiles: [0.5],
  quantileType: 7,
  thresholds: [{ operator: '>', limit: 1 }],
  spread: true,
  minMemberShare: 0.3,
};

/**
 * Seeded limits for `length` results: some missing, some coinciding, many of them values that members have, of which
 * some are off by half or by twice of what still counts as equal.
 */
function seededLimits(count: number, length: number, lower: number): Categories {
  const random = seeded(count * 100 + length);
  const limits = Array.from({ length: count }, () => new Float64Array(length));
  const off = (x: number) => x + [0, 0.5, -0.5, 2, -2][Math.floor(random() * 5)] * 1e-12 * Math.max(1, Math.abs(x));
  for (let i = 0; i < length; i++) {
    const values = Array.from({ length: count }, () =>
      random() < 0.03
        ? Number.NaN
        : random() < 0.5
          ? off(Math.round((random() - 0.3) * 20) / 10)
          : (random() - 0.3) * 50,
    ).sort((a, b) => a - b);
    values.forEach((value, k) => {
      limits[k][i] = value;
    });
  }
  return { limits, lower };
}

function expectTwin(field: EnsembleField, granularity: Granularity, requested: Partial<StatisticsRequest> = {}) {
  const windows = windowTable(granularity, field.firstDay, field.firstDay + field.days - 1, { partial: true });
  const length = windows.count * field.cells;
  const categories = [
    seededLimits(2, length, 1),
    seededLimits(1, length, 0),
    seededLimits(4, length, 2),
    seededLimits(3, length, 2),
  ];
  const all = { ...request, ...requested, categories };
  const columns = computeStatistics(core, field, windows, all);
  const twin = statisticsTwin(field, windows, all);
  const round = field.type === 'float32' ? Math.fround : (x: number) => x;
  categories.forEach(({ limits }, set) => {
    expect(columns.categories[set]).toHaveLength(limits.length + 1);
    columns.categories[set].forEach((column, k) => {
      expect(Array.from(column)).toEqual(twin.map((entry) => round(entry.categories[set][k])));
    });
  });
  const { categories: _, ...others } = columns;
  const { categories: none, ...without } = computeStatistics(core, field, windows, { ...request, ...requested });
  expect(none).toEqual([]);
  expect(others).toEqual(without);
}

/** Two members on each of four days in a row, float32. */
const fourDays = (...values: [number, number][]): EnsembleField =>
  seededField({ firstDay: 4, days: values.length, cells: 1, members: 2, value: inTurn(values) });

function inTurn(values: [number, number][]): () => number {
  let next = 0;
  const flat = [0, 1].flatMap((m) => values.map((pair) => pair[m]));
  return () => flat[next++];
}

function sharesOf(field: EnsembleField, categories: Categories): number[][] {
  const windows = windowTable('daily', 4, 3 + field.days);
  const [shares] = computeStatistics(core, field, windows, { ...request, categories: [categories] }).categories;
  return shares.map((column) => [...column]);
}

describe('shares of categories equal their twin to the last bit, and change no other statistic', () => {
  for (const order of ['day-fastest', 'cell-fastest'] as const) {
    for (const type of ['float32', 'float64'] as const) {
      for (const window of ['sum', 'mean', 'min', 'max', 'count'] as const) {
        it(`${window}, ${type}, ${order}, all granularities, missing values`, () => {
          for (const granularity of GRANULARITIES) {
            for (const missing of [0, 0.01, 0.3]) {
              const field = seededField({
                type,
                order,
                days: 75,
                cells: isFullCheck ? 11 : 5,
                members: 12,
                missing,
                chunkRows: 97,
              });
              expectTwin(field, granularity, { window });
            }
          }
        });
      }
    }
  }

  it('any number of members, and more results than a tile holds', () => {
    for (const members of [1, 2, 3, 31, 70, 300]) expectTwin(seededField({ members, days: 21, cells: 3 }), 'weekly');
    for (const order of ['day-fastest', 'cell-fastest'] as const) {
      expectTwin(seededField({ order, days: 1500, cells: 3, members: 3 }), 'daily');
      expectTwin(seededField({ order, days: 31, cells: 1700, members: 3 }), 'weekly');
    }
  });
});

describe('shares of categories', () => {
  const limits = (...columns: number[][]) => columns.map((column) => Float64Array.from(column));

  it('count a value on a limit in the category nearer the middle: below and above are strict', () => {
    const field = fourDays([1, 2], [0.5, 3], [1, 1], [2, 2]);
    expect(sharesOf(field, { limits: limits([1, 1, 1, 1], [2, 2, 2, 2]), lower: 1 })).toEqual([
      [0, 0.5, 0, 0],
      [1, 0, 1, 1],
      [0, 0.5, 0, 0],
    ]);
  });

  it('count only values on the limits between limits that coincide', () => {
    const field = fourDays([0, 0], [0, 3], [-1, 3], [2, 2]);
    const zero = [0, 0, 0, 0];
    expect(sharesOf(field, { limits: limits(zero, zero), lower: 1 })).toEqual([
      [0, 0, 0.5, 0],
      [1, 0.5, 0, 0],
      [0, 0.5, 0.5, 1],
    ]);
  });

  it('round limits to the type of the values: a float32 0.1 is on a limit of 0.1', () => {
    const field = fourDays([0.1, 0.3], [0.1, 0.1]);
    expect(sharesOf(field, { limits: limits([0.1, 0.1]), lower: 0 })).toEqual([
      [0.5, 1],
      [0.5, 0],
    ]);
    expect(sharesOf(field, { limits: limits([0.1, 0.1]), lower: 1 })).toEqual([
      [0, 0],
      [1, 1],
    ]);
  });

  it('count a value that differs from a limit by its last bits as on it: 1e-12, or 1e-12 of a limit above 1', () => {
    const field = (value: number, type: 'float32' | 'float64') =>
      seededField({ type, firstDay: 4, days: 1, cells: 1, members: 1, value: () => value });
    const normal = (value: number, limit: number, type: 'float32' | 'float64') => {
      const one = sharesOf(field(value, type), { limits: limits([limit], [limit]), lower: 1 });
      return one[1][0] === 1;
    };
    for (const [value, limit, far] of [
      [30.9, 30.9, 1e-10],
      [-30.9, -30.9, 1e-10],
      [0.1 + 0.2, 0.3, 1.1e-12],
      [1e6, 1e6 + 0.9e-6, 1.1e-6],
      [-1e-18, 0, 1.1e-12],
    ]) {
      expect(normal(value, limit, 'float64')).toBe(true);
      for (const side of [far, -far]) expect(normal(limit + side, limit, 'float64')).toBe(false);
    }
    // A Float32 has no such bits, but near zero.
    expect(normal(-1e-18, 0, 'float32')).toBe(true);
    expect(normal(1.1e-12, 0, 'float32')).toBe(false);
    expect(normal(30.900002, 30.9, 'float32')).toBe(false);
  });

  it('are missing where one limit is missing or too few members are valid', () => {
    const field = fourDays([1, 2], [1, 2], [1, 2], [Number.NaN, 2]);
    const nan = Number.NaN;
    const requested = { limits: limits([1.5, nan, 1.5, 1.5], [1.5, 3, nan, 1.5]), lower: 1 };
    const windows = windowTable('daily', 4, 7);
    const [shares] = computeStatistics(core, field, windows, {
      ...request,
      minMemberShare: 0.8,
      categories: [requested],
    }).categories;
    expect(shares.map((column) => [...column])).toEqual([
      [0.5, nan, nan, nan],
      [0, nan, nan, nan],
      [0.5, nan, nan, nan],
    ]);
    expect(sharesOf(field, requested).map((column) => column[3])).toEqual([0, 0, 1]);
  });

  it('take limits in either type', () => {
    const field = fourDays([1, 2], [3, 4]);
    const single = floatArray('float32', 2).fill(2.5);
    expect(sharesOf(field, { limits: [single], lower: 1 })).toEqual([
      [1, 0],
      [0, 1],
    ]);
  });
});
