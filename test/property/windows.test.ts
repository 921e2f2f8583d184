import fc from 'fast-check';
import { beforeAll, describe, expect } from 'vitest';
import { type Core, loadCore } from '../../src/core/load.js';
import { MemberColumn } from '../../src/core/member-column.js';
import { windowTable } from '../../src/period/period.js';
import { computeMemberWindows, computeStatistics } from '../../src/statistics/compute.js';
import { seededField } from '../reference/fields.js';
import { fieldOptions, granularities, quantileTypes, rain, request, sixteenths, valuesOf } from './examples.js';
import { holds } from './fuzz.js';

let core: Core;
beforeAll(async () => {
  core = await loadCore();
});

describe('windows', () => {
  holds(
    'partition any span: their days and their sums are those of the span',
    150,
    fc.record({
      options: fieldOptions({ members: [1, 6] }),
      granularity: granularities,
      cut: fc.tuple(fc.nat(80), fc.nat(80)),
    }),
    ({ options, granularity, cut }) => {
      // Multiples of 1/16, so that every sum is exact and the order of summing does not matter.
      const field = seededField({ ...options, type: 'float64', value: sixteenths });
      const { days, cells, firstDay, order } = field;
      const first = cut[0] % days;
      const last = first + (cut[1] % (days - first));
      const windows = windowTable(granularity, firstDay + first, firstDay + last, { partial: true });
      expect(windows.days.reduce((sum, n) => sum + n, 0)).toBe(last - first + 1);
      const results = computeMemberWindows(core, field, windows, 'sum');
      const counts = computeMemberWindows(core, field, windows, 'count');
      results.forEach((member, m) => {
        const values = valuesOf(field, m);
        for (let cell = 0; cell < cells; cell++) {
          const lanes = Array.from({ length: windows.count }, (_, w) =>
            order === 'day-fastest' ? cell * windows.count + w : w * cells + cell,
          );
          let sum = 0;
          for (let day = first; day <= last; day++) {
            sum += values[order === 'day-fastest' ? cell * days + day : day * cells + cell];
          }
          expect(lanes.reduce((total, lane) => total + member[lane], 0)).toBe(sum);
          expect(lanes.map((lane) => counts[m][lane])).toEqual([...windows.days]);
        }
      });
    },
  );

  holds(
    'that are complete in a series are bit for bit those of a longer series',
    120,
    fc.record({
      options: fieldOptions(),
      granularity: granularities,
      window: fc.constantFrom('sum' as const, 'mean' as const, 'min' as const, 'max' as const),
      quantileType: quantileTypes,
      before: fc.integer({ min: 0, max: 30 }),
      after: fc.integer({ min: 0, max: 400 }),
    }),
    ({ options, granularity, window, quantileType, before, after }) => {
      const requested = { ...request, window, quantileType, minMemberShare: 0.5 };
      const days = before + options.days + after;
      const long = seededField({ ...options, cells: 1, days, value: rain, missing: 0.02 });
      const short = {
        ...long,
        firstDay: long.firstDay + before,
        days: options.days,
        members: long.members.map((member) => member.slice(before, before + options.days)),
      };
      const windows = windowTable(granularity, short.firstDay, short.firstDay + short.days - 1);
      const all = windowTable(granularity, long.firstDay, long.firstDay + long.days - 1);
      const found = computeStatistics(core, short, windows, requested);
      const within = computeStatistics(core, long, all, requested);
      const from = all.start.indexOf(windows.start[0]);
      const part = (column: Float32Array | Float64Array = new Float32Array()) =>
        column.slice(from, from + windows.count);
      if (windows.count === 0) return;
      expect(found.mean).toEqual(part(within.mean));
      expect(found.spread).toEqual(part(within.spread));
      expect(found.quantiles).toEqual(within.quantiles.map(part));
      expect(found.members).toEqual(within.members.slice(from, from + windows.count));
    },
  );

  holds(
    'are the same from a series in any chunks',
    100,
    fc.record({
      options: fieldOptions(),
      granularity: granularities,
      breaks: fc.array(fc.nat(420), { maxLength: 6 }),
      missing: fc.constantFrom(0, 0.1),
    }),
    ({ options, granularity, breaks, missing }) => {
      const whole = seededField({ ...options, missing });
      const rows = options.days * options.cells;
      const starts = [...new Set([0, ...breaks.map((row) => row % rows)])].toSorted((a, b) => a - b);
      const members = whole.members.map((member) => {
        const pieces = starts.flatMap((start, i) => member.slice(start, starts[i + 1] ?? rows).chunks);
        return new MemberColumn(member.name, pieces);
      });
      const windows = windowTable(granularity, whole.firstDay, whole.firstDay + whole.days - 1, { partial: true });
      const requested = { ...request, minMemberShare: 0.3 };
      expect(computeStatistics(core, { ...whole, members }, windows, requested)).toEqual(
        computeStatistics(core, whole, windows, requested),
      );
    },
  );
});
