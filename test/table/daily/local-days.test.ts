import * as arrow from 'apache-arrow';
import { describe, expect, it } from 'vitest';
import { blend, deriveVariable } from '../../../src/blend/index.js';
import { climatology } from '../../../src/climate/index.js';
import { loadCore } from '../../../src/core/load.js';
import { statisticsJson } from '../../../src/respond/v2/statistics-json.js';
import { ingestForecast } from '../../../src/service/ingest/index.js';
import { statistics } from '../../../src/statistics/statistics.js';
import { withMetadata } from '../../../src/table/arrow/with-metadata.js';
import type { GivenDailyOptions } from '../../../src/table/daily/daily-options.js';
import { dailyTable } from '../../../src/table/daily/daily-table.js';
import { filesOf, horizonTables, RecordingWriter } from '../../service/ingest/recording-writer.js';

const core = await loadCore();
const BERLIN = new Map([['time_zone', 'Europe/Berlin']]);
const HOUR = 3_600_000;

const metadataOf = (units: string) =>
  new Map([['units', units], ...(units === 'mm' ? [['variable', 'precipitation'] as const] : [])]);

/** A table of one value a step, from a time on. */
function stepTable(start: string, hours: number, values: readonly number[], units = 'mm', zone?: string): arrow.Table {
  const ticks = BigInt64Array.from(values, (_, i) => BigInt(Date.parse(start) + i * hours * HOUR));
  const time = arrow.makeData({ type: new arrow.TimestampMillisecond(zone), data: ticks });
  const table = new arrow.Table({
    time: arrow.makeVector(time),
    member_00: arrow.vectorFromArray(Float64Array.from(values)),
    member_01: arrow.vectorFromArray(Float64Array.from(values, (value) => 2 * value)),
  });
  return new arrow.Table(new arrow.Schema(table.schema.fields, metadataOf(units)), table.batches);
}

/** Dates and the values of the first member. */
function days(table: arrow.Table): [string, number][] {
  const [dates, values] = [table.getChild('date') as arrow.Vector, table.getChild('member_00') as arrow.Vector];
  return Array.from(dates, (date, row) => [new Date(Number(date)).toISOString().slice(0, 10), values.get(row)]);
}

const made = (table: arrow.Table, options: GivenDailyOptions) => dailyTable(table, options);
const ones = (count: number) => new Array<number>(count).fill(1);
const rain = { variable: 'precipitation', accumulation: 'per-step', stamps: 'start' } as const;

