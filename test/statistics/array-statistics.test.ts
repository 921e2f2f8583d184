import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type EnsembleArray, loadCore, memberWindows, statistics } from '../../src/arrays.js';
import type { Core } from '../../src/core/load.js';
import { MemberColumn } from '../../src/core/member-column.js';
import { StridedColumn } from '../../src/core/strided-column.js';
import { memberWindows as memberWindowsOfTable } from '../../src/statistics/member-windows.js';
import { statistics as statisticsOfTable } from '../../src/statistics/statistics.js';
import { locationRows, wideTable } from '../../src/table/build/wide-table.js';
import { defineVariable } from '../../src/variable/define-variable.js';
import { seeded } from '../reference/fields.js';
import { hasPython, python } from '../reference/foreign-programs.js';
import { inMemory, inOrder, ordersOf, transposed } from '../reference/laid-out.js';
import { messageOf } from '../table/tables.js';

let core: Core;
beforeEach(async () => {
  core = await loadCore();
});
afterEach(() => {
  vi.restoreAllMocks();
});

/** 30 days of 5 members on a grid of 2 x 3, some of them missing. */
const SIZES = { member: 5, latitude: 2, longitude: 3, time: 30 };
const DIMS = Object.keys(SIZES);

function seededArray(type: 'float32' | 'float64'): EnsembleArray {
  const random = seeded(7);
  const length = 5 * 2 * 3 * 30;
  const data = type === 'float32' ? new Float32Array(length) : new Float64Array(length);
  for (let i = 0; i < length; i++) data[i] = random() < 0.01 ? Number.NaN : Math.round(random() * 300) / 10;
  return { data, dims: DIMS, shape: Object.values(SIZES), start: '2026-03-02', variable: 'precipitation' };
}

/** The table with the values of such an array. */
function tableOf({ data }: EnsembleArray) {
  const latitude = Float64Array.of(50, 50, 50, 51, 51, 51);
  const longitude = Float64Array.of(7, 8, 9, 7, 8, 9);
  const members = Array.from({ length: 5 }, (_, m) => data.subarray(m * 180, (m + 1) * 180));
  const rows = locationRows({ latitude, longitude }, { firstDay: 20_514, days: 30 });
  return wideTable({ ...rows, members }, new Map([['variable', 'precipitation']]));
}

const OPTIONS = {
  ...{ thresholds: ['>100', { operator: '<=', limit: 2.5 }], spread: true, quantiles: [0.1, 0.5, 0.975] },
  ...{ minMemberShare: 0.5, quantileType: 8 },
};

