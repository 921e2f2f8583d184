import { Temporal } from 'temporal-polyfill';
import { describe, expect, test } from 'vitest';
import { dayNumber, FIRST_DAY, LAST_DAY, weekday } from '../../src/period/day.js';
import { formatWeek, isoWeek, parseWeek, weekStart, weeksInYear } from '../../src/period/period.js';
import { randomDays } from './random-days.js';

const EPOCH = Temporal.PlainDate.from('1970-01-01');

describe('ISO weeks', () => {
  test('of the dates in the examples of ISO 8601', () => {
    expect(isoWeek(dayNumber(2005, 1, 1))).toEqual({ year: 2004, week: 53 });
    expect(isoWeek(dayNumber(2007, 1, 1))).toEqual({ year: 2007, week: 1 });
    expect(isoWeek(dayNumber(2008, 12, 29))).toEqual({ year: 2009, week: 1 });
    expect(isoWeek(dayNumber(2010, 1, 3))).toEqual({ year: 2009, week: 53 });
  });

  test('agree with Temporal on seeded random days of the years 1 to 9999', () => {
    for (const day of randomDays(2500)) {
      const date = EPOCH.add({ days: day });
      expect(isoWeek(day)).toEqual({ year: date.yearOfWeek, week: date.weekOfYear });
    }
  });

  test('a year has 53 weeks exactly where Temporal puts its 28 December in week 53, in all years', () => {
    for (let year = 1; year <= 9999; year++) {
      const last = new Temporal.PlainDate(year, 12, 28).weekOfYear;
      if (weeksInYear(year) !== last) expect.fail(`${year} has ${last} weeks, not ${weeksInYear(year)}`);
    }
  });

  test('weekStart gives every week its own Monday, seven days after the one before, over the whole calendar', () => {
    let monday = FIRST_DAY;
    for (let year = 1; year <= 9999; year++) {
      for (let week = 1; week <= weeksInYear(year); week++) {
        const start = weekStart(year, week);
        const found = isoWeek(start);
        if (start !== monday || weekday(start) !== 1 || found.year !== year || found.week !== week) {
          expect.fail(`${year}-W${week} begins on day ${start}, not ${monday}`);
        }
        monday += 7;
      }
    }
    expect(monday).toBe(LAST_DAY + 3);
  });

  test('the calendar begins with week 1 and ends within week 52 of 9999', () => {
    expect(isoWeek(FIRST_DAY)).toEqual({ year: 1, week: 1 });
    expect(weekday(FIRST_DAY)).toBe(1);
    expect(isoWeek(LAST_DAY)).toEqual({ year: 9999, week: 52 });
    expect(weekday(LAST_DAY)).toBe(5);
  });
});

describe('YYYY-Www', () => {
  test('reads back what formatWeek writes', () => {
    for (const day of randomDays(500)) {
      const { year, week } = isoWeek(day);
      expect(parseWeek(formatWeek(year, week))).toEqual({ year, week });
    }
    expect(formatWeek(7, 3)).toBe('0007-W03');
    expect(parseWeek('2020-W53')).toEqual({ year: 2020, week: 53 });
  });

  test.each(['2020-w53', '2020W53', '2020-W5', '2020-W053', '2020-53', '', '2020-W-1'])(
    '%j is not of the form',
    (text) => {
      expect(() => parseWeek(text)).toThrow(
        `week: is not of the form YYYY-Www; received ${JSON.stringify(text)}; ` +
          'allowed: four digits of the ISO year, a capital W, two digits of the week, as in 2020-W53',
      );
    },
  );

  test('a week that does not exist says which do', () => {
    expect(() => parseWeek('2021-W53')).toThrow(
      'week: does not exist; received "2021-W53"; allowed: weeks from 1 to 52 in 2021',
    );
    expect(() => parseWeek('2020-W54')).toThrow(
      'week: does not exist; received "2020-W54"; allowed: weeks from 1 to 53 in 2020',
    );
    expect(() => parseWeek('2020-W00')).toThrow('week: does not exist; received "2020-W00"');
    expect(() => parseWeek('0000-W01')).toThrow(
      'week: does not exist; received "0000-W01"; allowed: years from 1 to 9999',
    );
    expect(() => weekStart(2021, 53)).toThrow(
      'week: does not exist; received 2021, 53; allowed: weeks from 1 to 52 in 2021',
    );
    expect(() => formatWeek(2021, 1.5)).toThrow('week: does not exist; received 2021, 1.5');
    expect(() => weeksInYear(10000)).toThrow('ISO year: does not exist; received 10000; allowed: years from 1 to 9999');
    expect(() => isoWeek(LAST_DAY + 1)).toThrow('day: cannot be used; received 2932897');
  });
});
