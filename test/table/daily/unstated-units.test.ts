import { Field, Float64, Int32, Int64, List } from 'apache-arrow';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { dailyTable } from '../../../src/table/daily/index.js';
import { table, typed } from '../tables.js';

const rain = { variable: 'precipitation' } as const;
const START = Date.UTC(2026, 2, 2);
const days = (count: number) =>
  Array.from({ length: count }, (_, i) => new Date(START + i * 86_400_000).toISOString().slice(0, 10));
const warningsOf = (columns: Record<string, unknown>, options: object = rain, metadata: Record<string, string> = {}) =>
  dailyTable(table(columns as never, metadata), options).warnings;

describe('daily values whose units are not stated', () => {
  it('are taken for the unit of the variable, with a warning that names it and the option', () => {
    expect(warningsOf({ date: days(2), wspd: [1, 2] }, { variable: 'wind_speed' })).toEqual([
      'units of wspd are not stated: taken for m s-1, the unit of wind_speed; the option units states others',
    ]);
    expect(warningsOf({ date: days(2), m1: [1, 2], m2: [3, 4] })).toEqual([
      'units of m1 and others are not stated: taken for mm, the unit of precipitation; the option units states others',
    ]);
    expect(warningsOf({ date: days(2), precipitation: [1, 2] }, {})).toEqual([
      'units of precipitation are not stated: taken for mm; the option units states others',
    ]);
  });

  it.each<[string, Record<string, unknown>, object, Record<string, string>]>([
    ['the option', { date: days(2), m1: [1, 2] }, { ...rain, units: 'mm' }, {}],
    ['metadata', { date: days(2), m1: [1, 2] }, rain, { units: 'mm' }],
    ['a column', { date: days(2), units: ['mm', 'mm'], m1: [1, 2] }, rain, {}],
    ['brackets', { date: days(2), 'm1 (mm)': [1, 2] }, rain, {}],
    ['the end of a name', { date: days(2), precip_mm: [1, 2] }, {}, {}],
    ['the whole name', { date: days(2), mm: [1, 2] }, rain, {}],
    ['the whole name of a temperature', { date: days(2), celsius: [1, 2] }, { variable: 'temp_mean' }, {}],
  ])('are stated by %s', (_, columns, options, metadata) => {
    expect(warningsOf(columns, options, metadata)).toEqual([]);
  });

  it('are an error where a value lies outside the bounds of the variable', () => {
    const kelvin = () => warningsOf({ date: days(3), t2m: [280, 281, null] }, {});
    expect(kelvin).toThrow(
      'units: of t2m are not stated, and cannot be degC: a value of temp_mean lies outside -95 to 60; received 281; ' +
        "allowed: a column named units, or units: 'K' if it is so; or missing: 281 if that stands for no value",
    );
    const code = () => warningsOf({ date: days(3), m1: [1, -9999, 2] });
    expect(code).toThrow(/received -9999; .*missing/);
    expect(warningsOf({ date: days(3), m1: [1, -9999, 2] }, { ...rain, missing: -9999 })).toHaveLength(1);
    // Real files have amounts that are below 0 by rounding.
    expect(warningsOf({ date: days(2), m1: [-1e-18, 2] })).toHaveLength(1);
    // What is infinite is reported with its row when it is read.
    expect(warningsOf({ date: days(2), m1: [Number.POSITIVE_INFINITY, 2] })).toHaveLength(1);
  });

  it('are an error where a month of rain never exceeds 1 mm, as rain in metres does not', () => {
    const metres = (count: number, most = 0.02) => days(count).map((_, i) => (i === 3 ? most : 0.001));
    expect(() => warningsOf({ date: days(28), tp: metres(28) }, {})).toThrow(
      'units: of tp are not stated, and seem to be m: no day of a month has more than 1; received 0.02',
    );
    for (const [count, most] of [
      [27, 0.02],
      [28, 1.5],
    ])
      expect(warningsOf({ date: days(count), tp: metres(count, most) }, {})).toHaveLength(1);
    // No rain at all is no amount.
    expect(warningsOf({ date: days(28), tp: Array(28).fill(0) }, {})).toHaveLength(1);
    expect(warningsOf({ date: days(28), tp: metres(28) }, { units: 'm' })).toEqual([]);
  });

  it('are an error for a month of metres in rows by member, too, of which days are counted once', () => {
    const long = (count: number) => ({
      date: [...days(count), ...days(count)],
      member: [...Array(count).fill(0), ...Array(count).fill(1)],
      value: Array.from({ length: 2 * count }, (_, i) => (i % 3) * 0.004),
    });
    expect(() => warningsOf(long(28))).toThrow('units: of value are not stated, and seem to be m');
    expect(warningsOf(long(27))).toHaveLength(1);
  });

  it('are no error where one day of a long table has more than 1, though samples do not have it', () => {
    const rows = 10_000;
    for (const day of [1, 4999, 9998]) {
      const tp = days(rows).map((_, i) => (i === day ? 1.2 : 0.001));
      expect(warningsOf({ date: days(rows), tp })).toHaveLength(1);
    }
  });

  it.each([
    ['lists', typed(new List(new Field('item', new Float64())), [[1, 2], null, [3, 290]])],
    ['32-bit integers', typed(new Int32(), [1, null, 290])],
    ['64-bit integers', typed(new Int64(), [1n, null, 290n])],
  ])('are found in %s', (_, values) => {
    expect(() => warningsOf({ date: days(3), values }, { variable: 'temp_mean' })).toThrow('received 290');
  });

  it('belong to the rows of the variable alone, in tables of several', () => {
    const both = (rainUnits: number) => ({
      date: [...days(2), ...days(2)],
      member: ['1', '1', '1', '1'],
      variable: ['temp_mean', 'temp_mean', 'precipitation', 'precipitation'],
      value: [-20, -30, rainUnits, 2],
    });
    expect(warningsOf(both(1))).toHaveLength(1);
    expect(() => warningsOf(both(-3))).toThrow('received -3');
  });

  it('are found in any row and column, of lists, too, where these are few', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 99 }), fc.integer({ min: 0, max: 7 }), (row, column) => {
        const columns = Array.from({ length: 8 }, (_, m) => [
          `m${m}`,
          days(100).map((__, i) => (i === row && m === column ? 5000 : 1)),
        ]);
        expect(() => warningsOf({ date: days(100), ...Object.fromEntries(columns) })).toThrow('received 5000');
      }),
      { numRuns: 20 },
    );
  });
});
