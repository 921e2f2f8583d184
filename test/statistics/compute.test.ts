import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import type { EnsembleField, RowOrder } from '../../src/core/field.js';
import { type Core, loadCore } from '../../src/core/load.js';
import { type Granularity, windowTable } from '../../src/period/period.js';
import { computeStatistics } from '../../src/statistics/compute.js';
import { computeStatisticsInto } from '../../src/statistics/compute-statistics-into.js';
import type { StatisticsRequest } from '../../src/statistics/statistics-request.js';
import { casesOf, isFullCheck } from '../full-check.js';
import { type FieldOptions, placed, seededField } from '../reference/fields.js';
import { type Entry, statisticsTwin } from '../reference/statistics.js';

let core: Core;
beforeAll(async () => {
  core = await loadCore();
});

const request: StatisticsRequest = {
  window: 'sum',
  quantiles: [0.05, 0.25, 0.5, 0.75, 0.95],
  quantileType: 7,
  thresholds: [],
  spread: false,
  minMemberShare: 0.8,
};

const everything: Partial<StatisticsRequest> = {
  spread: true,
  thresholds: (['>', '>=', '<', '<='] as const).flatMap((operator) => [
    { operator, limit: 0 },
    { operator, limit: 5 },
    { operator, limit: -2.5 },
    { operator, limit: 0.1 },
  ]),
};

/** Compares with the twin, bit by bit: values that are copied to the core's memory, and values that lie there. */
function expectTwin(field: EnsembleField, granularity: Granularity, options: Partial<StatisticsRequest> = {}, cut = 0) {
  const requested = { ...request, ...options };
  const windows = windowTable(granularity, field.firstDay + cut, field.firstDay + field.days - 1 - cut, {
    partial: true,
  });
  const columns = computeStatistics(core, field, windows, requested);
  const mark = core.memory.mark();
  expect(computeStatistics(core, placed(core, field), windows, requested)).toEqual(columns);
  core.memory.release(mark);
  const twin = statisticsTwin(field, windows, requested);
  const round = field.type === 'float32' ? Math.fround : (x: number) => x;
  const bits = (xs: Iterable<number>) => [...xs].map((x) => (Object.is(x, -0) ? '-0' : String(x)));
  const rounded = (pick: (entry: Entry) => number) => bits(twin.map((entry) => round(pick(entry))));
  expect(columns.length).toBe(twin.length);
  expect(bits(columns.members)).toEqual(twin.map((entry) => String(entry.members)));
  expect(bits(columns.mean)).toEqual(rounded((entry) => entry.mean));
  if (requested.spread) expect(bits(columns.spread as Float32Array)).toEqual(rounded((entry) => entry.spread));
  columns.quantiles.forEach((column, k) => {
    expect(bits(column)).toEqual(rounded((entry) => entry.quantiles[k]));
  });
  columns.probabilities.forEach((column, k) => {
    expect(bits(column)).toEqual(rounded((entry) => entry.probabilities[k]));
  });
  return columns;
}

/** Odd, as results are computed two or four at a time. */
const CELLS = isFullCheck ? 11 : 5;
const orders: RowOrder[] = ['day-fastest', 'cell-fastest'];
const types = ['float32', 'float64'] as const;

