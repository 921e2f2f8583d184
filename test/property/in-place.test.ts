import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { type Core, loadCore } from '../../src/core/load.js';
import { placed, seededField } from '../reference/fields.js';
import { compute, fieldOptions, granularities, quantileTypes, valuesOf } from './examples.js';
import { holds } from './fuzz.js';

let core: Core;
beforeAll(async () => {
  core = await loadCore();
});

describe('columns that lie in the memory of the core', () => {
  holds(
    'give bit for bit what copied ones give, and do not change',
    120,
    fc.record({
      options: fieldOptions(),
      granularity: granularities,
      window: fc.constantFrom('sum' as const, 'mean' as const, 'min' as const, 'max' as const, 'count' as const),
      quantileType: quantileTypes,
      missing: fc.constantFrom(0, 0.05),
    }),
    ({ options, granularity, window, quantileType, missing }) => {
      const mark = core.memory.mark();
      const field = seededField({ ...options, missing });
      const inPlace = placed(core, field);
      for (const member of inPlace.members) expect(member.addressIn(core)).toBeGreaterThan(0);
      const length = compute(core, field, granularity).length;
      const limits = [0, 5].map((limit) => Float64Array.from({ length }, (_, i) => limit + (i % 7)));
      const requested = { window, quantileType, minMemberShare: 0.3, categories: [{ limits, lower: 1 }] };
      expect(compute(core, inPlace, granularity, requested)).toEqual(compute(core, field, granularity, requested));
      inPlace.members.forEach((_, m) => {
        expect(valuesOf(inPlace, m)).toEqual(valuesOf(field, m));
      });
      core.memory.release(mark);
    },
  );

  it.each(['day-fastest', 'cell-fastest'] as const)('give the same where there are many cells, %s', (order) => {
    const mark = core.memory.mark();
    for (const type of ['float32', 'float64'] as const) {
      const field = seededField({ type, order, cells: 1100, days: 20, members: 3, missing: 0.01 });
      const inPlace = placed(core, field);
      for (const granularity of ['weekly', 'monthly'] as const) {
        expect(compute(core, inPlace, granularity)).toEqual(compute(core, field, granularity));
      }
    }
    core.memory.release(mark);
  });

  it('give the same if the work makes the memory grow', async () => {
    core = await loadCore();
    const field = seededField({ members: 3000, days: 7, cells: 2, firstDay: 4 });
    const quantiles = Array.from({ length: 99 }, (_, k) => (k + 1) / 100);
    const expected = compute(await loadCore(), field, 'weekly', { quantiles });
    const inPlace = placed(core, field);
    const before = core.memory.wasm.buffer.byteLength;
    expect(compute(core, inPlace, 'weekly', { quantiles })).toEqual(expected);
    expect(core.memory.wasm.buffer.byteLength).toBeGreaterThan(before);
  });
});
