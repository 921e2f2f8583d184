import { describe, expect, it } from 'vitest';
import { CALENDARS, dateText, modelCalendar, parseCalendarDate, sameDateIn } from '../../src/period/calendar.js';
import { periodKey, windowTable } from '../../src/period/period.js';

const MODELS = ['noleap', 'all_leap', '360_day'] as const;

describe('model calendars', () => {
  it('are known by all names that CF has for them, in any case', () => {
    expect(CALENDARS.map(modelCalendar)).toEqual([
      ...[undefined, undefined, undefined],
      ...['noleap', 'noleap', 'all_leap', 'all_leap', '360_day'],
    ]);
    expect(modelCalendar('365_DAY')).toBe('noleap');
    expect(() => modelCalendar('julian')).toThrow('calendar: is not supported; received "julian"');
  });

  it('count days from 1970-01-01, each in its own calendar', () => {
    expect(MODELS.map((calendar) => parseCalendarDate(calendar, '1970-01-01'))).toEqual([0, 0, 0]);
    expect(MODELS.map((calendar) => parseCalendarDate(calendar, '2026-03-01'))).toEqual([
      56 * 365 + 59,
      56 * 366 + 60,
      56 * 360 + 60,
    ]);
    expect(parseCalendarDate('360_day', '1969-12-30')).toBe(-1);
  });

  it.each(MODELS)('write every day of years before and after 1970 as it is read: %s', (calendar) => {
    for (let day = parseCalendarDate(calendar, '1967-12-01'); day < parseCalendarDate(calendar, '1973-02-01'); day++) {
      expect(parseCalendarDate(calendar, dateText(calendar, day))).toBe(day);
    }
  });

  it('have 30 February where months have 30 days, and no 31 January; no 29 February without leap years', () => {
    expect(dateText('360_day', parseCalendarDate('360_day', '2026-02-30') + 1)).toBe('2026-03-01');
    expect(() => parseCalendarDate('360_day', '2026-01-31')).toThrow('dates that calendar 360_day has');
    expect(() => parseCalendarDate('noleap', '2024-02-29')).toThrow('dates that calendar noleap has');
    expect(dateText('all_leap', parseCalendarDate('all_leap', '2023-02-29'))).toBe('2023-02-29');
  });

  it('turn a real day into the day with the same year, month and day', () => {
    const real = parseCalendarDate(undefined, '2024-02-28');
    expect(dateText('noleap', sameDateIn('noleap', real))).toBe('2024-02-28');
    expect(() => sameDateIn('noleap', real + 1)).toThrow('date: does not exist; received "2024-02-29"');
  });

  it('have their own months, and no weeks', () => {
    const first = parseCalendarDate('360_day', '2026-01-01');
    const { count, days, start, calendar } = windowTable('monthly', first, first + 74, { calendar: '360_day' });
    expect([count, [...days], calendar]).toEqual([2, [30, 30], '360_day']);
    expect(periodKey('monthly', start[1], '360_day')).toBe('2026-02');
    expect(() => windowTable('weekly', first, first + 74, { calendar: 'noleap' })).toThrow(
      'granularity: cannot be used; received "weekly"; allowed: daily or monthly: calendar noleap has no weekdays',
    );
  });
});
