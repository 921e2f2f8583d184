import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { blendFields, pairFields } from '../../src/blend/blend-fields.js';
import { computeBlendedStatistics } from '../../src/blend/compute-blended-statistics.js';
import type { Horizon } from '../../src/blend/horizon.js';
import type { PairFieldsOptions } from '../../src/blend/pairing/pair-fields.js';
import type { Pairing } from '../../src/blend/pairing/pairing.js';
import { type Core, loadCore } from '../../src/core/load.js';
import { MemberColumn } from '../../src/core/member-column.js';
import { OptionError } from '../../src/errors.js';
import { type Granularity, windowTable } from '../../src/period/period.js';
import { computeStatistics } from '../../src/statistics/compute.js';
import type { StatisticsRequest } from '../../src/statistics/statistics-request.js';
import { WINDOW_RULES } from '../../src/variable/variable.js';
import { granularities, quantileTypes, valuesOf } from '../property/examples.js';
import { holds } from '../property/fuzz.js';
import { placed, seeded, seededField } from '../reference/fields.js';
import { horizonsExamples } from './horizons.js';

let core: Core;
beforeAll(async () => {
  core = await loadCore();
});

const request: StatisticsRequest = {
  window: 'mean',
  quantiles: [0.05, 0.5, 0.95],
  quantileType: 7,
  thresholds: [{ operator: '>', limit: 3 }],
  spread: true,
  minMemberShare: 0.8,
};
const options: PairFieldsOptions = { method: 'cell', overlaps: [3, 7], lastLeads: [14, 41, 79], keepGaps: false };

/** Horizons of 15, 46 and 80 days at so many cells, of 31, 51 and 25 members. */
function horizonsOf(cells: number, missing = 0, type: 'float32' | 'float64' = 'float32'): Horizon[] {
  const shape = { type, firstDay: 20_500, cells, missing, chunkRows: 1000 };
  return [15, 46, 80].map((days, h) => ({
    name: `horizon ${h + 1}`,
    field: seededField({ ...shape, days, members: [31, 51, 25][h], seed: h }),
  }));
}

/** Blends first and computes afterwards. */
function twoSteps(
  horizons: readonly Horizon[],
  how: Pairing | PairFieldsOptions,
  granularity: Granularity,
  partial: boolean,
  requested: StatisticsRequest,
) {
  const { field, pairing } = blendFields(core, horizons, how);
  const windows = windowTable(granularity, field.firstDay, field.firstDay + field.days - 1, { partial });
  return { pairing, windows, columns: () => computeStatistics(core, field, windows, requested) };
}

/** The message of what is thrown, or the result. */
function outcome<T>(run: () => T): T | string {
  try {
    return run();
  } catch (error) {
    return String(error);
  }
}

