import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { dayNumber, FIRST_DAY, LAST_DAY, weekday } from '../../src/period/day.js';
import {
  GRANULARITIES,
  type Granularity,
  parsePeriod,
  periodKey,
  type WindowTable,
  windowTable,
} from '../../src/period/period.js';

const granularity = fc.constantFrom(...GRANULARITIES);
/** Spans of up to 500 days, anywhere, and often at an end of the calendar. */
const span = fc
  .tuple(
    fc.oneof(
      fc.integer({ min: FIRST_DAY, max: LAST_DAY }),
      fc.integer({ min: FIRST_DAY, max: FIRST_DAY + 40 }),
      fc.integer({ min: LAST_DAY - 400, max: LAST_DAY }),
    ),
    fc.integer({ min: 0, max: 500 }),
  )
  .map(([first, length]) => ({ first, last: Math.min(first + length - 1, LAST_DAY) }));

describe('windowTable', () => {
  test('of the weeks from Sunday 2022-10-02 to Saturday 2022-11-05 keeps W40 to W43', () => {
    const table = windowTable('weekly', dayNumber(2022, 10, 2), dayNumber(2022, 11, 5));
    expect(keys(table)).toEqual(['2022-W40', '2022-W41', '2022-W42', '2022-W43']);
    expect(Array.from(table.first)).toEqual([1, 8, 15, 22]);
    expect(Array.from(table.days)).toEqual([7, 7, 7, 7]);
    expect(Array.from(table.complete)).toEqual([1, 1, 1, 1]);
  });

  test('with partial keeps the cut weeks at both ends, with their calendar bounds', () => {
    const table = windowTable('weekly', dayNumber(2022, 10, 2), dayNumber(2022, 11, 5), { partial: true });
    expect(keys(table)).toEqual(['2022-W39', '2022-W40', '2022-W41', '2022-W42', '2022-W43', '2022-W44']);
    expect(Array.from(table.days)).toEqual([1, 7, 7, 7, 7, 6]);
    expect(Array.from(table.complete)).toEqual([0, 1, 1, 1, 1, 0]);
    expect([table.start[0], table.end[0]]).toEqual([dayNumber(2022, 9, 26), dayNumber(2022, 10, 2)]);
    expect([table.start[5], table.end[5]]).toEqual([dayNumber(2022, 10, 31), dayNumber(2022, 11, 6)]);
  });

  test('has a month only where both its ends lie in the span, 29 February included', () => {
    const leap = windowTable('monthly', dayNumber(2024, 1, 2), dayNumber(2024, 2, 29));
    expect(keys(leap)).toEqual(['2024-02']);
    expect(Array.from(leap.days)).toEqual([29]);
    expect(windowTable('monthly', dayNumber(2024, 1, 2), dayNumber(2024, 2, 28)).count).toBe(0);
  });

  test('equals its slow twin', () => {
    fc.assert(
      fc.property(granularity, span, fc.boolean(), (kind, { first, last }, partial) => {
        expect(rows(windowTable(kind, first, last, { partial }))).toEqual(slowWindows(kind, first, last, partial));
      }),
    );
  });

  test('with partial tiles the span without gap or overlap', () => {
    fc.assert(
      fc.property(granularity, span, (kind, { first, last }) => {
        const table = windowTable(kind, first, last, { partial: true });
        let next = 0;
        for (let i = 0; i < table.count; i++) {
          expect(table.first[i]).toBe(next);
          expect(table.days[i]).toBeGreaterThan(0);
          next += table.days[i];
        }
        expect(next).toBe(Math.max(0, last - first + 1));
      }),
    );
  });

  test('by default is the complete part of the table with partial', () => {
    fc.assert(
      fc.property(granularity, span, (kind, { first, last }) => {
        const all = rows(windowTable(kind, first, last, { partial: true }));
        expect(rows(windowTable(kind, first, last))).toEqual(all.filter((row) => row.complete === 1));
      }),
    );
  });

  test('of a longer span begins with the same complete windows', () => {
    fc.assert(
      fc.property(granularity, span, fc.integer({ min: 1, max: 400 }), (kind, { first, last }, more) => {
        const short = rows(windowTable(kind, first, last));
        const long = rows(windowTable(kind, first, Math.min(last + more, LAST_DAY)));
        expect(long.slice(0, short.length)).toEqual(short);
      }),
    );
  });

  test('of an empty span has no windows, even where the span ends before the calendar begins', () => {
    for (const kind of GRANULARITIES) {
      for (const partial of [false, true]) {
        expect(rows(windowTable(kind, 100, 99, { partial }))).toEqual([]);
        expect(windowTable(kind, 100, -5000, { partial }).count).toBe(0);
        expect(windowTable(kind, FIRST_DAY, FIRST_DAY - 1, { partial }).count).toBe(0);
      }
    }
  });

  test('at the calendar ends: 0001-W01 is complete, 9999-W52 stops at 9999-12-31 and never is', () => {
    const beginning = windowTable('weekly', FIRST_DAY, FIRST_DAY + 6);
    expect(keys(beginning)).toEqual(['0001-W01']);
    expect(windowTable('weekly', LAST_DAY - 4, LAST_DAY).count).toBe(0);
    expect(rows(windowTable('weekly', LAST_DAY - 4, LAST_DAY, { partial: true }))).toEqual([
      { start: LAST_DAY - 4, end: LAST_DAY, first: 0, days: 5, complete: 0 },
    ]);
    expect(keys(windowTable('monthly', LAST_DAY - 30, LAST_DAY))).toEqual(['9999-12']);
    expect(windowTable('daily', FIRST_DAY, LAST_DAY).count).toBe(3652059);
  });

  test('carries the span and the granularity, and arrays of the count that it gives', () => {
    const table = windowTable('daily', 10, 12);
    expect(table).toEqual({
      granularity: 'daily',
      count: 3,
      start: Int32Array.of(10, 11, 12),
      end: Int32Array.of(10, 11, 12),
      first: Int32Array.of(0, 1, 2),
      days: Int32Array.of(1, 1, 1),
      complete: Uint8Array.of(1, 1, 1),
      firstDay: 10,
      lastDay: 12,
    });
  });

  test('rejects an unknown granularity and numbers that are not days', () => {
    expect(() => windowTable('yearly' as Granularity, 0, 1)).toThrow(
      'granularity: cannot be used; received "yearly"; allowed: daily, weekly, monthly',
    );
    const allowed = 'allowed: an integer from -719162 (0001-01-01) to 2932896 (9999-12-31), days since 1970-01-01';
    expect(() => windowTable('daily', 0.5, 1)).toThrow(`firstDay: cannot be used; received 0.5; ${allowed}`);
    expect(() => windowTable('daily', 0, Number.NaN)).toThrow(`lastDay: cannot be used; received NaN; ${allowed}`);
    expect(() => windowTable('daily', 0, LAST_DAY + 1)).toThrow('lastDay: cannot be used; received 2932897');
  });
});

