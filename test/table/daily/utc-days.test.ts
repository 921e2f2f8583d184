import * as arrow from 'apache-arrow';
import { describe, expect, it } from 'vitest';
import { dailyTable } from '../../../src/table/daily/daily-table.js';
import { datedTable } from '../../../src/table/daily/dated-table.js';
import { findVariable } from '../../../src/variable/find-variable.js';

const variable = findVariable('precipitation');
const HOUR = 3_600_000;

/** Two members of daily rain at these times, in milliseconds, of a zone that the type of the column states. */
function rainAt(times: readonly number[], zone?: string, metadata?: Map<string, string>): arrow.Table {
  const type = new arrow.TimestampMillisecond(zone);
  const data = arrow.makeData({ type, data: BigInt64Array.from(times, BigInt) });
  const values = arrow.vectorFromArray(Float64Array.from(times, (_, day) => day));
  const table = new arrow.Table({ time: arrow.makeVector(data), member_0: values, member_1: values });
  return new arrow.Table(new arrow.Schema(table.schema.fields, metadata), table.batches);
}

const daysFrom = (start: string, count: number) =>
  Array.from({ length: count }, (_, day) => Date.parse(start) + day * 24 * HOUR);
const notesOf = (table: arrow.Table) => dailyTable(table, { variable }).conversions;

