import { beforeAll, describe, expect, it } from 'vitest';
import { checkAgainstOptions } from '../../src/climate/against-options.js';
import { ClimateReference } from '../../src/climate/climate-reference.js';
import type { Climatology } from '../../src/climate/climatology.js';
import { type Core, loadCore } from '../../src/core/load.js';
import type { StatisticsOptions } from '../../src/statistics/options.js';
import { statistics } from '../../src/statistics/statistics.js';
import { StatisticsRun } from '../../src/statistics/statistics-plan.js';
import { ensembleOf } from '../../src/table/rows/read-ensemble.js';
import { dates, daysFrom, messageOf, table } from '../table/tables.js';
import { type PlainPlace, plainClimatology } from './against-climatology.js';

let core: Core;
beforeAll(async () => {
  core = await loadCore();
});

const WEEK = { date: daysFrom('2024-01-01', 7), m1: Array(7).fill(1), m2: Array(7).fill(3) };
const rain: StatisticsOptions = { variable: 'precipitation', source: 'rain.csv' };

/** Members of 1 and 3 mm on one day, or on `days` days, at each of the given places. */
function grid(places: readonly [number, number][], days = 1) {
  const rows = Array.from({ length: days }, (_, d) => places.map((place) => ({ place, d }))).flat();
  return table({
    date: dates(...rows.map(({ d }) => `2024-01-0${d + 1}`)),
    latitude: rows.map(({ place }) => place[0]),
    longitude: rows.map(({ place }) => place[1]),
    m1: rows.map(() => 1),
    m2: rows.map(() => 3),
  });
}

const place = (latitude: number, longitude: number, limit: number) => ({ latitude, longitude, limits: [limit] });
const daily = (places: readonly PlainPlace[]) => plainClimatology(places, { granularity: 'daily' });
const below = (input: ReturnType<typeof grid>, climatology: Climatology, options = rain) => [
  ...(statistics(core, input, { ...options, climatology }).getChild('p_below') ?? []),
];

describe('a climatology and what is compared with it', () => {
  const normal = plainClimatology([{ limits: [10, 20] }]);
  const errorMessage = (climatology: Climatology, options: StatisticsOptions = {}, metadata = {}) =>
    messageOf(() => statistics(core, table(WEEK, metadata), { ...rain, ...options, climatology }));

  it('have the same granularity', () => {
    expect(errorMessage(normal, { granularity: 'daily' })).toBe(
      'OptionError granularity: not that of the climatology; received "daily"; allowed: weekly',
    );
    expect(statistics(core, table(WEEK), { ...rain, granularity: 'weekly', climatology: normal }).numRows).toBe(1);
  });

  it('have the same variable, units and window rule, as far as known', () => {
    expect(errorMessage(normal, { variable: 'temp_mean' })).toBe(
      'DataError rain.csv: its variable is not that of the climatology; received "temp_mean"; allowed: precipitation',
    );
    expect(errorMessage(normal, { variable: undefined, window: 'sum' }, { units: 'inch' })).toBe(
      'DataError rain.csv: its units are not those of the climatology; received "inch"; allowed: mm',
    );
    expect(errorMessage(normal, { window: 'max' })).toBe(
      'DataError rain.csv: its window rule is not that of the climatology; received "max"; allowed: sum',
    );
    const unknown = plainClimatology([{ limits: [10, 20] }], {
      variable: undefined,
      units: undefined,
      window: undefined,
    });
    const options: StatisticsOptions = { variable: 'temp_mean', window: 'max' };
    expect(statistics(core, table(WEEK), { ...options, climatology: unknown }).numRows).toBe(1);
    const spelled = { ...rain, variable: undefined, window: 'sum' } as const;
    expect(statistics(core, table(WEEK, { units: 'kg m-2' }), { ...spelled, climatology: normal }).numRows).toBe(1);
  });
});

