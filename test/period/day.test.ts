import fc from 'fast-check';
import { Temporal } from 'temporal-polyfill';
import { describe, expect, test } from 'vitest';
import {
  civilDate,
  dayNumber,
  daysInMonth,
  FIRST_DAY,
  formatDate,
  isLeapYear,
  LAST_DAY,
  parseDate,
  weekday,
} from '../../src/period/day.js';
import { randomDays } from './random-days.js';

const EPOCH = Temporal.PlainDate.from('1970-01-01');

describe('day numbers', () => {
  test('count the days since 1970-01-01', () => {
    expect(dayNumber(1970, 1, 1)).toBe(0);
    expect(dayNumber(1969, 12, 31)).toBe(-1);
    expect(dayNumber(2000, 3, 1)).toBe(11017);
    expect(dayNumber(1, 1, 1)).toBe(-719162);
    expect(dayNumber(9999, 12, 31)).toBe(2932896);
    expect([FIRST_DAY, LAST_DAY]).toEqual([-719162, 2932896]);
  });

  test('agree with Temporal on seeded random days of the years 1 to 9999', () => {
    for (const day of randomDays(2500)) {
      const date = EPOCH.add({ days: day });
      expect(civilDate(day)).toEqual({ year: date.year, month: date.month, day: date.day });
      expect(dayNumber(date.year, date.month, date.day)).toBe(day);
      expect(weekday(day)).toBe(date.dayOfWeek);
      expect(formatDate(day)).toBe(date.toString());
      expect(daysInMonth(date.year, date.month)).toBe(date.daysInMonth);
      expect(isLeapYear(date.year)).toBe(date.inLeapYear);
    }
  });

  test('are consecutive over every day of the calendar', () => {
    let day = FIRST_DAY;
    for (let year = 1; year <= 9999; year++) {
      for (let month = 1; month <= 12; month++) {
        if (dayNumber(year, month, 1) !== day)
          expect.fail(`${year}-${month} does not begin where the month before ends`);
        day += daysInMonth(year, month);
        if (dayNumber(year, month, daysInMonth(year, month)) !== day - 1) expect.fail(`${year}-${month} has a hole`);
      }
    }
    expect(day).toBe(LAST_DAY + 1);
  });

  test('civilDate is the inverse of dayNumber on every day of a 400-year era and at its ends', () => {
    for (let day = dayNumber(1899, 12, 25); day <= dayNumber(2300, 1, 5); day++) {
      const { year, month, day: dayOfMonth } = civilDate(day);
      if (dayNumber(year, month, dayOfMonth) !== day) expect.fail(`day ${day} came back as another one`);
    }
  });

  test('daysInMonth is NaN for a month that does not exist', () => {
    expect([0, 13, 1.5].map((month) => daysInMonth(2023, month))).toEqual([Number.NaN, Number.NaN, Number.NaN]);
  });
});

describe('YYYY-MM-DD', () => {
  test('reads back what formatDate writes, and has four digits of the year', () => {
    fc.assert(
      fc.property(fc.integer({ min: FIRST_DAY, max: LAST_DAY }), (day) => {
        expect(parseDate(formatDate(day))).toBe(day);
      }),
    );
    expect(formatDate(FIRST_DAY)).toBe('0001-01-01');
    expect(formatDate(dayNumber(12, 3, 4))).toBe('0012-03-04');
    expect(formatDate(dayNumber(123, 10, 31))).toBe('0123-10-31');
    expect(formatDate(LAST_DAY)).toBe('9999-12-31');
  });

  test('is rejected exactly if Temporal rejects it', () => {
    const digits = (max: number, width: number) =>
      fc.integer({ min: 0, max }).map((value) => String(value).padStart(width, '0'));
    fc.assert(
      fc.property(digits(9999, 4), digits(14, 2), digits(32, 2), (year, month, day) => {
        const text = `${year}-${month}-${day}`;
        const expected = year === '0000' ? undefined : temporalDay(text);
        expect(attempt(() => parseDate(text))).toBe(expected);
      }),
      { numRuns: 2000 },
    );
  });

  test.each([
    '2024-1-01',
    '2024-01-1',
    '2024/01/01',
    '20240101',
    '2024-01-01T00',
    ' 2024-01-01',
    '2024-01-0١',
    '+2024-01-1',
    '2024-01--1',
    '',
  ])('%j is not of the form', (text) => {
    expect(() => parseDate(text)).toThrow(
      `date: cannot be used; received ${JSON.stringify(text)}; allowed: YYYY-MM-DD`,
    );
  });

  test('the error for a date that does not exist differs from that for another form, and says what exists', () => {
    const message = (text: string) => `date: does not exist; received "${text}"; allowed: `;
    expect(() => parseDate('2023-02-29')).toThrow(`${message('2023-02-29')}days from 1 to 28 in 2023-02`);
    expect(() => parseDate('1900-02-29')).toThrow(`${message('1900-02-29')}days from 1 to 28 in 1900-02`);
    expect(() => parseDate('2024-04-31')).toThrow(`${message('2024-04-31')}days from 1 to 30 in 2024-04`);
    expect(() => parseDate('2024-13-01')).toThrow(`${message('2024-13-01')}months from 1 to 12`);
    expect(() => parseDate('0000-01-01')).toThrow(`${message('0000-01-01')}years from 1 to 9999`);
    expect(parseDate('2000-02-29')).toBe(11016);
  });

  test('an error begins with the subject that the caller names', () => {
    expect(() => parseDate('tomorrow', 'start_date')).toThrow('start_date: cannot be used; received "tomorrow"');
    expect(() => parseDate('2023-02-30', 'start_date')).toThrow('start_date: does not exist; received "2023-02-30"');
  });
});

describe('errors of day numbers', () => {
  test('dayNumber rejects dates that do not exist and parts that are not integers', () => {
    expect(() => dayNumber(0, 1, 1)).toThrow('date: does not exist; received 0, 1, 1; allowed: years from 1 to 9999');
    expect(() => dayNumber(10000, 1, 1)).toThrow(
      'date: does not exist; received 10000, 1, 1; allowed: years from 1 to 9999',
    );
    expect(() => dayNumber(2024, 0, 1)).toThrow(
      'date: does not exist; received 2024, 0, 1; allowed: months from 1 to 12',
    );
    expect(() => dayNumber(2024, 2, 30)).toThrow(
      'date: does not exist; received 2024, 2, 30; allowed: days from 1 to 29 in 2024-02',
    );
    expect(() => dayNumber(2024, 2, 1.5)).toThrow('date: does not exist; received 2024, 2, 1.5');
    expect(() => dayNumber(Number.NaN, 2, 1)).toThrow('date: does not exist; received NaN, 2, 1');
  });

  test.each([FIRST_DAY - 1, LAST_DAY + 1, 0.5, Number.NaN, Number.POSITIVE_INFINITY])(
    '%d is not a day number',
    (day) => {
      const message =
        `day: cannot be used; received ${day}; ` +
        'allowed: an integer from -719162 (0001-01-01) to 2932896 (9999-12-31), days since 1970-01-01';
      expect(() => formatDate(day)).toThrow(message);
      expect(() => civilDate(day)).toThrow(message);
    },
  );
});

function temporalDay(text: string): number | undefined {
  return attempt(() => EPOCH.until(Temporal.PlainDate.from(text, { overflow: 'reject' }), { largestUnit: 'day' }).days);
}

function attempt<T>(call: () => T): T | undefined {
  try {
    return call();
  } catch {
    return undefined;
  }
}
