import { Field, FixedSizeList, Float32, Float64, LargeList, List } from 'apache-arrow';
import { describe, expect, it } from 'vitest';
import { dates, daysFrom, float32, membersOf, read, table, typed } from '../tables.js';

const day = 19_723; // 2024-01-01
const nan = Number.NaN;

describe('a wide table', () => {
  it('has a member in each column of numbers, in the order of the file, under any names', () => {
    const input = table({ p02: [5, 6], date: daysFrom('2024-01-01', 2), c00: [1, 2], p01: [3, 4] });
    expect(membersOf(input)).toEqual({ p02: [5, 6], c00: [1, 2], p01: [3, 4] });
    expect(Object.keys(membersOf(input))).toEqual(['p02', 'c00', 'p01']);
  });

  it('with one column of numbers is an ensemble of one, whose variable is the column name', () => {
    const input = table({ date: daysFrom('2024-01-01', 2), rain: [1, 2.5] });
    expect(read(input)).toEqual({
      variable: 'precipitation',
      units: 'mm',
      parts: [
        {
          type: 'float64',
          order: 'day-fastest',
          firstDay: day,
          days: 2,
          places: [[nan, nan]],
          members: { rain: [1, 2.5] },
        },
      ],
    });
  });

  it('by location: places that cover the same days are one part, with the day fastest', () => {
    const input = table({
      lat: [10, 10, 20, 20],
      lon: [359.5, 359.5, -0.5, -0.5],
      time: dates('2024-01-01', '2024-01-02', '2024-01-01', '2024-01-02'),
      m1: float32(1, 2, 3, 4),
      m2: float32(5, 6, 7, null),
    });
    expect(read(input).parts).toEqual([
      {
        type: 'float32',
        order: 'day-fastest',
        firstDay: day,
        days: 2,
        places: [
          [10, -0.5],
          [20, -0.5],
        ],
        members: { m1: [1, 2, 3, 4], m2: [5, 6, 7, nan] },
      },
    ]);
  });

  it('by location: places that cover other days are separate parts, in the order of the file', () => {
    const input = table({
      latitude: [1, 1, 2, 3, 3],
      longitude: [0, 0, 0, 0, 0],
      date: dates('2024-01-01', '2024-01-02', '2024-01-02', '2024-01-01', '2024-01-02'),
      m: [1, 2, 3, 4, 5],
    });
    const { parts } = read(input);
    expect(parts.map(({ firstDay, days, places }) => [firstDay, days, places])).toEqual([
      [day, 2, [[1, 0]]],
      [day + 1, 1, [[2, 0]]],
      [day, 2, [[3, 0]]],
    ]);
    expect(parts.map(({ members }) => members.m)).toEqual([[1, 2], [3], [4, 5]]);
  });

  it('by day: the same places on every day are one part, with the cell fastest', () => {
    const input = table({
      latitude: [1, 2, 1, 2],
      longitude: [5, 5, 5, 5],
      date: dates('2024-01-01', '2024-01-01', '2024-01-02', '2024-01-02'),
      m: [1, 2, 3, 4],
    });
    expect(read(input).parts).toEqual([
      {
        type: 'float64',
        order: 'cell-fastest',
        firstDay: day,
        days: 2,
        places: [
          [1, 5],
          [2, 5],
        ],
        members: { m: [1, 2, 3, 4] },
      },
    ]);
  });

  it('days without rows are missing, by location and by day', () => {
    const series = table({ date: dates('2024-01-01', '2024-01-03', '2024-01-04'), a: float32(1, 2, 3) });
    expect(membersOf(series)).toEqual({ a: [1, nan, 2, 3] });
    const fields = table({
      latitude: [1, 2, 1, 2],
      longitude: [5, 5, 5, 5],
      date: dates('2024-01-01', '2024-01-01', '2024-01-03', '2024-01-03'),
      a: [1, 2, 3, 4],
    });
    expect(membersOf(fields)).toEqual({ a: [1, 2, nan, nan, 3, 4] });
    expect(read(fields).parts[0].days).toBe(3);
  });

  it('reads record batches as one table: sliced so that bitmaps begin inside a byte, and empty ones between', () => {
    const values = Array.from({ length: 40 }, (_, i) => (i % 7 === 3 ? null : i));
    const whole = table({ date: daysFrom('2024-01-01', 40), a: float32(...values), b: values });
    const pieces = whole
      .slice(0, 0)
      .concat(whole.slice(3, 16), whole.slice(5, 5), whole.slice(16, 17), whole.slice(17, 38));
    expect(pieces.batches.length).toBeGreaterThan(2);
    const expected = values.slice(3, 38).map((value) => value ?? nan);
    expect(membersOf(pieces)).toEqual({ a: expected, b: expected });
    expect(read(pieces).parts[0]).toMatchObject({ firstDay: day + 3, days: 35 });
  });
});

