import { beforeAll, expect } from 'vitest';
import { cachedDataset } from '../../src/service/source/cached-dataset.node.js';
import { memorySource } from '../../src/service/source/index.js';
import type { HistoryData } from '../../src/service/source/source.js';
import { LateDataset } from '../service/source/histories.js';
import { temporaryFolder } from '../service/source/temporary-folder.js';
import { expectRounded } from './expect-rounded.js';
import { section, test } from './section.js';
import { AT, AT_FINE, type Body, conformanceService, createService, FINE_KEY, type Service } from './service.js';
import { completeWindows, datesFrom, memberWindows } from './slow-statistics.js';

let service: Service;
beforeAll(async () => {
  service = await conformanceService();
});

const history = (query: string) => service.get(`/v2/history?${AT}&${query}`);
const valuesOf = async (slug: string, query: string) => (await history(`var=${slug}&${query}`)).data[slug].values;
const faults = async (query: string) => (await service.problem(400, `/v2/history?${query}`)).errors;

section('4.4 Current history', import.meta.url, {
  history: test('each day since 1995 has the reanalysis value, and that of the analysis after its end', async () => {
    const { data, meta } = await history('var=temp_mean&start_date=1995-01-01');
    const dates = datesFrom('1995-01-01', '2026-03-04');
    expect(meta.period).toEqual({ start_date: dates[0], end_date: '2026-03-04' });
    expect(Object.keys(data.temp_mean.values)).toEqual(dates);
    const [old, recent] = [service.observed('reanalysis', 'temp_mean'), service.observed('analysis', 'temp_mean')];
    // The reanalysis ends a week before the present; the analysis also has earlier days, which are not used.
    for (const [series, first, last] of [
      [old, '2026-01-10', '2026-02-26'],
      [recent, '2026-02-27', '2026-03-04'],
    ] as const) {
      const days = datesFrom(first, last);
      expectRounded(
        days.map((date) => data.temp_mean.values[date]),
        days.map((date) => memberWindows(series, [date], 'mean')[0]),
      );
    }
  }),

  onDemand: test('a point that is not pre-loaded is read once, and then comes from the cache', async () => {
    const { data, ...rest } = service.data.history as HistoryData;
    const origin = new LateDataset(data);
    const cached = cachedDataset(origin, { folder: temporaryFolder() });
    const isPreloaded = () => false;
    const { get } = createService({ source: memorySource({ history: { ...rest, data: cached, isPreloaded } }) });
    const path = `/v2/history?${AT}&var=precipitation`;
    const first = await get(path);
    expect([origin.reads, Object.keys(first.data.precipitation.values).length]).toEqual([1, 366]);
    expect([await get(path), origin.reads]).toEqual([first, 1]);
  }),

  lat: test('lat is required, from -90 to 90', async () => {
    expect(await faults('lon=-80')).toMatchObject([{ parameter: 'lat', detail: 'is missing' }]);
    expect(await faults('lat=90.5&lon=-80')).toMatchObject([{ parameter: 'lat', received: '90.5' }]);
  }),

  lon: test('lon is required, from -180 to 180', async () => {
    expect(await faults('lat=37')).toMatchObject([{ parameter: 'lon', detail: 'is missing' }]);
    expect(await faults('lat=37&lon=-180.5')).toMatchObject([{ parameter: 'lon', received: '-180.5' }]);
  }),

  var: test('without var all nine non-derived variables are returned; several slugs keep their order', async () => {
    expect((await history('')).meta.variables).toEqual([
      ...['temp_mean', 'temp_min', 'temp_max', 'precipitation', 'relative_humidity', 'wind_speed', 'wind_speed_max'],
      ...['wind_gust_max', 'solar_radiation'],
    ]);
    expect((await history('var=dew_point&var=temp_min,wind_speed')).meta.variables).toEqual([
      ...['dew_point', 'temp_min', 'wind_speed'],
    ]);
  }),

  start_date: test('start_date is the first day of the answer; a date that does not exist is a 400', async () => {
    const values = await valuesOf('temp_min', 'start_date=2026-03-03');
    expect(Object.keys(values)).toEqual(['2026-03-03', '2026-03-04']);
    expect(await faults(`${AT}&start_date=2026-02-30`)).toMatchObject([{ parameter: 'start_date' }]);
  }),

  end_date: test('end_date is the last day of the answer, leap days included; a month 13 is a 400', async () => {
    const values = await valuesOf('temp_min', 'start_date=2020-02-28&end_date=2020-03-01');
    expect(Object.keys(values)).toEqual(['2020-02-28', '2020-02-29', '2020-03-01']);
    expect(await faults(`${AT}&end_date=2026-13-01`)).toMatchObject([{ parameter: 'end_date' }]);
  }),

  granularity: test('windows are days by default, complete ISO weeks, or complete months', async () => {
    const range = 'start_date=2020-12-20&end_date=2021-02-10';
    for (const granularity of ['daily', 'weekly', 'monthly'] as const) {
      const values = await valuesOf('temp_min', `${range}&granularity=${granularity}`);
      expect(Object.keys(values)).toEqual([...completeWindows(granularity, '2020-12-20', '2021-02-10').keys()]);
    }
    expect(await valuesOf('temp_min', range)).toEqual(await valuesOf('temp_min', `${range}&granularity=daily`));
  }),

  use_downscaling: test('1 km data are the default with a 1 km key, for downscalable variables alone', async () => {
    const fine = async (query: string, key?: string) => {
      const { data } = await service.get(`/v2/history?${AT_FINE}&var=temp_max,wind_speed&${query}`, key);
      return [data.temp_max.downscaled, data.wind_speed.downscaled];
    };
    expect(await fine('', FINE_KEY)).toEqual([true, false]);
    expect(await fine('use_downscaling=true', FINE_KEY)).toEqual([true, false]);
    expect(await fine('use_downscaling=false', FINE_KEY)).toEqual([false, false]);
    expect(await fine('use_downscaling=true')).toEqual([false, false]);
  }),

  aggregation: test('windows of rain and ET0 are sums, those of temperature, humidity and wind are means', async () => {
    const range = ['2019-01-01', '2019-03-31'] as const;
    const rules = { precipitation: 'sum', temp_max: 'mean', relative_humidity: 'mean', wind_speed: 'mean' } as const;
    for (const [slug, rule] of Object.entries(rules)) {
      for (const granularity of ['weekly', 'monthly'] as const) {
        const values = await valuesOf(slug, `start_date=${range[0]}&end_date=${range[1]}&granularity=${granularity}`);
        const windows = [...completeWindows(granularity, ...range).values()];
        const series = service.observed('reanalysis', slug);
        const exact = windows.map((dates) => memberWindows(series, dates, rule)[0]);
        expectRounded(Object.values(values), exact, slug === 'relative_humidity' ? 1 : 2);
      }
    }
    const days = await valuesOf('evapotranspiration', 'start_date=2019-06-01&end_date=2019-06-30');
    const month = await valuesOf('evapotranspiration', 'start_date=2019-06-01&end_date=2019-06-30&granularity=monthly');
    const total = Object.values(days as Record<string, number>).reduce((sum, value) => sum + value, 0);
    expect(Math.abs(month['2019-06'] - total)).toBeLessThan(30 * 0.005 + 0.005);
  }),

  response: test('the answer has the fields of section 2.3, of the types given there', async () => {
    for (const granularity of ['daily', 'weekly', 'monthly']) {
      const range = 'start_date=2019-01-01&end_date=2019-12-31';
      const { meta, data } = await history(`var=temp_mean,precipitation&granularity=${granularity}&${range}`);
      const location = { latitude: expect.any(Number), longitude: expect.any(Number) };
      expect(meta).toMatchObject({ variables: ['temp_mean', 'precipitation'], granularity, location });
      expect(Object.keys(data)).toEqual(meta.variables);
      for (const { units, downscaled, values } of Object.values<Body>(data)) {
        expect([units, downscaled]).toEqual([expect.any(String), expect.any(Boolean)]);
        expect(Object.keys(values).length).toBeGreaterThan(11);
        for (const value of Object.values(values)) expect(value).toEqual(expect.any(Number));
      }
    }
  }),

  keys: test('history keys weeks as YYYY-Www, W53 included, and months as YYYY-MM', async () => {
    // Decided: as on statistics.
    const keys = async (granularity: string) =>
      Object.keys(await valuesOf('temp_min', `start_date=2020-12-01&end_date=2021-01-31&granularity=${granularity}`));
    expect((await keys('weekly')).slice(1, 5)).toEqual(['2020-W51', '2020-W52', '2020-W53', '2021-W01']);
    expect(await keys('monthly')).toEqual(['2020-12', '2021-01']);
  }),

  noStored: test('/v2/history has no location path: 404', async () => {
    expect(await service.problem(404, '/v2/history/location/field')).toMatchObject({ code: 'path-not-found' });
  }),
});

