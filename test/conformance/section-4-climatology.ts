import { beforeAll, expect } from 'vitest';
import { expectRounded } from './expect-rounded.js';
import { section, test } from './section.js';
import { AT, type Body, conformanceService, type Service } from './service.js';
import { samplesOf } from './slow-climatology.js';
import { quantile } from './slow-statistics.js';

let service: Service;
beforeAll(async () => {
  service = await conformanceService();
});

const climatology = (query = '') => service.get(`/v1/climatology?${AT}&${query}`);
const dates = ({ data }: Body): string[] => data.map(({ date }: Body) => date);

section('4.6 Legacy climatology', import.meta.url, {
  reference: test('quantiles of a day, week and month are those of its samples in the years 1993 to 2022', async () => {
    const normals = service.observed('reanalysis', 'precipitation');
    for (const [granularity, key] of [
      ['daily', '07-15'],
      ['weekly', 'W30'],
      ['monthly', '07'],
    ]) {
      const { data, meta } = await climatology(`var=precipitation&granularity=${granularity}`);
      expect(meta.reference_period).toBe('1993-2022');
      const { attributes } = data.find(({ date }: Body) => date === key);
      const samples = samplesOf(normals, key, 'sum');
      expectRounded(
        Object.values(attributes.precipitation.quantile),
        [0.05, 0.25, 0.5, 0.75, 0.95].map((p) => quantile(samples, p)),
      );
    }
  }),

  stored: test("a stored location's answer is that of its coordinates, without lat and lon", async () => {
    const stored = await service.get('/v1/climatology/location/field?var=temp_max&granularity=monthly');
    const direct = await climatology('var=temp_max&granularity=monthly');
    expect(stored).toEqual({ ...direct, meta: { ...direct.meta, location_id: 'field' } });
    const document = await (await service.request('/openapi.json')).json();
    const named = (path: string) => document.paths[path].get.parameters.map(({ name }: Body) => name);
    expect(named('/v1/climatology/location/{id}')).toEqual(['id', 'var', 'granularity']);
  }),

  lat: test('lat is required, from -90 to 90', async () => {
    expect((await service.problem(400, '/v1/climatology?lon=-80')).errors).toMatchObject([{ parameter: 'lat' }]);
    expect((await service.problem(400, '/v1/climatology?lat=-90.1&lon=-80')).errors).toHaveLength(1);
  }),

  lon: test('lon is required, from -180 to 180', async () => {
    expect((await service.problem(400, '/v1/climatology?lat=37')).errors).toMatchObject([{ parameter: 'lon' }]);
    expect((await service.problem(400, '/v1/climatology?lat=37&lon=181')).errors).toHaveLength(1);
  }),

  var: test('var selects the variable', async () => {
    const { data, meta } = await climatology('var=solar_radiation&granularity=monthly');
    expect(meta.variables).toEqual(['solar_radiation']);
    expect(Object.keys(data[0].attributes)).toEqual(['solar_radiation']);
  }),

  granularity: test('366 days, 53 weeks or 12 months are returned; any other granularity is a 400', async () => {
    const counts = { daily: 366, weekly: 53, monthly: 12 };
    for (const [granularity, count] of Object.entries(counts)) {
      const { data, meta } = await climatology(`var=temp_mean&granularity=${granularity}`);
      expect([data.length, meta.granularity]).toEqual([count, granularity]);
    }
    await service.problem(400, `/v1/climatology?${AT}&granularity=yearly`);
  }),

  noCurrent: test('/v2/climatology does not exist: 404', async () => {
    for (const path of ['/v2/climatology', '/v2/climatology/location/field']) await service.problem(404, path);
  }),

  layout: test('without parameters there are 366 days, 29 February included, of nine variables', async () => {
    // Decided: an entry for each period of the year, all non-derived variables, daily.
    const body = await climatology();
    expect(body.meta.variables).toHaveLength(9);
    expect(body.meta).toMatchObject({ granularity: 'daily', dropped_variables: [], location: { latitude: 37.25 } });
    expect([dates(body).length, dates(body)[59]]).toEqual([366, '02-29']);
    expect(Object.keys(body.data[59].attributes)).toEqual(body.meta.variables);
  }),

  defaults: test('defaults: non-derived variables, the complete timeline, 366 days of history', async () => {
    // Decided: all non-derived variables, the complete timeline, the last 366 days.
    const { variables, period } = await service.get(`/v2/forecast/statistics?${AT}`);
    expect(Object.keys(variables)).toEqual((await climatology()).meta.variables);
    expect(period).toEqual({ start_date: '2026-03-05', end_date: '2026-10-05' });
    const { meta } = await service.get(`/v2/history?${AT}`);
    expect(meta.period).toEqual({ start_date: '2025-03-04', end_date: '2026-03-04' });
  }),
});
