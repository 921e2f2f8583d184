import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { type Core, loadCore } from '../../src/core/load.js';
import { MemberColumn } from '../../src/core/member-column.js';
import { windowTable } from '../../src/period/period.js';
import { computeMemberWindows } from '../../src/statistics/compute.js';
import { seededField } from '../reference/fields.js';
import { compute, fieldOptions, granularities, quantileTypes, rain, ulp } from './examples.js';
import { holds } from './fuzz.js';

let core: Core;
beforeAll(async () => {
  core = await loadCore();
});

const decimals = fc.array(fc.integer({ min: 0, max: 100 }), { minLength: 2, maxLength: 20 });

describe('quantiles', () => {
  holds(
    'never fall as p grows, and never leave the range of the members; neither does the mean',
    250,
    fc.record({
      options: fieldOptions(),
      granularity: granularities,
      window: fc.constantFrom('sum' as const, 'mean' as const),
      quantileType: quantileTypes,
      percents: decimals,
      missing: fc.constantFrom(0, 0.02),
    }),
    ({ options, granularity, window, quantileType, percents, missing }) => {
      const field = seededField({ ...options, value: rain, missing });
      const quantiles = percents.toSorted((a, b) => a - b).map((percent) => percent / 100);
      const found = compute(core, field, granularity, { window, quantileType, quantiles, minMemberShare: 0 });
      const windows = windowTable(granularity, field.firstDay, field.firstDay + field.days - 1, { partial: true });
      const members = computeMemberWindows(core, field, windows, window);
      for (let lane = 0; lane < found.length; lane++) {
        const valid = members.map((member) => member[lane]).filter((x) => !Number.isNaN(x));
        if (valid.length === 0) continue;
        const [low, high] = [Math.min(...valid), Math.max(...valid)];
        let before = low;
        for (const column of found.quantiles) {
          // A plain comparison first: an `expect` for each number would take most of the time.
          if (!(column[lane] >= before)) expect(column[lane]).toBeGreaterThanOrEqual(before);
          before = column[lane];
        }
        expect(before).toBeLessThanOrEqual(high);
        // A sum of n members is rounded n times, at most at its own size.
        const slack = valid.length * ulp(high, 'float64') + ulp(high, field.type);
        expect(found.mean[lane]).toBeGreaterThanOrEqual(low - slack);
        expect(found.mean[lane]).toBeLessThanOrEqual(high + slack);
      }
    },
  );
});

describe('every quantile of every type', () => {
  it.each([1, 2, 3, 4, 5, 6, 7, 8, 9] as const)(
    'of dry and wet members is no less than dry, type %i',
    (quantileType) => {
      const quantiles = Array.from({ length: 99 }, (_, k) => (k + 1) / 100);
      for (let count = 1; count <= 60; count++) {
        // On day d the first d members are dry.
        const members = Array.from({ length: count }, (_, m) => {
          const values = Float64Array.from({ length: count + 1 }, (_, day) => (m < day ? 0 : 10));
          return new MemberColumn(`m${m}`, [{ values }]);
        });
        const field = {
          type: 'float64',
          order: 'day-fastest',
          firstDay: 0,
          days: count + 1,
          cells: 1,
          members,
        } as const;
        const found = compute(core, field, 'daily', { quantiles, quantileType });
        found.quantiles.forEach((column, k) => {
          const outside = column.findIndex((x) => !(x >= 0 && x <= 10));
          if (outside >= 0) expect.fail(`${outside} of ${count} dry, p = ${quantiles[k]}: ${column[outside]}`);
        });
      }
    },
  );

  holds(
    'of the members 0 and 1 is p itself in type 7, within 1e-12',
    300,
    fc.oneof(fc.integer({ min: 1, max: 1000 }), fc.integer({ min: 1, max: 999_999 })),
    (millionths) => {
      const p = millionths / 1e6;
      const members = [0, 1].map((x) => new MemberColumn(`m${x}`, [{ values: Float64Array.of(x) }]));
      const field = { type: 'float64', order: 'day-fastest', firstDay: 0, days: 1, cells: 1, members } as const;
      const [[found]] = compute(core, field, 'daily', { quantiles: [p] }).quantiles;
      expect(Math.abs(found - p)).toBeLessThanOrEqual(1e-12 * p);
    },
  );
});

describe('exceedance', () => {
  holds(
    'is the share of valid members beyond the limit: counted, complementary, and falling as the limit grows',
    150,
    fc.record({
      options: fieldOptions(),
      granularity: granularities,
      window: fc.constantFrom('sum' as const, 'mean' as const, 'max' as const),
      limits: fc.array(fc.integer({ min: -80, max: 80 }), { minLength: 1, maxLength: 8 }),
    }),
    ({ options, granularity, window, limits }) => {
      // Seeded values are often whole numbers, so that limits are met exactly.
      const field = seededField({ ...options, type: 'float64', missing: 0.02 });
      const ascending = limits.toSorted((a, b) => a - b);
      const thresholds = ascending.flatMap((limit) =>
        (['>', '<=', '>=', '<'] as const).map((operator) => ({ operator, limit })),
      );
      const found = compute(core, field, granularity, { window, thresholds, minMemberShare: 0 });
      const windows = windowTable(granularity, field.firstDay, field.firstDay + field.days - 1, { partial: true });
      const members = computeMemberWindows(core, field, windows, window);
      for (let lane = 0; lane < found.length; lane++) {
        const valid = members.map((member) => member[lane]).filter((x) => !Number.isNaN(x));
        if (valid.length === 0) continue;
        ascending.forEach((limit, k) => {
          const [above, atMost, atLeast, below] = found.probabilities.slice(4 * k).map((column) => column[lane]);
          const counted = [valid.filter((x) => x > limit).length, valid.filter((x) => x < limit).length];
          const shares = counted.map((count) => count / valid.length);
          if (above !== shares[0] || below !== shares[1]) expect([above, below]).toEqual(shares);
          const complements = [above + atMost - 1, atLeast + below - 1];
          if (!complements.every((x) => Math.abs(x) <= Number.EPSILON)) expect(complements).toEqual([0, 0]);
          const before = k > 0 ? found.probabilities[4 * (k - 1)][lane] : 1;
          if (!(above <= before)) expect(above).toBeLessThanOrEqual(before);
        });
      }
    },
  );
});