section('4.5 Legacy history', import.meta.url, {
  history:
    test('366 days to yesterday, at the nearest 0.25 degree point; a date range or a granularity is a 400', async () => {
      const { data, meta } = await service.get(`/v1/history?lat=37.15&lon=-80.12&var=temp_min`);
      expect(data.map(({ date }: Body) => date)).toEqual(datesFrom('2025-03-04', '2026-03-04'));
      expect([meta.granularity, meta.location]).toEqual(['daily', { latitude: 37.25, longitude: -80 }]);
      for (const query of ['start_date=2026-01-01', 'end_date=2026-01-01', 'granularity=monthly']) {
        await service.problem(400, `/v1/history?${AT}&${query}`);
      }
    }),

  stored: test("a stored location's answer is that of its coordinates; one not pre-loaded is a 404", async () => {
    const stored = await service.get('/v1/history/location/field?var=temp_min,precipitation');
    const direct = await service.get(`/v1/history?${AT}&var=temp_min,precipitation`);
    expect(stored).toEqual({ ...direct, meta: { ...direct.meta, location_id: 'field' } });
    await service.problem(400, '/v1/history/location/field?end_date=2026-01-01');
    expect(await service.problem(404, '/v1/history/location/not-preloaded')).toMatchObject({
      code: 'location-not-ingested',
    });
  }),
});