describe('daily values of another zone than UTC', () => {
  it('are an error where the type of their column states the zone', () => {
    expect(() => notesOf(rainAt(daysFrom('2026-03-01T23:00Z', 5), 'Europe/Berlin'))).toThrow(
      'column time: daily values of another zone than UTC; received "2026-03-01T23:00Z, zone Europe/Berlin"',
    );
    expect(notesOf(rainAt(daysFrom('2026-03-02T00:00Z', 5), 'Europe/London'))).toEqual([]);
  });

  it('are an error at any other time of their day than midnight of UTC, and where there is one alone', () => {
    for (const start of ['2026-03-02T05:00Z', '2026-03-02T11:00Z', '2026-03-02T12:00Z'])
      expect(() => notesOf(rainAt(daysFrom(start, 5), 'Europe/Berlin'))).toThrow('zone Europe/Berlin');
    expect(() => notesOf(rainAt(daysFrom('2026-03-01T12:00Z', 1), 'Pacific/Auckland'))).toThrow(
      'of another zone than UTC',
    );
    const withGaps = daysFrom('2026-03-01T23:00Z', 9).filter((_, day) => day % 4 !== 1);
    expect(() => notesOf(rainAt(withGaps, 'Europe/Berlin'))).toThrow('zone Europe/Berlin');
  });

  it('are an error in the evening of UTC, where the zone was lost', () => {
    expect(() => notesOf(rainAt(daysFrom('2026-03-01T23:00Z', 5), 'UTC'))).toThrow(
      'received "2026-03-01T23:00Z, midnight at UTC+01:00"',
    );
    expect(notesOf(rainAt(daysFrom('2026-03-01T06:00Z', 5), 'UTC'))).toEqual([
      'daily values dated 06:00 UTC are taken for values of that UTC day',
    ]);
  });

  it('are an error where texts state an offset', () => {
    const texts = (...dates: string[]) => {
      const values = arrow.vectorFromArray(Float64Array.from(dates, (_, day) => day));
      const time = arrow.vectorFromArray(dates, new arrow.Utf8());
      return new arrow.Table({ time, member_0: values, member_1: values });
    };
    expect(() => notesOf(texts('2026-03-02T06:00+01:00', '2026-03-03T06:00+01:00'))).toThrow('zone +01:00');
    expect(() => notesOf(texts('2026-03-28T00:00+01:00', '2026-03-30T00:00+02:00'))).toThrow('zone +01:00');
    expect(() => notesOf(texts('2026-03-01 23:00Z', '2026-03-02 23:00Z'))).toThrow('midnight at UTC+01:00');
    expect(notesOf(texts('2026-03-02T01:00+01:00', '2026-03-03T01:00+01:00'))).toEqual([]);
    expect(notesOf(texts('2026-03-02', '2026-03-03'))).toEqual([]);
  });

  it('are an error among shorter steps of other places', () => {
    const dates = [
      '2026-03-02T00:00+01:00',
      '2026-03-03T00:00+01:00',
      '2026-03-02T00:00+03:00',
      '2026-03-03T00:00+03:00',
    ];
    const table = new arrow.Table({
      latitude: arrow.vectorFromArray(Float64Array.of(1, 1, 2, 2)),
      longitude: arrow.vectorFromArray(new Float64Array(4)),
      time: arrow.vectorFromArray(dates, new arrow.Utf8()),
      precipitation: arrow.vectorFromArray(Float64Array.of(1, 2, 3, 4)),
    });
    expect(() => dailyTable(table, { variable, units: 'mm' })).toThrow('of another zone than UTC');
  });

  it.each<[string, (times: readonly number[]) => arrow.Vector]>([
    ['seconds since 1970', (times) => arrow.vectorFromArray(Float64Array.from(times, (time) => time / 1000))],
    [
      'milliseconds of a date',
      (times) =>
        arrow.makeVector(
          arrow.makeData({ type: new arrow.DateMillisecond(), data: BigInt64Array.from(times, BigInt) }),
        ),
    ],
  ])('are an error where they are midnight of a zone in the east as %s', (_, columnOf) => {
    const notes = (start: string) => {
      const time = columnOf(daysFrom(start, 5));
      const values = arrow.vectorFromArray(Float64Array.of(0, 1, 2, 3, 4));
      const { table, columns, notes } = datedTable(new arrow.Table({ time, member_0: values, member_1: values }));
      return [...notes, ...dailyTable(table, { variable, columns }).conversions];
    };
    expect(() => notes('2026-03-01T23:00Z')).toThrow('received "2026-03-01T23:00Z, midnight at UTC+01:00"');
    expect(notes('2026-03-01T23:59Z').at(-1)).toBe('daily values dated 23:59 UTC are taken for values of that UTC day');
    expect(notes('2026-03-01T06:00Z').at(-1)).toBe('daily values dated 06:00 UTC are taken for values of that UTC day');
    expect(notes('2026-03-02T00:00Z').join()).not.toContain('dated');
  });

  it('are no days where their times are missing, or beyond all dates', () => {
    const noon = Date.parse('2026-03-02T12:00Z');
    const beyond = rainAt([noon, 9e17]);
    expect(notesOf(beyond)).toEqual(notesOf(rainAt([noon])));
    const type = new arrow.TimestampMillisecond();
    const values = arrow.vectorFromArray(Float64Array.of(1, 2));
    const time = arrow.vectorFromArray([null, null], type);
    const undated = new arrow.Table({ time, member_0: values, member_1: values });
    expect(() => notesOf(undated)).toThrow('row 1, column time: missing date');
  });

  it('are an error where pandas states it, in Parquet', () => {
    const pandas = JSON.stringify({
      columns: [{ name: 'time', field_name: 'time', metadata: { timezone: 'Asia/Tokyo' } }],
    });
    const table = rainAt(daysFrom('2026-03-01T15:00Z', 5), 'UTC', new Map([['pandas', pandas]]));
    expect(() => notesOf(table)).toThrow('2026-03-01T15:00Z, zone Asia/Tokyo');
  });

  it('are an error where their times show the change to daylight saving time', () => {
    const times = [...daysFrom('2026-03-26T23:00Z', 3), ...daysFrom('2026-03-29T22:00Z', 3)];
    expect(() => notesOf(rainAt(times))).toThrow('received "23:00 and 22:00 UTC: local midnight in winter and summer');
  });

  it('are taken for those of the UTC day with a note where all are at one time of day; noon says nothing', () => {
    expect(notesOf(rainAt(daysFrom('2026-03-01T23:00Z', 5)))).toEqual([
      'daily values dated 23:00 UTC are taken for values of that UTC day',
    ]);
    expect(notesOf(rainAt(daysFrom('2026-03-01T12:00Z', 5)))).toEqual([]);
  });
});