describe('a long table', () => {
  const rows = { member: [0, 1, 0, 1], value: [1, 2, 3, 4] };

  it('has a column for each member in the order of their first rows, whatever the order of rows', () => {
    const byDay = table({ date: dates('2024-01-01', '2024-01-01', '2024-01-02', '2024-01-02'), ...rows });
    expect(membersOf(byDay)).toEqual({ 0: [1, 3], 1: [2, 4] });
    const byMember = table({
      date: dates('2024-01-01', '2024-01-02', '2024-01-01', '2024-01-02'),
      realization: ['b', 'b', 'a', 'a'],
      prediction: float32(1, 2, 3, null),
    });
    expect(membersOf(byMember)).toEqual({ b: [1, 2], a: [3, nan] });
    expect(Object.keys(membersOf(byMember))).toEqual(['b', 'a']);
    expect(read(byMember).parts[0].type).toBe('float32');
  });

  it('days without a row of a member are missing for it', () => {
    const input = table({
      date: dates('2024-01-01', '2024-01-03', '2024-01-02'),
      member: ['a', 'a', 'b'],
      value: [1, 2, 3],
    });
    expect(membersOf(input)).toEqual({ a: [1, nan, 2], b: [nan, 3, nan] });
  });

  it('keeps places apart, each with its own days, and members that only some have', () => {
    const input = table({
      date: dates('2024-01-01', '2024-01-01', '2024-01-02', '2024-01-02', '2024-01-02'),
      lat: [1, 2, 1, 2, 3],
      lon: [0, 0, 0, 0, 0],
      member: ['a', 'a', 'a', 'a', 'b'],
      value: [1, 2, 3, 4, 5],
    });
    const { parts } = read(input);
    expect(parts.map(({ firstDay, days, places }) => [firstDay, days, places])).toEqual([
      [
        day,
        2,
        [
          [1, 0],
          [2, 0],
        ],
      ],
      [day + 1, 1, [[3, 0]]],
    ]);
    expect(parts.map(({ members }) => members)).toEqual([
      { a: [1, 3, 2, 4], b: [nan, nan, nan, nan] },
      { a: [nan], b: [5] },
    ]);
  });

  it('takes the rows of the requested variable from a table of several', () => {
    const input = table({
      datetime: dates('2024-01-01', '2024-01-01', '2024-01-02', '2024-01-02', '2024-01-02'),
      parameter: [1, 1, 1, 1, 1],
      variable: ['rain', 'tas', 'rain', 'tas', null],
      prediction: [1, 280, 2, 281, 9],
    });
    const precipitation = { slug: 'precipitation', units: 'mm', fileNames: ['rain'] } as never;
    expect(membersOf(input, { variable: precipitation })).toEqual({ 1: [1, 2] });
  });

  it('finds any of more than a hundred variables', () => {
    const variable = Array.from({ length: 120 }, (_, i) => `v${i}`);
    const input = table({
      date: dates(...variable.map(() => '2024-01-01')),
      member: variable.map(() => 1),
      variable,
      value: variable.map((_, i) => i),
    });
    expect(membersOf(input, { variable: { slug: 'v117', units: '1', fileNames: [] } as never })).toEqual({ 1: [117] });
  });
});

describe('a column of lists', () => {
  const lists = [[1, 2], [3, null], null, [7, 8]];
  const expected = { 'v[00]': [1, 3, nan, 7], 'v[01]': [2, nan, nan, 8] };
  const types = {
    List: (child: Field) => new List(child),
    LargeList: (child: Field) => new LargeList(child),
    FixedSizeList: (child: Field) => new FixedSizeList(2, child),
  };
  for (const [name, make] of Object.entries(types)) {
    it(`${name} has a member at each place; nulls in and instead of lists are missing`, () => {
      for (const child of [new Float32(), new Float64()]) {
        const input = table({ date: daysFrom('2024-01-01', 4), v: typed(make(new Field('item', child, true)), lists) });
        expect(membersOf(input)).toEqual(expected);
        expect(read(input).parts[0].type).toBe(child instanceof Float32 ? 'float32' : 'float64');
        const sliced = input.slice(1, 2).concat(input.slice(2, 4));
        expect(membersOf(sliced)).toEqual({ 'v[00]': [3, nan, 7], 'v[01]': [nan, nan, 8] });
      }
    });
  }
});
