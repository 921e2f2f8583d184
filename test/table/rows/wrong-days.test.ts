import { TimestampMillisecond } from 'apache-arrow';
import { describe, expect, it } from 'vitest';
import { dates, messageOf, read, table, typed } from '../tables.js';

const source = 'rain.csv';
type Columns = Parameters<typeof table>[0];
const failure = (columns: Columns, roles = {}) => messageOf(() => read(table(columns), { source, columns: roles }));
const twice = dates('2024-01-01', '2024-01-01');

describe('a day given twice', () => {
  it('in a wide table: the remedy is a member column', () => {
    expect(failure({ date: dates('2024-01-01', '2024-01-02', '2024-01-02'), m1: [1, 2, 3] })).toBe(
      'DataError rain.csv, row 3, column date: day given twice; received "2024-01-02"; allowed: each day once; a table with one row per member needs a column of members: columns: { member: \'NAME\' }',
    );
  });

  it('at a place or for a member: both are named', () => {
    expect(failure({ date: twice, lat: [1, 1], lon: [2, 2], m1: [1, 2] })).toMatch(
      /^DataError rain.csv, row 2, column date: day given twice at 1, 2; received "2024-01-01";/,
    );
    expect(failure({ date: twice, lat: [1, 1], lon: [2, 2], member: ['a', 'a'], value: [1, 2] })).toBe(
      'DataError rain.csv, row 2, column date: day given twice for member a at 1, 2; received "2024-01-01"; allowed: each day once',
    );
  });

  it('at several times: sub-daily values must be combined first', () => {
    const message =
      'DataError rain.csv, row 2, column date: several times of one day; received "2024-01-01T06:00:00Z"; allowed: one value a day; make daily values of them first';
    const hourly = typed(new TimestampMillisecond(), [1704067200000, 1704088800000]);
    expect(failure({ date: hourly, m1: [1, 2] })).toBe(message);
    expect(failure({ date: ['2024-01-01T00:00:00Z', '2024-01-01T06:00:00Z'], m1: [1, 2] })).toBe(message);
    expect(failure({ date: hourly, member: [1, 1], value: [1, 2] })).toBe(
      message.replace('of one day', 'of one day for member 1'),
    );
    const byTime = {
      date: typed(
        new TimestampMillisecond(),
        [0, 0, 6, 6].map((h) => 1704067200000 + h * 3600000),
      ),
    };
    expect(failure({ ...byTime, lat: [1, 2, 1, 2], lon: [0, 0, 0, 0], m1: [1, 2, 3, 4] })).toBe(
      message.replace('row 2', 'row 3').replace('of one day', 'of one day at 1, 0'),
    );
  });

  it('in rows that differ in a column: one must be kept, or the column names members', () => {
    expect(
      failure({ date: twice, reference_datetime: dates('2023-12-31', '2024-01-01'), member: [1, 1], value: [1, 2] }),
    ).toMatch(
      /day given twice for member 1, in rows that differ in reference_datetime; .* allowed: each day once; keep one reference_datetime$/,
    );
    expect(failure({ date: twice, scenario: ['a', 'b'], value: [1, 2] })).toBe(
      'DataError rain.csv, row 2, column date: day given twice, in rows that differ in scenario; received "2024-01-01 of b, after a in row 1"; allowed: each day once; keep one scenario, or, if it identifies members, give it by columns: { member: \'scenario\' }',
    );
    expect(failure({ date: twice, depth: [0.5, 1.5], m1: [1, 2] })).toMatch(
      /differ in depth; received "2024-01-01 of 1.5, after 0.5 in row 1"/,
    );
  });

  it('without naming columns that differ from row to row anyway', () => {
    const columns = { date: twice, __index_level_0__: [0, 1], other: [0.5, 0.7], value: [1, 2] };
    expect(failure(columns, { value: 'value' })).toMatch(/: day given twice; received "2024-01-01"/);
  });
});

describe('days out of order', () => {
  const back = dates('2024-01-02', '2024-01-01');

  it('name the first offender and the row before', () => {
    const message =
      'DataError rain.csv, row 2, column date: day out of order; received "2024-01-01, after 2024-01-02 in row 1"; allowed: days in ascending order, or sort: true to sort the rows';
    expect(failure({ date: back, m1: [1, 2] })).toBe(message);
    expect(failure({ date: back, lat: [1, 1], lon: [2, 2], m1: [1, 2] })).toBe(
      message.replace('order;', 'order at 1, 2;'),
    );
    expect(failure({ date: back, member: ['a', 'a'], value: [1, 2] })).toBe(
      message.replace('order;', 'order for member a;'),
    );
    const byDay = {
      date: dates('2024-01-02', '2024-01-02', '2024-01-01', '2024-01-01'),
      lat: [1, 2, 1, 2],
      lon: [0, 0, 0, 0],
    };
    expect(failure({ ...byDay, m1: [1, 2, 3, 4] })).toBe(
      'DataError rain.csv, row 3, column date: day out of order; received "2024-01-01, after 2024-01-02 in row 1"; allowed: days in ascending order, or sort: true to sort the rows',
    );
  });

  it('of another member do not matter in a long table', () => {
    expect(read(table({ date: back, member: ['a', 'b'], value: [1, 2] })).parts).toHaveLength(1);
  });
});

