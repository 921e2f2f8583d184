import { beforeAll, expect } from 'vitest';
import { expectRounded } from './expect-rounded.js';
import { section, test } from './section.js';
import { AT, type Body, conformanceService, type Service } from './service.js';
import { samplesOf } from './slow-climatology.js';
import { completeWindows, datesFrom, memberWindows, quantile, statisticsOf } from './slow-statistics.js';

let service: Service;
beforeAll(async () => {
  service = await conformanceService();
});

const forecast = (horizon: string, query = '') => service.get(`/v1/forecast/${horizon}?${AT}&${query}`);
const dates = ({ data }: Body): string[] => data.map(({ date }: Body) => date);
const numbers = ({ ensemble_mean, quantile: quantiles }: Body): number[] => [
  ensemble_mean,
  ...(Object.values(quantiles) as number[]),
];

/** Expects the shares of the members below, within and above the terciles of a week or month of 1993 to 2022. */
function expectTerciles(entry: Body, values: readonly number[], key: string) {
  const normal = samplesOf(service.observed('reanalysis', 'precipitation'), key, 'sum');
  const [low, high] = [quantile(normal, 1 / 3), quantile(normal, 2 / 3)];
  const below = values.filter((value) => value < low).length / values.length;
  const above = values.filter((value) => value > high).length / values.length;
  expectRounded(Object.values(entry.probability), [below, 1 - below - above, above], 4);
}

