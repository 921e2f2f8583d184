import { type Table, TimestampMicrosecond } from 'apache-arrow';
import { describe, expect, it } from 'vitest';
import { dailyTables } from '../../../src/input/table-ensembles.js';
import type { DailyTableOptions } from '../../../src/table/daily/daily-options.js';
import { dailyTable } from '../../../src/table/daily/index.js';
import { findVariable } from '../../../src/variable/find-variable.js';
import { columnsOf } from '../../files/table-rows.js';
import { counted, hourlyRain, seeded } from '../../period/rain-series.js';
import { daysFrom, table, typed } from '../tables.js';

/** 2024-01-05, in seconds. */
const START = 19_727 * 86_400;
const DAYS = 10;
const options: DailyTableOptions = { variable: findVariable('precipitation'), units: 'm', source: 'rain' };
const random = seeded(7);
const HOURLY = Array.from({ length: 4 }, () => hourlyRain(random, DAYS * 24));
const DAILY = HOURLY.map((hourly) =>
  Array.from({ length: DAYS }, (_, day) => hourly.slice(24 * day, 24 * day + 24).reduce((a, b) => a + b, 0)),
);
const SINCE_START = Number.POSITIVE_INFINITY;

/** Series of metres by step; those of the first place aside, the second may be dry. */
function series(reset: number, step = 6, hourly = HOURLY): number[][] {
  return hourly.map((hours) => Array.from(counted(hours, step, reset), (amount) => amount / 1000));
}

function steps(count: number, step = 6): number[] {
  return Array.from({ length: count }, (_, i) => START + (i + 1) * step * 3600);
}

/** Two members in each row, two places one after the other. */
function wide(values: readonly (readonly number[])[], metadata: Record<string, string> = {}, step = 6): Table {
  const times = steps(values[0].length, step);
  const made = table({
    latitude: times.map(() => 60).concat(times.map(() => 50)),
    longitude: [...times, ...times].map(() => 8),
    time: typed(
      new TimestampMicrosecond(),
      [...times, ...times].map((time) => time * 1000),
    ),
    member_00: [...values[0], ...values[2]],
    member_01: [...values[1], ...values[3]],
  });
  for (const [key, value] of Object.entries(metadata)) made.schema.metadata.set(key, value);
  return made;
}

function expectDays(made: Table, lost = 0): void {
  const { member_00, member_01 } = columnsOf(made);
  const expected = [DAILY[0], DAILY[1], DAILY[2], DAILY[3]];
  const found = [member_00.slice(0, DAYS), member_01.slice(0, DAYS), member_00.slice(DAYS), member_01.slice(DAYS)];
  for (const [i, days] of found.entries()) {
    expect(days).toHaveLength(DAYS);
    for (const [day, value] of days.entries()) {
      if (day < lost) expect(value).toBeNull();
      else expect(value).toBeCloseTo(expected[i][day], 9);
    }
  }
}

const HOW = 'differences of neighbouring steps to daily sums';

