import { addDays, datesFrom, memberWindows, type Series, weekOf } from './slow-statistics.js';

/** The slow, obvious way to climatologies: the samples of a key of the year, year by year by the calendar of Date. */

const YEARS = Array.from({ length: 30 }, (_, i) => 1993 + i);

/** The values that the normal of `MM-DD`, `Www` or `MM` is made of, 1993 to 2022. */
export function samplesOf(series: Series, key: string, rule: 'sum' | 'mean'): number[] {
  const value = (dates: readonly string[]) => memberWindows(series, dates, rule)[0];
  if (key.startsWith('W')) return YEARS.map((year) => value(weekDates(year, key)));
  if (key.length === 2) return YEARS.map((year) => value(monthDates(`${year}-${key}`)));
  return YEARS.flatMap((year) => daysAround(year, key)).map((date) => value([date]));
}

/** The seven days of a week of an ISO year; W53 is the week from 28 December in each year. */
function weekDates(year: number, key: string): string[] {
  if (key === 'W53') return datesFrom(`${year}-12-28`, `${year + 1}-01-03`);
  const monday = datesFrom(`${year - 1}-12-29`, `${year}-12-31`).find((date) => weekOf(date) === `${year}-${key}`);
  return datesFrom(monday as string, addDays(monday as string, 6));
}

function monthDates(month: string): string[] {
  return datesFrom(`${month}-01`, `${month}-31`).filter((date) => date.startsWith(month));
}

/** The fifteen days around a day of a year, without those before 1993 and after 2022. */
function daysAround(year: number, key: string): string[] {
  const isLeap = addDays(`${year}-02-28`, 1).endsWith('02-29');
  const centre = `${year}-${key === '02-29' && !isLeap ? '02-28' : key}`;
  return datesFrom(addDays(centre, -7), addDays(centre, 7)).filter(
    (date) => date >= '1993-01-01' && date <= '2022-12-31',
  );
}