describe('places', () => {
  const two = daily([place(10, 20, 2), place(11, 20, 5)]);

  it('are compared with the nearest place of the climatology, longitudes wrapped', () => {
    const input = grid([
      [10.4, -10],
      [10.6, 350],
      [12, -9.9],
    ]);
    const west = daily([place(10, 350, 2), place(11, -10, 5)]);
    expect(below(input, west)).toEqual([0.5, 1, 1]);
    expect(below(input, west, { ...rain, point: { latitude: 10.4, longitude: 350 } })).toEqual([0.5]);
  });

  it('keep their own climatology in either order of rows, and where they have different days', () => {
    const input = grid(
      [
        [11, 20],
        [10, 20],
      ],
      2,
    );
    const periods = [...(statistics(core, input, { ...rain, climatology: two }).getChild('period') ?? [])];
    const latitudes = [...(statistics(core, input, { ...rain, climatology: two }).getChild('latitude') ?? [])];
    expect(latitudes.map((latitude, i) => `${periods[i]} ${latitude}`).sort()).toEqual([
      '2024-01-01 10',
      '2024-01-01 11',
      '2024-01-02 10',
      '2024-01-02 11',
    ]);
    expect(below(input, two)).toEqual(latitudes.map((latitude) => (latitude === 11 ? 1 : 0.5)));
    const uneven = table({
      date: dates('2024-01-01', '2024-01-02', '2024-01-05'),
      latitude: [11, 11, 10],
      longitude: [20, 20, 20],
      m1: [1, 1, 1],
      m2: [3, 3, 3],
    });
    expect(below(uneven, two)).toEqual([1, 1, 0.5]);
  });

  it('of one latitude keep their own climatology, too', () => {
    const input = grid([
      [10, 20],
      [10, 21],
    ]);
    expect(below(input, daily([place(10, 20, 2), place(10, 21, 5)]))).toEqual([0.5, 1]);
  });

  it('keep their own climatology where results come in groups', () => {
    const input = grid(
      Array.from({ length: 5 }, (_, i) => [10 + (i % 2), 20 + i / 10]),
      3,
    );
    const checked = checkAgainstOptions(two, { ...rain, anomaly: true });
    const ensemble = ensembleOf(input, checked);
    const reference = new ClimateReference(two, ensemble, checked);
    const whole = statistics(core, input, { ...rain, anomaly: true, climatology: two });
    expect(whole.numRows).toBe(15);
    for (const rows of [1, 2, 4, 7]) {
      const groups = [...new StatisticsRun(core, checked, rows).add(ensemble, reference)];
      expect(groups.length).toBeGreaterThan(1);
      expect(groups.flatMap((group) => group.toArray().map(String))).toEqual(whole.toArray().map(String));
    }
  });

  it('farther than a grid step from the climatology are errors', () => {
    const far = grid([
      [10, 20],
      [12.5, 20],
    ]);
    expect(messageOf(() => below(far, two))).toBe(
      'DataError climatology, point: is not covered; received "12.5, 20"; allowed: within one grid step (1 by 1 degrees) of the data; the nearest is 11, 20',
    );
  });

  it('need no coordinates where both sides have a single place', () => {
    const series = table({ date: dates('2024-01-01'), m1: [1], m2: [3] });
    expect(below(series, daily([{ limits: [2] }]))).toEqual([0.5]);
    expect(below(series, daily([place(10, 20, 2)]))).toEqual([0.5]);
    expect(below(grid([[50, 0]]), daily([{ limits: [2] }]))).toEqual([0.5]);
    const missing = 'has no coordinates by which to find places in the climatology';
    expect(messageOf(() => below(series, two))).toMatch(`DataError rain.csv: ${missing}; allowed: columns latitude`);
    const many = grid([
      [10, 20],
      [11, 20],
    ]);
    expect(messageOf(() => below(many, daily([{ limits: [2] }])))).toMatch(`DataError climatology: ${missing}`);
  });
});
