import { beforeAll, expect } from 'vitest';
import { memorySource } from '../../src/service/source/index.js';
import { expectRounded } from './expect-rounded.js';
import { section, test } from './section.js';
import {
  AT,
  AT_FINE,
  type Body,
  conformanceService,
  createService,
  FINE_KEY,
  FINE_PLACES,
  type Service,
} from './service.js';
import { addDays, datesFrom } from './slow-statistics.js';

let service: Service;
beforeAll(async () => {
  service = await conformanceService();
});

const ENDPOINTS = [
  ...['/v2/forecast', '/v2/forecast/statistics', '/v2/history', '/v1/history', '/v1/climatology'],
  ...['/v1/forecast/short-term', '/v1/forecast/subseasonal', '/v1/forecast/seasonal'],
];

const legacyDates = async (path: string) => {
  const { data } = await service.get(`/v1/forecast/${path}`);
  return data.map(({ date }: Body) => date);
};

/** Expects every endpoint to reject a coordinate beyond its limits, and to accept the limits. */
async function expectLimits(name: 'lat' | 'lon', limit: number) {
  const other = name === 'lat' ? 'lon=-80' : 'lat=37';
  for (const path of ENDPOINTS) {
    for (const value of [limit + 0.0001, -limit - 0.0001]) {
      const { errors } = await service.problem(400, `${path}?${other}&${name}=${value}`);
      expect(errors).toMatchObject([{ parameter: name, received: `${value}` }]);
    }
    for (const value of [limit, -limit]) {
      // In range, and far from the data.
      await service.problem(404, `${path}?${other}&${name}=${value}`);
    }
  }
}

