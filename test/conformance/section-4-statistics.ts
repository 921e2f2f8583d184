import { beforeAll, expect } from 'vitest';
import { variables as registry } from '../../src/variable/index.js';
import { expectRounded } from './expect-rounded.js';
import { section, test } from './section.js';
import { AT, type Body, conformanceService, type Service } from './service.js';
import { completeWindows, datesFrom, memberWindows, type Series, statisticsOf } from './slow-statistics.js';

/** All horizons have as many members as the first: legacy answers are of the same members as the timeline. */
let service: Service;
beforeAll(async () => {
  service = await conformanceService({ seasonalMembers: 31 });
});

const statistics = (query: string) => service.get(`/v2/forecast/statistics?${AT}&${query}`);
const entriesOf = async (slug: string, query: string) =>
  (await statistics(`var=${slug}&${query}`)).variables[slug].statistics;
const values = (entry: Record<string, number | null>) => Object.values(entry);

/** Days on which the timeline is of the subseasonal run alone. */
const SUBSEASONAL = ['2026-03-20', '2026-04-08'] as const;

/** Expects entries to be the statistics over the members of a run. */
function expectOfRun(entries: Body, run: Series, granularity: 'daily' | 'weekly' | 'monthly', rule: 'sum' | 'mean') {
  const windows = completeWindows(granularity, ...SUBSEASONAL);
  expect(windows.size).toBeGreaterThan(1);
  expect(Object.keys(entries)).toEqual([...windows.keys()]);
  for (const [key, dates] of windows) {
    expectRounded(values(entries[key]), statisticsOf(memberWindows(run, dates, rule)));
  }
}

