import { beforeAll, describe, expect, it } from 'vitest';
import { expectRounded } from './expect-rounded.js';
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

describe('2.4 Current forecast statistics response (/v2/forecast/statistics)', () => {
  it('The response has flat top-level metadata and a variables object keyed by variable slug.', async () => {
    const body = await service.get(`/v2/forecast/statistics?${AT}&var=temp_max,precipitation`);
    const metadata = ['init_time', 'version', 'generation', 'location', 'period', 'granularity', 'attribution'];
    expect(Object.keys(body)).toEqual([...metadata, 'variables']);
    expect(Object.keys(body.variables)).toEqual(['temp_max', 'precipitation']);
  });

  it('row: init_time is a timestamp, when the model run was issued.', async () => {
    expect((await statistics()).init_time).toBe('2026-03-04T12:00:00Z');
  });

  it('row: version is a string, the model/dataset version.', async () => {
    expect((await statistics()).version).toBe('demo-1');
  });

  it('row: generation is a string, a unique generation identifier.', async () => {
    expect((await statistics()).generation).toBe('run-1');
  });

  it('row: location.requested is an object, the coordinates asked for.', async () => {
    expect((await statistics()).location.requested).toEqual({ latitude: 37.3, longitude: -80.05 });
  });

  it('row: location.closest_location is an object, the grid location actually used (snap-to-grid is explicit).', async () => {
    expect((await statistics()).location.closest_location).toEqual({ latitude: 37.25, longitude: -80 });
  });

  it('row: variables.<var>.statistics is an object, a map from period key to a statistics entry.', async () => {
    const { variables } = await statistics('start_date=2026-03-09&end_date=2026-03-22&granularity=weekly');
    expect(Object.keys(variables.precipitation.statistics)).toEqual(['2026-W11', '2026-W12']);
    expect(variables.precipitation.statistics['2026-W11']).toMatchObject({ mean: expect.any(Number) });
  });

  it('A statistics entry holds mean and one field per requested quantile.', async () => {
    const { variables } = await statistics('statistics=0.9,0.1');
    for (const entry of Object.values(variables.precipitation.statistics as Record<string, object>)) {
      expect(Object.keys(entry)).toEqual(['mean', 'q90', 'q10']);
    }
  });

  it('For the default quantiles the fields are mean, q05, q25, q50, q75, q95.', async () => {
    const { variables } = await statistics();
    expect(Object.keys(variables.precipitation.statistics['2026-03-05'])).toEqual([
      ...['mean', 'q05', 'q25', 'q50', 'q75', 'q95'],
    ]);
  });

  it('Field names for other quantile values: not shown.', async () => {
    // Decided: the decimals after the point, trailing zeros trimmed, at least two digits.
    const { variables } = await statistics('statistics=0.025,0,1,0.333333,0.1000');
    expect(Object.keys(variables.precipitation.statistics['2026-03-05'])).toEqual([
      ...['mean', 'q025', 'q00', 'q100', 'q333333', 'q10'],
    ]);
  });
});

describe('2.5 Legacy response (all /v1 data endpoints)', () => {
  it('The shape is { meta, data }, where data is an array of per-date entries and each entry holds attributes.<var>.', async () => {
    const all = ['forecast/short-term', 'forecast/subseasonal', 'forecast/seasonal', 'history', 'climatology'];
    for (const path of all) {
      const body = await legacy(path);
      expect(Object.keys(body)).toEqual(['meta', 'data']);
      expect(body.data.length).toBeGreaterThan(14);
      for (const { attributes } of body.data) expect(Object.keys(attributes)).toEqual(['precipitation']);
    }
  });

  it('For history, attributes.<var>.values holds the values.', async () => {
    const { data } = await legacy('history');
    const { members } = service.observed('analysis', 'precipitation');
    expect(data.at(-1).attributes.precipitation).toEqual({ values: Number(members[0][59].toFixed(2)) });
    expect(Object.keys(data[0].attributes.precipitation)).toEqual(['values']);
  });

  it('Exact name and format of the date field within an entry: not shown.', async () => {
    // Decided: `date`, the window's first day.
    const dates = async (path: string, query: string) =>
      (await legacy(path, query)).data.slice(0, 2).map((entry: Body) => entry.date);
    expect(await dates('forecast/short-term', '')).toEqual(['2026-03-05', '2026-03-06']);
    expect(await dates('forecast/subseasonal', 'granularity=weekly')).toEqual(['2026-03-16', '2026-03-23']);
    expect(await dates('forecast/seasonal', 'granularity=monthly')).toEqual(['2026-03-01', '2026-04-01']);
  });

  it('row: ensemble_mean is the ensemble mean (forecast only).', async () => {
    const { data } = await legacy('forecast/short-term');
    const { members } = service.run('short-term', 'precipitation');
    const firstDay = members.map(([value]) => value);
    expectRounded([data[0].attributes.precipitation.ensemble_mean], [mean(firstDay)]);
    for (const path of ['history', 'climatology']) {
      const [entry] = (await legacy(path)).data;
      expect(entry.attributes.precipitation).not.toHaveProperty('ensemble_mean');
    }
  });

  it('row: quantile.quantile_0.05, quantile.quantile_0.25, quantile.quantile_0.50, quantile.quantile_0.75, quantile.quantile_0.95 are the fixed quantile set.', async () => {
    for (const path of ['forecast/short-term', 'forecast/subseasonal', 'forecast/seasonal', 'climatology']) {
      const [entry] = (await legacy(path)).data;
      expect(Object.keys(entry.attributes.precipitation.quantile)).toEqual(QUANTILES);
    }
  });

  it('row: probability.clim_prob_0.00-0.33, probability.clim_prob_0.33-0.67, probability.clim_prob_0.67-1.00 are tercile probabilities, only in legacy subseasonal weekly and seasonal monthly responses.', async () => {
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
  });

  it('Legacy climatology returns only the five fixed quantiles [0.05, 0.25, 0.50, 0.75, 0.95]: no mean and no terciles.', async () => {
    for (const granularity of ['daily', 'weekly', 'monthly']) {
      const { data } = await legacy('climatology', `granularity=${granularity}`);
      for (const { attributes } of data) {
        expect(Object.keys(attributes.precipitation)).toEqual(['quantile']);
        expect(Object.keys(attributes.precipitation.quantile)).toEqual(QUANTILES);
      }
    }
  });
});
