import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { dayNumber, FIRST_DAY, LAST_DAY } from '../../src/period/day.js';
import { GRANULARITIES, type Granularity, parsePeriod, periodKey } from '../../src/period/period.js';

describe('periodKey', () => {
  test('is the date, the ISO week with its ISO year, or the month', () => {
    const day = dayNumber(2021, 1, 3);
    expect(GRANULARITIES.map((granularity) => periodKey(granularity, day))).toEqual([
      '2021-01-03',
      '2020-W53',
      '2021-01',
    ]);
  });

  test('names the window that the day lies in: parsing it gives bounds around the day', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...GRANULARITIES),
        fc.integer({ min: FIRST_DAY, max: LAST_DAY }),
        (granularity, day) => {
          const period = parsePeriod(periodKey(granularity, day));
          expect(period.granularity).toBe(granularity);
          expect(period.start).toBeLessThanOrEqual(day);
          expect(period.end).toBeGreaterThanOrEqual(day);
          expect(periodKey(granularity, period.start)).toBe(periodKey(granularity, day));
          expect(periodKey(granularity, period.end)).toBe(periodKey(granularity, day));
        },
      ),
    );
  });

  test('rejects an unknown granularity and numbers that are not days', () => {
    expect(() => periodKey('hourly' as Granularity, 0)).toThrow(
      'granularity: cannot be used; received "hourly"; allowed: daily, weekly, monthly',
    );
    for (const granularity of GRANULARITIES) {
      expect(() => periodKey(granularity, FIRST_DAY - 1)).toThrow('day: cannot be used; received -719163');
    }
  });
});

describe('parsePeriod', () => {
  test('recognizes the three forms and gives inclusive bounds', () => {
    expect(parsePeriod('2024-02-29')).toEqual({ granularity: 'daily', start: 19782, end: 19782 });
    expect(parsePeriod('2020-W53')).toEqual({
      granularity: 'weekly',
      start: dayNumber(2020, 12, 28),
      end: dayNumber(2021, 1, 3),
    });
    expect(parsePeriod('2024-02')).toEqual({
      granularity: 'monthly',
      start: dayNumber(2024, 2, 1),
      end: dayNumber(2024, 2, 29),
    });
  });

  test('ends 9999-W52 with the calendar', () => {
    expect(parsePeriod('9999-W52')).toEqual({ granularity: 'weekly', start: LAST_DAY - 4, end: LAST_DAY });
  });

  test.each(['2024', '2024-W5', '24-01-01', '2024-01-01 ', 'W05', ''])('%j has none of the forms', (key) => {
    expect(() => parsePeriod(key)).toThrow(
      `period: has an unknown form; received ${JSON.stringify(key)}; allowed: YYYY-MM-DD, YYYY-Www or YYYY-MM`,
    );
  });

  test('a period that does not exist has another error than an unknown form', () => {
    expect(() => parsePeriod('2023-02-29')).toThrow('date: does not exist; received "2023-02-29"');
    expect(() => parsePeriod('2021-W53')).toThrow('week: does not exist; received "2021-W53"');
    expect(() => parsePeriod('2021-13')).toThrow('month: does not exist; received "2021-13"');
  });
});
