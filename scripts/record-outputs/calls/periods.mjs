/** Calls about days, periods and windows. */
import { FIRST_DAY } from '../made-data.mjs';

export function periodCalls({ api }) {
  const days = [];
  for (let day = -719_000; day < 2_900_000; day += 997) days.push(day);
  for (let day = 10_000; day < 24_000; day++) days.push(day);
  const { parseDate, dayNumber, isoWeek, windowTable } = api;
  const ranges = [
    [FIRST_DAY, FIRST_DAY + 44],
    [FIRST_DAY + 3, FIRST_DAY + 3],
    [dayNumber(1999, 12, 20), dayNumber(2021, 1, 10)],
    [dayNumber(1, 1, 1), dayNumber(1, 3, 5)],
  ];
  const years = Array.from({ length: 600 }, (_, year) => 1600 + year);
  return {
    ...Object.fromEntries(
      ['civilDate', 'formatDate', 'isoWeek', 'weekday'].map((name) => [
        `${name} of many days`,
        () => days.map((day) => api[name](day)),
      ]),
    ),
    'parseDate of many days': () => days.map((day) => parseDate(api.formatDate(day))),
    'periodKey of many days': () =>
      ['daily', 'weekly', 'monthly'].map((granularity) => days.map((day) => api.periodKey(granularity, day))),
    'parsePeriod of many periods': () =>
      ['daily', 'weekly', 'monthly'].map((granularity) =>
        days.map((day) => api.parsePeriod(api.periodKey(granularity, day))),
      ),
    'weeks of years': () => years.map((year) => [api.weeksInYear(year), api.weekStart(year, 1), api.isLeapYear(year)]),
    'months of years': () =>
      years.map((year) =>
        [2, 9].map((m) => [api.daysInMonth(year, m), api.monthStart(year, m), api.monthEnd(year, m)]),
      ),
    'texts of weeks and months': () => [
      ...[api.formatWeek(2020, 53), api.parseWeek('2020-W53'), api.formatMonth(2020, 2), api.parseMonth('2020-02')],
      ...[isoWeek(dayNumber(2027, 1, 1)), parseDate('2024-02-29'), api.FIRST_DAY, api.LAST_DAY, api.GRANULARITIES],
    ],
    ...Object.fromEntries(
      ranges.flatMap(([from, to]) =>
        ['daily', 'weekly', 'monthly'].flatMap((granularity) =>
          [false, true].map((partial) => [
            `windowTable ${granularity}, ${from} to ${to}${partial ? ', partial' : ''}`,
            () => publicWindows(windowTable(granularity, from, to, { partial })),
          ]),
        ),
      ),
    ),
  };
}

/** The columns of a window table. */
function publicWindows(windows) {
  return Object.fromEntries(Object.entries(windows).filter(([, field]) => typeof field !== 'function'));
}
