import fc from 'fast-check';
import { beforeAll, describe, expect } from 'vitest';
import { type Core, loadCore } from '../../src/core/load.js';
import { windowsOf } from '../../src/period/windows.js';
import { computeMemberWindows, computeStatistics } from '../../src/statistics/compute.js';
import { daysThat, excess, firstDayThat, longestSpell, spells } from '../../src/statistics/window-measure.js';
import { seededField } from '../reference/fields.js';
import { fieldOptions, request, sixteenths } from './examples.js';
import { holds } from './fuzz.js';

let core: Core;
beforeAll(async () => {
  core = await loadCore();
});

const limits = fc.constantFrom(-3, 0, 0.5, 2, 7.25);
const kinds = fc.constantFrom('weekly', 'dekads', 'all', 'days 1-5,3-9,11-30', 'rolling 2', 'rolling 5', 'rolling 16');

describe('what windows hold by a condition', () => {
  holds(
    'agrees with itself: complements, spells, first days and what lies beyond',
    120,
    fc.record({ options: fieldOptions({ members: [1, 5] }), limit: limits, kind: kinds, least: fc.nat(4) }),
    ({ options, limit, kind, least }) => {
      const field = seededField({ ...options, type: 'float64', value: sixteenths });
      const windows = windowsOf(kind).table(field.firstDay, field.firstDay + field.days - 1, { partial: true });
      if (windows.count === 0) return;
      const of = (value: Parameters<typeof computeMemberWindows>[3]) =>
        computeMemberWindows(core, field, windows, value).flatMap((values) => [...values]);
      const [above, others] = [of(daysThat(`>${limit}`)), of(daysThat(`<=${limit}`))];
      const longest = of(longestSpell(`>${limit}`));
      const [runs, single] = [of(spells(`>${limit}`, least + 1)), of(spells(`>${limit}`, 1))];
      const first = of(firstDayThat(`>${limit}`));
      const [over, under, sum] = [of(excess(`>${limit}`)), of(excess(`<${limit}`)), of('sum')];
      const days = of('count');
      above.forEach((count, i) => {
        if (Number.isNaN(sum[i])) {
          for (const each of [count, longest[i], runs[i], first[i], over[i]]) expect(each).toBeNaN();
          return;
        }
        expect(count + others[i]).toBe(days[i]);
        expect(longest[i]).toBeLessThanOrEqual(count);
        expect(longest[i] > 0).toBe(count > 0);
        expect(runs[i]).toBeLessThanOrEqual(single[i]);
        expect(runs[i] > 0).toBe(longest[i] > least);
        expect(runs[i] * (least + 1)).toBeLessThanOrEqual(count);
        expect(Number.isNaN(first[i])).toBe(count === 0);
        if (count > 0) expect(first[i]).toBeLessThanOrEqual(days[i] - count + 1);
        // Multiples of 1/16: every sum is exact.
        expect(over[i] - under[i]).toBe(sum[i] - days[i] * limit);
      });
    },
  );

  holds(
    'has shares that are the complement of each other',
    60,
    fc.record({ options: fieldOptions({ members: [1, 9] }), limit: limits, kind: kinds }),
    ({ options, limit, kind }) => {
      const field = seededField({ ...options, missing: 0 });
      const windows = windowsOf(kind).table(field.firstDay, field.firstDay + field.days - 1);
      const thresholds = [
        { operator: '>=', limit: 1 },
        { operator: '<', limit: 1 },
      ] as const;
      const window = daysThat(`>${limit}`);
      const { probabilities } = computeStatistics(core, field, windows, { ...request, thresholds, window });
      for (const [i, share] of probabilities[0].entries()) expect(share + probabilities[1][i]).toBeCloseTo(1, 6);
    },
  );
});