interface Row {
  start: number;
  end: number;
  first: number;
  days: number;
  complete: number;
}

function rows(table: WindowTable): Row[] {
  const { count, start, end, first, days, complete } = table;
  expect([start, end, first, days, complete].map((column) => column.length)).toEqual(Array(5).fill(count));
  return Array.from(start, (_, i) => ({
    start: start[i],
    end: end[i],
    first: first[i],
    days: days[i],
    complete: complete[i],
  }));
}

function keys(table: WindowTable): string[] {
  return Array.from(table.start, (day) => periodKey(table.granularity as Granularity, day));
}

/** The slow twin: asks every day of the span for its window's key, and collects the days that share one. */
function slowWindows(kind: Granularity, first: number, last: number, partial: boolean): Row[] {
  const found = new Map<string, number[]>();
  for (let day = first; day <= last; day++) {
    const key = periodKey(kind, day);
    found.set(key, [...(found.get(key) ?? []), day]);
  }
  const all = [...found].map(([key, days]) => {
    const { start, end } = parsePeriod(key);
    const cutByCalendar = kind === 'weekly' && weekday(end) !== 7;
    const complete = days.length === end - start + 1 && !cutByCalendar ? 1 : 0;
    return { start, end, first: days[0] - first, days: days.length, complete };
  });
  return partial ? all : all.filter((row) => row.complete === 1);
}
