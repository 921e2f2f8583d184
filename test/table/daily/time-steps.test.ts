import { tableFromArrays } from 'apache-arrow';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { loadCore } from '../../../src/core/load.js';
import { stepStatistics } from '../../../src/statistics/step-statistics.js';
import { dailyTable } from '../../../src/table/daily/daily-table.js';
import { timeSteps } from '../../../src/table/daily/time-steps.js';

const core = await loadCore();
const RAIN = { variable: 'precipitation', units: 'mm' } as const;

/** Times every so many hours from 2 March 2026 on. */
const hours = (count: number, step: number, first = 0) =>
  Array.from({ length: count }, (_, i) => new Date(Date.UTC(2026, 2, 2, first + i * step)).toISOString());
const column = (of: { getChild(name: string): Iterable<unknown> | null }, name: string) => [
  ...(of.getChild(name) ?? []),
];
const timesOf = (of: Parameters<typeof column>[0], name: string) =>
  column(of, name).map((time) => new Date(Number(time)).toISOString().slice(5, 16));

describe('timeSteps', () => {
  it('keeps the amounts of steps, and says from when to when they are', () => {
    const given = tableFromArrays({ time: hours(3, 6, 6), precipitation: Float64Array.of(1, 0, 2.5) });
    const { table, conversions } = timeSteps(given, { ...RAIN, accumulation: 'per-step', stamps: 'end' });
    expect(timesOf(table, 'start')).toEqual(['03-02T00:00', '03-02T06:00', '03-02T12:00']);
    expect(timesOf(table, 'end')).toEqual(['03-02T06:00', '03-02T12:00', '03-02T18:00']);
    expect(column(table, 'member_00')).toEqual([1, 0, 2.5]);
    expect(table.schema.metadata.get('granularity')).toBe('steps');
    expect(conversions).toEqual(['amounts of each step, by the option accumulation']);
  });

  it('makes differences of amounts that grow; what fell before the first step is not known without the run', () => {
    const given = tableFromArrays({ time: hours(4, 6, 6), precipitation: Float64Array.of(1, 1, 3, 3.5) });
    const { table } = timeSteps(given, { ...RAIN, accumulation: 'since-start' });
    expect(column(table, 'member_00')).toEqual([null, 0, 2, 0.5]);
  });

  it('converts units, and rates to amounts of their step', () => {
    const kelvin = tableFromArrays({ time: hours(2, 6), t2m: Float64Array.of(273.15, 274.15) });
    const degrees = timeSteps(kelvin, { variable: 'temp_mean', units: 'K', columns: { value: 't2m' } }).table;
    expect(column(degrees, 'member_00').map((value) => Math.round(Number(value)))).toEqual([0, 1]);
    const rates = tableFromArrays({ time: hours(3, 3), precipitation: Float64Array.of(1, 0, 1) });
    const amounts = timeSteps(rates, { variable: 'precipitation', units: 'mm h-1', stamps: 'start' }).table;
    expect(column(amounts, 'member_00')).toEqual([3, 0, 3].map((value) => expect.closeTo(value, 9)));
  });

  it('gives instants one time, and names the zone', () => {
    const given = tableFromArrays({ time: hours(2, 6), temp_mean: Float64Array.of(1, 2) });
    const { table } = timeSteps(given, { units: 'degC', stamps: 'instant', timeZone: 'Asia/Kolkata' });
    expect(timesOf(table, 'start')).toEqual(['03-02T00:00', '03-02T06:00']);
    expect(column(table, 'end')).toEqual(column(table, 'start'));
    expect(table.schema.metadata.get('time_zone')).toBe('Asia/Kolkata');
  });

  it('has a row for each place and step, in order, and null for steps that a member does not have', () => {
    const given = tableFromArrays({
      latitude: Float64Array.of(2, 2, 1, 1, 1, 2),
      longitude: new Float64Array(6),
      time: [...hours(2, 6), ...hours(3, 6), ...hours(1, 6, 12)],
      member: ['a', 'a', 'a', 'a', 'b', 'b'],
      temp_mean: Float64Array.of(1, 2, 3, 4, 5, 6),
    });
    const all = tableFromArrays({
      latitude: Float64Array.of(2, 2, 2, 2, 2),
      time: [...hours(3, 6), ...hours(2, 6, 6)],
      longitude: new Float64Array(5),
      member: ['a', 'a', 'a', 'b', 'b'],
      temp_mean: Float64Array.of(1, 2, 3, 4, 5),
    });
    const options = { units: 'degC', stamps: 'instant' } as const;
    const { table } = timeSteps(all, options);
    expect([column(table, 'member_00'), column(table, 'member_01')]).toEqual([
      [1, 2, 3],
      [null, 4, 5],
    ]);
    expect(column(timeSteps(given, options).table, 'latitude')).toEqual([2, 2, 1, 1]);
  });

  it('reads times of a model calendar', () => {
    const time = ['2026-02-30T00:00', '2026-02-30T06:00'];
    const given = tableFromArrays({ time, temp_mean: Float64Array.of(1, 2) });
    const { table } = timeSteps(given, { units: 'degC', stamps: 'instant', calendar: '360_day' });
    expect(column(table, 'start')).toEqual(['2026-02-30T00:00:00', '2026-02-30T06:00:00']);
    expect(column(stepStatistics(core, table), 'mean')).toEqual([1, 2]);
  });

  it.each([
    ['daily values', { time: ['2026-03-02', '2026-03-03'], temp_mean: Float64Array.of(1, 2) }, 'has no time steps'],
    [
      'series whose steps have different lengths',
      {
        time: [...hours(3, 6), ...hours(5, 3)],
        member: [...'aaa', ...'bbbbb'],
        temp_mean: Float64Array.from({ length: 8 }, (_, i) => i),
      },
      'has other lengths in other series',
    ],
  ])('rejects %s', (_, columns, message) => {
    const given = tableFromArrays(columns as Record<string, Float64Array | string[]>);
    expect(() => timeSteps(given, { units: 'degC', stamps: 'start' })).toThrow(message);
  });

  it('has the amounts of days in its steps', () => {
    const amount = fc.integer({ min: 0, max: 400 }).map((value) => value / 8);
    fc.assert(
      fc.property(
        fc.constantFrom(1, 2, 3, 6, 12),
        fc.array(amount, { minLength: 48, maxLength: 48 }),
        fc.boolean(),
        (step, values, grows) => {
          const count = 48 / step;
          const own = values.slice(0, count);
          const sums = own.map((_, i) => own.slice(0, i + 1).reduce((a, b) => a + b, 0));
          const given = tableFromArrays({
            time: hours(count, step, step),
            precipitation: Float64Array.from(grows ? sums : own),
            init_time: Array(count).fill(hours(1, 1)[0]),
          });
          const options = { ...RAIN, accumulation: grows ? 'since-start' : 'per-step', stamps: 'end' } as const;
          const steps = column(timeSteps(given, options).table, 'member_00').map(Number);
          expect(steps).toEqual(own);
          const days = column(dailyTable(given, options).table, 'member_00');
          const ofDay = (day: number) =>
            steps.slice((day * count) / 2, ((day + 1) * count) / 2).reduce((a, b) => a + b, 0);
          expect(days).toEqual([ofDay(0), ofDay(1)]);
        },
      ),
      { numRuns: 30 },
    );
  });
});

