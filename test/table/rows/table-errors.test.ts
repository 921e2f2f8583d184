import { Bool, Field, Float64, Int32, List, TimestampSecond, Utf8 } from 'apache-arrow';
import { describe, expect, it } from 'vitest';
import { dates, daysFrom, float32, messageOf, read, table, typed } from '../tables.js';

const two = daysFrom('2024-01-01', 2);
const source = 'rain.csv';
const failure = (input: Parameters<typeof read>[0], columns = {}) => messageOf(() => read(input, { source, columns }));

describe('a table is rejected', () => {
  it('without a column of dates', () => {
    expect(failure(table({ when: two, m1: [1, 2] }))).toBe(
      'DataError rain.csv: no column of dates; received "when, m1"; allowed: a column named date, time, datetime or valid_time, or one by columns: { date: \'NAME\' }',
    );
  });

  it('without a column of values', () => {
    expect(failure(table({ date: two, remark: ['a', 'b'] }))).toBe(
      'DataError rain.csv: no column of values; received "remark: Utf8"; allowed: a column for each member, one of lists, one value, or columns: { value: \'NAME\' }',
    );
  });

  it('with several columns of values, if none is named', () => {
    const long = table({ date: two, member: ['a', 'a'], rain: [1, 2], tas: [3, 4] });
    expect(failure(long)).toBe(
      "OptionError rain.csv, value column: several columns may be meant; received \"rain\", \"tas\"; allowed: one of them, by variable: 'precipitation' | 'temp_mean'; or one column, by columns: { value: 'NAME' }",
    );
    expect(failure(table({ date: two, rain: [1, 2], tas: [3, 4] }))).toBe(failure(long));
    const lists = typed(new List(new Field('item', new Float64(), true)), [[1], [2]]);
    expect(failure(table({ date: two, a: lists, b: lists }))).toBe(
      'OptionError rain.csv, value column: several columns may be meant; received "a", "b"; allowed: one of them, by columns: { value: \'NAME\' }',
    );
    expect(read(long, { columns: { value: 'tas' } }).parts[0].members).toEqual({ a: [3, 4] });
    expect(read(long, { variable: { slug: 'precipitation', units: 'mm' } as never }).parts[0].members).toEqual({
      a: [1, 2],
    });
  });

  it('without rows', () => {
    const message = 'DataError rain.csv: no rows; allowed: at least one day';
    expect(failure(table({ date: dates(), m1: float32() }))).toBe(message);
    const long = { date: dates(), member: typed(new Int32(), []), value: float32(), lat: float32(), lon: float32() };
    expect(failure(table(long))).toBe(message);
  });
});

describe('values are rejected', () => {
  it('that are not numbers, with row, column and value', () => {
    expect(failure(table({ date: two, m1: ['1', '2,5'] }))).toBe(
      'DataError rain.csv, row 2, column m1: not a number; received "2,5"; allowed: a decimal number; empty, NA or NaN where a value is missing',
    );
    expect(failure(table({ date: two, value: typed(new Bool(), [true, true]) }))).toBe(
      'DataError rain.csv, row 1, column value: not a number; received "Bool: true"; allowed: a decimal number; empty, NA or NaN where a value is missing',
    );
    expect(failure(table({ date: two, run: two }), { value: 'run' })).toBe(
      'DataError rain.csv, row 1, column run: not a number; received "Date32<DAY>: 1704067200000"; allowed: a decimal number; empty, NA or NaN where a value is missing',
    );
  });

  it('that are not numbers, in all rows of a column which is numbered like the members', () => {
    expect(failure(table({ date: two, m01: ['1', '2'], m02: ['x', 'y'] }))).toBe(
      'DataError rain.csv, row 1, column m02: not a number; received "x"; allowed: a decimal number; empty, NA or NaN where a value is missing',
    );
  });

  it('in a later record batch, by their row in the table', () => {
    const input = table({ date: daysFrom('2024-01-01', 3), m1: ['1', '2', 'x'] });
    expect(failure(input.slice(0, 1).concat(input.slice(1)))).toMatch(
      /^DataError rain.csv, row 3, column m1: not a number/,
    );
  });

  it('in lists of other lengths, or of none', () => {
    const lists = (values: unknown[]) =>
      table({ date: two, v: typed(new List(new Field('item', new Float64(), true)), values) });
    expect(
      failure(
        lists([
          [1, 2],
          [1, 2, 3],
        ]),
      ),
    ).toBe(
      'DataError rain.csv, row 2, column v: another number of members than in the rows before; received 3; allowed: a list of 2 in each row',
    );
    const none = 'DataError rain.csv, column v: no members; allowed: a list of at least one number';
    expect(failure(lists([[], []]))).toBe(none);
    expect(failure(lists([null, null]))).toBe(none);
  });

  it('without a member', () => {
    expect(failure(table({ date: two, member: ['a', null], value: [1, 2] }))).toBe(
      'DataError rain.csv, row 2, column member: missing member; received null; allowed: a number or name',
    );
  });
});