describe('locations out of order', () => {
  const zeros = (n: number) => Array(n).fill(0);

  it('that begin again', () => {
    const date = dates('2024-01-01', '2024-01-02', '2024-01-01', '2024-01-03');
    expect(failure({ date, lat: [1, 1, 2, 1], lon: zeros(4), m1: zeros(4) })).toBe(
      'DataError rain.csv, row 4, column date: location 1, 0 begins again, after row 1; received "2024-01-03"; allowed: each day with the same locations in the same order, or all days of a location together',
    );
  });

  const byDay = (lat: number[], days: number[]) =>
    failure({ date: dates(...days.map((d) => `2024-01-0${d}`)), lat, lon: zeros(lat.length), m1: zeros(lat.length) });
  const rule = 'each day with the same locations in the same order, or all days of a location together';

  it('that are in another order than on the first day', () => {
    expect(byDay([1, 2, 2, 1], [1, 1, 2, 2])).toBe(
      `DataError rain.csv, row 3, column date: not the location of the first day; received "2, 0 on 2024-01-02"; allowed: 1, 0: ${rule}`,
    );
  });

  it('that are missing on a day, in the middle or at the end', () => {
    const message = `DataError rain.csv, row 3, column date: the day ends before all locations of the first day; received "1, 0 on 2024-01-02"; allowed: 2, 0 next: ${rule}`;
    expect(byDay([1, 2, 1], [1, 1, 2])).toBe(message);
    expect(byDay([1, 2, 1, 1, 2], [1, 1, 2, 3, 3])).toBe(message);
  });

  it('that a day has in addition to those of the first, or twice', () => {
    expect(byDay([1, 2, 1, 2, 3], [1, 1, 2, 2, 2])).toBe(
      `DataError rain.csv, row 5, column date: a location beyond those of the first day; received "3, 0 on 2024-01-02"; allowed: ${rule}`,
    );
    expect(byDay([1, 2, 1, 2, 1], [1, 1, 2, 2, 2])).toMatch(
      /^DataError rain.csv, row 5, column date: day given twice at 1, 0;/,
    );
    expect(byDay([1, 2, 1, 1], [1, 1, 2, 2])).toMatch(
      /^DataError rain.csv, row 4, column date: day given twice at 1, 0;/,
    );
  });
});

describe('days scattered over so long a span that one must be wrong', () => {
  const message =
    'DataError rain.csv, column date: 3 days are scattered over 328721; received "2024-01-01 to 2924-01-03"; allowed: days that follow each other, with gaps; one of these dates may be mistaken';
  const days = dates('2024-01-01', '2024-01-02', '2924-01-03');

  it('are rejected in every form of table', () => {
    expect(failure({ date: days, m1: [1, 2, 3] })).toBe(message);
    expect(failure({ date: days, member: [1, 1, 1], value: [1, 2, 3] })).toBe(message);
    const byDay = dates('2024-01-01', '2024-01-01', '2924-01-03', '2924-01-03');
    const places = { lat: [1, 2, 1, 2], lon: [3, 3, 3, 3] };
    expect(failure({ date: byDay, ...places, m1: [1, 2, 3, 4] })).toBe(message.replace('3 days', '2 days'));
  });

  it('are gaps if they are not so far apart', () => {
    expect(read(table({ date: dates('2024-01-01', '2025-01-01'), m1: [1, 2] })).parts[0].days).toBe(367);
    expect(read(table({ date: dates('2014-01-01', '2024-01-01'), m1: [1, 2] })).parts[0].days).toBe(3653);
  });

  it('are rejected if gaps of many places take far too much memory, in every form of table', () => {
    const places = Array.from({ length: 6000 }, (_, i) => i / 100);
    const pairs = places.flatMap((lat) => [lat, lat]);
    const [first, last] = ['2014-01-01', '2024-01-01'];
    const scattered = /^DataError rain.csv, column date: days are scattered; received "\d+ days for \d+ rows"/;
    const lon = pairs.map(() => 0);
    const ones = pairs.map(() => 1);
    const ofPlaces = dates(...pairs.map((_, i) => (i % 2 === 0 ? first : last)));
    expect(failure({ date: ofPlaces, lat: pairs, lon, m1: ones })).toMatch(scattered);
    expect(failure({ date: ofPlaces, lat: pairs, lon, member: ones, value: ones })).toMatch(scattered);
    const byDay = dates(...places.map(() => first), ...places.map(() => last));
    expect(failure({ date: byDay, lat: [...places, ...places], lon, m1: ones })).toMatch(scattered);
  });
});
