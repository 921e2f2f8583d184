import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect } from 'vitest';
import { memorySource } from '../../src/service/source/index.js';
import { defineVariable, findVariable } from '../../src/variable/index.js';
import { plumecastHere } from '../cli/run-here.js';
import { twinDewPoint, twinEvapotranspiration, twinVaporPressureDeficit } from '../reference/derived.js';
import { temporaryFolder } from '../service/source/temporary-folder.js';
import { expectRounded } from './expect-rounded.js';
import { section, test } from './section.js';
import { AT, AT_FINE, conformanceService, createService, FINE_KEY, METRES, type Service } from './service.js';
import { datesFrom, memberWindows, statisticsOf } from './slow-statistics.js';
import { tinyForecast, tinyService } from './tiny-service.js';

let service: Service;
beforeAll(async () => {
  service = await conformanceService();
});

/** What a row of the table of variables says. */
interface Row {
  group: string;
  units: string;
  label: string;
  window: 'sum' | 'mean';
  decimals: number;
  bounds: [number, number];
  derived?: boolean;
  downscalable?: boolean;
}

/** Expects variables to be as their row says: in the registry, and in answers. */
async function expectRow(slugs: readonly string[], row: Row) {
  for (const slug of slugs) {
    expect(findVariable(slug)).toMatchObject({ slug, derived: false, downscalable: false, ...row });
    const query = `var=${slug}&end_date=2026-03-06`;
    const { variables } = await service.get(`/v2/forecast/statistics?${AT_FINE}&${query}`, FINE_KEY);
    expect(variables[slug]).toMatchObject({ units: row.label, downscaled: row.downscalable ?? false });
    const [day] = Object.values<Record<string, number>>(variables[slug].statistics);
    const places = Object.values(day).map((value) => String(value).split('.')[1]?.length ?? 0);
    expect(Math.max(...places)).toBe(row.decimals);
    const past = await service.get(`/v2/history?${AT}&var=${slug}&start_date=2019-05-06&end_date=2019-05-12`);
    const days: number[] = Object.values(past.data[slug].values);
    const weekly = `var=${slug}&start_date=2019-05-06&end_date=2019-05-12&granularity=weekly`;
    const week = (await service.get(`/v2/history?${AT}&${weekly}`)).data[slug].values['2019-W19'];
    const total = days.reduce((sum, value) => sum + value, 0);
    const [expected, off] = row.window === 'sum' ? [total, 4] : [total / 7, 1];
    expect(Math.abs(week - expected)).toBeLessThanOrEqual(off * 1.01 * 10 ** -row.decimals);
  }
}

