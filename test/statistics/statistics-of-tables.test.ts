import type { Table } from 'apache-arrow';
import { beforeAll, describe, expect, it } from 'vitest';
import { type Core, loadCore } from '../../src/core/load.js';
import { windowTable } from '../../src/period/period.js';
import type { StatisticsOptions } from '../../src/statistics/options.js';
import { statistics } from '../../src/statistics/statistics.js';
import { readEnsemble } from '../../src/table/rows/read-ensemble.js';
import { seeded } from '../reference/fields.js';
import { statisticsTwin } from '../reference/statistics.js';
import { dates, daysFrom, float32, messageOf, table } from '../table/tables.js';

let core: Core;
beforeAll(async () => {
  core = await loadCore();
});

const rowsOf = (input: Table) => input.toArray().map((row) => ({ ...row?.toJSON() }));

describe('statistics of tables', () => {
  it('reject what is not a table, and what are not options', () => {
    const one = table({ date: daysFrom('2024-01-01', 1), value: [1] });
    expect(messageOf(() => statistics(core, undefined as never))).toBe(
      'OptionError table: cannot be used; received undefined; allowed: an Arrow table',
    );
    expect(messageOf(() => statistics(core, 'rain.csv' as never, { source: 'rain.csv' }))).toBe(
      'OptionError rain.csv, table: cannot be used; received "rain.csv"; allowed: an Arrow table',
    );
    expect(messageOf(() => statistics(core, one, null as never))).toMatch(
      /^OptionError options: cannot be used; received null/,
    );
  });

  it('equal the twin for every form of table', () => {
    const random = seeded(5);
    const values = Array.from({ length: 3 * 31 }, () => (random() < 0.12 ? null : random() * 30));
    const day = (i: number) => `2024-01-${String((i % 31) + 1).padStart(2, '0')}`;
    const member = (i: number) => Math.floor(i / 31);
    const long = table({ date: values.map((_, i) => day(i)), member: values.map((_, i) => member(i)), value: values });
    const wide = table({
      date: daysFrom('2024-01-01', 31),
      a: values.slice(0, 31),
      b: values.slice(31, 62),
      c: values.slice(62),
    });
    const options: StatisticsOptions = {
      window: 'mean',
      granularity: 'weekly',
      partial: true,
      minMemberShare: 0.3,
      spread: true,
    };
    const [{ field }] = readEnsemble(wide).parts;
    const twin = statisticsTwin(field, windowTable('weekly', field.firstDay, field.firstDay + 30, { partial: true }), {
      window: 'mean',
      quantiles: [0.05, 0.5],
      quantileType: 7,
      thresholds: [],
      spread: true,
      minMemberShare: 0.3,
    });
    const orNull = (x: number) => (Number.isNaN(x) ? null : x);
    const expected = twin.map(({ mean, members, quantiles, spread }) => ({
      n_members: members,
      mean: orNull(mean),
      q05: orNull(quantiles[0]),
      q50: orNull(quantiles[1]),
      spread: orNull(spread),
    }));
    expect(expected.map(({ mean }) => mean === null)).toContain(true);
    expect(expected.map(({ mean }) => mean === null)).toContain(false);
    for (const input of [wide, long]) {
      expect(rowsOf(statistics(core, input, { ...options, quantiles: [0.05, 0.5] }))).toMatchObject(expected);
    }
  });
});

describe('statistics of days', () => {
  it('need no rule that combines them, and no variable', () => {
    const days = table({ date: daysFrom('2024-01-01', 2), m1: [1, 3], m2: [2, 4] });
    const results = statistics(core, days, { quantiles: [0.5] });
    expect(rowsOf(results)).toMatchObject([{ mean: 1.5 }, { mean: 3.5 }]);
    expect(results.schema.metadata.get('window')).toBe('first');
  });
});

describe('statistics rejects', () => {
  it('a table whose variable neither it nor the caller states', () => {
    expect(
      messageOf(() =>
        statistics(core, table({ date: daysFrom('2024-01-01', 1), m1: [1], m2: [2] }), {
          source: 'a.csv',
          granularity: 'weekly',
        }),
      ),
    ).toBe(
      'OptionError a.csv, variable: nothing says whether days are summed or averaged; allowed: temp_mean, temp_min, temp_max, precipitation, evapotranspiration, relative_humidity, dew_point, vapor_pressure_deficit, wind_speed, wind_speed_max, wind_gust_max, solar_radiation; any other with the option window, or by defineVariable in variables',
    );
  });

  it('an infinite value, with file, row and column, in every form of table', () => {
    const infinity = Number.POSITIVE_INFINITY;
    const errorMessage = (input: Table) =>
      messageOf(() => statistics(core, input, { source: 'a.csv', variable: 'precipitation' }));
    const ending = 'infinite value; received Infinity; allowed: finite numbers; NaN or null where a value is missing';
    const date = dates('2024-01-01', '2024-01-03', '2024-01-01', '2024-01-02');
    const place = { lat: [1, 1, 2, 2], lon: [0, 0, 0, 0] };
    expect(errorMessage(table({ date, ...place, m1: [1, 2, 3, 4], m2: [1, 2, 3, infinity] }))).toBe(
      `DataError a.csv, row 4, column m2: ${ending}`,
    );
    expect(errorMessage(table({ date, ...place, m1: float32(1, infinity, 3, 4), m2: float32(1, 2, 3, 4) }))).toBe(
      `DataError a.csv, row 2, column m1: ${ending}`,
    );
    expect(errorMessage(table({ date, member: [1, 1, 2, 2], mm: ['1', '2', '3', 'inf'] }))).toBe(
      `DataError a.csv, row 4, column mm: ${ending}`,
    );
    const byDay = dates('2024-01-01', '2024-01-01', '2024-01-04', '2024-01-04');
    expect(errorMessage(table({ date: byDay, lat: [1, 2, 1, 2], lon: [0, 0, 0, 0], rain: [1, 2, 3, infinity] }))).toBe(
      `DataError a.csv, row 4, column rain: ${ending}`,
    );
  });
});
