import { beforeAll, describe, expect, it } from 'vitest';
import { isDegenerate, limitProbabilities, limitStatistics } from '../../src/climate/category-limits.js';
import { climatology } from '../../src/climate/compute-climatology.js';
import { type Core, loadCore } from '../../src/core/load.js';
import { statisticName } from '../../src/statistics/statistic.js';
import { type History, seededHistory, tableOf } from './histories.js';

let core: Core;
beforeAll(async () => {
  core = await loadCore();
});

describe('limits between categories', () => {
  it('are named by whole percentages', () => {
    const limitNames = (categories: number) => limitStatistics(categories).map(statisticName);
    expect(limitNames(3)).toEqual(['t33', 't67']);
    expect(limitNames(5)).toEqual(['t20', 't40', 't60', 't80']);
    expect(limitNames(20)[0]).toBe('t05');
    expect([limitNames(2), limitNames(0)]).toEqual([['t50'], []]);
    for (let n = 2; n <= 20; n++) expect(new Set(limitNames(n)).size).toBe(n - 1);
  });

  it('divide into exactly equal parts: a third is not rounded to a decimal', () => {
    expect(limitProbabilities(3)).toEqual([1 / 3, 2 / 3]);
    // numpy.quantile(numpy.arange(n), [1/3, 2/3]) is [(n - 1) / 3, 2 * (n - 1) / 3] by the definition of type 7.
    const { firstDay, days } = seededHistory({ from: [2001, 1, 1], to: [2001, 12, 31] });
    for (const n of [2, 3, 7, 30, 31, 450, 600, 601]) {
      const values = Array.from({ length: n }, (_, m) => Array.from({ length: days }, () => m));
      const history: History = { firstDay, days, places: 1, single: false, members: values };
      const { samples, limits } = climatology(core, tableOf(history), {
        ...{ variable: 'temp_mean', granularity: 'monthly', reference: '2001-2001' },
      });
      expect(samples[0]).toBe(n);
      for (const [k, expected] of [(n - 1) / 3, (2 * (n - 1)) / 3].entries()) {
        expect(Math.abs(limits[k][0] / expected - 1)).toBeLessThanOrEqual(1e-15);
      }
    }
  });

  it('coincide in a dry season, which is allowed and reported', () => {
    const year = seededHistory({ from: [2001, 1, 1], to: [2001, 12, 31] });
    const members = [0, 0, 0, 0, 3, 9].map((rain) => year.members[0].map((_, d) => (d < 31 ? rain : rain + (d % 2))));
    const dry = climatology(core, tableOf({ ...year, members }), {
      ...{ variable: 'precipitation', granularity: 'monthly', reference: '2001-2001', categories: 4 },
    });
    expect(dry.limits.map((values) => values[0])).toEqual([0, 0, 69.75]);
    expect(isDegenerate(dry, 0)).toBe(true);
    const wet = { ...dry, limits: [1, 2, 3].map((x) => Float64Array.of(x)) };
    expect(isDegenerate(wet, 0)).toBe(false);
    const none = { ...dry, limits: [1, 2, 3].map(() => Float64Array.of(Number.NaN)) };
    expect(isDegenerate(none, 0)).toBe(false);
  });
});
