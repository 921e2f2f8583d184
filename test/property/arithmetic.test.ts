import fc from 'fast-check';
import { beforeAll, describe, expect } from 'vitest';
import { type Core, loadCore } from '../../src/core/load.js';
import type { QuantileType, ThresholdOperator } from '../../src/statistics/options.js';
import { seededField } from '../reference/fields.js';
import { compute, fieldOptions, granularities, mapField, quantileTypes, request, sixteenths, ulp } from './examples.js';
import { holds } from './fuzz.js';

let core: Core;
beforeAll(async () => {
  core = await loadCore();
});

const rules = fc.constantFrom('sum' as const, 'mean' as const, 'min' as const, 'max' as const);
const negated = (x: number) => -x + 0;
const mirrored: Record<ThresholdOperator, ThresholdOperator> = { '>': '<', '>=': '<=', '<': '>', '<=': '>=' };

describe('arithmetic on the input', () => {
  holds(
    'a power of two as a factor is a factor of mean, spread and quantiles, to the last bit, and changes no share of limits from 1 on',
    150,
    fc.record({
      options: fieldOptions(),
      granularity: granularities,
      window: rules,
      quantileType: quantileTypes,
      exponent: fc.integer({ min: -40, max: 40 }),
    }),
    ({ options, granularity, window, quantileType, exponent }) => {
      const factor = 2 ** exponent;
      const field = seededField({ ...options, missing: 0.02 });
      const limits = (unit: number) =>
        (['>', '>=', '<', '<='] as const).map((operator) => ({ operator, limit: 3 * unit }));
      const requested = { window, quantileType, minMemberShare: 0.3 };
      const plain = compute(core, field, granularity, { ...requested, thresholds: limits(1) });
      const scaled = compute(
        core,
        mapField(field, (x) => x * factor),
        granularity,
        {
          ...requested,
          thresholds: limits(factor),
        },
      );
      expect(scaled.mean).toEqual(plain.mean.map((x) => x * factor));
      expect(scaled.spread).toEqual(plain.spread?.map((x) => x * factor));
      expect(scaled.quantiles).toEqual(plain.quantiles.map((column) => column.map((x) => x * factor)));
      // Nearer to 0, what ties with a limit does not become less.
      if (3 * factor >= 1) expect(scaled.probabilities).toEqual(plain.probabilities);
      expect(scaled.members).toEqual(plain.members);
    },
  );

  holds(
    'a constant that is added moves mean and quantiles by itself and leaves the spread',
    150,
    fc.record({
      options: fieldOptions(),
      granularity: granularities,
      window: fc.constantFrom('mean' as const, 'min' as const, 'max' as const),
      quantileType: quantileTypes,
      sixteenths: fc.integer({ min: -32_000, max: 32_000 }),
    }),
    ({ options, granularity, window, quantileType, sixteenths: shift }) => {
      const constant = shift / 16;
      // Both inputs and their sums are exact, so that only the last steps round: interpolation, division, storing, and
      // the addition here, each by at most half an ulp of its result, for both of the results.
      const field = seededField({ ...options, value: sixteenths });
      const plain = compute(core, field, granularity, { window, quantileType });
      const moved = compute(
        core,
        mapField(field, (x) => x + constant),
        granularity,
        { window, quantileType },
      );
      const pairs = [[plain.mean, moved.mean], ...plain.quantiles.map((column, k) => [column, moved.quantiles[k]])];
      for (const [before, after] of pairs) {
        before.forEach((x, i) => {
          const size = Math.max(Math.abs(x), Math.abs(after[i]), Math.abs(constant));
          const error = Math.abs(after[i] - (x + constant));
          if (!(error <= 4 * ulp(size, field.type))) expect(after[i]).toBe(x + constant);
        });
      }
      plain.spread?.forEach((x, i) => {
        // Squares of distances from a mean that was rounded: relative to the spread that is a few ulp of the larger
        // values.
        const tolerance = 4 * ulp(x, field.type) + 4 * ulp(Math.abs(constant) + 2000, 'float64') * options.members;
        if (options.members > 1) expect(Math.abs((moved.spread?.[i] ?? 0) - x)).toBeLessThanOrEqual(tolerance);
      });
    },
  );

  holds(
    'negation negates means, mirrors quantiles of the symmetric types 5 to 9, and turns shares round',
    150,
    fc.record({
      options: fieldOptions(),
      granularity: granularities,
      window: fc.constantFrom('sum' as const, 'mean' as const),
      quantileType: fc.constantFrom<QuantileType>(5, 6, 7, 8, 9),
    }),
    ({ options, granularity, window, quantileType }) => {
      const quantiles = request.quantiles.flatMap((p) => [p, 1 - p]);
      const field = seededField({ ...options, missing: 0.02 });
      const requested = { window, quantileType, minMemberShare: 0.3, quantiles };
      const operators = Object.keys(mirrored) as ThresholdOperator[];
      const thresholds = operators.map((operator) => ({ operator, limit: 2.5 }));
      const opposite = operators.map((operator) => ({ operator: mirrored[operator], limit: -2.5 }));
      const plain = compute(core, field, granularity, { ...requested, thresholds });
      const turned = compute(core, mapField(field, negated), granularity, { ...requested, thresholds: opposite });
      expect(turned.mean).toEqual(plain.mean.map(negated));
      expect(turned.spread).toEqual(plain.spread);
      expect(turned.probabilities).toEqual(plain.probabilities);
      const lowest = plain.quantiles[quantiles.indexOf(0)];
      const highest = plain.quantiles[quantiles.indexOf(1)];
      for (let k = 0; k < quantiles.length; k++) {
        const mirror = turned.quantiles[k ^ 1];
        plain.quantiles[k].forEach((x, i) => {
          // A rank, n times p, is rounded at n, once for p and once for 1 - p, and weighs the range of the members.
          const range = highest[i] - lowest[i];
          const size = Math.max(Math.abs(lowest[i]), Math.abs(highest[i]));
          const tolerance = 8 * Number.EPSILON * options.members * range + 4 * ulp(size, field.type);
          const close = Number.isNaN(x) ? Number.isNaN(mirror[i]) : Math.abs(mirror[i] + x) <= tolerance;
          if (!close) expect(mirror[i]).toBe(-x);
        });
      }
    },
  );
});