describe('dates are rejected', () => {
  const types = '2026-03-02, 2026-03-02T06:00Z, 20260302, Arrow dates or timestamps';

  it('in a column of another type', () => {
    expect(failure(table({ date: [20240101, 20240102], m1: [1, 2] }))).toBe(
      `DataError rain.csv, column date: no dates; received "Float64"; allowed: ${types}; dailyTable reads numbers that are dates`,
    );
  });

  it('that are missing', () => {
    for (const date of [typed(new TimestampSecond(), [0, null]), ['2024-01-01', null]]) {
      expect(failure(table({ date, m1: [1, 2] }))).toBe(
        `DataError rain.csv, row 2, column date: missing date; received null; allowed: ${types}`,
      );
    }
  });

  it('of another form, or that do not exist', () => {
    expect(failure(table({ date: ['2024-01-01', '02/01/2024'], m1: [1, 2] }))).toBe(
      'DataError rain.csv, row 2, column date: is not a date in a known form; received "02/01/2024"; allowed: 2026-03-02, 2026-03-02T06:00Z, 20260302, Arrow dates or timestamps',
    );
    expect(failure(table({ date: ['2023-02-28', '2023-02-29'], m1: [1, 2] }))).toBe(
      'DataError rain.csv, row 2, column date: does not exist; received "2023-02-29"; allowed: days from 1 to 28 in 2023-02',
    );
  });

  it('outside the calendar', () => {
    const date = typed(new TimestampSecond(), [0, 300_000_000_000_000]);
    expect(failure(table({ date, m1: [1, 2] }))).toBe(
      'DataError rain.csv, row 2, column date: outside the years 1 to 9999; received "day 3472222 from 1970-01-01"; allowed: dates of these years',
    );
  });
});

describe('coordinates are rejected', () => {
  it('if one of the two columns is missing', () => {
    expect(failure(table({ date: two, lat: [1, 1], m1: [1, 2] }))).toBe(
      "DataError rain.csv, column lat: a latitude without a longitude; allowed: both or none; a column with another name by columns: { longitude: 'NAME' }",
    );
    expect(failure(table({ date: two, lon: [1, 1], m1: [1, 2] }))).toBe(
      "DataError rain.csv, column lon: a longitude without a latitude; allowed: both or none; a column with another name by columns: { latitude: 'NAME' }",
    );
  });

  it('out of range, missing in some rows, or not numbers', () => {
    const place = (lat: (number | null)[] | string[], lon: (number | null)[]) =>
      failure(table({ date: two, lat, lon, m1: [1, 2] }));
    expect(place([151.2, 151.2], [-33.9, -33.9])).toBe(
      'DataError rain.csv, row 1, column lat: out of range; received 151.2; allowed: degrees from -90 to 90',
    );
    expect(place([1, 1], [0, -181])).toBe(
      'DataError rain.csv, row 2, column lon: out of range; received -181; allowed: degrees from -180 to 360',
    );
    expect(place([1, Number.POSITIVE_INFINITY], [0, 0])).toMatch(/row 2, column lat: out of range; received Infinity/);
    expect(place([1, null], [0, 0])).toBe(
      'DataError rain.csv, row 2, column lat: missing coordinate; received null; allowed: a number of degrees in every row, or in none',
    );
    expect(place(['1', 'N 2'], [0, 0])).toMatch(/^DataError rain.csv, row 2, column lat: not a number; received "N 2"/);
  });

  it('but not if both columns are empty: then the metadata may state the place', () => {
    const empty = { date: two, lat: typed(new Utf8(), ['', '']), lon: [null, null], m1: [1, 2] };
    expect(read(table(empty)).parts[0].places).toEqual([[Number.NaN, Number.NaN]]);
    expect(read(table(empty, { latitude: '37.3', longitude: '-79.84' })).parts[0].places).toEqual([[37.3, -79.84]]);
  });
});
