import { beforeAll, expect } from 'vitest';
import { memorySource } from '../../src/service/source/index.js';
import type { ForecastRun } from '../../src/service/source/source.js';
import { expectRounded } from './expect-rounded.js';
import { section, test } from './section.js';
import { AT, AT_FINE, conformanceService, createService, FINE_KEY, type Service } from './service.js';
import { datesFrom } from './slow-statistics.js';

let service: Service;
beforeAll(async () => {
  service = await conformanceService();
});

const members = (query: string, key?: string) => service.get(`/v2/forecast?${AT}&${query}`, key);
const faultOf = async (query: string) => (await service.problem(400, `/v2/forecast?${query}`)).errors;

section('4 Endpoints', import.meta.url, {
  get: test('every data endpoint answers GET with JSON, and any other method is a 405', async () => {
    const paths = ['/v2/forecast', '/v2/forecast/statistics', '/v2/history', '/v1/forecast/short-term', '/v1/history'];
    for (const path of [...paths, '/v1/forecast/subseasonal', '/v1/forecast/seasonal', '/v1/climatology']) {
      const response = await service.request(`${path}?${AT}&var=temp_min`);
      expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/json']);
      expect(JSON.stringify(await response.json())).toContain('temp_min');
      expect((await service.request(`${path}?${AT}`, {}, 'POST')).status).toBe(405);
    }
  }),

  dates: test("dates in answers are YYYY-MM-DD; a request's date in another form is a 400", async () => {
    const { period, variables } = await members('var=temp_mean&start_date=2026-04-01&end_date=2026-04-02');
    expect(period).toEqual({ start_date: '2026-04-01', end_date: '2026-04-02' });
    expect(Object.keys(variables.temp_mean.members)).toEqual(['2026-04-01', '2026-04-02']);
    for (const date of ['2026-4-1', '20260401', '2026-04-01T00:00:00Z', '1775001600', '01-04-2026']) {
      expect(await faultOf(`${AT}&start_date=${date}`)).toMatchObject([{ parameter: 'start_date', received: date }]);
    }
  }),
});

