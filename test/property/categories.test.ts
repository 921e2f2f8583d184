import fc from 'fast-check';
import { beforeAll, describe, expect } from 'vitest';
import { type Core, loadCore } from '../../src/core/load.js';
import type { FloatArray } from '../../src/core/number-arrays.js';
import type { Categories } from '../../src/statistics/categories.js';
import { seeded, seededField } from '../reference/fields.js';
import { compute, fieldOptions, granularities, rain, shuffled } from './examples.js';
import { holds } from './fuzz.js';

let core: Core;
beforeAll(async () => {
  core = await loadCore();
});

const examples = fc.record({
  options: fieldOptions(),
  granularity: granularities,
  window: fc.constantFrom('sum' as const, 'mean' as const, 'min' as const, 'max' as const, 'count' as const),
  missing: fc.constantFrom(0, 0.02),
  count: fc.integer({ min: 1, max: 9 }),
});

/** Ascending limits for each result, many of them zero as members are. */
function ascendingLimits(count: number, length: number, seed: number): FloatArray[] {
  const random = seeded(seed);
  const limits = Array.from({ length: count }, () => new Float64Array(length));
  for (let i = 0; i < length; i++) {
    let limit = random() < 0.5 ? 0 : 5 * random();
    for (const values of limits) {
      values[i] = limit;
      if (random() < 0.7) limit += 10 * random();
    }
  }
  return limits;
}

describe('shares of categories', () => {
  holds('lie between 0 and 1, and sum to 1 or are missing together', 150, examples, (example) => {
    const { options, granularity, window, missing, count } = example;
    const field = seededField({ ...options, value: rain, missing });
    const { length, mean } = compute(core, field, granularity, { window });
    const categories = [{ limits: ascendingLimits(count, length, options.seed), lower: Math.ceil(count / 2) }];
    const [shares] = compute(core, field, granularity, { window, categories }).categories;
    expect(shares).toHaveLength(count + 1);
    for (let i = 0; i < length; i++) {
      const row = shares.map((column) => column[i]);
      if (Number.isNaN(mean[i])) expect(row).toEqual(row.map(() => Number.NaN));
      else {
        for (const share of row) expect(share >= 0 && share <= 1).toBe(true);
        expect(row.reduce((sum, share) => sum + share, 0)).toBeCloseTo(1, 6);
      }
    }
  });

  holds('are those of thresholds at the limits, where these are the same for all results', 100, examples, (example) => {
    const { options, granularity, window, missing } = example;
    const field = seededField({ ...options, value: rain, missing });
    const [low, high] = [0, options.seed % 20];
    const thresholds = [
      { operator: '<', limit: low },
      { operator: '>', limit: high },
    ] as const;
    const { length } = compute(core, field, granularity, { window });
    const limits = [low, high].map((limit) => new Float64Array(length).fill(limit));
    const found = compute(core, field, granularity, { window, thresholds, categories: [{ limits, lower: 1 }] });
    const [[below, , above]] = found.categories;
    expect([below, above]).toEqual(found.probabilities);
  });

  holds('do not fall where an upper limit rises, nor the lowest where its own does', 100, examples, (example) => {
    const { options, granularity, window, missing } = example;
    const field = seededField({ ...options, value: rain, missing });
    const { length } = compute(core, field, granularity, { window });
    const limits = ascendingLimits(3, length, options.seed);
    const share = (limit: FloatArray, lower: number) => {
      const categories: Categories[] = [{ limits: [limit], lower }];
      return compute(core, field, granularity, { window, categories }).categories[0];
    };
    for (const lower of [0, 1]) {
      const [a, b, c] = limits.map((limit) => share(limit, lower));
      for (let i = 0; i < length; i++) {
        if (Number.isNaN(a[0][i])) continue;
        expect(a[0][i] <= b[0][i] && b[0][i] <= c[0][i]).toBe(true);
        expect(a[1][i] >= b[1][i] && b[1][i] >= c[1][i]).toBe(true);
      }
    }
  });

  holds('do not depend on the order of members', 100, examples, ({ options, granularity, window, missing, count }) => {
    const field = seededField({ ...options, value: rain, missing });
    const order = shuffled(options.members, options.seed + 1);
    const other = { ...field, members: order.map((m) => field.members[m]) };
    const { length } = compute(core, field, granularity, { window });
    const categories = [{ limits: ascendingLimits(count, length, options.seed), lower: Math.ceil(count / 2) }];
    const requested = { window, categories, minMemberShare: 0.5 };
    expect(compute(core, other, granularity, requested).categories).toEqual(
      compute(core, field, granularity, requested).categories,
    );
  });
});
