import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import type { EnsembleField } from '../../src/core/field.js';
import { type Core, loadCore } from '../../src/core/load.js';
import { windowTable } from '../../src/period/period.js';
import { computeMemberWindows } from '../../src/statistics/compute.js';
import { seededField } from '../reference/fields.js';
import { statisticsTwin } from '../reference/statistics.js';
import {
  compute,
  fieldOptions,
  granularities,
  mapField,
  quantileTypes,
  rain,
  request,
  shuffled,
  ulp,
} from './examples.js';
import { holds } from './fuzz.js';

let core: Core;
beforeAll(async () => {
  core = await loadCore();
});

/**
 * Whether sums of the same members in another order are as close as they can be: 4 ulp, or a third of an ulp for each
 * member. The bound of theory, where all members have one sign, is an ulp for each.
 */
function expectClose(found: ArrayLike<number>, expected: ArrayLike<number>, { type, members }: EnsembleField): void {
  const ulps = Math.max(4, members.length / 3);
  for (let i = 0; i < expected.length; i++) {
    const close = Number.isNaN(expected[i])
      ? Number.isNaN(found[i])
      : Math.abs(found[i] - expected[i]) <= ulps * ulp(expected[i], type);
    if (!close) expect(found[i]).toBe(expected[i]);
  }
}

describe('the order of members', () => {
  holds(
    'changes no bit of quantiles, counts and shares, and mean and spread by few ulp: 4 for up to a dozen',
    150,
    fc.record({
      options: fieldOptions(),
      granularity: granularities,
      quantileType: quantileTypes,
      missing: fc.boolean(),
    }),
    ({ options, granularity, quantileType, missing }) => {
      const field = seededField({ ...options, value: rain, missing: missing ? 0.02 : 0 });
      const order = shuffled(options.members, options.seed + 1);
      const other = { ...field, members: order.map((m) => field.members[m]) };
      const thresholds = [{ operator: '>', limit: 5 } as const];
      const requested = { quantileType, thresholds, minMemberShare: 0.5 };
      const [a, b] = [compute(core, field, granularity, requested), compute(core, other, granularity, requested)];
      expect(b.members).toEqual(a.members);
      expect(b.quantiles).toEqual(a.quantiles);
      expect(b.probabilities).toEqual(a.probabilities);
      expectClose(b.mean, a.mean, field);
      expectClose(b.spread ?? [], a.spread ?? [], field);
    },
  );
});

describe('missing values', () => {
  holds(
    'make a result missing exactly where too few members are valid; else it is that of the valid members',
    120,
    fc.record({
      options: fieldOptions(),
      granularity: granularities,
      window: fc.constantFrom('sum' as const, 'mean' as const, 'min' as const, 'max' as const),
      share: fc.double({ min: 0, max: 1, noNaN: true }),
      missing: fc.constantFrom(0.003, 0.05, 0.4),
    }),
    ({ options, granularity, window, share, missing }) => {
      const field = seededField({ ...options, value: rain, missing });
      const found = compute(core, field, granularity, { window, minMemberShare: share });
      const last = field.firstDay + field.days - 1;
      const windows = windowTable(granularity, field.firstDay, last, { partial: true });
      const totals = computeMemberWindows(
        core,
        mapField(field, (x) => x),
        windows,
        window,
      );
      for (let lane = 0; lane < found.length; lane++) {
        const valid = totals.flatMap((member, m) => (Number.isNaN(member[lane]) ? [] : [m]));
        expect(found.members[lane]).toBe(valid.length);
        const enough = valid.length >= 1 && valid.length >= share * options.members - 1e-9;
        if (!enough) {
          for (const column of [found.mean, found.spread, ...found.quantiles]) expect(column?.[lane]).toBeNaN();
          continue;
        }
        const only = compute(core, { ...field, members: valid.map((m) => field.members[m]) }, granularity, {
          window,
          minMemberShare: 0,
        });
        expect(found.quantiles.map((column) => column[lane])).toEqual(only.quantiles.map((column) => column[lane]));
        expectClose([found.mean[lane]], [only.mean[lane]], field);
        if (valid.length > 1) expectClose([found.spread?.[lane] ?? 0], [only.spread?.[lane] ?? 0], field);
        else expect(found.spread?.[lane]).toBeNaN();
      }
    },
  );

  holds(
    'mean the same as NaN and by an Arrow bitmap',
    100,
    fc.record({ options: fieldOptions(), granularity: granularities, chunkRows: fc.integer({ min: 1, max: 300 }) }),
    ({ options, granularity, chunkRows }) => {
      // Half of the missing values are NaN, half are cleared bits over some other number; the copy has NaN only.
      const field = seededField({ ...options, missing: 0.2, chunkRows });
      const requested = { minMemberShare: 0.3 };
      const byNaN = mapField(field, (x) => x);
      expect(compute(core, field, granularity, requested)).toEqual(compute(core, byNaN, granularity, requested));
    },
  );
});

describe('an ensemble of equal members', () => {
  holds(
    'has no spread, and all quantiles and the mean are the value, where it has few enough digits to be summed exactly',
    100,
    fc.record({ options: fieldOptions({ members: [2, 300] }), granularity: granularities, type: quantileTypes }),
    ({ options, granularity, type }) => {
      const value = (options.seed % 4_000_001) / 1024 - 1000;
      const constant = seededField({ ...options, days: Math.min(options.days, 31), cells: 1, value: () => value });
      const { mean, spread, quantiles } = compute(core, constant, granularity, { window: 'mean', quantileType: type });
      const same = mean.map(() => Math.fround(value));
      expect(mean).toEqual(same);
      for (const column of quantiles) expect(column).toEqual(same);
      expect([...(spread ?? [])]).toEqual([...same].map(() => 0));
    },
  );
});

describe('every number of members from 1 to 300', () => {
  const quantiles = [0.05, 0.5, 0.95];
  it.each([
    ['raw days of Float32', 'float32', 'daily'],
    ['sums of Float64', 'float64', 'weekly'],
  ] as const)('%s equal the twin to the last bit', (_, type, granularity) => {
    for (let members = 1; members <= 300; members++) {
      const field = seededField({ members, type, days: 8, cells: 1, firstDay: 4, seed: members });
      const found = compute(core, field, granularity, { quantiles });
      const windows = windowTable(granularity, field.firstDay, field.firstDay + field.days - 1, { partial: true });
      const twin = statisticsTwin(field, windows, { ...request, quantiles });
      const round = type === 'float32' ? Math.fround : (x: number) => x;
      expect([...found.mean], `${members} members`).toEqual(twin.map(({ mean }) => round(mean) + 0));
      expect([...(found.spread ?? [])], `${members} members`).toEqual(twin.map(({ spread }) => round(spread)));
      quantiles.forEach((_, k) => {
        const column = twin.map((entry) => round(entry.quantiles[k]) + 0);
        expect([...found.quantiles[k]], `${members} members`).toEqual(column);
      });
    }
  });
});
