import { beforeAll, describe, expect, it } from 'vitest';
import type { EnsembleField } from '../../src/core/field.js';
import { type Core, loadCore } from '../../src/core/load.js';
import { MemberColumn } from '../../src/core/member-column.js';
import { OptionError } from '../../src/errors.js';
import { type WindowTable, windowTable } from '../../src/period/period.js';
import { computeMemberWindows, computeStatistics } from '../../src/statistics/compute.js';
import { computeStatisticsInto } from '../../src/statistics/compute-statistics-into.js';
import type { StatisticsColumns } from '../../src/statistics/statistics-columns.js';
import type { StatisticsRequest } from '../../src/statistics/statistics-request.js';
import { placed, seededField } from '../reference/fields.js';

let core: Core;
beforeAll(async () => {
  core = await loadCore();
});

const request: StatisticsRequest = {
  window: 'sum',
  quantiles: [0.1, 0.5],
  quantileType: 7,
  thresholds: [{ operator: '>', limit: 1 }],
  spread: false,
  minMemberShare: 0.8,
};
const field = seededField({ days: 14, cells: 2, members: 3 });
const windows = windowTable('weekly', field.firstDay, field.firstDay + 13, { partial: true });

/** The windows with other first days or lengths. */
function moved(first: readonly number[], days: readonly number[], firstDay = field.firstDay): WindowTable {
  const [start, end] = [Int32Array.from(first), Int32Array.from(first)];
  const count = first.length;
  const complete = new Uint8Array(count);
  const [firsts, lengths] = [Int32Array.from(first), Int32Array.from(days)];
  const lastDay = firstDay + 13;
  return { granularity: 'weekly', count, start, end, first: firsts, days: lengths, complete, firstDay, lastDay };
}

const WINDOWS: Record<string, unknown> = {
  'a window behind the last day': moved([0, 14], [7, 7]),
  'a window that ends behind the last day': moved([0, 8], [7, 7]),
  'a window far behind': moved([0, 1e9], [7, 7]),
  'a window that begins before the first day': moved([-1, 7], [7, 7]),
  'windows of another span': moved([0, 7], [7, 7], field.firstDay + 1),
  'windows of a span far away': moved([0, 7], [7, 7], -1e15),
  'a window of no days': moved([0, 7], [7, 0]),
  'a window of a negative number of days': moved([0, 7], [7, -7]),
  'a window whose length wraps around': moved([0, 7], [7, 2 ** 31 - 1]),
  'windows out of order': moved([7, 0], [7, 7]),
  'single days out of order': moved([1, 0, 2], [1, 1, 1]),
  'more windows than arrays': { ...windows, count: 99 },
  'fewer windows than arrays': { ...windows, count: 1 },
  'a count that is not whole': { ...windows, count: 1.5 },
  'a first day that is not a number': { ...windows, firstDay: Number.NaN },
  'arrays of another type': { ...windows, first: [0, 7], days: [7, 7] },
  'no windows': undefined,
  'null windows': null,
};

const column = (length: number, Type: typeof Float32Array | typeof Float64Array = Float32Array) =>
  new MemberColumn('m', [{ values: new Type(length) }]);

const FIELDS: Record<string, unknown> = {
  'null for a field': null,
  'no field': undefined,
  'an unknown type': { ...field, type: 'int16' },
  'an unknown order': { ...field, order: 'by-day' },
  'more cells than values': { ...field, cells: 3 },
  'fewer cells than values': { ...field, cells: 1 },
  'more days than values': { ...field, days: 1000 },
  'cells that are no whole number': { ...field, cells: 0.5, days: 56 },
  'negative cells and days': { ...field, cells: -2, days: -14 },
  'days that are not a number': { ...field, days: Number.NaN },
  'a first day of null': { ...field, firstDay: null },
  'no members': { ...field, members: [] },
  'members that are no list': { ...field, members: {} },
  'members that are no columns': { ...field, members: [new Float32Array(28)] },
  'one member that is too short': { ...field, members: [...field.members, column(27)] },
  'one member of another type': { ...field, members: [...field.members, column(28, Float64Array)] },
  'another type than the members': { ...field, type: 'float64' },
  'a member of two types': {
    ...field,
    members: [new MemberColumn('m', [{ values: new Float32Array(14) }, { values: new Float64Array(14) }])],
  },
};