describe('computeBlendedStatistics', () => {
  holds(
    'equals blending first and computing afterwards to the last bit, and makes the same pairing',
    400,
    fc.record({
      example: horizonsExamples(),
      granularity: granularities,
      partial: fc.boolean(),
      isPaired: fc.boolean(),
      isPlaced: fc.boolean(),
      window: fc.constantFrom(...WINDOW_RULES),
      quantileType: quantileTypes,
      minMemberShare: fc.constantFrom(0, 0.8, 1),
    }),
    ({ example, granularity, partial, isPaired, isPlaced, ...more }) => {
      const requested = { ...request, ...more };
      const expected = twoSteps(example.horizons, example.options, granularity, partial, requested);
      const mark = core.memory.mark();
      const horizons = isPlaced
        ? example.horizons.map((horizon) => ({ ...horizon, field: placed(core, horizon.field) }))
        : example.horizons;
      const how = isPaired ? expected.pairing : example.options;
      const taken = core.memory.mark();
      const found = computeBlendedStatistics(core, horizons, how, expected.windows, requested);
      expect(core.memory.mark()).toBe(taken);
      core.memory.release(mark);
      expect(found.columns).toEqual(expected.columns());
      expect(found.pairing).toEqual(expected.pairing);
    },
  );

  it.each(['float32', 'float64'] as const)('is the same for more cells than are read at a time: %s', (type) => {
    const horizons = horizonsOf(301, 0.001, type);
    for (const granularity of ['weekly', 'monthly', 'daily'] as const) {
      const expected = twoSteps(horizons, options, granularity, true, request);
      const found = computeBlendedStatistics(core, horizons, options, expected.windows, request);
      expect(found).toEqual({ columns: expected.columns(), pairing: expected.pairing });
    }
  });

  it('is the same for a variable that the later horizons do not have, with the pairing of another', () => {
    const horizons = horizonsOf(50);
    const pairing = pairFields(core, horizons, options);
    for (const own of [horizons.slice(0, 1), horizons.slice(0, 2)]) {
      const expected = twoSteps(own, pairing, 'weekly', true, request);
      const found = computeBlendedStatistics(core, own, pairing, expected.windows, request);
      expect(found.columns).toEqual(expected.columns());
    }
  });

  it('counts members by categories of each result', () => {
    const horizons = horizonsOf(60);
    for (const granularity of ['weekly', 'daily'] as const) {
      const { windows } = twoSteps(horizons, options, granularity, false, request);
      const random = seeded(5);
      const low = Float64Array.from({ length: 60 * windows.count }, () => random() * 4);
      const categories = [{ limits: [low, low.map((limit) => limit + random())], lower: 1 }];
      const requested = { ...request, categories };
      const expected = twoSteps(horizons, options, granularity, false, requested);
      const found = computeBlendedStatistics(core, horizons, options, windows, requested);
      expect(found.columns).toEqual(expected.columns());
    }
  });

  it('pairs members also where there are no windows', () => {
    const horizons = horizonsOf(4);
    const windows = windowTable('monthly', 20_500, 20_501);
    const found = computeBlendedStatistics(core, horizons, options, windows, request);
    expect(found.columns.length).toBe(0);
    expect(found.pairing).toEqual(pairFields(core, horizons, options));
  });
});

describe('an infinite value', () => {
  holds(
    'is the same error as of the timeline where a window uses it, and none where nothing does',
    100,
    fc.record({
      horizon: fc.nat({ max: 2 }),
      member: fc.nat({ max: 24 }),
      cell: fc.nat({ max: 39 }),
      day: fc.nat({ max: 1000 }),
      window: fc.constantFrom('mean', 'max', 'count'),
      isPaired: fc.boolean(),
    }),
    ({ horizon: h, member: m, cell, day, window, isPaired }) => {
      const whole = horizonsOf(40);
      const pairing = pairFields(core, whole, options);
      const { field } = whole[h];
      const values = valuesOf(field, m);
      values[cell * field.days + (day % field.days)] = Number.NEGATIVE_INFINITY;
      const members = field.members.map((own, i) => (i === m ? new MemberColumn(own.name, [{ values }]) : own));
      const horizons = whole.map((own, i) => (i === h ? { ...own, field: { ...field, members } } : own));
      const requested = { ...request, window } as StatisticsRequest;
      const how = isPaired ? pairing : options;
      const windows = windowTable('weekly', pairing.firstDay, pairing.firstDay + pairing.days - 1);
      const expected = outcome(() => twoSteps(horizons, how, 'weekly', false, requested).columns());
      const found = outcome(() => computeBlendedStatistics(core, horizons, how, windows, requested).columns);
      expect(found).toEqual(expected);
    },
  );
});

describe('arguments of computeBlendedStatistics', () => {
  it('are checked', () => {
    const horizons = horizonsOf(2);
    const windows = windowTable('weekly', 20_500, 20_579);
    const run = (...changed: Partial<Parameters<typeof computeBlendedStatistics>>) => {
      const given = [core, horizons, options, windows, request] as const;
      return () =>
        computeBlendedStatistics(
          ...(given.map((own, i) => (changed[i] === undefined ? own : changed[i])) as unknown as typeof given),
        );
    };
    const none = undefined;
    expect(run({} as never)).toThrow(OptionError);
    expect(run(none, [] as never)).toThrow('horizons: none');
    expect(run(none, none, {} as never)).toThrow(OptionError);
    expect(run(none, none, none, {} as never)).toThrow('windows');
    expect(run(none, none, none, windowTable('weekly', 20_500, 20_600))).toThrow('window ');
    expect(run(none, none, none, none, { ...request, window: 'median' as never })).toThrow('window');
    expect(run(none, none, none, none, { ...request, quantiles: [2] })).toThrow('quantiles');
  });
});
