import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parseDate, weekday } from '../../src/period/day.js';
import { isoWeek, weeksInYear } from '../../src/period/period.js';

const root = process.env.PLUMECAST_REFERENCE_DATA ?? resolve(import.meta.dirname, '../../../shared/data');
const folder = join(root, 'iso-weeks');
const absent = !existsSync(folder);
if (absent) console.log(`skipped: no reference data in ${folder}`);

describe.skipIf(absent)('ISO weeks of the reference data', () => {
  test('agree with GNU date on every edge date from 1900 to 2100', () => {
    const [header, ...lines] = readFileSync(join(folder, 'iso_weeks_gnu_date.csv'), 'utf8').trim().split(/\r?\n/);
    expect(header).toBe('date,iso_year,iso_week,iso_weekday');
    expect(lines).toHaveLength(2613);
    for (const line of lines) {
      const [date, year, week, isoWeekday] = line.split(',');
      const day = parseDate(date);
      expect({ ...isoWeek(day), weekday: weekday(day) }, date).toEqual({
        year: Number(year),
        week: Number(week),
        weekday: Number(isoWeekday),
      });
    }
  });

  test('the 71 long years of each 400-year cycle are those of the published table', () => {
    const table: { long_years_mod_400: number[] } = JSON.parse(
      readFileSync(join(folder, 'iso_long_years.json'), 'utf8'),
    );
    const long = new Set(table.long_years_mod_400);
    expect(long.size).toBe(71);
    for (let year = 1; year <= 9999; year++) {
      if ((weeksInYear(year) === 53) !== long.has(year % 400))
        expect.fail(`year ${year} has ${weeksInYear(year)} weeks`);
    }
  });
});
