import { TimestampMillisecond } from 'apache-arrow';
import { describe, expect, it } from 'vitest';
import { dailyTable } from '../../../src/table/daily/index.js';
import { table, typed } from '../tables.js';

/** 2026-03-02. */
const FIRST = Date.UTC(2026, 2, 2);
const HOUR = 3_600_000;
const at = (hours: readonly number[]) =>
  typed(
    new TimestampMillisecond(),
    hours.map((hour) => FIRST + hour * HOUR),
  );
/** Each 6 hours: the value is the number of hours at which it is written. */
const HOURS = [0, 6, 12, 18, 24, 30, 36, 42, 48];
const rain = { variable: 'precipitation', units: 'mm', accumulation: 'per-step' } as const;

function daysOf(values: readonly (number | null)[], options: object = {}, more: object = {}, metadata = {}) {
  const made = dailyTable(table({ time: at(HOURS), precipitation: values, ...more } as never, metadata), {
    ...rain,
    ...options,
  });
  const [day] = made.table.toArray();
  return { first: day?.toJSON().member_00 as number, times: made.times, warnings: made.warnings };
}

const STARTS = 0 + 6 + 12 + 18;
const ENDS = 6 + 12 + 18 + 24;

describe('the times of steps in tables', () => {
  it('are starts by default, with a warning that names the option', () => {
    expect(daysOf(HOURS)).toEqual({
      first: STARTS,
      times: expect.objectContaining({ stamps: 'start', by: 'since nothing states it' }),
      warnings: [
        'times of precipitation are taken for the starts of steps, since nothing states it; the option stamps decides otherwise',
      ],
    });
  });

  it('are what the option says, without a warning', () => {
    expect(daysOf(HOURS, { stamps: 'end' })).toMatchObject({ first: ENDS, warnings: [] });
    expect(daysOf(HOURS, { stamps: 'start' })).toMatchObject({ first: STARTS, warnings: [] });
  });

  it('are ends in tables that state the start of their run, as forecasts stamp values, or begin with its first step', () => {
    const init = { init_time: '2026-03-01T00:00:00Z' };
    expect(daysOf(HOURS, {}, {}, init)).toMatchObject({
      first: ENDS,
      warnings: [expect.stringContaining('ends of steps, as forecasts stamp values')],
    });
    const later = { init_time: '2026-03-01T18:00:00Z' };
    expect(daysOf(HOURS, {}, {}, later).warnings).toEqual([
      expect.stringContaining('as they begin 6 h after the start'),
    ]);
  });

  it('are starts where there are values at the start of the run, ends where other columns alone have some', () => {
    const init = { init_time: '2026-03-02T00:00:00Z' };
    expect(daysOf(HOURS, {}, {}, init)).toMatchObject({
      first: STARTS,
      warnings: [expect.stringContaining('starts of steps, as there are values at the start of the run')],
    });
    const absent = [null, ...HOURS.slice(1)];
    const other = { temperature_2m: HOURS.map((hour) => hour / 4) };
    expect(daysOf(absent, {}, other, init)).toMatchObject({
      first: ENDS,
      warnings: [expect.stringContaining('ends of steps, as there is no value at the start of the run')],
    });
  });

  it('are what metadata of the column or the table state, without a warning', () => {
    const words = [{ GRIB_stepType: 'accum' }, { long_name: 'precipitation in the last 6 hours' }];
    for (const metadata of words) {
      expect(daysOf(HOURS, {}, {}, metadata)).toMatchObject({ first: ENDS, warnings: [] });
    }
  });

  it('are instants for temperatures, of which no default changes a day', () => {
    const made = dailyTable(table({ time: at(HOURS), t2m: HOURS } as never), { units: 'degC' });
    expect([made.warnings, made.times?.stamps]).toEqual([[], 'instant']);
  });

  it('cannot be said of daily values, which are of the dates that are written', () => {
    const made = table({ date: ['2026-03-02', '2026-03-03'], precipitation: [1, 2] });
    expect(() => dailyTable(made, { units: 'mm', stamps: 'end' })).toThrow(
      'stamps: is for time steps, and values are daily: of the dates as written; received "end"; allowed: several times a day',
    );
  });
});