section('4.1 Current forecast: raw runs', import.meta.url, {
  members: test('each day has 31 members, those of the short-term run until the first seam', async () => {
    const { variables, period } = await members('var=precipitation');
    expect(period).toEqual({ start_date: '2026-03-05', end_date: '2026-10-05' });
    const run = service.run('short-term', 'precipitation');
    for (const [day, date] of datesFrom('2026-03-05', '2026-03-16').entries()) {
      expectRounded(
        variables.precipitation.members[date],
        run.members.map((values) => values[day]),
      );
    }
    for (const values of Object.values(variables.precipitation.members)) expect(values).toHaveLength(31);
  }),

  lat: test('lat is required, a number from -90 to 90', async () => {
    expect((await members('var=temp_mean')).location.requested.latitude).toBe(37.3);
    expect(await faultOf('lon=-80')).toMatchObject([{ parameter: 'lat', detail: 'is missing' }]);
    for (const lat of ['90.01', '-91', 'north']) expect(await faultOf(`lat=${lat}&lon=-80`)).toHaveLength(1);
    for (const lat of ['90', '-90']) await service.problem(404, `/v2/forecast?lat=${lat}&lon=-80`);
  }),

  lon: test('lon is required, a number from -180 to 180', async () => {
    expect((await members('var=temp_mean')).location.requested.longitude).toBe(-80.05);
    expect(await faultOf('lat=37')).toMatchObject([{ parameter: 'lon', detail: 'is missing' }]);
    for (const lon of ['180.5', '-181', '280']) expect(await faultOf(`lat=37&lon=${lon}`)).toHaveLength(1);
    for (const lon of ['180', '-180']) await service.problem(404, `/v2/forecast?lat=37&lon=${lon}`);
  }),

  var: test('var takes one slug, several with commas, or several times one, and keeps their order', async () => {
    const slugs = async (query: string) => Object.keys((await members(`${query}&end_date=2026-03-06`)).variables);
    expect(await slugs('var=temp_mean')).toEqual(['temp_mean']);
    expect(await slugs('var=temp_mean,precipitation')).toEqual(['temp_mean', 'precipitation']);
    expect(await slugs('var=precipitation&var=temp_mean')).toEqual(['precipitation', 'temp_mean']);
  }),

  start_date: test('start_date is the first day of the answer', async () => {
    const { variables } = await members('var=temp_mean&start_date=2026-10-03');
    expect(Object.keys(variables.temp_mean.members)).toEqual(['2026-10-03', '2026-10-04', '2026-10-05']);
  }),

  end_date: test('end_date is the last day of the answer', async () => {
    const { variables } = await members('var=temp_mean&end_date=2026-03-06');
    expect(Object.keys(variables.temp_mean.members)).toEqual(['2026-03-05', '2026-03-06']);
  }),

  use_downscaling: test('with a 1 km key 1 km data are the default; false turns them off', async () => {
    const isFine = async (query: string) => {
      const path = `/v2/forecast?${AT_FINE}&var=temp_mean&end_date=2026-03-05&${query}`;
      return (await service.get(path, FINE_KEY)).variables.temp_mean;
    };
    const place = { latitude: 37.2583, longitude: -80 };
    expect(await isFine('')).toMatchObject({ downscaled: true, closest_location: place });
    expect(await isFine('use_downscaling=true')).toEqual(await isFine(''));
    expect((await isFine('use_downscaling=false')).downscaled).toBe(false);
  }),

  effect: test('only temperatures and solar radiation are downscaled, and only with a 1 km key', async () => {
    const { variables } = await service.get(`/v2/forecast?${AT_FINE}&end_date=2026-03-06`, FINE_KEY);
    const fine = Object.keys(variables).filter((slug) => variables[slug].downscaled);
    expect(fine).toEqual(['temp_mean', 'temp_min', 'temp_max', 'solar_radiation']);
    const coarse = await service.get(`/v2/forecast?${AT_FINE}&end_date=2026-03-06&use_downscaling=true`);
    expect(Object.keys(coarse.variables).filter((slug) => coarse.variables[slug].downscaled)).toEqual([]);
    expect(coarse.variables.temp_mean.members).not.toEqual(variables.temp_mean.members);
    // Even where a source has 1 km data of all variables.
    const forecast = service.data.forecast as ForecastRun;
    const all = createService({ source: memorySource({ forecast: { ...forecast, fineTimeline: forecast.timeline } }) });
    const { variables: some } = await all.get(`/v2/forecast?${AT}&end_date=2026-03-06`, FINE_KEY);
    expect(Object.keys(some).filter((slug) => some[slug].downscaled)).toEqual(fine);
  }),

  otherwise: test('without a 1 km key, or where there are no 1 km data, the values are the coarse ones', async () => {
    const run = service.run('short-term', 'temp_mean');
    const today = run.members.map(([value]) => value);
    const of = (body: { variables: Record<string, { members: Record<string, number[]> }> }) =>
      body.variables.temp_mean.members['2026-03-05'];
    const path = `/v2/forecast?${AT_FINE}&var=temp_mean&end_date=2026-03-05`;
    expectRounded(of(await service.get(path)), today);
    expectRounded(of(await service.get(`${path}&use_downscaling=false`, FINE_KEY)), today);
    // Where no 1 km data are, a key that has them gets the coarse ones.
    expectRounded(of(await members('var=temp_mean&end_date=2026-03-05', FINE_KEY)), today);
  }),

  layout: test('the answer has the metadata of statistics; a variable maps dates to its members', async () => {
    // Decided: the metadata of statistics, and for each variable a map from date to the members' values.
    const body = await members('var=precipitation&end_date=2026-03-06');
    const metadata = ['init_time', 'version', 'generation', 'location', 'period', 'attribution', 'variables'];
    expect(Object.keys(body)).toEqual(metadata);
    const { units, downscaled, members: values } = body.variables.precipitation;
    expect([units, downscaled, Object.keys(values)]).toEqual(['mm', false, ['2026-03-05', '2026-03-06']]);
  }),
});
