import { type DataType, Field, FixedSizeList, Float32, Float64, Int32, Int64, type Table, Utf8 } from 'apache-arrow';
import { describe, expect, it } from 'vitest';
import { dailyTables } from '../../../src/input/table-ensembles.js';
import type { DailyTableOptions } from '../../../src/table/daily/daily-options.js';
import { dailyTable } from '../../../src/table/daily/index.js';
import { findVariable } from '../../../src/variable/index.js';
import { categories, daysFrom, messageOf, read, table, typed } from '../tables.js';

const source = 'rain.csv';
const nan = Number.NaN;
const date = daysFrom('2026-03-02', 3);
const members = (input: Table, options: DailyTableOptions) => {
  const daily = dailyTable(input, options);
  return read(daily.table, { ...options, columns: daily.columns }).parts.map((part) => part.members);
};

describe('numbers that stand for missing values', () => {
  it('are missing in columns of any type, compared as the column holds them', () => {
    const kinds: [DataType, unknown[], number][] = [
      [new Float64(), [1, -9999, 3], -9999],
      [new Float32(), [1, -9999.9, 3], -9999.9],
      [new Int32(), [1, -9999, 3], -9999],
      [new Int64(), [1n, -9999n, 3n], -9999],
      [new Utf8(), ['1', '-9999.0', '3'], -9999],
    ];
    for (const [type, values, missing] of kinds) {
      const input = table({ date, m1: typed(type, values) });
      expect(members(input, { missing })).toEqual([{ m1: [1, nan, 3] }]);
      expect(dailyTable(input, { missing }).table.schema.fields[1].type.toString()).toBe(type.toString());
    }
    const float64 = table({ date, m1: typed(new Float64(), [1, Math.fround(-9999.9), 3]) });
    expect(members(float64, { missing: -9999.9 })[0].m1[1]).toBe(Math.fround(-9999.9));
  });

  it('may be several, stand beside nulls, and in lists and slices', () => {
    const input = table({ date, m1: [null, -9999, -99.9], m2: [-99.9, 5, -9999] });
    expect(members(input, { missing: [-9999, -99.9] })).toEqual([{ m1: [nan, nan, nan], m2: [nan, 5, nan] }]);
    expect(members(input.slice(1), { missing: -9999 })).toEqual([{ m1: [nan, -99.9], m2: [5, nan] }]);
    const type = new FixedSizeList(2, new Field('item', new Float32(), true));
    const lists = table({
      date,
      m: typed(type, [
        [1, -9999],
        [-9999, 4],
        [5, 6],
      ]),
    });
    expect(members(lists, { missing: -9999 })).toEqual([{ 'm[00]': [1, nan, 5], 'm[01]': [nan, 4, 6] }]);
  });

  it('are found before units are converted, and coordinates stay as they are', () => {
    const input = table({ date, latitude: [1, 1, 1], longitude: [-99, -99, -99], m1: [273.15, -99, 283.15] });
    const options = { variable: findVariable('temp_mean'), units: 'K', missing: -99 };
    expect(members(input, options)).toEqual([{ m1: [0, nan, 10] }]);
  });

  it('make the steps of their day missing, in streams of tables as well', async () => {
    const time = Array.from(
      { length: 48 },
      (_, hour) => `2026-03-0${hour < 24 ? 2 : 3}T${String(hour % 24).padStart(2, '0')}`,
    );
    const input = table({ time, temperature: time.map((_, hour) => (hour === 30 ? -9999 : hour < 24 ? 1 : 2)) });
    const options = { variable: findVariable('temp_mean'), units: 'degC', missing: -9999 };
    expect(members(input, options)).toEqual([{ member_00: [1, nan] }]);
    async function* tables() {
      yield input.slice(0, 20);
      yield input.slice(20);
    }
    const { tables: daily } = await dailyTables(tables(), options, { areViews: false });
    const rows: unknown[] = [];
    for await (const each of daily) rows.push(...each.toArray().map((row) => row.member_00));
    expect(rows).toEqual([1, null]);
  });

  it('are numbers, else an error', () => {
    expect(messageOf(() => dailyTable(table({ date, m1: [1, 2, 3] }), { missing: 'x' as never }))).toBe(
      'OptionError missing: is neither a number nor a list of numbers; received "x"; allowed: such as -9999, or [-9999, -99.9]',
    );
  });
});

describe('rows out of order', () => {
  it('are sorted by place, member and day, which a note states', () => {
    const input = table({
      date: typed(
        date.type,
        [2, 0, 1, 1, 0, 2].map((i) => date.get(i)),
      ),
      lat: [1, 2, 1, 2, 1, 2],
      lon: [0, 0, 0, 0, 0, 0],
      m1: [12, 20, 11, 21, 10, 22],
      station: categories('a', 'b', 'a', 'b', 'a', 'b'),
    });
    const daily = dailyTable(input, { sort: true, source });
    expect(daily.conversions).toContain('rows sorted by place, member and day');
    const { parts } = read(daily.table);
    expect(parts.flatMap(({ places }) => places)).toEqual([
      [1, 0],
      [2, 0],
    ]);
    expect(parts.flatMap((part) => part.members.m1)).toEqual([10, 11, 12, 20, 21, 22]);
  });

  it('of long tables keep the members that they are of, and other variables are left out', () => {
    const input = table({
      date: typed(
        date.type,
        [1, 0, 0, 1, 0].map((i) => date.get(i)),
      ),
      member: ['b', 'a', 'b', 'a', 'a'],
      variable: ['tp', 'tp', 'tp', 'tp', 't2m'],
      value: [4, 1, 3, 2, 280],
    });
    expect(members(input, { sort: true, variable: findVariable('precipitation') })).toEqual([{ b: [3, 4], a: [1, 2] }]);
  });

  it('that are in order already stay as they are', () => {
    const input = table({ date, m1: [1, 2, 3] });
    expect(dailyTable(input, { sort: true }).table).toBe(input);
  });

  it('that come twice, or are infinite, are an error that names the rows of the table as it is', () => {
    const twice = table({
      date: typed(
        date.type,
        [1, 0, 1].map((i) => date.get(i)),
      ),
      m1: [1, 2, 3],
    });
    expect(messageOf(() => dailyTable(twice, { sort: true, source }))).toContain(
      'DataError rain.csv, row 3, column date: day given twice; received "2026-03-03"',
    );
    const infinite = table({
      date: typed(
        date.type,
        [1, 0].map((i) => date.get(i)),
      ),
      m1: [1, Number.POSITIVE_INFINITY],
    });
    expect(messageOf(() => dailyTable(infinite, { sort: true, source }))).toContain(
      'DataError rain.csv, row 2, column m1: infinite value',
    );
  });
});

it('dates that are numbers are read in streams, rows counted over the stream', async () => {
  async function* tables() {
    yield table({ date: [20260302, 20260303], m1: [1, 2] });
    yield table({ date: [20260304, 20260231], m1: [3, 4] });
  }
  const hooks = { areViews: false, report: () => {} };
  const all = async () => {
    const { tables: daily } = await dailyTables(tables(), { source }, hooks);
    for await (const _ of daily);
  };
  await expect(all()).rejects.toThrow('rain.csv, row 4, column date: does not exist; received 20260231');
});