describe('dailyTable with a time zone', () => {
  it('makes days of 23 and 25 hours where clocks are changed', () => {
    const { table, conversions } = made(stepTable('2026-03-27T23:00Z', 1, ones(24 * 3 - 1)), {
      ...rain,
      timeZone: 'Europe/Berlin',
    });
    expect(days(table)).toEqual([
      ['2026-03-28', 24],
      ['2026-03-29', 23],
      ['2026-03-30', 24],
    ]);
    expect(conversions).toContain('days of Europe/Berlin');
    expect(table.schema.metadata.get('time_zone')).toBe('Europe/Berlin');
    const autumn = made(stepTable('2026-10-23T22:00Z', 1, ones(73)), { ...rain, timeZone: 'Europe/Berlin' });
    expect(days(autumn.table).map(([, value]) => value)).toEqual([24, 25, 24]);
  });

  it('apportions amounts of steps in two days by hours, and counts them', () => {
    // Steps of 6 hours from 00 UTC; midnight in India is 18:30 UTC.
    const values = Array.from({ length: 12 }, (_, i) => 12 * (i + 1));
    const { table, conversions } = made(stepTable('2026-03-01T00:00Z', 6, values), { ...rain, timeZone: '+05:30' });
    const expected = (first: number) =>
      12 * ((first * 5.5) / 6 + (first + 1) + (first + 2) + (first + 3) + ((first + 4) * 0.5) / 6);
    expect(days(table)).toEqual([
      ['2026-03-02', expect.closeTo(expected(4), 10)],
      ['2026-03-03', expect.closeTo(expected(8), 10)],
    ]);
    expect(conversions).toContain('days of +05:30: 3 steps lie in one only in part, apportioned by hours');
  });

  it('apportions amounts since the start of the run', () => {
    const perStep = Array.from({ length: 12 }, (_, i) => i + 1);
    let sum = 0;
    const grown = perStep.map((value) => (sum += value));
    const options = { ...rain, timeZone: '+05:30' } as const;
    const plain = days(made(stepTable('2026-03-01T06:00Z', 6, perStep), { ...options, stamps: 'end' }).table);
    const since = { ...options, stamps: 'end', accumulation: 'since-start' } as const;
    const growing = days(made(stepTable('2026-03-01T06:00Z', 6, grown), since).table);
    expect(growing.map(([date]) => date)).toEqual(plain.map(([date]) => date));
    for (const [i, [, value]] of growing.entries()) expect(value).toBeCloseTo(plain[i][1], 10);
  });

  it('weights means by the part of each step', () => {
    const values = [0, 0, 0, 6, 0, 0, 0, 12, 0, 0, 0, 0];
    const table = stepTable('2026-03-01T00:00Z', 6, values, 'degC');
    const options = { variable: 'temp_mean', stamps: 'start', timeZone: '+05:30' } as const;
    expect(days(made(table, options).table)).toEqual([
      ['2026-03-02', expect.closeTo((6 * 5.5 + 12 * 0.5) / 24, 12)],
      ['2026-03-03', expect.closeTo((12 * 5.5) / 24, 12)],
    ]);
  });

  it('rejects extremes of steps in two days, unless they count for both', () => {
    const values = [1, 2, 3, 9, 1, 1, 1, 4, 1, 1, 1, 1];
    const table = stepTable('2026-03-01T00:00Z', 6, values, 'degC');
    const options = { variable: 'temp_max', stamps: 'start', timeZone: '+05:30' } as const;
    expect(() => made(table, options)).toThrow(
      'column member_00: extremes of steps that cross the limits of days (days of +05:30); received "2026-03-01T18:00Z to 2026-03-02T00:00Z"',
    );
    const { table: split, conversions } = made(table, { ...options, splitExtremes: true });
    expect(days(split).map(([, value]) => value)).toEqual([9, 4]);
    expect(conversions).toContain('days of +05:30: 3 steps lie in one only in part, its extreme counts for each day');
    // Instants lie in one day.
    expect(days(made(table, { ...options, stamps: 'instant' }).table).map(([, value]) => value)).toEqual([9, 4, 1]);
  });

  it('begins days at another hour, and makes parts of days', () => {
    const values = Array.from({ length: 72 }, (_, i) => (i % 24 === 6 ? 10 : i % 24 === 20 ? 1 : 0));
    const hourly = stepTable('2026-03-01T00:00Z', 1, values);
    expect(days(made(hourly, { ...rain, dayStart: '07' }).table)).toEqual([
      ['2026-03-01', 11],
      ['2026-03-02', 11],
    ]);
    const part = made(hourly, { ...rain, hours: '18-06' }).table;
    expect(days(part)).toEqual([
      ['2026-03-01', 1],
      ['2026-03-02', 1],
    ]);
    expect(part.schema.metadata.get('day_hours')).toBe('18:00-06:00');
    expect(days(made(hourly, { ...rain, hours: '06-12', timeZone: '+01:00' }).table).map(([, value]) => value)).toEqual(
      [10, 10, 10],
    );
  });

  it('says where none of its days is there', () => {
    expect(() => made(stepTable('2026-03-01T00:00Z', 1, ones(24)), { ...rain, timeZone: 'Europe/Berlin' })).toThrow(
      'none of the days of Europe/Berlin is covered by its time steps',
    );
  });

  it('rejects dates of a model calendar', () => {
    const table = stepTable('2026-03-01T00:00Z', 6, ones(12));
    expect(() => made(table, { ...rain, timeZone: 'Europe/Berlin', calendar: 'noleap' })).toThrow(
      'timeZone: dates are of a model calendar, which has no zones; received "noleap"',
    );
  });
});

