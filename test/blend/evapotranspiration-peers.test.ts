import { describe, expect, it } from 'vitest';
import { deriveVariable } from '../../src/blend/index.js';
import { daysFrom, table } from '../table/tables.js';

/*
 * Evapotranspiration of one day by pyet 1.5.0 and refet 0.5.0 (method asce, simple clear-sky radiation). Each has four
 * numbers: the vapour pressure of the mean humidity at temp_mean, and at the mean of the extremes; of the extremes of
 * humidity; of the dew point. refet has other constants in radiation and pressure.
 */
const DAYS = [
  {
    date: '2015-07-06',
    latitude: 50.8,
    elevation: 100,
    inputs: [12.3, 21.5, 17.1, 70, 63, 84, 12.1, 2.78, 22.07],
    pyet: [3.94805828, 3.974736843, 3.880278924, 3.875272504],
    refet: [3.9484, 3.975, 3.8806, 3.8756],
  },
  {
    date: '2016-02-29',
    latitude: -33.9,
    elevation: 1500,
    inputs: [15.2, 31.4, 22.0, 48, 25, 81, 9.8, 3.9, 24.6],
    pyet: [6.590987194, 6.457500154, 6.584606644, 6.663830417],
    refet: [6.5916, 6.4581, 6.5852, 6.6644],
  },
  {
    date: '2020-04-15',
    latitude: 13.73,
    elevation: 2,
    inputs: [25.6, 34.8, 29.6, 68, 47, 91, 23.2, 2.7, 22.65],
    pyet: [5.789450235, 5.712588861, 5.804385865, 5.770943845],
    refet: [5.7898, 5.7129, 5.8047, 5.7713],
  },
  {
    date: '2022-10-12',
    latitude: 37.3,
    elevation: 507,
    inputs: [4.1, 19.9, 11.2, 74, 42, 97, 6.4, 1.1, 14.8],
    pyet: [2.009433694, 1.977595336, 2.067038575, 2.02300745],
    refet: [2.0098, 1.978, 2.0675, 2.0234],
  },
  {
    date: '2019-06-21',
    latitude: 30.05,
    elevation: 74,
    inputs: [22.8, 38.9, 30.1, 31, 14, 55, 9.9, 4.4, 29.9],
    pyet: [9.980759957, 9.922050304, 10.053399932, 10.083236344],
    refet: [9.9816, 9.9229, 10.0542, 10.0841],
  },
];

const COLUMNS = [
  ...['temp_min', 'temp_max', 'temp_mean', 'relative_humidity', 'relative_humidity_min', 'relative_humidity_max'],
  ...['dew_point', 'wind_speed', 'solar_radiation'],
];
const BASE = ['temp_min', 'temp_max', 'wind_speed', 'solar_radiation'];
const WAYS = [
  [...BASE, 'relative_humidity', 'temp_mean'],
  [...BASE, 'relative_humidity'],
  [...BASE, 'relative_humidity', 'temp_mean', 'relative_humidity_min', 'relative_humidity_max'],
  COLUMNS,
];

describe('evapotranspiration is what pyet and refet compute', () => {
  it.each(DAYS)('on $date at $latitude', ({ date, latitude, elevation, inputs, pyet, refet }) => {
    for (const [way, slugs] of WAYS.entries()) {
      const place = { latitude: [latitude], longitude: [0], date: daysFrom(date, 1) };
      const tables = slugs.map((slug) => [slug, table({ ...place, value: [inputs[COLUMNS.indexOf(slug)]] })]);
      const result = deriveVariable('evapotranspiration', Object.fromEntries(tables), { elevation });
      const found = result.getChild('member_00')?.get(0);
      expect(found).toBeCloseTo(pyet[way], 7);
      expect(found).toBeCloseTo(refet[way], 2);
    }
  });
});

describe('evapotranspiration of low sun', () => {
  /** At 70 N from 25 October: clear-sky radiation falls below 1 MJ in the first days of November, and is 0 from the end of the month. */
  const series = (radiation: (number | null)[], wind = radiation.map(() => 4)) => {
    const place = { latitude: radiation.map(() => 70), longitude: radiation.map(() => 20) };
    const date = daysFrom('2021-10-25', radiation.length);
    const of = (value: (number | null)[]) => table({ ...place, date, value });
    const all = (value: number) => of(radiation.map(() => value));
    const inputs = { temp_min: all(-6), temp_max: all(2), relative_humidity: all(60), wind_speed: of(wind) };
    return deriveVariable('evapotranspiration', { ...inputs, solar_radiation: of(radiation) }, { elevation: 0 });
  };
  const valuesOf = (radiation: (number | null)[], wind?: number[]) => [
    ...(series(radiation, wind).getChild('member_00') ?? []),
  ];

  it('takes the ratio of the last day with a clear sky above 1 MJ, across gaps', () => {
    const days = 25;
    const dark = Array.from({ length: days - 1 }, () => 0);
    const [cloudy, clear] = [valuesOf([0, ...dark]), valuesOf([9, ...dark.slice(1), 0])];
    const gap = valuesOf([9, ...dark.map((value, day) => (day < 20 ? null : value))]);
    expect(cloudy.at(-1)).toBeGreaterThan(0);
    // Only missing radiation lies between the first day and the dark ones: the first day was clear.
    expect(gap.at(-1)).toBeLessThan(cloudy.at(-1));
    expect(gap.slice(1, 21)).toEqual(Array.from({ length: 20 }, () => null));
    // Another sunny day, which is cloudy, comes after the first.
    expect(clear.at(-1)).toBe(cloudy.at(-1));
  });

  it('counts negative radiation and wind as 0, and says how many', () => {
    const result = series([-0.5, 3, 2], [4, -1, 2]);
    expect(result.schema.metadata.get('clamped')).toBe('{"wind_speed":1,"solar_radiation":1}');
    expect([...(result.getChild('member_00') ?? [])]).toEqual(valuesOf([0, 3, 2], [4, 0, 2]));
    expect(series([0, 3]).schema.metadata.has('clamped')).toBe(false);
  });
});