describe('statistics of an array', () => {
  it.each(['float32', 'float64'] as const)(
    'equal the statistics of a table to the last bit in all orders, %s',
    (type) => {
      const array = seededArray(type);
      const table = tableOf(array);
      for (const granularity of ['daily', 'weekly', 'monthly']) {
        const options = { ...OPTIONS, granularity, partial: true, startDate: '2026-03-04' };
        const expected = statisticsOfTable(core, table, options);
        const columns = ['n_members', 'mean', 'q10', 'q50', 'q975', 'spread', 'p_gt_100', 'p_le_2.5'] as const;
        const places = DIMS.slice(1);
        for (const dims of ordersOf(DIMS)) {
          const mark = core.memory.mark();
          for (const given of [inOrder(array, dims), inMemory(core, inOrder(array, dims))]) {
            const found = statistics(core, given, options);
            expect(Object.keys(found.columns)).toEqual(columns);
            expect(found.dims).toEqual(dims.filter((name) => name !== 'member'));
            const sizes = { ...SIZES, time: found.periods.length };
            for (const name of columns) {
              const values = transposed(found.columns[name] as Float32Array, found.dims, places, sizes);
              expect(
                Array.from(values, (x) => (Number.isNaN(x) ? null : x)),
                `${dims} ${granularity} ${name}`,
              ).toEqual([...(expected.getChild(name) as Iterable<number>)]);
              expect(values.constructor).toBe(
                name === 'n_members' ? Int32Array : type === 'float32' ? Float32Array : Float64Array,
              );
            }
          }
          core.memory.release(mark);
        }
      }
    },
  );

  it('have an equal in memberWindows of a table, for members by window', () => {
    const array = seededArray('float32');
    const expected = memberWindowsOfTable(core, tableOf(array), { granularity: 'weekly' });
    for (const dims of ordersOf(DIMS)) {
      const { data, ...found } = memberWindows(core, inOrder(array, dims), { granularity: 'weekly' });
      expect(found.dims).toEqual(['member', ...dims.filter((name) => name !== 'member')]);
      expect(found.members).toEqual(['member 0', 'member 1', 'member 2', 'member 3', 'member 4']);
      const values = transposed(data, found.dims, DIMS, { ...SIZES, time: found.periods.length });
      const ofTable = [0, 1, 2, 3, 4].flatMap((m) => [...(expected.getChild(`member_0${m}`) as Iterable<number>)]);
      expect(Array.from(values, (x) => (Number.isNaN(x) ? null : x))).toEqual(ofTable);
    }
  });

  it('say what their windows are', () => {
    const { columns, ...described } = statistics(core, seededArray('float64'), {
      granularity: 'weekly',
      partial: true,
    });
    expect(described).toEqual({
      periods: ['2026-W10', '2026-W11', '2026-W12', '2026-W13', '2026-W14'],
      start: ['2026-03-02', '2026-03-09', '2026-03-16', '2026-03-23', '2026-03-30'],
      end: ['2026-03-08', '2026-03-15', '2026-03-22', '2026-03-29', '2026-04-05'],
      complete: [true, true, true, true, false],
      days: [7, 7, 7, 7, 2],
      window: 'sum',
      units: 'mm',
      dims: ['latitude', 'longitude', 'time'],
      shape: [2, 3, 5],
    });
    expect(Object.keys(columns)).toEqual(['n_members', 'mean', 'q05', 'q25', 'q50', 'q75', 'q95']);
  });

  it.skipIf(!hasPython('numpy'))('equal the results of numpy on an array of time, member and cell', () => {
    const { data, ...array } = inOrder(seededArray('float64'), ['time', 'member', 'latitude', 'longitude']);
    const code = `
import json, sys, numpy as np
x = np.array(json.load(sys.stdin), dtype='f8').reshape(30, 5, 2, 3)[:28].reshape(4, 7, 5, 2, 3).sum(axis=1)
print(json.dumps([np.nanmean(x, 1).ravel().tolist(), np.nanquantile(x, 0.1, axis=1).ravel().tolist(), np.nanstd(x, 1, ddof=1).ravel().tolist()]))`;
    const input = JSON.stringify(Array.from(data)).replaceAll('null', 'NaN');
    const expected = JSON.parse(python(code, { input })) as number[][];
    const options = { granularity: 'weekly', quantiles: [0.1], spread: true, minMemberShare: 0 };
    const { columns } = statistics(core, { ...array, data }, options);
    for (const [k, name] of (['mean', 'q10', 'spread'] as const).entries()) {
      expect(columns[name]).toHaveLength(24);
      columns[name]?.forEach((x, i) => {
        expect(x).toBeCloseTo(expected[k][i], 9);
      });
    }
  });

  it('need neither a member nor a place: one of each', () => {
    const data = Float32Array.of(1, 2, 3, 4, 5, 6, 7);
    const { columns, shape } = statistics(core, { data, shape: [7], dims: ['time'], start: '2026-03-02' }, WEEKLY_SUM);
    expect([columns.mean, columns.q05, columns.n_members, shape]).toEqual([
      ...[Float32Array.of(28), Float32Array.of(28), Int32Array.of(1), [1]],
    ]);
  });

  it('are of the days from a date on, a Date in UTC, and of calendars of models', () => {
    const days = { data: new Float64Array(60).fill(1), shape: [60], dims: ['time'], window: 'sum' };
    const periods = (start: string | Date, calendar?: string) =>
      statistics(
        core,
        { data: days.data, shape: [60], dims: ['time'], start, calendar },
        { granularity: 'monthly', window: 'sum' },
      ).periods;
    expect(periods('2026-02-01')).toEqual(['2026-02', '2026-03']);
    expect(periods(new Date('2026-02-01T23:00:00Z'))).toEqual(['2026-02', '2026-03']);
    expect(periods('2026-02-01', '360_day')).toEqual(['2026-02', '2026-03']);
    expect(periods('2026-02-02', '360_day')).toEqual(['2026-03']);
    const leap = { data: days.data, shape: [60], dims: ['time'], start: '2026-02-01', calendar: '360_day' };
    expect(statistics(core, leap, { granularity: 'monthly', window: 'sum' }).end).toEqual(['2026-02-30', '2026-03-30']);
  });

  it('have no windows where the dates leave none', () => {
    const { periods, shape, columns } = statistics(core, seededArray('float32'), { ...OPTIONS, endDate: '2026-01-01' });
    expect([periods, shape, columns.mean]).toEqual([[], [2, 3, 0], new Float32Array(0)]);
    expect(memberWindows(core, seededArray('float32'), { endDate: '2026-01-01' }).data).toHaveLength(0);
  });

  it.each([[['member', 'latitude', 'longitude', 'time']], [['time', 'member', 'latitude', 'longitude']]])(
    'are made in place in the memory of the core: %s',
    (dims) => {
      const array = inMemory(core, inOrder(seededArray('float32'), dims));
      const copies = [MemberColumn, StridedColumn].map((column) => vi.spyOn(column.prototype, 'copyTo'));
      for (const window of ['sum', 'max']) statistics(core, array, { granularity: 'weekly', window });
      for (const copied of copies) expect(copied).not.toHaveBeenCalled();
    },
  );

  it('are right where the work makes the memory grow that the values lie in', () => {
    for (const dims of ordersOf(DIMS)) {
      for (const granularity of ['daily', 'weekly']) {
        const given = inOrder(seededArray('float32'), dims);
        const expected = statistics(core, given, { granularity });
        const array = inMemory(core, given);
        const { buffer } = core.memory.wasm;
        core.memory.scratch(buffer.byteLength - core.memory.mark() - 64);
        expect(statistics(core, array, { granularity })).toEqual(expected);
        expect(core.memory.wasm.buffer.byteLength).toBeGreaterThan(buffer.byteLength);
      }
    }
  });

  it('take the rule of the option window before that of the variable, which then may have any name', () => {
    const array = { data: new Float32Array(14).fill(2), shape: [14], dims: ['time'], start: '2026-03-02' };
    const rule = (variable: EnsembleArray['variable'], window?: string) =>
      statistics(core, { ...array, variable }, { granularity: 'weekly', window }).window;
    expect([rule('tp'), rule('temp_max'), rule('precipitation', 'max'), rule('snow_depth', 'max')]).toEqual([
      ...['sum', 'mean', 'max', 'max'],
    ]);
    expect(rule(defineVariable({ slug: 'snow_depth', units: 'cm', window: 'min' }))).toBe('min');
  });
});