section('4.2 Current forecast: statistics', import.meta.url, {
  statistics: test("mean and quantiles are those over the run's members, for days and for weeks", async () => {
    const run = service.run('short-term', 'temp_mean');
    const daily = await entriesOf('temp_mean', 'statistics=0.1,0.9');
    expectRounded(values(daily['2026-03-07']), statisticsOf(memberWindows(run, ['2026-03-07'], 'mean'), [0.1, 0.9]));
    const weekly = await entriesOf('temp_mean', 'statistics=0.1,0.9&granularity=weekly');
    const week = datesFrom('2026-03-09', '2026-03-15');
    expectRounded(values(weekly['2026-W11']), statisticsOf(memberWindows(run, week, 'mean'), [0.1, 0.9]));
  }),

  parameters: test('shared parameters are documented and checked as those of raw runs', async () => {
    const document = await (await service.request('/openapi.json')).json();
    const named = (path: string) => new Map(document.paths[path].get.parameters.map((p: Body) => [p.name, p]));
    const [raw, ours] = [named('/v2/forecast'), named('/v2/forecast/statistics')];
    const specified = [...raw].flatMap(([name, one]) => ((one as Body)['x-extension'] ? [] : name));
    expect(specified).toEqual(['lat', 'lon', 'var', 'start_date', 'end_date', 'use_downscaling']);
    for (const [name, parameter] of raw) expect(ours.get(name)).toEqual(parameter);
    for (const query of [
      'lat=91&lon=-80',
      'lat=1',
      `${AT}&var=rain`,
      `${AT}&start_date=x`,
      `${AT}&use_downscaling=1`,
    ]) {
      const [a, b] = ['/v2/forecast', '/v2/forecast/statistics'].map((path) =>
        service.problem(400, `${path}?${query}`),
      );
      expect((await a).errors).toEqual((await b).errors);
    }
  }),

  quantiles: test('statistics takes quantiles from 0 to 1; without it the five defaults are computed', async () => {
    const defaults = await entriesOf('precipitation', '');
    expect(await entriesOf('precipitation', 'statistics=0.05,0.25,0.50,0.75,0.95')).toEqual(defaults);
    const { q00: least, q100: most } = (await entriesOf('precipitation', 'statistics=0,1'))['2026-03-05'];
    const today = service.run('short-term', 'precipitation').members.map(([value]) => value);
    expectRounded([least, most], [Math.min(...today), Math.max(...today)]);
    for (const statistics of ['1.1', '-0.1', '0.5,2', 'median']) {
      await service.problem(400, `/v2/forecast/statistics?${AT}&statistics=${statistics}`);
    }
  }),

  granularity: test('granularity is daily, weekly or monthly, daily by default; anything else is a 400', async () => {
    expect((await statistics('var=temp_min')).granularity).toBe('daily');
    for (const granularity of ['daily', 'weekly', 'monthly']) {
      expect((await statistics(`var=temp_min&granularity=${granularity}`)).granularity).toBe(granularity);
    }
    await service.problem(400, `/v2/forecast/statistics?${AT}&granularity=hourly`);
  }),

  response: test('the answer has the fields of section 2.4, of the types given there', async () => {
    const place = { latitude: expect.any(Number), longitude: expect.any(Number) };
    for (const granularity of ['daily', 'weekly', 'monthly']) {
      const body = await statistics(`var=temp_mean,precipitation&granularity=${granularity}`);
      expect(body).toMatchObject({
        ...{ init_time: expect.any(String), version: expect.any(String), generation: expect.any(String) },
        location: { requested: place, closest_location: place },
      });
      expect(Date.parse(body.init_time)).toBeGreaterThan(0);
      for (const { statistics: entries } of Object.values<Body>(body.variables)) {
        expect(Object.keys(entries).length).toBeGreaterThan(5);
        for (const entry of Object.values<Body>(entries)) {
          expect(values(entry)).toEqual(new Array(6).fill(expect.any(Number)));
        }
      }
    }
  }),

  daily: test('daily entries are the statistics over the members of each date', async () => {
    const entries = await entriesOf('temp_max', `start_date=${SUBSEASONAL[0]}&end_date=${SUBSEASONAL[1]}`);
    expectOfRun(entries, service.run('subseasonal', 'temp_max'), 'daily', 'mean');
  }),

  weekly: test('only complete ISO weeks have entries, each member averaged over seven days', async () => {
    const range = `start_date=${SUBSEASONAL[0]}&end_date=${SUBSEASONAL[1]}`;
    const entries = await entriesOf('temp_max', `${range}&granularity=weekly`);
    expect(Object.keys(entries)).toEqual(['2026-W13', '2026-W14']);
    expectOfRun(entries, service.run('subseasonal', 'temp_max'), 'weekly', 'mean');
  }),

  monthly: test('only complete calendar months have entries, each member averaged over its days', async () => {
    const entries = await entriesOf('temp_max', 'granularity=monthly&start_date=2026-04-20&end_date=2026-07-30');
    expect(Object.keys(entries)).toEqual(['2026-05', '2026-06']);
    const run = service.run('seasonal', 'temp_max');
    const may = memberWindows(run, datesFrom('2026-05-01', '2026-05-31'), 'mean');
    expectRounded(values(entries['2026-05']), statisticsOf(may));
  }),

  combined: test("quantiles are over members' weeks: q95 is far below the sum of the days' q95", async () => {
    const week = datesFrom('2026-03-23', '2026-03-29');
    const run = service.run('subseasonal', 'precipitation');
    const entry = (await entriesOf('precipitation', 'granularity=weekly'))['2026-W13'];
    expectRounded(values(entry), statisticsOf(memberWindows(run, week, 'sum')));
    // Combining the days' quantiles instead would give a much wider fan.
    const daily = week.map((date) => statisticsOf(memberWindows(run, [date], 'sum'))[5]);
    expect(entry.q95).toBeLessThan(0.8 * daily.reduce((sum, value) => sum + value, 0));
  }),

  summed: test('a week of precipitation or evapotranspiration is the sum of its days', async () => {
    const rain = await entriesOf(
      'precipitation',
      `start_date=${SUBSEASONAL[0]}&end_date=${SUBSEASONAL[1]}&granularity=weekly`,
    );
    expectOfRun(rain, service.run('subseasonal', 'precipitation'), 'weekly', 'sum');
    const week = await entriesOf('evapotranspiration', 'granularity=weekly');
    const days = await entriesOf('evapotranspiration', 'start_date=2026-03-23&end_date=2026-03-29');
    const means = Object.values<{ mean: number }>(days).map((entry) => entry.mean);
    const total = means.reduce((sum, value) => sum + value, 0);
    // Of days rounded to 2 decimals.
    expect(Math.abs(week['2026-W13'].mean - total)).toBeLessThan(0.04);
  }),

  averaged: test('a week of every other variable is the mean of its seven days', async () => {
    const averaged = registry.filter(({ group }) => !['precipitation', 'evapotranspiration'].includes(group));
    expect(averaged).toHaveLength(10);
    for (const { slug, decimals, derived } of averaged) {
      const week = (await entriesOf(slug, 'granularity=weekly'))['2026-W11'];
      if (week === undefined) {
        expect(slug).toBe('wind_gust_max');
        continue;
      }
      const days = await entriesOf(slug, 'start_date=2026-03-09&end_date=2026-03-15');
      const means = Object.values(days as Record<string, { mean: number }>).map((entry) => entry.mean);
      expect(Math.abs(week.mean - means.reduce((a, b) => a + b, 0) / 7), slug).toBeLessThanOrEqual(
        1.01 * 10 ** -decimals,
      );
      if (derived) continue;
      const run = service.run('short-term', slug);
      const exact = statisticsOf(memberWindows(run, datesFrom('2026-03-09', '2026-03-15'), 'mean'));
      expectRounded(values(week), exact, decimals);
    }
  }),

  example: test('weekly precipitation has the quantiles of 31 sums of seven days each', async () => {
    const { members } = await service
      .get(`/v2/forecast?${AT}&var=precipitation&start_date=2026-03-09&end_date=2026-03-15`)
      .then((body) => body.variables.precipitation);
    const days: number[][] = Object.values(members);
    const sums = Array.from({ length: 31 }, (_, m) => days.reduce((sum, day) => sum + day[m], 0));
    const entry = (await entriesOf('precipitation', 'granularity=weekly'))['2026-W11'];
    const exact = statisticsOf(sums);
    // Of days that are rounded to 2 decimals themselves.
    for (const [i, value] of values(entry).entries()) expect(Math.abs((value as number) - exact[i])).toBeLessThan(0.04);
    const run = service.run('short-term', 'precipitation');
    expectRounded(values(entry), statisticsOf(memberWindows(run, datesFrom('2026-03-09', '2026-03-15'), 'sum')));
  }),
});
