import { beforeAll, expect } from 'vitest';
import { memorySource } from '../../src/service/source/index.js';
import { expectRounded } from './expect-rounded.js';
import { section, test } from './section.js';
import { AT, type Body, conformanceService, createService, PLACES, type Service, TODAY } from './service.js';
import { samplesOf } from './slow-climatology.js';
import { addDays, completeWindows, datesFrom, mean, memberWindows, quantile } from './slow-statistics.js';
import { globeService } from './tiny-service.js';

let service: Service;
beforeAll(async () => {
  service = await conformanceService();
});

const HORIZONS = ['short-term', 'subseasonal', 'seasonal'] as const;
const LEGACY = [...HORIZONS.map((horizon) => `/v1/forecast/${horizon}`), '/v1/history', '/v1/climatology'];
const CURRENT = ['/v2/forecast', '/v2/forecast/statistics', '/v2/history'];
const LAST_DAY = addDays(TODAY, 214);

const dataPaths = async (): Promise<string[]> => {
  const { paths } = await (await service.request('/openapi.json')).json();
  const ofSpecification = Object.keys(paths).filter((path) => !paths[path].get['x-extension']);
  return ofSpecification.filter((path) => /forecast|history|climatology/.test(path));
};
const legacyForecast = async (horizon: string, query = '') =>
  (await service.get(`/v1/forecast/${horizon}?${AT}&var=temp_mean&${query}`)).data;

section('Weather Data Service Specification', import.meta.url, {
  baseUrl: test('with a base path every endpoint answers under it, and is a 404 elsewhere', async () => {
    const { get, problem } = createService({ source: memorySource(service.data), basePath: '/weather/api' });
    for (const path of [...CURRENT, ...LEGACY]) {
      const query = `${path}?${AT}&var=temp_mean`;
      expect(await get(`/weather/api${query}`)).toEqual(await service.get(query));
      expect(await problem(404, query)).toMatchObject({ code: 'path-not-found' });
    }
  }),
});

