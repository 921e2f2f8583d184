import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { conditionShares } from '../../src/condition/condition-shares.js';
import { type Bound, memberBits } from '../../src/condition/count-members.js';
import { windowBits } from '../../src/condition/window-bits.js';
import { type Core, loadCore } from '../../src/core/load.js';
import { MemberColumn } from '../../src/core/member-column.js';
import { demoTable } from '../../src/demo/index.js';
import { windowsOf } from '../../src/period/windows.js';
import { combineWindows } from '../../src/statistics/compute.js';
import { statistics } from '../../src/statistics/statistics.js';
import { daysThat } from '../../src/statistics/window-measure.js';
import { placed, seededField } from '../reference/fields.js';

let core: Core;
beforeAll(async () => {
  core = await loadCore();
});
afterEach(() => {
  vi.restoreAllMocks();
});

describe('windowBits', () => {
  for (const type of ['float32', 'float64'] as const) {
    for (const [members, cells, missing] of [
      [5, 300, 0.01],
      [40, 3, 0.1],
      [64, 2, 0],
    ]) {
      it(`has the bits of members in windows that are made and kept: ${type}, ${members} members`, () => {
        const field = seededField({ type, days: 40, members, cells, missing });
        for (const text of ['weekly', 'all', 'rolling 3']) {
          const windows = windowsOf(text).table(field.firstDay, field.firstDay + 39);
          const length = cells * windows.count;
          // An end for each result, of which some have none.
          const ends = Float64Array.from({ length }, (_, i) => (i % 5 === 0 ? Number.NaN : (i % 7) - 1));
          const bounds: Bound[] = [
            { side: 1, limit: 2.5, end: 2.5 },
            { side: -1, limit: 0, end: -1e-12 },
            { side: 1, limit: { quantile: 0.9 }, end: ends },
          ];
          for (const rule of ['sum', 'mean', 'min', daysThat('>1')] as const) {
            const expected = memberBits(type, combineWindows(core, field, windows, rule));
            for (const each of [field, placed(core, field)]) {
              const found = windowBits(core, each, windows, rule, bounds);
              expect(found.there, `${text}, ${rule}`).toEqual(expected.there);
              for (const bound of bounds) expect(found.above(bound), `${text}, ${rule}`).toEqual(expected.above(bound));
            }
            expect(windowBits(core, field, windows, rule, []).there).toEqual(expected.there);
          }
        }
      });
    }
  }

  it('throws for an infinite day, and for sums that the type does not hold', () => {
    const bounds: Bound[] = [{ side: 1, limit: 1, end: 1 }];
    for (const [value, problem] of [
      [Number.POSITIVE_INFINITY, 'infinite'],
      [3e38, 'overflows'],
    ] as const) {
      const field = seededField({ type: 'float32', days: 14, members: 3, cells: 2, value: () => value });
      const windows = windowsOf('weekly').table(field.firstDay, field.firstDay + 13);
      expect(() => windowBits(core, field, windows, 'sum', bounds)).toThrow(problem);
    }
  });
});

describe('shares of conditions on two variables', () => {
  it('read each value once, and fill the windows of each variable once, as the statistics of both do', () => {
    const tables = { precipitation: demoTable('precipitation'), temp_mean: demoTable('temp_mean') };
    const conditions = [
      'precipitation>5 and temp_mean<6',
      'precipitation>10 or temp_mean<0',
      'precipitation 2..5 given temp_mean 1..9',
    ];
    const cost = (compute: (counting: Core) => unknown) => {
      const { copyTo } = MemberColumn.prototype;
      let values = 0;
      let kernels = 0;
      vi.spyOn(MemberColumn.prototype, 'copyTo').mockImplementation(function (this: MemberColumn, to, at, from, end) {
        values += end - from;
        copyTo.call(this, to, at, from, end);
      });
      const counted = Object.entries(core.kernels).map(([name, kernel]) => {
        const isFilling = /^(windowsBy|total)/.test(name);
        const counting = (...args: number[]) => {
          if (isFilling) kernels++;
          return kernel(...args);
        };
        return [name, counting];
      });
      compute({ ...core, kernels: Object.fromEntries(counted) });
      vi.restoreAllMocks();
      return { values, kernels };
    };
    const joint = cost((counting) => conditionShares(counting, tables, conditions, { granularity: 'weekly' }));
    const both = cost((counting) => {
      for (const table of Object.values(tables)) statistics(counting, table, { granularity: 'weekly' });
    });
    expect(joint.values).toBeGreaterThan(0);
    expect(joint).toEqual(both);
  });
});