describe('dailyTable of amounts of steps', () => {
  it('takes differences of amounts since the start of a run, which their values show', () => {
    const made = dailyTable(wide(series(SINCE_START), { init_time: '2024-01-05T00:00:00Z' }), options);
    expectDays(made.table);
    expect([made.accumulation, made.conversions]).toEqual([
      ...['since-start', ['m to mm', `amounts since the start of the run, by their values: ${HOW}`]],
    ]);
  });

  it('has no first day where nothing states when the run began', () => {
    expectDays(dailyTable(wide(series(SINCE_START)), options).table, 1);
  });

  it('takes differences within buckets, and sums amounts of each step', () => {
    expectDays(dailyTable(wide(series(6, 3), {}, 3), options).table);
    expectDays(dailyTable(wide(series(12, 3), {}, 3), { ...options, accumulation: 'buckets-12h' }).table);
    const each = dailyTable(wide(series(0)), { ...options, stamps: 'end' });
    expectDays(each.table);
    expect(each.conversions).toEqual([
      'm to mm',
      'amounts of each step, by their values',
      '6-hourly values to daily sums',
    ]);
  });

  it('knows the start of a run by a column, in long tables too', () => {
    const values = series(SINCE_START);
    const times = steps(values[0].length);
    const rows = values
      .slice(0, 2)
      .flatMap((one, member) => one.map((value, i) => ({ member, value, time: times[i] })));
    const long = table({
      valid_time: typed(
        new TimestampMicrosecond(),
        rows.map(({ time }) => time * 1000),
      ),
      time: typed(
        new TimestampMicrosecond(),
        rows.map(() => START * 1000),
      ),
      number: rows.map(({ member }) => member),
      value: rows.map(({ value }) => value),
    });
    const { member_00, member_01 } = columnsOf(dailyTable(long, options).table);
    expect((member_00 as number[]).every((value, day) => Math.abs(value - DAILY[0][day]) < 1e-9)).toBe(true);
    expect((member_01 as number[]).every((value, day) => Math.abs(value - DAILY[1][day]) < 1e-9)).toBe(true);
  });

  it('is decided by metadata before values', () => {
    const metadata = { GRIB_startStep: '0', init_time: '2024-01-05' };
    const made = dailyTable(wide(series(SINCE_START), metadata), options);
    expectDays(made.table);
    expect(made.conversions.join()).toContain('by the step ranges of GRIB');
  });

  it('needs the option where nothing states it, and takes it', () => {
    const short = wide(series(SINCE_START).map((values) => values.map((_, i) => i + 1).slice(0, 7)));
    expect(() => dailyTable(short, options)).toThrow(
      /^rain, accumulation: nothing shows whether the amounts of precipitation .* accumulation: 'per-step' \| 'since-start' \| /,
    );
    expect(dailyTable(short, { ...options, accumulation: 'per-step' }).accumulation).toBe('per-step');
    expect(() => dailyTable(short, { ...options, accumulation: 'x' as 'buckets' })).toThrow('accumulation: unknown');
  });

  it('is an error for growing amounts that fall, which names the row', () => {
    const values = series(SINCE_START);
    values[3][30] = 0;
    expect(() => dailyTable(wide(values), { ...options, accumulation: 'since-start' })).toThrow(
      /^rain, row 71, column member_01: growing amounts fall at 2024-01-12T18:00:00.000Z \(50, 8\); received "\d\.\d+, then 0"; allowed: .*accumulation: 'per-step'/,
    );
  });

  it('rejects rates that are said to accumulate', () => {
    const said = { ...options, units: 'mm h-1', accumulation: 'since-start' } as const;
    expect(() => dailyTable(wide(series(0)), said)).toThrow('precipitation is given as rates, which do not accumulate');
  });
});

describe('dailyTable of daily amounts', () => {
  const daily = (metadata: Record<string, string> = {}) => {
    const made = table({ date: daysFrom('2024-01-05', 5), precipitation: [1, 3, 3, 8, 9] });
    for (const [key, value] of Object.entries(metadata)) made.schema.metadata.set(key, value);
    return made;
  };

  it('leaves them as they are, but takes differences where the option or metadata say that they grow', () => {
    expect(dailyTable(daily()).conversions).toEqual([]);
    const grown = [null, 2, 0, 5, 1];
    expect(columnsOf(dailyTable(daily(), { accumulation: 'since-start' }).table).member_00).toEqual(grown);
    const named = dailyTable(daily({ long_name: 'rain since the start of the run', init_time: '2024-01-05' }));
    expect(columnsOf(named.table).member_00).toEqual([1, ...grown.slice(1)]);
  });
});

describe('a stream of tables', () => {
  it('is decided once: a place that is dry leaves it open, and the first wet one settles it', async () => {
    const dry = Array.from({ length: 2 }, () => new Float64Array(DAYS * 24));
    const made = wide(series(SINCE_START, 6, [...dry, HOURLY[2], HOURLY[3]]), { init_time: '2024-01-05' });
    const rows = made.numRows / 2;
    async function* parts() {
      yield made.slice(0, rows + 1);
      yield made.slice(rows + 1);
    }
    const daily = await dailyTables(parts(), options, { areViews: false });
    const found: Table[] = [];
    for await (const one of daily.tables) found.push(one);
    expect(daily.shown.notes).toEqual(['m to mm', `amounts since the start of the run, by their values: ${HOW}`]);
    expect(daily.shown.accumulation).toBe('since-start');
    const second = columnsOf(found[found.length - 1]).member_01 as number[];
    expect(second.every((value, day) => Math.abs(value - DAILY[3][day]) < 1e-9)).toBe(true);
  });
});