describe('computeStatistics equals its twin to the last bit', () => {
  for (const order of orders) {
    for (const type of types) {
      for (const window of ['sum', 'mean', 'min', 'max', 'count'] as const) {
        it(`${window}, ${type}, ${order}, all granularities, spread and thresholds, missing values`, () => {
          for (const granularity of ['daily', 'weekly', 'monthly'] as const) {
            for (const missing of [0, 0.01, 0.3]) {
              const field = seededField({ type, order, days: 75, cells: CELLS, members: 12, missing, chunkRows: 97 });
              expectTwin(field, granularity, { window, minMemberShare: 0.3, ...everything }, 4);
            }
          }
        });
      }
    }
  }

  it('any number of members from 1 to 300', () => {
    for (let members = 1; members <= 300; members += members < 70 ? 1 : 23) {
      const options: FieldOptions = { members, days: 9, cells: 2, seed: members };
      expectTwin(seededField({ ...options, firstDay: 4 }), 'weekly', { spread: true });
      expectTwin(seededField({ ...options, type: 'float64' }), 'daily');
      expectTwin(seededField({ ...options, missing: 0.05 }), 'daily', { minMemberShare: 0 });
      expectTwin(seededField(options), 'daily', { quantiles: [0.01, 0.99] });
    }
  });

  const kinds: Record<string, (random: () => number) => number> = {
    constant: () => 3.7,
    tied: (random) => Math.floor(random() * 3),
    denormal: (random) => (random() - 0.5) * 1e-40,
    'mostly missing': (random) => (random() < 0.7 ? Number.NaN : random()),
    'of all magnitudes': (random) => (random() - 0.5) * 10 ** Math.floor(random() * 60 - 30),
  };
  for (const [kind, value] of Object.entries(kinds)) {
    it(`values that are ${kind}, in both orders and types, by every sorting strategy`, () => {
      for (const order of orders) {
        for (const type of types) {
          for (const members of casesOf([11, 31, 40, 51, 101, 130], [0, 1, 3, 5])) {
            const field = seededField({ order, type, members, value, days: 15, cells: 5, firstDay: 4 });
            expectTwin(field, 'weekly', { minMemberShare: 0, spread: true });
            expectTwin(field, 'daily', { minMemberShare: 0, quantiles: [0, 0.1, 0.3, 0.5, 0.8, 1] });
          }
        }
      }
    });
  }

  it('in columns of an earlier result', () => {
    for (const type of types) {
      const [earlier, later] = [1, 2].map((seed) => seededField({ type, seed, missing: 0.1 }));
      const windows = windowTable('weekly', later.firstDay, later.firstDay + later.days - 1);
      const requested = { ...request, ...everything };
      const into = computeStatistics(core, earlier, windows, requested);
      computeStatisticsInto(into, core, later, windows, requested);
      expect(into).toEqual(computeStatistics(core, later, windows, requested));
    }
  });

  it('many quantiles of many members', () => {
    const quantiles = Array.from({ length: 101 }, (_, k) => k / 100);
    for (const members of [31, 52, 64, 65, 103, 257]) {
      expectTwin(seededField({ members, days: 9, cells: 2, firstDay: 4 }), 'weekly', { quantiles });
      expectTwin(seededField({ members, days: 9, cells: 2 }), 'daily', { quantiles });
    }
  });

  it('10,000 members', () => {
    expectTwin(seededField({ members: 10_000, days: 8, cells: 1, firstDay: 4 }), 'weekly');
    expectTwin(seededField({ members: 10_000, days: 2, cells: 1, missing: 0.1 }), 'daily');
  });

  it('all nine quantile types and any quantiles', () => {
    for (const quantileType of [1, 2, 3, 4, 5, 6, 7, 8, 9] as const) {
      for (const members of [1, 2, 5, 24, 31]) {
        const quantiles = [1, 0, 0.5, 0.123456, 0.999999, 0.000001, 1 / 3, 2 / 3, 0.2];
        expectTwin(seededField({ members, missing: 0.1 }), 'weekly', { quantileType, quantiles, minMemberShare: 0 });
      }
    }
  });

  it('long series, and more cells than a tile holds, in both orders', () => {
    for (const order of orders) {
      expectTwin(seededField({ order, days: 1100, cells: 1, members: 3 }), 'daily');
      expectTwin(seededField({ order, days: 5000, cells: 2, members: 2, chunkRows: 777 }), 'weekly');
      expectTwin(seededField({ order, days: 31, cells: 700, members: 3 }), 'weekly', {}, 3);
      expectTwin(seededField({ order, days: 30, cells: 60, members: 3 }), 'daily', {}, 5);
      expectTwin(seededField({ order, days: 90, cells: 7, members: 3 }), 'daily', {}, 5);
    }
  });

  it('values anywhere in the range of float32, in any arrangement of missing ones', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 40 }),
        fc.array(fc.oneof(fc.float({ noDefaultInfinity: true }), fc.constant(Number.NaN)), {
          minLength: 7,
          maxLength: 50,
        }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        fc.constantFrom(...orders),
        (members, pool, minMemberShare, order) => {
          let next = 0;
          const value = () => pool[next++ % pool.length];
          expectTwin(seededField({ members, days: 9, cells: 2, order, value }), 'weekly', { minMemberShare });
          expectTwin(seededField({ members, days: 9, cells: 2, order, value }), 'daily', { minMemberShare });
        },
      ),
      { numRuns: isFullCheck ? 60 : 20, seed: 7 },
    );
  });
});

it('computeStatisticsInto rejects columns of another request', () => {
  const field = seededField();
  const windows = windowTable('weekly', field.firstDay, field.firstDay + field.days - 1);
  const into = computeStatistics(core, field, windows, { ...request, quantiles: [0.5] });
  expect(() => computeStatisticsInto(into, core, field, windows, { ...request, spread: true })).toThrow(
    `columns: of another request or size; received "${into.length} results in float32: mean, 1 quantiles, 0 thresholds"; allowed: ${into.length} results in float32: mean, spread, 5 quantiles, 0 thresholds`,
  );
});
