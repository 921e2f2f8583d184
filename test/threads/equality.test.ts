import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { EnsembleField, RowOrder } from '../../src/core/field.js';
import { type Core, loadCore } from '../../src/core/load.js';
import { windowsOf as parseWindows } from '../../src/period/windows.js';
import { computeStatistics } from '../../src/statistics/compute.js';
import type { StatisticsRequest } from '../../src/statistics/statistics-request.js';
import { createPool } from '../../src/threads/create-pool.js';
import type { Pool } from '../../src/threads/pool.js';
import type { WindowRule } from '../../src/variable/variable.js';
import { casesOf, isFullCheck } from '../full-check.js';
import { granularities, quantileTypes, request } from '../property/examples.js';
import { type FieldOptions, seededField } from '../reference/fields.js';
import { bits, PLACES, placed, windowsOf } from './pools.js';

let core: Core;
let pool: Pool;
beforeAll(async () => {
  core = await loadCore();
  pool = await createPool({ threads: 2 });
  expect(pool.threads).toBe(2);
});
afterAll(() => pool.close());

/** Values that are hard to order or to add. */
const values: Record<string, FieldOptions['value']> = {
  'of all kinds': undefined,
  'that are all the same': () => 1.5,
  'with many ties': (next) => Math.floor(next() * 3) / 10,
  'that are mostly missing': (next) => (next() < 0.7 ? Number.NaN : next()),
  'that are all missing': () => Number.NaN,
  'that are denormal': (next) => (next() - 0.5) * 1e-40,
};

const everything: Partial<StatisticsRequest> = {
  thresholds: [
    { operator: '>', limit: 0.1 },
    { operator: '<=', limit: 0 },
  ],
  spread: true,
};

const ORDERS = [
  ['day-fastest', 'daily'],
  ['day-fastest', 'weekly'],
  ['cell-fastest', 'daily'],
  ['cell-fastest', 'weekly'],
] as const;

// Large enough that workers take part; all sizes are odd.
const sizes = { days: 61, cells: 1811, members: 23 };

/** Fields are made once for all places, as to draw their values takes longer than to compute. */
const fields = new Map<string, EnsembleField>();

function fieldOf(kind: string, order: RowOrder): EnsembleField {
  const key = `${kind} ${order}`;
  const options = { ...sizes, order, value: values[kind], missing: 0.01, chunkRows: 20_000 };
  const field = fields.get(key) ?? seededField(options);
  fields.set(key, field);
  return field;
}