const WEEKLY_SUM = { granularity: 'weekly', window: 'sum' };

describe('an array that cannot be used', () => {
  const good = { data: new Float32Array(14 * 2), shape: [14, 2], dims: ['time', 'member'], start: '2026-03-02' };
  const message = (change: object, options: object = WEEKLY_SUM) =>
    messageOf(() => statistics(core, { ...good, ...change }, options));

  it('is an error that names what is wrong of it, what was received and what is allowed', () => {
    expect(() => statistics(core, good, WEEKLY_SUM)).not.toThrow();
    expect(message({ data: [1, 2] })).toBe(
      'OptionError array.data: cannot be used; received 1, 2; allowed: a Float32Array or Float64Array',
    );
    expect(message({ data: new Float32Array(27) })).toBe(
      'OptionError array.data: does not have the values of array.shape; received "27 values"; allowed: 14 x 2 = 28; of the core\'s memory a view that was made after it grew',
    );
    expect(message({ shape: [14, 2.5] })).toBe(
      'OptionError array.shape: cannot be used; received 14, 2.5; allowed: a whole number from 1 for each of time, member',
    );
    expect(message({ shape: [28] })).toBe(
      'OptionError array.shape: cannot be used; received 28; allowed: a whole number from 1 for each of time, member',
    );
    expect(message({ dims: ['day', 'member'] })).toBe(
      'OptionError array.dims: cannot be used; received "day", "member"; allowed: names that differ: \'time\', \'member\' and names of places',
    );
    expect(message({ dims: ['time', 'time'] })).toContain('array.dims: cannot be used');
    expect(message({ start: 20_514 })).toBe(
      'OptionError array.start: cannot be used; received 20514; allowed: YYYY-MM-DD, or a Date',
    );
    expect(message({ start: '2026-02-30' })).toBe(
      'OptionError array.start: does not exist; received "2026-02-30"; allowed: days from 1 to 28 in 2026-02',
    );
    expect(message({ members: ['a'] })).toBe(
      'OptionError array.members: cannot be used; received "a"; allowed: a list of 2 names, one for each member',
    );
    expect(message({ calender: '360_day' })).toContain('array: unknown option, the nearest is calendar');
    expect(message({ calendar: 'lunar' })).toContain('calendar: is not supported');
    expect(message({ variable: 'snow_dept' }, {})).toContain('variable: is not known');
    expect(messageOf(() => statistics(core, undefined as never))).toContain(
      'array: cannot be used; received undefined',
    );
  });

  it('is one without a rule for windows, where the options have none', () => {
    expect(message({}, {})).toBe(
      'OptionError window: not given, and the array names no variable: are days summed or averaged?; allowed: sum, mean, min, max, first, last, count, range; or a variable in the array, which has a rule of its own',
    );
  });

  it('is one with an infinite value, whose place is named', () => {
    for (const dims of ordersOf(['time', 'member', 'cell', 'level'])) {
      for (const granularity of ['daily', 'weekly']) {
        const shape = dims.map((name) => ({ time: 14, member: 2, cell: 3, level: 2 })[name] as number);
        const data = new Float32Array(14 * 2 * 3 * 2);
        data[101] = Number.POSITIVE_INFINITY;
        expect(messageOf(() => statistics(core, { ...good, data, dims, shape }, { granularity, window: 'max' }))).toBe(
          'DataError array.data[101]: infinite value; received Infinity; allowed: finite numbers; NaN or null where a value is missing',
        );
      }
    }
  });

  it('is one in memory of the core that was released', () => {
    for (const dims of ordersOf(['time', 'member', 'cell'])) {
      const mark = core.memory.mark();
      const array = inMemory(core, inOrder({ ...good, dims: ['time', 'member', 'cell'], shape: [7, 2, 2] }, dims));
      core.memory.release(mark);
      expect(messageOf(() => statistics(core, array, WEEKLY_SUM))).toContain('values in released memory of the core');
    }
  });

  it('is one, too, with an option of reading a table', () => {
    expect(message({}, { ...WEEKLY_SUM, point: { latitude: 1, longitude: 2 } })).toContain('options: unknown option');
    expect(message({}, { ...WEEKLY_SUM, quantiles: [2] })).toContain('quantiles: outside [0, 1]');
    expect(message({}, { ...WEEKLY_SUM, startDate: '2026-03-09', endDate: '2026-03-08' })).toContain(
      'startDate: later than the last requested day',
    );
    expect(message({ calendar: '360_day' }, { ...WEEKLY_SUM, granularity: 'daily', endDate: '2026-03-31' })).toBe(
      'OptionError endDate: does not exist; received "2026-03-31"; allowed: dates that calendar 360_day has',
    );
    expect(message({ calendar: '360_day' })).toContain('calendar 360_day has no weekdays');
  });
});