const REQUESTS: Record<string, unknown> = {
  'null for a request': null,
  'no request': undefined,
  'a quantile above 1': { ...request, quantiles: [1.5] },
  'a negative quantile': { ...request, quantiles: [0.5, -0.1] },
  'a quantile of NaN': { ...request, quantiles: [Number.NaN] },
  'a quantile as a text': { ...request, quantiles: ['0.5'] },
  'a missing quantile': { ...request, quantiles: Array(1) },
  'quantiles that are no list': { ...request, quantiles: 0.5 },
  'a quantile type of 42': { ...request, quantileType: 42 },
  'a quantile type of 0': { ...request, quantileType: 0 },
  'a quantile type of 1.5': { ...request, quantileType: 1.5 },
  'no quantile type': { ...request, quantileType: undefined },
  'an unknown window rule': { ...request, window: 'median' },
  'an unknown operator': { ...request, thresholds: [{ operator: '=', limit: 1 }] },
  'a limit that is infinite': { ...request, thresholds: [{ operator: '>', limit: Number.NEGATIVE_INFINITY }] },
  'a limit that is missing': { ...request, thresholds: [{ operator: '>' }] },
  'a threshold as a text': { ...request, thresholds: ['>1'] },
  'a threshold of null': { ...request, thresholds: [null] },
  'no thresholds': { ...request, thresholds: undefined },
  'a spread of null': { ...request, spread: null },
  'a share of members above 1': { ...request, minMemberShare: 2 },
  'a share of members of NaN': { ...request, minMemberShare: Number.NaN },
  'categories that are no list': { ...request, categories: {} },
  'categories of null': { ...request, categories: [null] },
  'limits that are too short': { ...request, categories: [{ limits: [new Float32Array(3)], lower: 1 }] },
  'limits that are no floats': { ...request, categories: [{ limits: [[0, 0, 0, 0, 0, 0]], lower: 1 }] },
  'more lower limits than limits': { ...request, categories: [{ limits: [new Float32Array(6)], lower: 2 }] },
  'limits that fall': {
    ...request,
    categories: [{ limits: [new Float32Array(6).fill(2), new Float32Array(6).fill(1)], lower: 1 }],
  },
};

const CORES: Record<string, unknown> = {
  'no core': undefined,
  'null for a core': null,
  'the promise of a core': Promise.resolve({}),
  'an object that is no core': { memory: {}, kernels: {} },
};

function columnsOf(requested = request): StatisticsColumns {
  return computeStatistics(core, field, windows, requested);
}

describe('computeStatistics rejects', () => {
  const given: [string, unknown[]][] = [
    ...Object.entries(CORES).map(([name, value]): [string, unknown[]] => [name, [value, field, windows, request]]),
    ...Object.entries(FIELDS).map(([name, value]): [string, unknown[]] => [name, [0, value, windows, request]]),
    ...Object.entries(WINDOWS).map(([name, value]): [string, unknown[]] => [name, [0, field, value, request]]),
    ...Object.entries(REQUESTS).map(([name, value]): [string, unknown[]] => [name, [0, field, windows, value]]),
  ];
  it.each(given)('%s, by an OptionError, before memory is taken or a column is written', (_, values) => {
    const args = [values[0] === 0 ? core : values[0], ...values.slice(1)] as unknown as Parameters<
      typeof computeStatistics
    >;
    const [, ofField, ofWindows] = args;
    const into = columnsOf();
    const mark = core.memory.mark();
    expect(() => computeStatistics(...args)).toThrow(OptionError);
    expect(() => computeStatisticsInto(into, ...args)).toThrow(OptionError);
    if (args[3] === request) {
      expect(() => computeMemberWindows(args[0], ofField, ofWindows, 'mean')).toThrow(OptionError);
    }
    expect(core.memory.mark()).toBe(mark);
    expect(into).toEqual(columnsOf());
  });

  it('values in memory that was released', () => {
    const mark = core.memory.mark();
    const inCore = placed(core, field);
    core.memory.release(mark);
    expect(() => computeStatistics(core, inCore, windows, request)).toThrow(/released memory/);
    const withBitmap = inCore.members.map(({ chunks: [{ values }] }) => {
      return new MemberColumn('m', [{ values, bitmap: new Uint8Array(4).fill(255) }]);
    });
    expect(() => computeStatistics(core, { ...inCore, members: withBitmap }, windows, request)).toThrow(
      /released memory/,
    );
  });

  it('the argument that its error names', () => {
    expect(() => computeStatistics(core, field, moved([0, 8], [7, 7]), request)).toThrow(
      'window 1: cannot be used; received "7 days from day 19008 on"; allowed: windows in order of time, of at least a day, within 14 days from day 19000 on',
    );
    expect(() => computeStatistics(core, { ...field, cells: 3 }, windows, request)).toThrow(
      'field.members[0]: cannot be used; received "28 values of float32"; allowed: a MemberColumn of 42 values of float32',
    );
    expect(() => computeStatistics(core, field, windows, { ...request, quantileType: 42 as 7 })).toThrow(
      'quantileType: cannot be used; received 42; allowed: a whole number from 1 to 9, a type of Hyndman and Fan',
    );
  });
});

