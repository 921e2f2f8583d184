import { Float32, Float64, type Table, tableToIPC } from 'apache-arrow';
import { beforeAll, describe, expect, it } from 'vitest';
import { statistics as statisticsOfArray } from '../../src/arrays.js';
import { blend } from '../../src/blend/blend.js';
import { climatology } from '../../src/climate/compute-climatology.js';
import { type Core, loadCore } from '../../src/core/load.js';
import type { FloatType } from '../../src/core/number-arrays.js';
import { streamStatistics } from '../../src/input/stream-statistics.js';
import { formatDate, parseDate } from '../../src/period/day.js';
import { computeStatistics } from '../../src/statistics/compute.js';
import { memberWindows } from '../../src/statistics/member-windows.js';
import { statistics } from '../../src/statistics/statistics.js';
import { allTables } from '../../src/table/build/join-tables.js';
import { createPool } from '../../src/threads/create-pool.js';
import { horizon } from '../blend/horizon-table.js';
import { request } from '../property/examples.js';
import { seededField } from '../reference/fields.js';
import { messageOf, table, typed } from '../table/tables.js';
import { placed, windowsOf } from '../threads/pools.js';

let core: Core;
beforeAll(async () => {
  core = await loadCore();
});

/** 21 days from a Monday on, twice. */
const dates = Array.from({ length: 42 }, (_, row) => formatDate(parseDate('2026-03-02') + (row % 21)));

const rows = (type: FloatType, value: (row: number) => number) =>
  typed(
    type === 'float32' ? new Float32() : new Float64(),
    Array.from({ length: 42 }, (_, row) => value(row)),
  );

/** Two members at two places, of which the second member has large values from the eighth day of the second place on. */
function tableWith(large: number, type: FloatType, m1 = (row: number) => row): Table {
  return table({
    latitude: Array.from({ length: 42 }, (_, row) => (row < 21 ? 50 : 51)),
    longitude: Array.from({ length: 42 }, () => 0),
    date: dates,
    m1: rows(type, m1),
    m2: rows(type, (row) => (row >= 28 ? large : row)),
  });
}

const WEEKS = { variable: 'precipitation', granularity: 'weekly' } as const;
const FLOAT32 = -3.4028234663852886e38; // what writers call no data
const message = (row: number, received: number, type: FloatType) =>
  `DataError row ${row}, column m2: a sum from here on overflows; received ${received}; allowed: sums that a ${type} holds`;

describe('a sum that its type cannot hold', () => {
  for (const [type, large, received] of [
    ['float32', FLOAT32, 7 * FLOAT32],
    ['float64', 1e308, Number.POSITIVE_INFINITY],
  ] as const) {
    it(`is an error that names the row where the window begins: ${type}`, async () => {
      const given = tableWith(large, type);
      const expected = message(29, received, type);
      expect(messageOf(() => statistics(core, given, WEEKS))).toBe(expected);
      expect(messageOf(() => statistics(core, given, { ...WEEKS, quantiles: [], spread: true }))).toBe(expected);
      expect(messageOf(() => memberWindows(core, given, WEEKS))).toBe(expected);
      const stream = streamStatistics(core, new Blob([tableToIPC(given) as Uint8Array<ArrayBuffer>]), WEEKS);
      await expect(allTables(stream)).rejects.toThrow(`column m2: a sum from here on overflows; received ${received}`);
      // Missing values elsewhere hide nothing.
      const others = tableWith(large, type, (row) => (row < 30 ? Number.NaN : row));
      expect(messageOf(() => statistics(core, others, { ...WEEKS, minMemberShare: 0.3 }))).toBe(expected);
    });

    it(`is one in arrays, of days first or last: ${type}`, () => {
      const data = type === 'float32' ? new Float32Array(42) : new Float64Array(42);
      const shape = { cell: 2, time: 21 };
      for (const dims of [
        ['cell', 'time'],
        ['time', 'cell'],
      ] as const) {
        data.forEach((_, i) => {
          const [cell, day] = dims[0] === 'cell' ? [Math.floor(i / 21), i % 21] : [i % 2, Math.floor(i / 2)];
          data[i] = cell === 1 && day >= 14 ? large : day;
        });
        const array = {
          data,
          dims,
          shape: dims.map((name) => shape[name]),
          start: '2026-03-02',
          variable: 'precipitation',
        };
        const first = dims[0] === 'cell' ? 35 : 29;
        expect(messageOf(() => statisticsOfArray(core, array, { granularity: 'weekly' }))).toBe(
          `DataError array.data[${first}]: a sum from here on overflows; received ${received}; allowed: sums that a ${type} holds`,
        );
      }
    });

    it(`is one in a timeline and in a climatology: ${type}`, () => {
      const made = { type: (type === 'float32' ? new Float32() : new Float64()) as Float32, members: 3 };
      const value = (m: number, lead: number) => (m === 1 && lead > 20 ? large : lead);
      const metadata = { variable: 'precipitation', units: 'mm', init_time: '2026-03-02T00:00:00Z' };
      const tables = [
        horizon({ ...made, leads: [0, 9], metadata }),
        horizon({ ...made, leads: [3, 40], value, metadata }),
      ];
      expect(messageOf(() => statistics(core, blend(core, tables), { granularity: 'weekly' }))).toMatch(
        /^DataError .*column run_1: a sum from here on overflows; received -?(2\.38|Infinity)/,
      );
      const date = Array.from({ length: 365 }, (_, i) => formatDate(parseDate('2001-01-01') + i));
      const rain = typed(
        made.type,
        date.map((_, i) => (i < 59 ? 1 : large)),
      );
      const options = { variable: 'precipitation', granularity: 'monthly', reference: '2001-2001' } as const;
      expect(messageOf(() => climatology(core, table({ date, rain }), options))).toContain(
        'a sum from here on overflows',
      );
    });
  }

  it('is one of members that are each held, where their mean is not', () => {
    const days = tableWith(1e308, 'float64', () => 1e308);
    expect(messageOf(() => statistics(core, days, { ...WEEKS, granularity: 'daily' }))).toBe(
      'DataError row 1, column m1: a sum from here on overflows; received 1e+308; allowed: sums that a float64 holds',
    );
  });

  it('is the same error in threads', async () => {
    const pool = await createPool({ threads: 2 });
    try {
      const field = seededField({ cells: 1500, days: 60, members: 31 });
      const { values } = field.members[9].chunks[0];
      values.fill(3e38, 700 * 60, 700 * 60 + 20);
      const requested = { ...request, window: 'sum' as const };
      const windows = windowsOf(field, 'weekly');
      const expected = messageOf(() => computeStatistics(core, field, windows, requested));
      expect(expected).toMatch(/^DataError row \d+, column m9: a sum from here on overflows; received /);
      const shared = placed(pool.core, field, 'in the memory of the pool');
      await expect(pool.computeStatistics(shared, windows, requested)).rejects.toThrow(expected.slice(11));
    } finally {
      await pool.close();
    }
  });

  it('is none where only the sum over members is larger than float32 holds', () => {
    const large = tableWith(3e38, 'float32', () => 3e38);
    for (const granularity of ['daily', 'weekly'] as const) {
      const found = statistics(core, large, { ...WEEKS, window: 'mean', granularity });
      const mean = Array.from(found.getChild('mean')?.toArray() as Float32Array);
      expect(Math.max(...mean)).toBe(Math.fround(3e38));
      expect(found.getChild('q95')?.get(found.numRows - 1)).toBe(Math.fround(3e38));
    }
  });
});