describe('daily values of a zone that is named', () => {
  const berlin = { variable: 'precipitation', timeZone: 'Europe/Berlin' } as const;

  it('keep their dates', () => {
    const { table, conversions } = made(stepTable('2026-03-28T00:00Z', 24, [1, 2, 3]), berlin);
    expect(table.schema.metadata.get('time_zone')).toBe('Europe/Berlin');
    expect(conversions).toContain('daily values are kept as days of Europe/Berlin');
    expect(statistics(core, table).schema.metadata.get('time_zone')).toBe('Europe/Berlin');
  });

  it('have the dates of the days that begin at their times, where these state a zone', () => {
    const times = ['2026-03-28T00:00+01:00', '2026-03-29T00:00+01:00', '2026-03-30T00:00+02:00'];
    const texts = arrow.tableFromArrays({ date: times, precipitation: Float64Array.of(1, 2, 3) });
    const table = made(texts, { ...berlin, units: 'mm' }).table;
    expect(
      statistics(core, table, { variable: 'precipitation' })
        .toArray()
        .map((row) => row?.period),
    ).toEqual(['2026-03-28', '2026-03-29', '2026-03-30']);
    expect(() => made(texts, { ...berlin, units: 'mm', timeZone: 'Asia/Kolkata' })).toThrow(
      'row 1, column date: daily values are not of days of Asia/Kolkata; received "2026-03-27T23:00Z, zone +01:00"',
    );
    const ofUtc = stepTable('2026-03-28T00:00Z', 24, [1, 2, 3], 'mm', 'UTC');
    expect(() => made(ofUtc, berlin)).toThrow('daily values are not of days of Europe/Berlin');
  });

  it('are not divided, and are of the days that the table states', () => {
    const daily = stepTable('2026-03-28T00:00Z', 24, [1, 2, 3]);
    expect(() => made(daily, { ...berlin, hours: '06-18' })).toThrow(
      'hours: values are daily: parts of days cannot be made of them; received "06:00-18:00"; allowed: time steps',
    );
    expect(() => made(daily, { ...berlin, dayStart: '06' })).toThrow('days that begin at another hour cannot be made');
    const { table } = made(daily, berlin);
    expect(() => made(table, { ...berlin, timeZone: 'Asia/Tokyo' })).toThrow(
      'timeZone: values are daily, and of other days, as the data state; received "days of Asia/Tokyo"; allowed: days of Europe/Berlin',
    );
    expect(made(table, berlin).table.schema.metadata.get('time_zone')).toBe('Europe/Berlin');
  });
});

describe('days of different zones', () => {
  const ofZone = (timeZone: string, start = '2026-03-01T00:00Z') =>
    made(stepTable(start, 24, [1, 2, 3, 4, 5]), { variable: 'precipitation', timeZone }).table;
  const ofUtc = made(stepTable('2026-03-03T00:00Z', 24, [1, 2, 3, 4, 5]), { variable: 'precipitation' }).table;

  it('are not blended', () => {
    const both = [ofZone('Europe/Berlin'), ofZone('Asia/Tokyo', '2026-03-03T00:00Z')];
    expect(() => blend(core, both)).toThrow(
      'another zone of its days; received "days of Asia/Tokyo"; allowed: days of Europe/Berlin',
    );
    expect(() => blend(core, [ofZone('Europe/Berlin'), ofUtc])).toThrow('received "days of UTC"');
  });

  it('are not one climatology, nor compared with one', () => {
    const options = { reference: '2026-2026', granularity: 'monthly' } as const;
    expect(() => climatology(core, [ofZone('Europe/Berlin'), ofUtc], options)).toThrow('another zone of its days');
    const march = made(stepTable('2026-03-01T00:00Z', 24, ones(31)), { timeZone: 'Europe/Berlin' }).table;
    const months = climatology(core, march, options);
    expect(months.metadata.get('time_zone')).toBe('Europe/Berlin');
    expect(() => statistics(core, ofUtc, { granularity: 'monthly', climatology: months })).toThrow(
      'its days are not those of the climatology; received "days of UTC"; allowed: days of Europe/Berlin',
    );
  });

  it('give no derived variable together', () => {
    const named = (variable: 'temp_mean' | 'relative_humidity', timeZone?: string) => {
      const daily = stepTable('2026-03-01T00:00Z', 24, [1, 2, 3], variable === 'temp_mean' ? 'degC' : '%');
      return made(daily, { variable, ...(timeZone && { timeZone }) }).table;
    };
    const inputs = (zone?: string) => ({
      temp_mean: named('temp_mean', 'Europe/Berlin'),
      relative_humidity: named('relative_humidity', zone),
    });
    const derived = deriveVariable('dew_point', inputs('Europe/Berlin'));
    expect(derived.schema.metadata.get('time_zone')).toBe('Europe/Berlin');
    expect(() => deriveVariable('dew_point', inputs())).toThrow('another zone of its days; received "days of UTC"');
  });

  it('are no input of a store', async () => {
    const tables = { precipitation: withMetadata(horizonTables('short-term').precipitation, BERLIN) };
    const given = ingestForecast(core, new RecordingWriter(), { files: filesOf('short-term', tables) });
    await expect(given).rejects.toThrow('the service has days of UTC alone; received "days of Europe/Berlin"');
  });

  it('are no body of the service', () => {
    expect(() => statisticsJson(statistics(core, ofZone('Europe/Berlin')))).toThrow(
      'the body has days of UTC alone; received "days of Europe/Berlin"',
    );
  });
});
