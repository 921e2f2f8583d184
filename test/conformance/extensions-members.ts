import { tableFromIPC } from 'apache-arrow';
import { beforeAll, expect } from 'vitest';
import { parseDate } from '../../src/period/day.js';
import { memoryDataset } from '../../src/service/source/index.js';
import { expectRounded } from './expect-rounded.js';
import { section, test } from './section.js';
import { AT, AT_FINE, type Body, conformanceService, FINE_KEY, type Service } from './service.js';
import { samplesOf } from './slow-climatology.js';
import { completeWindows, datesFrom, memberWindows, quantile, statisticsOf } from './slow-statistics.js';
import { tinyForecast, tinyService } from './tiny-service.js';

let service: Service;
beforeAll(async () => {
  service = await conformanceService();
});

const FORECAST = `/v2/forecast?${AT}`;
const STATISTICS = `/v2/forecast/statistics?${AT}`;
const ARROW = 'application/vnd.apache.arrow.stream';

/** Runs of 31, 31 and 51 members, of leads 0 to 14, 12 to 41 and 35 to 214 from 5 March: the days that are of one alone. */
const ALONE = [
  { horizon: 'short-term', members: 31, start_date: '2026-03-05', end_date: '2026-03-16' },
  { horizon: 'blended', members: 31, start_date: '2026-03-17', end_date: '2026-03-19' },
  { horizon: 'subseasonal', members: 31, start_date: '2026-03-20', end_date: '2026-04-08' },
  { horizon: 'blended', members: 31, start_date: '2026-04-09', end_date: '2026-04-15' },
  { horizon: 'seasonal', members: 51, start_date: '2026-04-16', end_date: '2026-10-05' },
] as const;
const SEASONAL = ['2026-04-16', '2026-10-05'] as const;

const shareOf = (values: readonly number[], isIn: (value: number) => boolean) =>
  values.filter(isIn).length / values.length;

