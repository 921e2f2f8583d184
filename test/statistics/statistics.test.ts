import { type Table, tableFromIPC, tableToIPC } from 'apache-arrow';
import { beforeAll, describe, expect, it } from 'vitest';
import { type Core, loadCore } from '../../src/core/load.js';
import type { StatisticsOptions } from '../../src/statistics/options.js';
import { statistics } from '../../src/statistics/statistics.js';
import { dates, daysFrom, float32, table } from '../table/tables.js';

let core: Core;
beforeAll(async () => {
  core = await loadCore();
});

/** The rows of a table, dates as milliseconds. */
const rowsOf = (input: Table) => input.toArray().map((row) => ({ ...row?.toJSON() }));
const ms = (date: string) => Date.parse(date);

/** Eight days from Monday 1 January 2024; the second member has no value on the last. */
const week = () =>
  table({
    date: daysFrom('2024-01-01', 8),
    m1: float32(1, 2, 3, 4, 5, 6, 7, 8),
    m2: float32(0, 0, 0, 0, 0, 0, 0.5, null),
  });

describe('the table of statistics', () => {
  it('has the canonical columns and types, in their order; Float32 in, Float32 out', () => {
    const options = {
      variable: 'precipitation',
      spread: true,
      thresholds: ['>0.1', '<=-2.50'],
      quantiles: [0.5, 0.025, 0],
    };
    const result = statistics(core, week(), options);
    expect(result.schema.fields.map(({ name, type }) => `${name} ${type}`)).toEqual([
      'variable Dictionary<Int32, Utf8>',
      'units Dictionary<Int32, Utf8>',
      'latitude Float64',
      'longitude Float64',
      'period Dictionary<Int32, Utf8>',
      'start Date32<DAY>',
      'end Date32<DAY>',
      'complete Bool',
      'n_days Int32',
      'n_members Int32',
      'mean Float32',
      'q50 Float32',
      'q025 Float32',
      'q00 Float32',
      'spread Float32',
      'p_gt_0.1 Float32',
      'p_le_-2.5 Float32',
    ]);
    const doubles = statistics(core, table({ date: daysFrom('2024-01-01', 1), rain: [1] }));
    expect(String(doubles.getChild('mean')?.type)).toBe('Float64');
  });

  it('has the hand-computed values of a week, and of a partial one if requested', () => {
    const options: StatisticsOptions = {
      variable: 'precipitation',
      granularity: 'weekly',
      quantiles: [0.25, 0.5],
      spread: true,
      thresholds: ['>0.5'],
    };
    const first = {
      variable: 'precipitation',
      units: 'mm',
      latitude: null,
      longitude: null,
      period: '2024-W01',
      start: ms('2024-01-01'),
      end: ms('2024-01-07'),
      complete: true,
      n_days: 7,
      n_members: 2,
      mean: 14.25,
      q25: 7.375,
      q50: 14.25,
      spread: Math.fround(27.5 / Math.SQRT2),
      'p_gt_0.5': 0.5,
    };
    expect(rowsOf(statistics(core, week(), options))).toEqual([first]);
    const second = {
      ...first,
      period: '2024-W02',
      start: ms('2024-01-08'),
      end: ms('2024-01-14'),
      complete: false,
      n_days: 1,
      n_members: 1,
    };
    const none = { mean: null, q25: null, q50: null, spread: null, 'p_gt_0.5': null };
    expect(rowsOf(statistics(core, week(), { ...options, partial: true }))).toEqual([first, { ...second, ...none }]);
    const one = { mean: 8, q25: 8, q50: 8, spread: null, 'p_gt_0.5': 1 };
    expect(rowsOf(statistics(core, week(), { ...options, partial: true, minMemberShare: 0.5 }))[1]).toEqual({
      ...second,
      ...one,
    });
  });

  it('covers the requested days, inclusive, as far as the data have them', () => {
    const periods = (options: StatisticsOptions) =>
      rowsOf(statistics(core, week(), { window: 'sum', ...options })).map(({ period }) => period);
    expect(periods({ startDate: '2024-01-07' })).toEqual(['2024-01-07', '2024-01-08']);
    expect(periods({ startDate: '2023-06-01', endDate: '2024-01-02' })).toEqual(['2024-01-01', '2024-01-02']);
    expect(periods({ granularity: 'weekly', startDate: '2024-01-02' })).toEqual([]);
    expect(periods({ granularity: 'weekly', startDate: '2024-01-02', partial: true })).toEqual([
      '2024-W01',
      '2024-W02',
    ]);
  });

  it('is empty, with all columns, where no window is complete or in range', () => {
    const empties: StatisticsOptions[] = [
      { granularity: 'monthly' },
      { startDate: '2025-01-01' },
      { endDate: '2023-01-01', partial: true },
    ];
    for (const options of empties) {
      const result = tableFromIPC(tableToIPC(statistics(core, week(), { variable: 'precipitation', ...options })));
      expect(result.numRows).toBe(0);
      expect(result.schema.fields.map(({ name }) => name).join()).toBe(
        'variable,units,latitude,longitude,period,start,end,complete,n_days,n_members,mean,q05,q25,q50,q75,q95',
      );
    }
  });

  it('reads back from IPC with equal rows, null counts and metadata', () => {
    const place = { latitude: Array(16).fill(0).fill(37.3, 8), longitude: Array(16).fill(0).fill(-79.84, 8) };
    const days = Array.from({ length: 16 }, (_, i) => `2024-01-0${(i % 8) + 1}`);
    const rain = Array.from({ length: 16 }, (_, i) => (i % 5 === 0 ? null : i));
    const input = table({ date: dates(...days), ...place, rain }, { init_time: '2024-01-01T00:00:00Z', pandas: '{}' });
    for (const window of [{}, { window: 'max' as const, columns: { value: 'rain' } }]) {
      const result = statistics(core, input, { ...window, spread: true });
      const back = tableFromIPC(tableToIPC(result, 'file'));
      expect(rowsOf(back)).toEqual(rowsOf(result));
      expect(back.getChild('mean')?.nullCount).toBe(4);
      expect(back.getChild('spread')?.nullCount).toBe(16);
      expect(back.getChild('n_members')?.nullCount).toBe(0);
      expect(back.getChild('period')?.nullCount).toBe(0);
      expect(Object.fromEntries(back.schema.metadata)).toEqual({
        init_time: '2024-01-01T00:00:00Z',
        variable: 'precipitation',
        units: 'mm',
        granularity: 'daily',
        window: window.window ?? 'sum',
      });
    }
  });

  it('has null for an unknown variable and units, where the window rule is given', () => {
    const result = statistics(core, week(), { window: 'max', granularity: 'weekly', quantiles: [] });
    const tables: readonly Table[] = [result, tableFromIPC(tableToIPC(result))];
    for (const opened of tables) {
      expect(rowsOf(opened)).toMatchObject([{ variable: null, units: null, period: '2024-W01', mean: 3.75 }]);
      expect(opened.getChild('variable')?.nullCount).toBe(1);
      expect(opened.schema.metadata.has('variable')).toBe(false);
    }
  });

  it('has rows place by place, or window by window, in the order of the input', () => {
    const byDay = table({
      date: dates('2024-01-01', '2024-01-01', '2024-01-02', '2024-01-02'),
      lat: [1, 2, 1, 2],
      lon: [0, 0, 0, 0],
      rain: [1, 2, 3, 4],
    });
    const found = (input: Table) =>
      rowsOf(statistics(core, input)).map(({ latitude, period, mean }) => [latitude, period, mean]);
    expect(found(byDay)).toEqual([
      [1, '2024-01-01', 1],
      [2, '2024-01-01', 2],
      [1, '2024-01-02', 3],
      [2, '2024-01-02', 4],
    ]);
    const byPlace = table({
      date: dates('2024-01-01', '2024-01-02', '2024-01-02'),
      lat: [1, 1, 2],
      lon: [0, 0, 0],
      rain: [1, 3, 4],
    });
    expect(found(byPlace)).toEqual([
      [1, '2024-01-01', 1],
      [1, '2024-01-02', 3],
      [2, '2024-01-02', 4],
    ]);
  });
});