section('8 Limits', import.meta.url, {
  lat: test('every endpoint takes lat from -90 to 90 and rejects 0.0001 more', () => expectLimits('lat', 90)),

  lon: test('every endpoint takes lon from -180 to 180 and rejects 0.0001 more', () => expectLimits('lon', 180)),

  quantiles: test('quantiles 0 and 1 are valid; beyond them is a 400', async () => {
    const path = `/v2/forecast/statistics?${AT}&var=temp_mean`;
    const { variables } = await service.get(`${path}&statistics=0,1`);
    expect(Object.keys(variables.temp_mean.statistics['2026-03-05'])).toEqual(['mean', 'q00', 'q100']);
    for (const quantiles of ['-0.000001', '1.000001', '0.5,5']) {
      await service.problem(400, `${path}&statistics=${quantiles}`);
    }
  }),

  members: test('every day of the forecast has 31 members', async () => {
    const { variables } = await service.get(`/v2/forecast?${AT}&var=temp_mean`);
    const sizes = Object.values<unknown[]>(variables.temp_mean.members).map((members) => members.length);
    expect(new Set(sizes)).toEqual(new Set([31]));
  }),

  shortTerm: test('short-term has 15 days, and ten of gusts', async () => {
    expect(await legacyDates(`short-term?${AT}&var=temp_mean`)).toEqual(datesFrom('2026-03-05', '2026-03-19'));
    expect(await legacyDates(`short-term?${AT}&var=wind_gust_max`)).toEqual(datesFrom('2026-03-05', '2026-03-14'));
  }),

  subseasonal: test('subseasonal has days 7 to 41 of its own run', async () => {
    // Of its own run, whose first day is 3 March.
    expect(await legacyDates(`subseasonal?${AT}&var=temp_mean`)).toEqual(
      datesFrom(addDays('2026-03-03', 7), addDays('2026-03-03', 41)),
    );
  }),

  seasonal: test('seasonal has six calendar months', async () => {
    expect(await legacyDates(`seasonal?${AT}&var=temp_mean&granularity=monthly`)).toEqual([
      ...['2026-03-01', '2026-04-01', '2026-05-01', '2026-06-01', '2026-07-01', '2026-08-01'],
    ]);
  }),

  span: test('the forecast spans 215 days from today', async () => {
    const { period } = await service.get(`/v2/forecast?${AT}&var=temp_mean`);
    expect(period).toEqual({ start_date: '2026-03-05', end_date: addDays('2026-03-05', 214) });
  }),

  history: test('a history requested from 1990 begins on 1995-01-01 and ends yesterday', async () => {
    const { meta } = await service.get(`/v2/history?${AT}&var=temp_mean&start_date=1990-01-01`);
    expect(meta.period).toEqual({ start_date: '1995-01-01', end_date: '2026-03-04' });
  }),

  legacyWindow: test('legacy history has 366 days to yesterday, and a request for weeks is a 400', async () => {
    const { data, meta } = await service.get(`/v1/history?${AT}&var=temp_mean`);
    await service.problem(400, `/v1/history?${AT}&var=temp_mean&granularity=weekly`);
    expect([data.length, data[0].date, data.at(-1).date]).toEqual([366, '2025-03-04', '2026-03-04']);
    expect(meta.granularity).toBe('daily');
  }),

  legacyGrid: test('legacy history snaps to multiples of 0.25 degrees', async () => {
    for (const query of ['lat=37.13&lon=-80.12', 'lat=37.37&lon=-79.88', 'lat=37.25&lon=-80']) {
      const { meta } = await service.get(`/v1/history?${query}&var=temp_mean`);
      expect(meta.location).toEqual({ latitude: 37.25, longitude: -80 });
    }
    await service.problem(404, '/v1/history?lat=37.38&lon=-80');
  }),

  reference: test('the reference period is 1993-2022, whatever the granularity or parameters', async () => {
    for (const granularity of ['daily', 'weekly', 'monthly']) {
      const { meta } = await service.get(`/v1/climatology?${AT}&var=temp_mean&granularity=${granularity}`);
      expect(meta.reference_period).toBe('1993-2022');
    }
    const { meta } = await service.get(`/v1/climatology?${AT}&reference_period=2000-2009&var=temp_mean`);
    expect(meta.reference_period).toBe('1993-2022');
  }),

  downscaled: test('four variables come from the nearest of the 1 km points, with a key for them only', async () => {
    const nearest = async ({ latitude, longitude }: (typeof FINE_PLACES)[number]) => {
      const query = `lat=${latitude + 0.004}&lon=${longitude + 0.004}&end_date=2026-03-05`;
      return (await service.get(`/v2/forecast/statistics?${query}`, FINE_KEY)).variables;
    };
    for (const place of FINE_PLACES) {
      const variables = await nearest(place);
      const fine = Object.keys(variables).filter((slug) => variables[slug].downscaled);
      expect(fine).toEqual(['temp_mean', 'temp_min', 'temp_max', 'solar_radiation']);
      expect(variables.temp_mean.closest_location).toEqual(place);
    }
    const coarse = await service.get(`/v2/forecast?${AT_FINE}&var=temp_mean&end_date=2026-03-05`);
    const today = service.run('short-term', 'temp_mean').members.map(([value]) => value);
    expectRounded(coarse.variables.temp_mean.members['2026-03-05'], today);
  }),

  rate: test('fifty requests in a row succeed; a rate limit plugged in gives 429 with Retry-After', async () => {
    // Decided: none of its own, and an optional plug, which gives 429 with Retry-After.
    for (let i = 0; i < 50; i++) await service.get(`/v2/forecast?${AT}&var=temp_mean&end_date=2026-03-05`);
    const source = memorySource(service.data);
    const limited = createService({ source, rateLimit: () => ({ retryAfterSeconds: 7.2 }) });
    const response = await limited.request(`/v2/forecast?${AT}`);
    expect([response.status, response.headers.get('retry-after')]).toEqual([429, '8']);
  }),

  size: test('a range of ten thousand years is cut to the days that exist, and answered', async () => {
    // Decided: none: a range is cut to the days that there are.
    const range = 'start_date=0001-01-01&end_date=9999-12-31';
    const { data } = await service.get(`/v2/history?${AT}&${range}`);
    expect(Object.keys(data.temp_mean.values)).toHaveLength(11_386);
    const { variables } = await service.get(`/v2/forecast?${AT}&${range}`);
    expect(Object.keys(variables.precipitation.members)).toHaveLength(215);
  }),
});