section('1 What the service does', import.meta.url, {
  point: test('lat and lon choose the nearest point, anywhere on the globe; the answer is JSON', async () => {
    const places = datesFrom('2026-01-01', '2026-01-19').flatMap((_, row) =>
      Array.from({ length: 36 }, (_, column) => [10 * row - 90, 10 * column - 180] as const),
    );
    const { request } = globeService(places);
    for (const latitude of [-80, -40, 0, 30, 80]) {
      for (const longitude of [-180, -90, 0, 60, 170]) {
        const response = await request(`/v2/forecast?lat=${latitude + 4}&lon=${longitude + 3}`);
        expect(response.headers.get('content-type')).toBe('application/json');
        const { location, variables } = await response.json();
        expect(location.closest_location).toEqual({ latitude, longitude });
        const place = places.findIndex(([lat, lon]) => lat === latitude && lon === longitude);
        expect(variables.temp_mean.members).toEqual({ [TODAY]: [place] });
      }
    }
  }),

  history: test('history has the observed value of each day of a year', async () => {
    const [first, last] = ['2019-01-01', '2019-12-31'];
    const { data } = await service.get(`/v2/history?${AT}&var=temp_mean&start_date=${first}&end_date=${last}`);
    const days = datesFrom(first, last);
    const observed = service.observed('reanalysis', 'temp_mean');
    expect(Object.keys(data.temp_mean.values)).toEqual(days);
    expectRounded(
      Object.values(data.temp_mean.values),
      days.map((date) => memberWindows(observed, [date], 'mean')[0]),
    );
  }),

  climatology: test('each place and month has the quantiles of its own thirty years', async () => {
    for (const [place, { latitude, longitude }] of PLACES.entries()) {
      const query = `lat=${latitude}&lon=${longitude}&var=temp_mean&granularity=monthly`;
      const { data } = await service.get(`/v1/climatology?${query}`);
      for (const month of ['01', '07']) {
        const { attributes } = data.find(({ date }: Body) => date === month);
        const samples = samplesOf(service.observed('reanalysis', 'temp_mean', place), month, 'mean');
        expect(samples).toHaveLength(30);
        expectRounded([attributes.temp_mean.quantile['quantile_0.50']], [quantile(samples, 0.5)]);
      }
    }
  }),

  forecasts: test('each of three horizons gives a distribution on every day: quantiles that rise', async () => {
    for (const horizon of HORIZONS) {
      for (const { attributes } of await legacyForecast(horizon)) {
        const quantiles = Object.values<number>(attributes.temp_mean.quantile);
        expect(quantiles).toEqual([...quantiles].sort((a, b) => a - b));
        expect(quantiles[4]).toBeGreaterThan(quantiles[0]);
      }
    }
  }),

  shortTerm: test('the short-term answer has 15 days from today', async () => {
    const dates = (await legacyForecast('short-term')).map(({ date }: Body) => date);
    expect(dates).toEqual(datesFrom(TODAY, addDays(TODAY, 14)));
  }),

  subseasonal: test('the subseasonal answer ends with the last day of six weeks from its run', async () => {
    expect((await legacyForecast('subseasonal')).at(-1).date).toBe(addDays('2026-03-03', 6 * 7 - 1));
  }),

  seasonal: test('the seasonal answer has six months', async () => {
    expect(await legacyForecast('seasonal', 'granularity=monthly')).toHaveLength(6);
  }),

  generations: test('every data path is under /v2/ or /v1/, or is one of /v1/ without the prefix', async () => {
    const paths = await dataPaths();
    const [current, legacy] = ['/v2/', '/v1/'].map((prefix) => paths.filter((path) => path.startsWith(prefix)));
    const aliases = paths.filter((path) => !current.includes(path) && !legacy.includes(path));
    expect([current.length, legacy.length]).toEqual([3, 10]);
    expect(aliases.map((path) => `/v1${path}`)).toEqual(legacy);
  }),

  timeline: test('every day from today to 214 days later has members, of one horizon after the other', async () => {
    const { variables } = await service.get(`/v2/forecast?${AT}&var=temp_mean`);
    const members: Record<string, number[]> = variables.temp_mean.members;
    expect(Object.keys(members)).toEqual(datesFrom(TODAY, LAST_DAY));
    for (const values of Object.values(members)) {
      expect(values).toHaveLength(31);
      expect(values).not.toContain(null);
    }
    for (const [horizon, lead] of [
      ['short-term', 5],
      ['subseasonal', 25],
      ['seasonal', 100],
    ] as const) {
      const date = addDays(TODAY, lead);
      const ofRun = memberWindows(service.run(horizon, 'temp_mean'), [date], 'mean');
      for (const value of members[date])
        expect(Math.min(...ofRun.map((x) => Math.abs(x - value)))).toBeLessThan(0.0051);
    }
  }),

  oneCall: test('one call gives every week between today and the end, across both seams', async () => {
    const query = `${AT}&var=temp_mean,precipitation&granularity=weekly`;
    const { variables } = await service.get(`/v2/forecast/statistics?${query}`);
    const weeks = [...completeWindows('weekly', TODAY, LAST_DAY).keys()];
    for (const slug of ['temp_mean', 'precipitation']) {
      const entries = Object.entries<Body>(variables[slug].statistics);
      expect(entries.map(([week]) => week)).toEqual(weeks);
      for (const [, entry] of entries) expect(entry.mean).toEqual(expect.any(Number));
    }
  }),

  separate: test('each legacy path has the mean over the members of its own horizon', async () => {
    for (const [horizon, date] of [
      ['short-term', '2026-03-17'],
      ['subseasonal', '2026-04-12'],
      ['seasonal', '2026-04-12'],
    ] as const) {
      const { attributes } = (await legacyForecast(horizon)).find((entry: Body) => entry.date === date);
      const ofRun = memberWindows(service.run(horizon, 'temp_mean'), [date], 'mean');
      expectRounded([attributes.temp_mean.ensemble_mean], [mean(ofRun)]);
    }
  }),

  development: test('paths of flexible climatologies, growing degree days and alerts are a 404', async () => {
    for (const path of ['climatology', 'growing-degree-days', 'gdd', 'alerts', 'alerts/subscriptions']) {
      expect(await service.problem(404, `/v2/${path}?${AT}`)).toMatchObject({ code: 'path-not-found' });
    }
  }),
});

section('Not to be built', import.meta.url, {
  out: test('climatology takes no quantiles or other reference; no path is about degree days or alerts', async () => {
    const path = `/v1/climatology?${AT}&var=temp_mean&granularity=monthly`;
    const { errors } = await service.problem(400, `${path}&statistics=0.1`);
    expect(errors).toMatchObject([{ parameter: 'statistics' }]);
    expect(await service.get(`${path}&reference_period=2001-2010`)).toEqual(await service.get(path));
    const paths = await dataPaths();
    expect(paths.filter((path) => path.includes('climatology'))).toHaveLength(4);
    expect(paths.filter((path) => path.startsWith('/v2/'))).toEqual(CURRENT);
    const document = await (await service.request('/openapi.json')).json();
    expect(Object.keys(document.paths).filter((path) => /degree|gdd|alert/.test(path))).toEqual([]);
  }),
});