section('Variables', import.meta.url, {
  registry: test('a variable made by defineVariable is served with its own units and window rule', async () => {
    const snow = defineVariable({ slug: 'snow_depth', units: 'cm', window: 'max', decimals: 1 });
    const forecast = tinyForecast('snow_depth', [[1.25, 3, 2, 0, 0, 0, 0], new Array(7).fill(1)], '2026-03-09');
    const { get } = createService({ source: memorySource({ forecast }), variables: [snow] });
    const { variables } = await get(`/v2/forecast/statistics?${AT}&var=snow_depth&granularity=weekly`);
    expect(variables.snow_depth.units).toBe('cm');
    expect(variables.snow_depth.statistics['2026-W11']).toMatchObject({ mean: 2, q50: 2 });
    await service.problem(400, `/v2/forecast?${AT}&var=snow_depth`);
  }),

  properties: test('findVariable returns all properties of a variable, its availability by endpoint included', () => {
    expect(findVariable('wind_gust_max')).toEqual({
      ...{ slug: 'wind_gust_max', group: 'wind', standardName: 'wind_speed_of_gust', units: 'm s-1', label: 'm/s' },
      ...{ window: 'mean', bounds: [0, 150], decimals: 2, derived: false, downscalable: false },
      availability: { history: {}, 'short-term': { lastLead: 9 } },
      fileNames: expect.arrayContaining([expect.any(String)]),
    });
  }),

  temperature: test('temperatures: °C, weekly mean, 2 decimals, 1 km data', () =>
    expectRow(['temp_mean', 'temp_min', 'temp_max'], {
      ...{ group: 'temperature', units: 'degC', label: '°C', window: 'mean', decimals: 2, bounds: [-95, 60] },
      downscalable: true,
    })),

  precipitation: test('precipitation: mm, weekly sum, 2 decimals, no 1 km data', () =>
    expectRow(['precipitation'], {
      ...{ group: 'precipitation', units: 'mm', label: 'mm', window: 'sum', decimals: 2, bounds: [0, 2000] },
    })),

  evapotranspiration: test('evapotranspiration: mm, weekly sum, 2 decimals, derived, no 1 km data', () =>
    expectRow(['evapotranspiration'], {
      ...{ group: 'evapotranspiration', units: 'mm', label: 'mm', window: 'sum', decimals: 2, bounds: [0, 30] },
      derived: true,
    })),

  humidity: test('relative humidity: %, weekly mean, 1 decimal, no 1 km data', () =>
    expectRow(['relative_humidity'], {
      ...{ group: 'humidity', units: '%', label: '%', window: 'mean', decimals: 1, bounds: [0, 100] },
    })),

  dewPoint: test('dew point: °C, weekly mean, 2 decimals, equal to the Magnus form of each member', async () => {
    await expectRow(['dew_point'], {
      ...{ group: 'humidity', units: 'degC', label: '°C', window: 'mean', decimals: 2, bounds: [-100, 40] },
      derived: true,
    });
    await expectDerived('dew_point', 2, (at) => twinDewPoint(at('temp_mean'), at('relative_humidity')));
  }),

  vpd: test('vapour pressure deficit: kPa, weekly mean, 3 decimals, equal to FAO-56 of each member', async () => {
    await expectRow(['vapor_pressure_deficit'], {
      ...{ group: 'humidity', units: 'kPa', label: 'kPa', window: 'mean', decimals: 3, bounds: [0, 15] },
      derived: true,
    });
    await expectDerived('vapor_pressure_deficit', 3, (at) =>
      twinVaporPressureDeficit(at('temp_min'), at('temp_max'), at('relative_humidity'), at('temp_mean')),
    );
  }),

  wind: test('wind speed: m/s, weekly mean, 2 decimals, no 1 km data', () =>
    expectRow(['wind_speed'], {
      ...{ group: 'wind', units: 'm s-1', label: 'm/s', window: 'mean', decimals: 2, bounds: [0, 110] },
    })),

  windMax: test('max wind speed and gust: m/s, weekly mean, 2 decimals, bounds to 150', () =>
    expectRow(['wind_speed_max', 'wind_gust_max'], {
      ...{ group: 'wind', units: 'm s-1', label: 'm/s', window: 'mean', decimals: 2, bounds: [0, 150] },
    })),

  solar: test('solar radiation: MJ/m²/d, weekly mean, 2 decimals, 1 km data', () =>
    expectRow(['solar_radiation'], {
      ...{ group: 'solar radiation', units: 'MJ m-2 d-1', label: 'MJ/m²/d', window: 'mean', decimals: 2 },
      ...{ bounds: [0, 50], downscalable: true },
    })),

  bounds: test('a value beyond the bounds is reported and kept; -1e-18 and -0 print as 0', async () => {
    const kelvin = datesFrom('2024-01-01', '2024-01-07').map((date) => `${date},290,291\n`);
    const file = join(temporaryFolder(), 'kelvin.csv');
    writeFileSync(file, `date,m01,m02\n${kelvin.join('')}`);
    const stats = ['stats', file, '--variable', 'temp_mean', '--units', 'degC', '--granularity', 'weekly'];
    const { out, err } = await plumecastHere(...stats, '--format', 'csv');
    expect(err).toContain('is not plausible (-95 to 60)');
    expect(out).toContain('290.5');
    const wet = tinyService({
      forecast: tinyForecast('precipitation', [
        [-1e-18, 2500],
        [-0, 2500],
      ]),
    });
    const { request } = wet;
    const text = await (await request(`/v2/forecast?${AT}`)).text();
    expect(text).toContain('{"2026-03-05":[0,0],"2026-03-06":[2500,2500]}');
  }),

  derived: test("weekly dew point is the mean of each member's daily dew points from coarse inputs", async () => {
    const path = `/v2/forecast/statistics?${AT_FINE}&var=dew_point,temp_mean&granularity=weekly`;
    const { variables } = await service.get(path, FINE_KEY);
    expect([variables.dew_point.downscaled, variables.temp_mean.downscaled]).toEqual([false, true]);
    const [temp, humidity] = ['temp_mean', 'relative_humidity'].map((slug) => service.run('short-term', slug));
    const dew = temp.members.map((values, m) => values.map((t, day) => twinDewPoint(t, humidity.members[m][day])));
    const week = memberWindows({ ...temp, members: dew }, datesFrom('2026-03-09', '2026-03-15'), 'mean');
    expectRounded(Object.values(variables.dew_point.statistics['2026-W11']), statisticsOf(week));
  }),

  fao56: test('ET0 of each member is that of FAO-56; where the elevation is unknown it is a 400', async () => {
    await expectDerived('evapotranspiration', 2, (at) =>
      twinEvapotranspiration({
        ...{ tempMin: at('temp_min'), tempMax: at('temp_max'), humidity: at('relative_humidity') },
        tempMean: at('temp_mean'),
        ...{ windSpeed10m: at('wind_speed'), solarRadiation: at('solar_radiation') },
        ...{ latitude: 37.25, elevation: METRES, date: '2026-03-10' },
      }),
    );
    const { errors } = await service.problem(400, '/v2/forecast?lat=37.5&lon=-80&var=evapotranspiration');
    expect(errors).toMatchObject([{ parameter: 'var', detail: expect.stringContaining('elevation') }]);
  }),

  omitted: test('without var an endpoint returns all of its non-derived variables', async () => {
    const direct = [...'temp_mean temp_min temp_max precipitation relative_humidity wind_speed'.split(' ')];
    const [most, all] = [
      [...direct, 'solar_radiation'],
      [...direct, 'wind_speed_max', 'wind_gust_max', 'solar_radiation'],
    ];
    for (const path of ['/v2/forecast', '/v2/forecast/statistics']) {
      expect(Object.keys((await service.get(`${path}?${AT}`)).variables)).toEqual(all);
    }
    for (const path of ['/v2/history', '/v1/history', '/v1/climatology', '/v1/forecast/short-term']) {
      expect((await service.get(`${path}?${AT}`)).meta.variables).toEqual(all);
    }
    expect((await service.get(`/v1/forecast/seasonal?${AT}`)).meta.variables).toEqual(most);
  }),

  unknown: test('an unknown slug is a 400 with the nearest known slug, for each of several', async () => {
    for (const path of ['/v2/forecast', '/v2/history', '/v1/climatology']) {
      const { errors } = await service.problem(400, `${path}?${AT}&var=precipitatoin,temp_mean,tmp_max`);
      expect(errors).toMatchObject([
        { received: 'precipitatoin', detail: 'is not known, the nearest is precipitation' },
        { received: 'tmp_max', detail: 'is not known, the nearest is temp_max' },
      ]);
    }
  }),
});

/** Expects a derived variable's members on 10 March to be what the equations give of the short-term run's. */
async function expectDerived(slug: string, decimals: number, derive: (at: (slug: string) => number) => number) {
  const date = '2026-03-10';
  const path = `/v2/forecast?${AT}&var=${slug}&start_date=${date}&end_date=${date}`;
  const { variables } = await service.get(path);
  const exact = Array.from({ length: 31 }, (_, m) =>
    derive((input) => memberWindows(service.run('short-term', input), [date], 'mean')[m]),
  );
  expectRounded(variables[slug].members[date], exact, decimals);
}
