import fc from 'fast-check';
import { beforeAll, describe, expect } from 'vitest';
import { memberWindows, statistics } from '../../src/arrays.js';
import { type Core, loadCore } from '../../src/core/load.js';
import { seeded } from '../reference/fields.js';
import { inMemory, inOrder, transposed } from '../reference/laid-out.js';
import { granularities, quantileTypes, rain, shuffled } from './examples.js';
import { holds } from './fuzz.js';

let core: Core;
beforeAll(async () => {
  core = await loadCore();
});

describe('an array with its dimensions in another order', () => {
  holds(
    'has the same statistics and members by window, in its own order',
    150,
    fc.record({
      seed: fc.nat(),
      sizes: fc.record({
        member: fc.integer({ min: 1, max: 9 }),
        time: fc.integer({ min: 1, max: 40 }),
        latitude: fc.integer({ min: 1, max: 4 }),
        longitude: fc.integer({ min: 1, max: 13 }),
        level: fc.integer({ min: 1, max: 2 }),
      }),
      type: fc.constantFrom('float32' as const, 'float64' as const),
      isInCore: fc.boolean(),
      options: fc.record({
        granularity: granularities,
        window: fc.constantFrom('sum' as const, 'mean' as const, 'min' as const, 'max' as const, 'count' as const),
        partial: fc.boolean(),
      }),
      quantileType: quantileTypes,
    }),
    ({ seed, sizes, type, isInCore, options, quantileType }) => {
      const mark = core.memory.mark();
      const random = seeded(seed);
      const dims = Object.keys(sizes);
      const shape = Object.values(sizes);
      const length = shape.reduce((product, size) => product * size, 1);
      const data = type === 'float32' ? new Float32Array(length) : new Float64Array(length);
      for (let i = 0; i < length; i++) data[i] = random() < 0.02 ? Number.NaN : rain(random);
      const array = { data, dims, shape, start: '2026-02-20' };
      const other = inOrder(
        array,
        shuffled(dims.length, seed).map((k) => dims[k]),
      );
      const given = isInCore ? inMemory(core, other) : other;
      const requested = { ...options, quantileType, spread: true, thresholds: ['>5'], minMemberShare: 0.3 };
      const expected = statistics(core, array, requested);
      const found = statistics(core, given, requested);
      const times = { ...sizes, time: expected.periods.length };
      expect(found.periods).toEqual(expected.periods);
      for (const [name, values] of Object.entries(found.columns)) {
        expect(transposed(values, found.dims, expected.dims, times)).toEqual(expected.columns[name as 'mean']);
      }
      const windows = memberWindows(core, array, options);
      const others = memberWindows(core, given, options);
      expect(transposed(others.data, others.dims, windows.dims, times)).toEqual(windows.data);
      core.memory.release(mark);
    },
  );
});
