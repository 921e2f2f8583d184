import { beforeAll, expect } from 'vitest';
import { expectRounded } from './expect-rounded.js';
import { section, test } from './section.js';
import { AT, type Body, conformanceService, type Service } from './service.js';
import { mean } from './slow-statistics.js';

let service: Service;
beforeAll(async () => {
  service = await conformanceService();
});

const statistics = (query = '') => service.get(`/v2/forecast/statistics?${AT}&var=precipitation&${query}`);
const legacy = (path: string, query = '') => service.get(`/v1/${path}?${AT}&var=precipitation&${query}`);

const QUANTILES = ['quantile_0.05', 'quantile_0.25', 'quantile_0.50', 'quantile_0.75', 'quantile_0.95'];
const TERCILES = ['clim_prob_0.00-0.33', 'clim_prob_0.33-0.67', 'clim_prob_0.67-1.00'];

section('2.4 Current forecast statistics response (/v2/forecast/statistics)', import.meta.url, {
  top: test('the metadata are flat at the top, beside `variables`, which is keyed by slug', async () => {
    const body = await service.get(`/v2/forecast/statistics?${AT}&var=temp_max,precipitation`);
    const metadata = ['init_time', 'version', 'generation', 'location', 'period', 'granularity', 'attribution'];
    expect(Object.keys(body)).toEqual([...metadata, 'variables']);
    expect(Object.keys(body.variables)).toEqual(['temp_max', 'precipitation']);
  }),

  init_time: test('init_time is the time at which the short-term run was issued', async () => {
    expect((await statistics()).init_time).toBe('2026-03-04T12:00:00Z');
  }),

  version: test('version is the model version that the run was ingested with', async () => {
    expect((await statistics()).version).toBe('demo-1');
  }),

  generation: test('generation is the identifier that the run was ingested with', async () => {
    expect((await statistics()).generation).toBe('run-1');
  }),

  'location.requested': test("location.requested repeats the request's coordinates", async () => {
    expect((await statistics()).location.requested).toEqual({ latitude: 37.3, longitude: -80.05 });
  }),

  'location.closest_location': test('location.closest_location is the nearest grid point', async () => {
    expect((await statistics()).location.closest_location).toEqual({ latitude: 37.25, longitude: -80 });
  }),

  statistics: test('statistics maps each period key to an entry with a numeric mean', async () => {
    const { variables } = await statistics('start_date=2026-03-09&end_date=2026-03-22&granularity=weekly');
    expect(Object.keys(variables.precipitation.statistics)).toEqual(['2026-W11', '2026-W12']);
    expect(variables.precipitation.statistics['2026-W11']).toMatchObject({ mean: expect.any(Number) });
  }),

  entry: test('an entry has the mean, then one field for each requested quantile, in the requested order', async () => {
    const { variables } = await statistics('statistics=0.9,0.1');
    for (const entry of Object.values(variables.precipitation.statistics as Record<string, object>)) {
      expect(Object.keys(entry)).toEqual(['mean', 'q90', 'q10']);
    }
  }),

  defaults: test('without `statistics` an entry has mean, q05, q25, q50, q75 and q95', async () => {
    const { variables } = await statistics();
    expect(Object.keys(variables.precipitation.statistics['2026-03-05'])).toEqual([
      ...['mean', 'q05', 'q25', 'q50', 'q75', 'q95'],
    ]);
  }),

  names: test("a quantile's field is named by its decimals: q025, q00, q100, q333333, q10", async () => {
    // Decided: the decimals after the point, trailing zeros trimmed, at least two digits.
    const { variables } = await statistics('statistics=0.025,0,1,0.333333,0.1000');
    expect(Object.keys(variables.precipitation.statistics['2026-03-05'])).toEqual([
      ...['mean', 'q025', 'q00', 'q100', 'q333333', 'q10'],
    ]);
  }),
});