describe('computeStatistics takes', () => {
  it('windows that overlap, such as running ones', () => {
    const running = moved([0, 1, 2], [7, 7, 7]);
    const [whole] = [computeStatistics(core, field, running, request)];
    const third = computeStatistics(core, field, moved([2], [7]), request);
    expect([whole.mean[2], whole.mean[5]]).toEqual([...third.mean]);
  });

  it('a table without windows, and fields without days or cells', () => {
    expect(computeStatistics(core, field, moved([], []), request)).toHaveLength(0);
    const empty: EnsembleField = { ...field, days: 0, members: [column(0)] };
    expect(computeStatistics(core, empty, moved([], []), request)).toHaveLength(0);
    expect(computeStatistics(core, { ...field, cells: 0, members: [column(0)] }, windows, request)).toHaveLength(0);
  });

  it('more quantiles than a response may have, until memory is exhausted', () => {
    const quantiles = Array.from({ length: 500 }, (_, k) => k / 499);
    expect(computeStatistics(core, field, windows, { ...request, quantiles }).quantiles).toHaveLength(500);
    const short = { ...field, days: 1, cells: 1, members: Array(300_000).fill(column(1)) };
    const many = { ...request, quantiles: Array(1000).fill(0.5) };
    expect(() => computeStatistics(core, short, moved([0], [1]), many)).toThrow(/core memory: not enough memory/);
  });
});

describe('computeStatisticsInto rejects', () => {
  const n = 2 * windows.count;
  const shared = new Float32Array(2 * n);
  const COLUMNS: Record<string, (columns: StatisticsColumns) => unknown> = {
    'no columns': () => undefined,
    'null for columns': () => null,
    'columns that are empty': () => ({}),
    'a column that is too short': (columns) => ({ ...columns, mean: new Float32Array(n - 1) }),
    'a column that is too long': (columns) => ({ ...columns, mean: new Float32Array(n + 1) }),
    'a column of another type': (columns) => ({ ...columns, mean: new Float64Array(n) }),
    'a quantile of another type': (columns) => ({
      ...columns,
      quantiles: [columns.quantiles[0], new Float64Array(n)],
    }),
    'a quantile of null': (columns) => ({ ...columns, quantiles: [columns.quantiles[0], null] }),
    'one quantile too few': (columns) => ({ ...columns, quantiles: [columns.quantiles[0]] }),
    'counts of another type': (columns) => ({ ...columns, members: new Float32Array(n) }),
    'a spread that is not requested': (columns) => ({ ...columns, spread: new Float32Array(n) }),
    'categories that are not requested': (columns) => ({ ...columns, categories: [[new Float32Array(n)]] }),
    'another length': (columns) => ({ ...columns, length: n - 1 }),
    'one array twice': (columns) => ({ ...columns, quantiles: [columns.mean, columns.quantiles[1]] }),
    'arrays that overlap': (columns) => ({
      ...columns,
      quantiles: [shared.subarray(0, n), shared.subarray(n - 1, 2 * n - 1)],
    }),
    'an array of the values': (columns) => ({ ...columns, mean: field.members[1].chunks[0].values.subarray(0, n) }),
    "an array in the core's memory": (columns) => ({
      ...columns,
      mean: core.memory.float32(core.memory.allocate(4 * n), n),
    }),
    'an array that was transferred': (columns) => {
      const mean = new Float32Array(n);
      structuredClone(mean, { transfer: [mean.buffer] });
      return { ...columns, mean };
    },
  };
  it.each(Object.entries(COLUMNS))('%s', (_, change) => {
    const columns = change(columnsOf()) as StatisticsColumns;
    expect(() => computeStatisticsInto(columns, core, field, windows, request)).toThrow(OptionError);
  });

  it('no columns that it can fill: separate arrays, arrays in any order of one buffer, or shared ones', () => {
    const expected = columnsOf();
    const buffer = new SharedArrayBuffer(4 * 5 * n);
    const at = (k: number) => new Float32Array(buffer, 4 * k * n, n);
    const columns: StatisticsColumns = {
      ...expected,
      mean: at(3),
      quantiles: [at(1), new Float32Array(n)],
      probabilities: [at(0)],
      members: new Int32Array(buffer, 8 * n, n),
    };
    computeStatisticsInto(columns, core, field, windows, request);
    const plain = ({ mean, quantiles, probabilities, members }: StatisticsColumns) =>
      [mean, ...quantiles, ...probabilities, members].map((array) => [...array]);
    expect(plain(columns)).toEqual(plain(expected));
  });
});
