import { describe, expect, it } from 'vitest';
import { dayNumber, windowTable } from '../../src/period/index.js';
import type { StatisticsAnswer } from '../../src/respond/answer-data.js';
import { arePrepared, type FieldRoles, preparedFields, UNPREPARED } from '../../src/respond/prepared-fields.js';
import { StatisticsSkeleton } from '../../src/respond/v2/statistics-skeleton.js';
import { findVariable } from '../../src/variable/index.js';

const firstDay = dayNumber(2026, 3, 2);
const place = { latitude: 1, longitude: 2 };
const windows = windowTable('daily', firstDay, firstDay + 1);

type One = StatisticsAnswer['variables'][number];

/** An answer about one variable, with more fields of it and of its statistics. */
function answerWith(more: object = {}, statistics: object = {}): StatisticsAnswer {
  const columns = { length: 2, mean: Float32Array.of(1, 2), quantiles: [Float32Array.of(3, 4)], probabilities: [] };
  const one = {
    ...{ variable: findVariable('temp_mean'), downscaled: false, location: place, windows },
    ...{ statistics: { ...columns, categories: [], members: Int32Array.of(5, 5), ...statistics }, ...more },
  } as unknown as One;
  return {
    ...{ initTime: '2026-03-02T00:00:00Z', version: 'v', generation: 'g', requested: place, closest: place },
    ...{ period: { firstDay, lastDay: firstDay + 1 }, granularity: 'daily', quantiles: [0.5], variables: [one] },
  };
}

describe('a body that is prepared for all points', () => {
  it('is made of an answer whose fields are constant, or numbers that are written anew', () => {
    expect(StatisticsSkeleton.of(answerWith())).toBeInstanceOf(StatisticsSkeleton);
    expect(StatisticsSkeleton.of(answerWith({ thresholds: undefined, terciles: undefined }))).toBeDefined();
  });

  it('is not made of shares of members, which differ from point to point', () => {
    const shares = { probabilities: [Float32Array.of(0.5, 0.5)] };
    expect(StatisticsSkeleton.of(answerWith({ thresholds: [{ operator: '>', limit: 20 }] }, shares))).toBeUndefined();
    const terciles = { shares: [0, 1, 2].map(() => Float32Array.of(0.3, 0.3)) };
    expect(StatisticsSkeleton.of(answerWith({ terciles }))).toBeUndefined();
    expect(StatisticsSkeleton.of(answerWith({ downscaled: true }))).toBeUndefined();
  });
});

describe('fields of prepared bodies', () => {
  interface Fields {
    readonly unit: string;
    readonly mean: number;
    readonly share?: number;
    readonly list?: readonly number[];
  }
  const roles: FieldRoles<Fields> = { unit: 'constant', mean: 'of-point', share: 'unprepared', list: 'unprepared' };

  it('are those of the answer where they are constant, and given where they are of a point', () => {
    const copy = preparedFields<Fields>({ unit: 'mm', mean: 5, list: [] }, roles, { mean: Number.NaN });
    expect([copy.unit, copy.mean, copy.share, copy.list]).toEqual(['mm', Number.NaN, undefined, []]);
  });

  it('cannot be read where they are not prepared, not given, or not declared', () => {
    const given = { unit: 'mm', mean: 5, share: 0.5, list: [1], iqr: 3 };
    const copy = preparedFields<Fields>(given, roles, {}) as typeof given;
    for (const name of ['mean', 'share', 'list', 'iqr'] as const) {
      expect(() => copy[name], name).toThrow();
      try {
        void copy[name];
      } catch (error) {
        expect(error).toBe(UNPREPARED);
      }
    }
    expect(copy.unit).toBe('mm');
  });

  it('of a query are all declared, unless they are absent', () => {
    expect(arePrepared<Fields>({ unit: 'mm', mean: 5, share: undefined, list: [] }, roles)).toBe(true);
    expect(arePrepared<Fields>({ unit: 'mm', mean: 5, share: 0 }, roles)).toBe(false);
    expect(arePrepared<Fields>(Object.assign({ unit: 'mm', mean: 5 }, { later: true }), roles)).toBe(false);
    expect(arePrepared<Fields>(Object.assign({ unit: 'mm', mean: 5 }, { constructor: 1 }), roles)).toBe(false);
  });
});