section('2.5 Legacy response (all /v1 data endpoints)', import.meta.url, {
  shape: test('every legacy answer is { meta, data } with entries that hold attributes.<var>', async () => {
    const all = ['forecast/short-term', 'forecast/subseasonal', 'forecast/seasonal', 'history', 'climatology'];
    for (const path of all) {
      const body = await legacy(path);
      expect(Object.keys(body)).toEqual(['meta', 'data']);
      expect(body.data.length).toBeGreaterThan(14);
      for (const { attributes } of body.data) expect(Object.keys(attributes)).toEqual(['precipitation']);
    }
  }),

  values: test("a history entry's attributes.<var>.values is the observed number, and the only field", async () => {
    const { data } = await legacy('history');
    const { members } = service.observed('analysis', 'precipitation');
    expect(data.at(-1).attributes.precipitation).toEqual({ values: Number(members[0][59].toFixed(2)) });
    expect(Object.keys(data[0].attributes.precipitation)).toEqual(['values']);
  }),

  date: test("an entry's date is the first day of its day, week or month", async () => {
    // Decided: `date`, the window's first day.
    const dates = async (path: string, query: string) =>
      (await legacy(path, query)).data.slice(0, 2).map((entry: Body) => entry.date);
    expect(await dates('forecast/short-term', '')).toEqual(['2026-03-05', '2026-03-06']);
    expect(await dates('forecast/subseasonal', 'granularity=weekly')).toEqual(['2026-03-16', '2026-03-23']);
    expect(await dates('forecast/seasonal', 'granularity=monthly')).toEqual(['2026-03-01', '2026-04-01']);
  }),

  ensemble_mean: test('ensemble_mean is the mean over members, and history and climatology have none', async () => {
    const { data } = await legacy('forecast/short-term');
    const { members } = service.run('short-term', 'precipitation');
    const firstDay = members.map(([value]) => value);
    expectRounded([data[0].attributes.precipitation.ensemble_mean], [mean(firstDay)]);
    for (const path of ['history', 'climatology']) {
      const [entry] = (await legacy(path)).data;
      expect(entry.attributes.precipitation).not.toHaveProperty('ensemble_mean');
    }
  }),

  quantile: test('forecasts and climatology have the five fixed quantiles, in order', async () => {
    for (const path of ['forecast/short-term', 'forecast/subseasonal', 'forecast/seasonal', 'climatology']) {
      const [entry] = (await legacy(path)).data;
      expect(Object.keys(entry.attributes.precipitation.quantile)).toEqual(QUANTILES);
    }
  }),

  probability: test('only weeks of subseasonal and months of seasonal have shares; they sum to 1', async () => {
    const weekly = await legacy('forecast/subseasonal', 'granularity=weekly');
    const monthly = await legacy('forecast/seasonal', 'granularity=monthly');
    for (const { data } of [weekly, monthly]) {
      for (const { attributes } of data) {
        const { probability } = attributes.precipitation;
        expect(Object.keys(probability)).toEqual(TERCILES);
        const shares: number[] = Object.values(probability);
        expect(shares.reduce((sum, share) => sum + share, 0)).toBeCloseTo(1, 3);
      }
    }
    const without = ['forecast/short-term', 'forecast/subseasonal', 'forecast/seasonal', 'history', 'climatology'];
    for (const path of without) {
      const { data } = await legacy(path);
      for (const { attributes } of data) expect(attributes.precipitation).not.toHaveProperty('probability');
    }
    const text = JSON.stringify(await statistics('granularity=weekly'));
    expect(text).not.toContain('prob');
  }),

  climatology: test('climatology entries hold the five quantiles and nothing else, for every granularity', async () => {
    for (const granularity of ['daily', 'weekly', 'monthly']) {
      const { data } = await legacy('climatology', `granularity=${granularity}`);
      for (const { attributes } of data) {
        expect(Object.keys(attributes.precipitation)).toEqual(['quantile']);
        expect(Object.keys(attributes.precipitation.quantile)).toEqual(QUANTILES);
      }
    }
  }),
});
