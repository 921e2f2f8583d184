import { describe, expect, it } from 'vitest';
import { requestedDays } from '../../src/ensemble/local-days.js';
import { parseDate } from '../../src/period/day.js';
import { textWidth } from '../../src/plot/text-size.js';
import { type AxisDays, timeAxis } from '../../src/plot/time-axis.js';

const axis = (first: string, days: number, length = 780, granularity?: AxisDays['granularity']) => {
  const firstDay = parseDate(first);
  return timeAxis({ firstDay, lastDay: firstDay + days - 1, length, granularity });
};
const labels = (spans: readonly { label: string }[]) => spans.map(({ label }) => label).join(' ');

describe('timeAxis', () => {
  it.each([
    ['a day', ['2026-03-02', 1], 'Mon 2', 'Mar 2026'],
    ['weekdays across a month', ['2026-02-27', 4], 'Fri 27 Sat 28 Sun 1 Mon 2', 'Feb 2026 Mar 2026'],
    ['days of many', ['2026-02-27', 4, 120], '27 28 1 2', 'Feb 2026 Mar 2026'],
    ['Mondays', ['2026-03-04', 60], '2 9 16 23 30 6 13 20 27', 'Mar 2026 Apr 2026 May'],
    ['ISO weeks of weekly values', ['2026-12-21', 21, 780, 'weekly'], 'W52 W53 W01', '2026 2027'],
    ['hours of time steps', ['2026-03-29', 2, 300, 'steps'], '00 06 12 18 00 06 12 18', 'Sun 29 Mar Mon 30 Mar'],
    ['half days of more', ['2026-03-29', 3, 160, 'steps'], '00 12 00 12 00 12', 'Sun 29 Mon 30 Tue 31'],
    ['days of time steps without space for hours', ['2026-03-29', 3, 100, 'steps'], '29 30 31', 'Mar 2026'],
    ['months', ['2026-11-10', 200, 380], 'Nov Dec Jan Feb Mar Apr May', '2026 2027'],
    ['months of monthly values', ['2026-01-01', 90, 780, 'monthly'], 'Jan Feb Mar', '2026'],
    ['quarters', ['2024-02-10', 800, 350], 'Jan Apr Jul Oct Jan Apr Jul Oct Jan Apr', '2024 2025 2026'],
    ['half years', ['2024-01-01', 1200, 300], 'Jan Jul Jan Jul Jan Jul Jan', '2024 2025 2026 2027'],
    ['years', ['1993-01-01', 3652, 400], '1993 1994 1995 1996 1997 1998 1999 2000 2001 2002', ''],
    ['every fifth of forty years', ['1981-06-01', 40 * 365, 380], '1980 1985 1990 1995 2000 2005 2010 2015 2020', ''],
  ] as const)('has %s', (_, [first, days, length, granularity], ticks, groups) => {
    const found = axis(first, days, length, granularity);
    expect([labels(found.ticks), labels(found.groups)]).toEqual([ticks, groups]);
  });

  it('has hours by the clocks of a zone, where one may be skipped', () => {
    const day = parseDate('2026-03-29');
    const days = requestedDays({ timeZone: 'Europe/Berlin', dayStart: '03' });
    const found = timeAxis({ firstDay: day - 1, lastDay: day - 1, length: 900, granularity: 'steps', days });
    const hours = ['03', '04', '05', '06', '07', '08', '09', '10', '11', '12', '13', '14', '15', '16', '17', '18'];
    // From 03:00 on Saturday to 03:00 on Sunday there are 23 hours: 02:00 is 03:00, when the next day begins.
    expect(labels(found.ticks)).toBe([...hours, '19', '20', '21', '22', '23', '00', '01'].join(' '));
    expect(found.ticks[22].from).toBeCloseTo(day - 1 + 22 / 23, 12);
  });

  it('has days of the month in calendars without weeks', () => {
    const found = timeAxis({ firstDay: 0, lastDay: 59, length: 300, calendar: '360_day' });
    expect([labels(found.ticks), labels(found.groups)]).toEqual(['1 11 21 1 11 21', 'Jan 1970 Feb 1970']);
  });

  it('has at least one tick, and labels that do not touch, at every span from 1 day to 40 years', () => {
    for (let days = 1; days < 40 * 366; days = Math.ceil(days * 1.21)) {
      for (const length of [280, 500, 780, 2000]) {
        for (const granularity of [undefined, 'weekly', 'monthly'] as const) {
          const { ticks, areCentred } = axis('1985-10-17', days, length, granularity);
          expect(ticks.length, `${days} days on ${length} pixels`).toBeGreaterThan(0);
          const at = ticks.map(({ from, to }) => ((areCentred ? (from + to) / 2 : from) * length) / days);
          ticks.slice(1).forEach(({ label }, i) => {
            const widths = (textWidth(label, 11) + textWidth(ticks[i].label, 11)) / 2;
            expect(at[i + 1] - at[i], `${days} days on ${length} pixels`).toBeGreaterThan(widths + 2);
          });
        }
      }
    }
  });
});