describe.each(PLACES)('a pool gives the results of one thread, bit for bit, for values %s', (place) => {
  it.each(casesOf(Object.keys(values), [0, 2, 3]))('%s', async (kind) => {
    const mark = pool.core.memory.mark();
    for (const [order, granularity] of casesOf(ORDERS, kind === 'of all kinds' ? [0, 3] : [3])) {
      const field = fieldOf(kind, order);
      const windows = windowsOf(field, granularity);
      const requested = { ...request, ...everything };
      const expected = bits(computeStatistics(core, field, windows, requested));
      expect(bits(await pool.computeStatistics(placed(pool.core, field, place), windows, requested))).toEqual(expected);
    }
    pool.core.memory.release(mark);
  });

  it('for rolling windows, of which workers take some from the midst of those that are filled together', async () => {
    const mark = pool.core.memory.mark();
    const field = fieldOf('of all kinds', 'cell-fastest');
    const windows = parseWindows('rolling 7').table(field.firstDay, field.firstDay + field.days - 1);
    const expected = bits(computeStatistics(core, field, windows, request));
    expect(bits(await pool.computeStatistics(placed(pool.core, field, place), windows, request))).toEqual(expected);
    pool.core.memory.release(mark);
  });

  it('for every rule, type and order, with categories', { timeout: 120_000 }, async () => {
    const example = fc.record({
      seed: fc.nat(),
      members: fc.integer({ min: 1, max: 40 }),
      days: fc.integer({ min: 30, max: 70 }),
      firstDay: fc.integer({ min: 18_980, max: 19_020 }),
      type: fc.constantFrom('float32' as const, 'float64' as const),
      order: fc.constantFrom('day-fastest' as const, 'cell-fastest' as const),
      missing: fc.constantFrom(0, 0.02),
      granularity: granularities,
      window: fc.constantFrom<WindowRule>('sum', 'mean', 'min', 'max', 'count'),
      quantileType: quantileTypes,
    });
    const check = async ({
      granularity,
      window,
      quantileType,
      ...options
    }: typeof example extends fc.Arbitrary<infer T> ? T : never) => {
      const mark = pool.core.memory.mark();
      // So many cells that workers take part.
      const field = seededField({ ...options, cells: Math.ceil(3_000_000 / (options.members * options.days)) });
      const windows = windowsOf(field, granularity);
      const length = field.cells * windows.count;
      const limits = [0, 5].map((limit) => Float64Array.from({ length }, (_, i) => limit + (i % 7)));
      const requested = { ...request, window, quantileType, minMemberShare: 0.3, categories: [{ limits, lower: 1 }] };
      const expected = bits(computeStatistics(core, field, windows, requested));
      expect(bits(await pool.computeStatistics(placed(pool.core, field, place), windows, requested))).toEqual(expected);
      pool.core.memory.release(mark);
    };
    await fc.assert(fc.asyncProperty(example, check), { numRuns: isFullCheck ? 2 : 1, seed: 20_221_002 });
  });

  it('where a cell, or a window of all cells, is larger than a tile', async () => {
    const mark = pool.core.memory.mark();
    const shapes = [
      { order: 'day-fastest', cells: 2, days: 60_001, members: 30 },
      { order: 'cell-fastest', cells: 40_001, days: 20, members: 4 },
      { order: 'cell-fastest', cells: 200_001, days: 9, members: 2 },
    ] as const;
    for (const shape of casesOf(shapes, [1])) {
      const field = seededField({ ...shape, firstDay: 0, value: (next) => next() });
      const windows = windowsOf(field, 'weekly');
      const expected = bits(computeStatistics(core, field, windows, request));
      expect(bits(await pool.computeStatistics(placed(pool.core, field, place), windows, request))).toEqual(expected);
    }
    pool.core.memory.release(mark);
  });

  it('where only some of the days are requested', async () => {
    const mark = pool.core.memory.mark();
    for (const order of ['day-fastest', 'cell-fastest'] as const) {
      const field = seededField({ order, cells: 4001, days: 101, members: 11, value: (next) => next() });
      const all = windowsOf(field, 'weekly');
      const windows = windowsOf({ ...field, firstDay: field.firstDay + 17, days: 70 }, 'weekly');
      expect(windows.count).toBeLessThan(all.count);
      const expected = bits(computeStatistics(core, field, windows, request));
      expect(bits(await pool.computeStatistics(placed(pool.core, field, place), windows, request))).toEqual(expected);
    }
    pool.core.memory.release(mark);
  });
});

describe('workers take part', () => {
  const field = seededField(sizes);
  const windows = windowsOf(field, 'weekly');

  it.each(PLACES)('in computing values %s', async (place) => {
    const { mean } = await pool.computeStatistics(placed(pool.core, field, place), windows, request);
    expect(mean.buffer).toBeInstanceOf(SharedArrayBuffer);
  });

  it('in no job with a member in ordinary memory', async () => {
    const expected = bits(computeStatistics(core, field, windows, request));
    const { members } = placed(pool.core, field, 'in other shared memory');
    for (const some of [field, { ...field, members: [...members.slice(0, -1), field.members[members.length - 1]] }]) {
      const found = await pool.computeStatistics(some, windows, request);
      expect(bits(found)).toEqual(expected);
      expect(found.mean.buffer).toBeInstanceOf(ArrayBuffer);
    }
  });
});