describe('stepStatistics', () => {
  it('has statistics of the members of each step', () => {
    const given = tableFromArrays({
      ...{ latitude: Float64Array.of(1, 1), longitude: Float64Array.of(2, 2), time: hours(2, 3) },
      temp_mean_member_1: Float64Array.of(1, 10),
      temp_mean_member_2: Float64Array.of(3, 20),
    });
    const { table } = timeSteps(given, { variable: 'temp_mean', units: 'degC', stamps: 'instant' });
    const found = stepStatistics(core, table, { quantiles: [0.5], thresholds: ['>2'] });
    expect(found.schema.fields.map(({ name }) => name)).toEqual([
      'variable',
      'units',
      'latitude',
      'longitude',
      'start',
      'end',
      'n_members',
      'mean',
      'q50',
      'p_gt_2',
    ]);
    expect(timesOf(found, 'start')).toEqual(['03-02T00:00', '03-02T03:00']);
    expect([column(found, 'mean'), column(found, 'q50'), column(found, 'p_gt_2')]).toEqual([
      [2, 15],
      [2, 15],
      [0.5, 1],
    ]);
    expect(found.schema.metadata.get('granularity')).toBe('steps');
  });

  it('rejects a table of days', () => {
    const days = tableFromArrays({ date: ['2026-03-02'], temp_mean: Float64Array.of(1) });
    expect(() => stepStatistics(core, days)).toThrow('is not a table of time steps');
  });
});