section('4.3 Legacy forecast (by lat/lon)', import.meta.url, {
  noDates: test('dates are a 400 that names /v2/forecast; each horizon has its own init_time', async () => {
    for (const horizon of ['short-term', 'subseasonal', 'seasonal']) {
      for (const name of ['start_date', 'end_date']) {
        const { errors } = await service.problem(400, `/v1/forecast/${horizon}?${AT}&${name}=2026-03-10`);
        expect(errors).toMatchObject([{ parameter: name, detail: expect.stringContaining('/v2/forecast') }]);
      }
    }
    expect((await forecast('short-term')).meta.init_time).toBe('2026-03-04T12:00:00Z');
    expect((await forecast('subseasonal')).meta.init_time).toBe('2026-03-03T00:00:00Z');
    expect((await forecast('seasonal')).meta.init_time).toBe('2026-03-01T00:00:00Z');
  }),

  quantiles: test("the mean and five quantiles are those over the run's members; `statistics` is a 400", async () => {
    for (const [horizon, date] of [
      ['short-term', '2026-03-08'],
      ['subseasonal', '2026-03-21'],
      ['seasonal', '2026-07-01'],
    ] as const) {
      const { data } = await forecast(horizon, 'var=temp_mean');
      const { attributes } = data.find((entry: Body) => entry.date === date);
      const day = memberWindows(service.run(horizon, 'temp_mean'), [date], 'mean');
      expectRounded(numbers(attributes.temp_mean), statisticsOf(day));
      await service.problem(400, `/v1/forecast/${horizon}?${AT}&statistics=0.5`);
    }
  }),

  independent: test('a day of two horizons has different values in each answer', async () => {
    const [short, sub] = [
      await forecast('short-term', 'var=temp_mean'),
      await forecast('subseasonal', 'var=temp_mean'),
    ];
    const shared = dates(short).filter((date) => dates(sub).includes(date));
    expect(shared).toEqual(datesFrom('2026-03-10', '2026-03-19'));
    for (const date of shared) {
      const [a, b] = [short, sub].map(({ data }) => data.find((entry: Body) => entry.date === date));
      expect(a.attributes).not.toEqual(b.attributes);
    }
  }),

  shortTerm: test('15 daily entries, with gusts in the first ten; weeks are a 400', async () => {
    const body = await forecast('short-term', 'var=wind_gust_max,wind_speed_max');
    expect(dates(body)).toEqual(datesFrom('2026-03-05', '2026-03-19'));
    const withGust = body.data.filter(({ attributes }: Body) => 'wind_gust_max' in attributes);
    expect(withGust.map(({ date }: Body) => date)).toEqual(datesFrom('2026-03-05', '2026-03-14'));
    await service.problem(400, `/v1/forecast/short-term?${AT}&granularity=weekly`);
  }),

  subseasonal: test('leads 7 to 41, or their weeks with terciles; max wind and gust are dropped', async () => {
    expect(dates(await forecast('subseasonal'))).toEqual(datesFrom('2026-03-10', '2026-04-13'));
    const body = await forecast('subseasonal', 'granularity=weekly&var=precipitation,wind_speed_max,wind_gust_max');
    const weeks = completeWindows('weekly', '2026-03-10', '2026-04-13');
    expect(dates(body)).toEqual([...weeks.values()].map(([monday]) => monday));
    expect(body.meta.dropped_variables).toEqual(['wind_speed_max', 'wind_gust_max']);
    const run = service.run('subseasonal', 'precipitation');
    for (const [i, [key, days]] of [...weeks].entries()) {
      const { precipitation } = body.data[i].attributes;
      const sums = memberWindows(run, days, 'sum');
      expectRounded(numbers(precipitation), statisticsOf(sums));
      expectTerciles(precipitation, sums, key.slice(5));
    }
    await service.problem(400, `/v1/forecast/subseasonal?${AT}&granularity=monthly`);
  }),

  seasonal: test('leads 30 to 214, or six months with terciles; max wind and gust are dropped', async () => {
    expect(dates(await forecast('seasonal'))).toEqual(datesFrom('2026-03-31', '2026-10-01'));
    const body = await forecast('seasonal', 'granularity=monthly&var=precipitation,wind_speed_max,wind_gust_max');
    const months = [...completeWindows('monthly', '2026-03-01', '2026-08-31')];
    expect(dates(body)).toEqual(months.map(([, [first]]) => first));
    expect(body.meta.dropped_variables).toEqual(['wind_speed_max', 'wind_gust_max']);
    const run = service.run('seasonal', 'precipitation');
    for (const [i, [key, days]] of months.entries()) {
      const { precipitation } = body.data[i].attributes;
      const sums = memberWindows(run, days, 'sum');
      expect(sums).toHaveLength(51);
      expectRounded(numbers(precipitation), statisticsOf(sums));
      expectTerciles(precipitation, sums, key.slice(5));
    }
    await service.problem(400, `/v1/forecast/seasonal?${AT}&granularity=weekly`);
  }),

  stored: test("a stored location's answer is that of its coordinates, with the same parameters rejected", async () => {
    for (const [horizon, query] of [
      ['short-term', ''],
      ['subseasonal', 'granularity=weekly'],
      ['seasonal', 'granularity=monthly'],
    ]) {
      const stored = await service.get(`/v1/forecast/${horizon}/location/field?${query}`);
      const direct = await forecast(horizon, query);
      expect(stored.data).toEqual(direct.data);
      expect(stored.meta).toEqual({ ...direct.meta, location_id: 'field' });
      const path = `/v1/forecast/${horizon}/location/field?var=wind_gust_max`;
      await service.problem(400, `${path}&granularity=yearly`);
      await service.problem(400, `${path}&end_date=2026-03-10`);
      if (horizon !== 'short-term') await service.problem(400, path);
    }
  }),

  parameters: test('lat, lon, var and granularity are documented; unknown parameters are ignored', async () => {
    // Decided: granularity besides; others are ignored, but for those of the current endpoints.
    const body = await forecast('short-term', 'var=temp_mean&granularity=daily&units=metric&fields=all');
    expect(body.data).toHaveLength(15);
    const document = await (await service.request('/openapi.json')).json();
    const parameters = document.paths['/v1/forecast/seasonal'].get.parameters.map(({ name }: Body) => name);
    expect(parameters).toEqual(['lat', 'lon', 'var', 'granularity']);
  }),

  noStored: test('/v2/forecast has no location path, and an `id` parameter is a 400', async () => {
    for (const path of ['/v2/forecast/location/field', '/v2/forecast/statistics/location/field']) {
      expect(await service.problem(404, path)).toMatchObject({ code: 'path-not-found' });
    }
    const { errors } = await service.problem(400, `/v2/forecast?${AT}&id=field`);
    expect(errors).toMatchObject([{ parameter: 'id' }]);
  }),
});
