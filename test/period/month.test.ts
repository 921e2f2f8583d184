import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { dayNumber } from '../../src/period/day.js';
import { formatMonth, monthEnd, monthStart, parseMonth } from '../../src/period/period.js';

describe('months', () => {
  test('begin on their first day and end on their last', () => {
    expect(monthStart(2024, 2)).toBe(dayNumber(2024, 2, 1));
    expect(monthEnd(2024, 2)).toBe(dayNumber(2024, 2, 29));
    expect(monthEnd(2023, 2)).toBe(dayNumber(2023, 2, 28));
    expect(monthEnd(9999, 12)).toBe(dayNumber(9999, 12, 31));
  });

  test('YYYY-MM reads back what formatMonth writes', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 9999 }), fc.integer({ min: 1, max: 12 }), (year, month) => {
        expect(parseMonth(formatMonth(year, month))).toEqual({ year, month });
      }),
    );
    expect(formatMonth(33, 4)).toBe('0033-04');
  });

  test.each(['2024-2', '2024-002', '202402', '2024-W2', ''])('%j is not of the form', (text) => {
    expect(() => parseMonth(text)).toThrow(
      `month: is not of the form YYYY-MM; received ${JSON.stringify(text)}; ` +
        'allowed: four digits of the year, two of the month, as in 2024-02',
    );
  });

  test('a month that does not exist says which do', () => {
    expect(() => parseMonth('2024-13')).toThrow(
      'month: does not exist; received "2024-13"; allowed: months from 1 to 12',
    );
    expect(() => parseMonth('0000-01')).toThrow(
      'month: does not exist; received "0000-01"; allowed: years from 1 to 9999',
    );
    expect(() => monthStart(2024, 0)).toThrow('month: does not exist; received 2024, 0; allowed: months from 1 to 12');
    expect(() => monthEnd(10000, 1)).toThrow('month: does not exist; received 10000, 1; allowed: years from 1 to 9999');
    expect(() => formatMonth(2024, 1.5)).toThrow('month: does not exist; received 2024, 1.5');
  });
});
