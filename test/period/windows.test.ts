import { describe, expect, it } from 'vitest';
import { isPlumecastError } from '../../src/errors.js';
import { dayNumber, formatDate } from '../../src/period/day.js';
import { type WindowTable, windowKeys, windowTable } from '../../src/period/period.js';
import { type NamedWindow, windowsOf } from '../../src/period/windows.js';

const day = (text: string) => dayNumber(Number(text.slice(0, 4)), Number(text.slice(5, 7)), Number(text.slice(8)));

/** The windows of a table as texts. */
function rows(table: WindowTable): string[] {
  return windowKeys(table).map((key, w) => {
    const span = `${formatDate(table.start[w])} to ${formatDate(table.end[w])}`;
    return `${key}: ${span}, ${table.days[w]} days${table.complete[w] ? '' : ', incomplete'}`;
  });
}

const found = (given: string | readonly NamedWindow[], from: string, to: string, partial = false) =>
  rows(windowsOf(given).table(day(from), day(to), { partial }));

describe('windowsOf', () => {
  it('finds seasons: their key has the year of the last month', () => {
    expect(found('seasons', '2025-11-15', '2026-09-01')).toEqual([
      '2026-DJF: 2025-12-01 to 2026-02-28, 90 days',
      '2026-MAM: 2026-03-01 to 2026-05-31, 92 days',
      '2026-JJA: 2026-06-01 to 2026-08-31, 92 days',
    ]);
    expect(found('seasons', '2025-11-15', '2026-01-01', true)).toEqual([
      '2025-SON: 2025-09-01 to 2025-11-30, 16 days, incomplete',
      '2026-DJF: 2025-12-01 to 2026-02-28, 32 days, incomplete',
    ]);
  });

  it('finds months by initials or numbers, which may overlap, by their first and then their last day', () => {
    const expected = [
      '2026-DJ: 2025-12-01 to 2026-01-31, 62 days',
      '2026-DJF: 2025-12-01 to 2026-02-28, 90 days',
      '2026-MJJASO: 2026-05-01 to 2026-10-31, 184 days',
    ];
    expect(found('5-10,DJF,DJ', '2025-12-01', '2026-11-30')).toEqual(expected);
    expect(found(' mjjaso, 12-2 , 12-1', '2025-12-01', '2026-11-30')).toEqual(expected);
    expect(found('NDJ', '2025-10-01', '2026-02-01')).toEqual(['2026-NDJ: 2025-11-01 to 2026-01-31, 92 days']);
    expect(found('JFMAMJJASOND', '2025-12-01', '2026-12-31')).toEqual([
      '2026-JFMAMJJASOND: 2026-01-01 to 2026-12-31, 365 days',
    ]);
  });

  it('finds years, and those that begin in other months', () => {
    expect(found('years', '2023-12-01', '2025-12-31')).toEqual([
      '2024: 2024-01-01 to 2024-12-31, 366 days',
      '2025: 2025-01-01 to 2025-12-31, 365 days',
    ]);
    expect(found('years from 10', '1998-10-01', '2000-09-30')).toEqual([
      '1998/99: 1998-10-01 to 1999-09-30, 365 days',
      '1999/00: 1999-10-01 to 2000-09-30, 366 days',
    ]);
  });

  it('finds dekads', () => {
    expect(found('dekads', '2024-02-01', '2024-03-10')).toEqual([
      '2024-D04: 2024-02-01 to 2024-02-10, 10 days',
      '2024-D05: 2024-02-11 to 2024-02-20, 10 days',
      '2024-D06: 2024-02-21 to 2024-02-29, 9 days',
      '2024-D07: 2024-03-01 to 2024-03-10, 10 days',
    ]);
    expect(found('dekads', '2024-12-21', '2024-12-31')).toEqual(['2024-D36: 2024-12-21 to 2024-12-31, 11 days']);
  });

  it('finds all days as one window', () => {
    expect(found('all', '2026-03-05', '2026-04-02')).toEqual(['all: 2026-03-05 to 2026-04-02, 29 days']);
    expect(windowsOf('all').table(10, 9).count).toBe(0);
  });

  it('counts days from the first whole day of the data, also where later dates are requested', () => {
    expect(found('days 8-14,1-7,3', '2026-03-02', '2026-03-15')).toEqual([
      'd001-007: 2026-03-02 to 2026-03-08, 7 days',
      'd003-003: 2026-03-04 to 2026-03-04, 1 days',
      'd008-014: 2026-03-09 to 2026-03-15, 7 days',
    ]);
    const windows = windowsOf('days 1-7,8-14');
    expect(rows(windows.table(day('2026-03-04'), day('2026-03-15'), { origin: day('2026-03-02') }))).toEqual([
      'd008-014: 2026-03-09 to 2026-03-15, 7 days',
    ]);
    expect(windows.keys).toEqual(['d001-007', 'd008-014']);
  });

  it('finds rolling windows, whose key is their last day', () => {
    expect(found('rolling 3', '2026-03-02', '2026-03-05')).toEqual([
      '2026-03-04: 2026-03-02 to 2026-03-04, 3 days',
      '2026-03-05: 2026-03-03 to 2026-03-05, 3 days',
    ]);
    expect(found('rolling 3', '2026-03-02', '2026-03-04', true)).toEqual([
      '2026-03-02: 2026-02-28 to 2026-03-02, 1 days, incomplete',
      '2026-03-03: 2026-03-01 to 2026-03-03, 2 days, incomplete',
      '2026-03-04: 2026-03-02 to 2026-03-04, 3 days',
    ]);
  });

  it('takes a list of windows with names of their own, also as JSON', () => {
    const list = [
      { name: 'harvest', start: '2026-03-10', end: new Date('2026-03-12') },
      { name: 'sowing', start: '2026-03-02', end: '2026-03-10' },
    ];
    const expected = ['sowing: 2026-03-02 to 2026-03-10, 9 days', 'harvest: 2026-03-10 to 2026-03-12, 3 days'];
    const windows = windowsOf(list);
    expect(rows(windows.table(day('2026-03-01'), day('2026-03-31')))).toEqual(expected);
    expect(rows(windowsOf(windows.text).table(day('2026-03-01'), day('2026-03-31')))).toEqual(expected);
    expect(`${windows}`).toBe('list');
    expect(JSON.stringify({ windows })).toBe(JSON.stringify({ windows: windows.text }));
  });

  it('makes days, weeks and months as windowTable does', () => {
    for (const granularity of ['daily', 'weekly', 'monthly'] as const) {
      expect(windowsOf(granularity).table(20_000, 20_100)).toEqual(windowTable(granularity, 20_000, 20_100));
    }
  });

  it('has the days of model calendars', () => {
    // 2026-12-01 and 2027-03-30 of a calendar with 30 days a month.
    const first = 360 * 56 + 330;
    const { days, keys } = windowsOf('seasons').table(first, first + 119, { calendar: '360_day' });
    expect([...days]).toEqual([90]);
    expect(keys).toEqual(['2027-DJF']);
    expect([...windowsOf('dekads').table(first, first + 29, { calendar: '360_day' }).days]).toEqual([10, 10, 10]);
  });

  const message = (given: unknown) => {
    try {
      windowsOf(given as string);
    } catch (error) {
      if (isPlumecastError(error)) return error.message;
    }
    return 'no error';
  };

  it.each([
    ['fortnights', 'is not known; received "fortnights"'],
    ['J', 'is not known; received "J"'],
    ['DJF,', 'has an empty part; received "DJF,"'],
    ['DJF,12-2', 'has months twice; received "DJF,12-2"; allowed: each once'],
    ['0-3', 'is not known; received "0-3"'],
    ['years from 13', 'begins in no month; received "years from 13"'],
    ['days', 'has days that cannot be counted; received "days"'],
    ['days 0-7', 'has days that cannot be counted; received "days 0-7"'],
    ['days 7-1', 'has an empty window; received "7-1"'],
    ['days 1-7,1-7', 'has a window twice; received "d001-007"; allowed: each once'],
    ['rolling 1', 'is of too few days; received "rolling 1"'],
    ['rolling', 'has no number of days; received "rolling"; allowed: "rolling 7"'],
    ['rolling 7,14', 'has no number of days; received "rolling 7,14"'],
    ['seasons,dekads', 'names several kinds of windows; received "seasons,dekads"; allowed: one of them at a time'],
    ['DJF, years', 'names several kinds of windows; received "DJF, years"'],
    ['[', 'is no list; received "["'],
    [[], 'has no window; received "[]"'],
    [[{ start: '2026-03-02', end: '2026-03-03' }], 'window 1 has no name; allowed: such as'],
    [[{ name: 'a', start: '2026-03-02' }], 'a has no days; received "2026-03-02, undefined"'],
    [[{ name: 'a', start: '2026-03-02', end: '2026-03-01' }], 'a is empty; received "2026-03-02 to 2026-03-01"'],
    [
      [
        { name: 'a', start: '2026-03-02', end: '2026-03-03' },
        { name: 'a', start: '2026-03-02', end: '2026-03-04' },
      ],
      'has a window twice; received "a"; allowed: each name and each span of days once',
    ],
    [
      [
        { name: 'a', start: '2026-03-02', end: '2026-03-03' },
        { name: 'b', start: '2026-03-02', end: '2026-03-03' },
      ],
      'has a window twice; received "2026-03-02 to 2026-03-03"',
    ],
    [7, 'cannot be used; received 7; allowed: daily, weekly'],
  ])('rejects %j', (given, expected) => {
    expect(message(given)).toContain(`windows: ${expected}`);
  });

  it('rejects days of a list that do not exist, when the calendar is known', () => {
    const windows = windowsOf([{ name: 'a', start: '2026-02-28', end: '2026-02-30' }]);
    expect(() => windows.table(0, 9)).toThrow(/windows, a: does not exist; received "2026-02-30"/);
  });
});