section('Extension: all members', import.meta.url, {
  windows: [
    test('months and weeks of the seasonal run alone are of its 51 members, others as without', async () => {
      for (const [granularity, slug, rule] of [
        ['daily', 'temp_mean', 'mean'],
        ['weekly', 'precipitation', 'sum'],
        ['monthly', 'temp_mean', 'mean'],
      ] as const) {
        const path = `${STATISTICS}&var=${slug}&granularity=${granularity}`;
        const { statistics } = (await service.get(`${path}&members=all`)).variables[slug];
        const { statistics: plain } = (await service.get(path)).variables[slug];
        const run = service.run('seasonal', slug);
        const windows = completeWindows(granularity, ...SEASONAL);
        expect(windows.size).toBeGreaterThan(2);
        expect(Object.keys(statistics)).toEqual(Object.keys(plain));
        for (const [key, entry] of Object.entries<Body>(statistics)) {
          const dates = windows.get(key);
          if (dates === undefined) expect(entry).toEqual(plain[key]);
          else {
            const members = memberWindows(run, dates, rule);
            expect(members.length).toBe(51);
            expectRounded(Object.values(entry), statisticsOf(members));
          }
        }
      }
    }),

    test('without it and with `members=blended`, bodies are the same; another choice is a 400', async () => {
      for (const path of [FORECAST, STATISTICS]) {
        const [plain, blended] = await Promise.all(
          ['', '&members=blended'].map(async (more) => (await service.request(path + more)).text()),
        );
        expect(blended).toBe(plain);
        expect(plain).not.toMatch(/ensembles/);
      }
      const { errors } = await service.problem(400, `${STATISTICS}&members=51`);
      expect(errors).toMatchObject([{ parameter: 'members', received: '51', allowed: 'blended or all' }]);
    }),
  ],

  days: test('a day in May has 51 members, those of the seasonal run, one in March has 31, as without', async () => {
    const { members } = (await service.get(`${FORECAST}&var=temp_mean&members=all`)).variables.temp_mean;
    const { members: plain } = (await service.get(`${FORECAST}&var=temp_mean`)).variables.temp_mean;
    const run = service.run('seasonal', 'temp_mean');
    expect(Object.keys(members)).toEqual(datesFrom('2026-03-05', '2026-10-05'));
    for (const [date, values] of Object.entries<number[]>(members)) {
      if (date >= SEASONAL[0]) expectRounded(values, memberWindows(run, [date], 'mean'));
      else expect(values).toEqual(plain[date]);
    }
  }),

  ensembles: test('days, weeks and months of the timeline state theirs', async () => {
    const of = async (path: string) => (await service.get(`${path}&var=temp_mean&members=all`)).variables.temp_mean;
    expect((await of(FORECAST)).ensembles).toEqual(ALONE);
    expect((await of(STATISTICS)).ensembles).toEqual(ALONE);
    expect((await of(`${STATISTICS}&granularity=weekly`)).ensembles).toEqual([
      { horizon: 'short-term', members: 31, start_date: '2026-03-09', end_date: '2026-03-15' },
      { horizon: 'blended', members: 31, start_date: '2026-03-16', end_date: '2026-03-22' },
      { horizon: 'subseasonal', members: 31, start_date: '2026-03-23', end_date: '2026-04-05' },
      { horizon: 'blended', members: 31, start_date: '2026-04-06', end_date: '2026-04-19' },
      { horizon: 'seasonal', members: 51, start_date: '2026-04-20', end_date: '2026-10-04' },
    ]);
    expect((await of(`${STATISTICS}&granularity=monthly`)).ensembles).toEqual([
      { horizon: 'blended', members: 31, start_date: '2026-04-01', end_date: '2026-04-30' },
      { horizon: 'seasonal', members: 51, start_date: '2026-05-01', end_date: '2026-09-30' },
    ]);
    expect((await of(`${STATISTICS}&start_date=2026-03-18&end_date=2026-03-21`)).ensembles).toEqual([
      { ...ALONE[1], start_date: '2026-03-18' },
      { ...ALONE[2], end_date: '2026-03-21' },
    ]);
    expect((await of(`${STATISTICS}&start_date=2030-01-01`)).ensembles).toEqual([]);
    const { ensembles } = (await service.get(`${FORECAST}&var=wind_speed_max&members=all`)).variables.wind_speed_max;
    expect(ensembles).toEqual([{ ...ALONE[0], end_date: '2026-03-19' }]);
  }),

  distinct: test('a seasonal run of two members is repeated in days of 31, and counted', async () => {
    const { data } = await conformanceService();
    const { forecast } = data;
    if (forecast === undefined) throw new Error('no forecast');
    const seasonal = memoryDataset({
      ...{ revision: 'two', latitude: Float64Array.of(37.25), longitude: Float64Array.of(-80) },
      variables: {
        temp_mean: { firstDay: parseDate('2026-03-05'), days: 215, members: 2, values: new Float32Array(430) },
      },
    });
    const run = { initTime: forecast.initTime, data: seasonal };
    const { get } = tinyService({ forecast: { ...forecast, horizons: { ...forecast.horizons, seasonal: run } } });
    const body = await get(`${FORECAST}&var=temp_mean&members=all`);
    const { ensembles } = body.variables.temp_mean;
    expect(ensembles).toEqual([...ALONE.slice(0, 4), { ...ALONE[4], members: 31, distinct_members: 2 }]);
    delete body.variables.temp_mean.ensembles;
    expect(body).toEqual(await get(`${FORECAST}&var=temp_mean`));
  }),

  shares: test('the shares of a summer week above 20 mm and in its terciles are those of 51 members', async () => {
    const query = 'var=precipitation&granularity=weekly&threshold=precipitation>20&terciles=true';
    const { statistics } = (await service.get(`${STATISTICS}&${query}&members=all`)).variables.precipitation;
    const run = service.run('seasonal', 'precipitation');
    const windows = [...completeWindows('weekly', ...SEASONAL)].slice(8, 12);
    for (const [key, dates] of windows) {
      const members = memberWindows(run, dates, 'sum');
      const normal = samplesOf(service.observed('reanalysis', 'precipitation'), key.slice(5), 'sum');
      const [low, high] = [quantile(normal, 1 / 3), quantile(normal, 2 / 3)].map(Math.fround);
      const { p_gt_20, p_below, p_above } = statistics[key];
      const isAbove = (limit: number) => (value: number) => value > limit;
      expectRounded(
        [p_gt_20, p_below, p_above],
        [shareOf(members, isAbove(20)), shareOf(members, (x) => x < low), shareOf(members, isAbove(high))],
        4,
      );
    }
  }),

  fine: test('summer days at 1 km are of the 51 members of the 1 km run', async () => {
    const path = `/v2/forecast?${AT_FINE}&var=temp_mean&members=all`;
    const { downscaled, members, ensembles } = (await service.get(path, FINE_KEY)).variables.temp_mean;
    expect([downscaled, ensembles]).toEqual([true, ALONE]);
    const fine = service.data.forecast?.horizons.seasonal?.fine;
    const axis = fine?.variables.get('temp_mean');
    if (fine === undefined || axis === undefined) throw new Error('no 1 km data');
    const values = new Float32Array(axis.days * axis.members);
    const cell = fine.places.covering({ latitude: 37.257, longitude: -80.0002 }) as number;
    await fine.read('temp_mean', cell, values);
    const day = parseDate('2026-07-01') - axis.firstDay;
    expectRounded(
      members['2026-07-01'],
      Array.from({ length: 51 }, (_, m) => values[m * axis.days + day]),
    );
  }),

  derived: test('the dew point of a summer day is that of 51 members', async () => {
    const { ensembles, statistics } = (await service.get(`${STATISTICS}&var=dew_point&members=all`)).variables
      .dew_point;
    expect(ensembles).toEqual(ALONE);
    const { temp_mean, relative_humidity } = Object.fromEntries(
      ['temp_mean', 'relative_humidity'].map((slug) => [
        slug,
        memberWindows(service.run('seasonal', slug), ['2026-07-01'], 'mean'),
      ]),
    );
    const [a, b] = [17.27, 237.3];
    const dewPoints = temp_mean.map((t, m) => {
      const g = Math.log(relative_humidity[m] / 100) + (a * t) / (b + t);
      return (b * g) / (a - g);
    });
    expectRounded(Object.values(statistics['2026-07-01']), statisticsOf(dewPoints));
  }),

  tables:
    test('rows state their horizon, and how many members are valid; lists of members are as long as the longest', async () => {
      const request = async (path: string, accept: string) =>
        service.request(`${path}&var=temp_mean&members=all`, { accept });
      const arrow = async (path: string) =>
        tableFromIPC(new Uint8Array(await (await request(path, ARROW)).arrayBuffer()));
      for (const points of [AT, 'points=37.3,-80.05;37.5,-80']) {
        const table = await arrow(`/v2/forecast/statistics?${points}&granularity=monthly`);
        const rows = [...table].map((row) => `${row?.period} ${row?.horizon} ${row?.n_members}`);
        expect(rows.slice(0, 3)).toEqual(['2026-04 blended 31', '2026-05 seasonal 51', '2026-06 seasonal 51']);
      }
      const members = await arrow(FORECAST);
      expect(members.schema.fields.map(({ name }) => name).slice(4, 8)).toEqual([
        'date',
        'horizon',
        'member_00',
        'member_01',
      ]);
      expect(members.getChild('member_50')?.get(0)).toBe(null);
      expect(members.getChild('member_50')?.get(200)).toEqual(expect.any(Number));
      const lines = (await (await request(FORECAST, 'text/csv')).text()).trimEnd().split('\n');
      expect(lines.slice(1).map((line) => line.split(',').slice(4, 6).join(' '))[12]).toBe('2026-03-17 blended');
      const filled = lines.map(
        (line) =>
          line
            .split(',')
            .slice(6)
            .filter((cell) => cell !== '').length,
      );
      expect([filled[0], filled[1], filled[215]]).toEqual([51, 31, 51]);
    }),

  points: test('two places have the bodies of requests for each', async () => {
    for (const query of [
      '/v2/forecast?var=temp_mean&members=all',
      '/v2/forecast/statistics?granularity=weekly&members=all',
    ]) {
      const { points } = await service.get(`${query}&points=37.3,-80.05;37.5,-80`);
      const each = await Promise.all([AT, 'lat=37.5&lon=-80'].map((at) => service.get(`${query}&${at}`)));
      expect(points).toEqual(each);
    }
  }),

  unknown: test('a timeline without days of horizons is blended', async () => {
    const { get } = tinyService({ forecast: tinyForecast('precipitation', [[1], [2]]) });
    for (const path of [FORECAST, STATISTICS]) {
      const body = await get(`${path}&members=all`);
      expect(body.variables.precipitation.ensembles).toEqual([
        { horizon: 'blended', members: 2, start_date: '2026-03-05', end_date: '2026-03-05' },
      ]);
      delete body.variables.precipitation.ensembles;
      expect(body).toEqual(await get(path));
    }
  }),
});
