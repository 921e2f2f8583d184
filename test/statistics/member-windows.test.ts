import { tableFromIPC, tableToIPC } from 'apache-arrow';
import { beforeAll, describe, expect, it } from 'vitest';
import { type Core, loadCore } from '../../src/core/load.js';
import { memberWindows } from '../../src/statistics/member-windows.js';
import { dates, daysFrom, float32, messageOf, table } from '../table/tables.js';

let core: Core;
beforeAll(async () => {
  core = await loadCore();
});

const week = () =>
  table({
    date: daysFrom('2024-01-01', 8),
    c00: float32(1, 2, 3, 4, 5, 6, 7, 8),
    p01: float32(0, 0, 0, 0, null, 0, 0.5, 9),
  });

describe('memberWindows', () => {
  it('has a row for each window and a column for each member, whose names are in the metadata', () => {
    const result = memberWindows(core, week(), { variable: 'precipitation', granularity: 'weekly', partial: true });
    const back = tableFromIPC(tableToIPC(result));
    expect(back.schema.fields.map(({ name, type }) => `${name} ${type}`).slice(-3)).toEqual([
      'n_days Int32',
      'member_00 Float32',
      'member_01 Float32',
    ]);
    expect(back.toArray().map((row) => row?.toJSON())).toMatchObject([
      {
        variable: 'precipitation',
        units: 'mm',
        period: '2024-W01',
        complete: true,
        n_days: 7,
        member_00: 28,
        member_01: null,
      },
      { period: '2024-W02', complete: false, n_days: 1, member_00: 8, member_01: 9 },
    ]);
    expect(back.getChild('member_01')?.nullCount).toBe(1);
    expect(back.schema.metadata.get('member_names')).toBe('["c00","p01"]');
    expect(back.schema.metadata.get('granularity')).toBe('weekly');
  });

  it('combines days by each rule; means are rounded once', () => {
    const of = (window: 'sum' | 'mean' | 'min' | 'max' | 'count') => {
      const [row] = memberWindows(core, week(), { window, granularity: 'weekly' }).toArray();
      return [row?.member_00, row?.member_01];
    };
    expect(of('sum')).toEqual([28, null]);
    expect(of('mean')).toEqual([4, null]);
    expect(of('min')).toEqual([1, null]);
    expect(of('max')).toEqual([7, null]);
    expect(of('count')).toEqual([7, 6]);
    const third = table({
      date: daysFrom('2024-02-01', 29),
      m1: Array(29).fill(0).fill(1, 28),
      m2: Array(29).fill(0.1),
    });
    const [month] = memberWindows(core, third, { window: 'mean', granularity: 'monthly' }).toArray();
    expect(month?.member_00).toBe(1 / 29);
  });

  it('has rows place by place as the input, each place with its own days', () => {
    const input = table({
      date: dates('2024-01-01', '2024-01-02', '2024-01-02'),
      lat: [1, 1, 2],
      lon: [0, 0, 0],
      rain: [1, 3, 4],
    });
    const rows = memberWindows(core, input).toArray();
    expect(rows.map((row) => [row?.latitude, row?.period, row?.member_00])).toEqual([
      [1, '2024-01-01', 1],
      [1, '2024-01-02', 3],
      [2, '2024-01-02', 4],
    ]);
  });

  it('pads names to the largest index, and replaces the member names in the metadata of the input', () => {
    const columns = Object.fromEntries(Array.from({ length: 101 }, (_, m) => [`e${m}`, [m]]));
    const result = memberWindows(core, table({ date: daysFrom('2024-01-01', 1), ...columns }, { member_names: '[]' }), {
      window: 'sum',
    });
    expect(result.schema.fields.at(-1)?.name).toBe('member_100');
    expect(result.schema.fields.at(-101)?.name).toBe('member_000');
    expect(JSON.parse(result.schema.metadata.get('member_names') as string)).toEqual(Object.keys(columns));
  });

  it('rejects an infinite value, which no window may hide', () => {
    const input = table({
      date: daysFrom('2024-01-01', 7),
      m1: [1, 2, 3, Number.NEGATIVE_INFINITY, 5, 6, 7],
      m2: Array(7).fill(0),
    });
    for (const window of ['sum', 'max', 'count'] as const) {
      expect(messageOf(() => memberWindows(core, input, { window, granularity: 'weekly', source: 'a.csv' }))).toBe(
        'DataError a.csv, row 4, column m1: infinite value; received -Infinity; allowed: finite numbers; NaN or null where a value is missing',
      );
    }
  });
});
