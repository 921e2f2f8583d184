import { tableFromIPC } from 'apache-arrow';
import { beforeAll, expect } from 'vitest';
import { climatologyTable, climatology as computeClimatology } from '../../src/climate/index.js';
import { loadCore } from '../../src/core/load.js';
import { readStatistic } from '../../src/statistics/result-column.js';
import { wideTable } from '../../src/table/build/wide-table.js';
import { expectRounded } from './expect-rounded.js';
import { section, test } from './section.js';
import { AT, AT_FINE, type Body, conformanceService, createService, FINE_KEY, type Service } from './service.js';
import { samplesOf } from './slow-climatology.js';
import { completeWindows, memberWindows, quantile } from './slow-statistics.js';
import { tinyDataset, tinyForecast, tinyService } from './tiny-service.js';

let service: Service;
beforeAll(async () => {
  service = await conformanceService({ seasonalMembers: 31 });
});

const PATH = `/v2/forecast/statistics?${AT}`;
const ARROW = 'application/vnd.apache.arrow.stream';
/** Days on which the timeline is of the short-term run alone. */
const SHORT = ['2026-03-05', '2026-03-16'] as const;

const shareOf = (values: readonly number[], isIn: (value: number) => boolean) =>
  values.filter(isIn).length / values.length;

section('Extension: exceedance shares', import.meta.url, {
  marked:
    test('seven parameters and the paths for several points are marked; weekly statistics are the same where each has its default', async () => {
      const { paths } = await (await service.request('/openapi.json')).json();
      const marked = Object.entries<Body>(paths).flatMap(([path, { get }]) =>
        get['x-extension']
          ? path
          : (get.parameters ?? []).flatMap((one: Body) => (one['x-extension'] ? [`${path} ${one.name}`] : [])),
      );
      expect(marked).toEqual([
        ...['/v2/forecast horizons', '/v2/forecast members', '/v2/forecast/points'],
        ...['/v2/forecast/statistics horizons', '/v2/forecast/statistics members'],
        ...['/v2/forecast/statistics threshold', '/v2/forecast/statistics terciles', '/v2/forecast/statistics skill'],
        ...['/v2/forecast/statistics/points', '/v2/history/points'],
      ]);
      const [plain, without] = await Promise.all(
        ['', '&terciles=false&skill=false&horizons=false&members=blended'].map(async (more) =>
          (await service.request(`${PATH}&granularity=weekly${more}`)).text(),
        ),
      );
      expect(without).toBe(plain);
      expect(plain).not.toMatch(/"p_|reference|skill|crpss|horizon|ensembles/);
    }),

  shares: test('the shares of 31 members above 10 mm a day, and at most 3 mm a week, are those counted', async () => {
    for (const [granularity, condition, isIn] of [
      ['daily', '>10', (x: number) => x > 10],
      ['weekly', '<=3', (x: number) => x <= 3],
    ] as const) {
      const { variables } = await service.get(
        `${PATH}&var=precipitation&granularity=${granularity}&threshold=precipitation${condition}`,
      );
      const name = granularity === 'daily' ? 'p_gt_10' : 'p_le_3';
      const run = service.run('short-term', 'precipitation');
      const windows = completeWindows(granularity, ...SHORT);
      expect(windows.size).toBeGreaterThan(0);
      let several = 0;
      for (const [key, dates] of windows) {
        const share = shareOf(memberWindows(run, dates, 'sum'), isIn);
        several += share > 0 ? 1 : 0;
        expectRounded([variables.precipitation.statistics[key][name]], [share], 4);
      }
      expect(several).toBeGreaterThan(0);
    }
  }),

  names: test('the fields of an entry are mean, quantiles, then p_gt_20, p_ge_30, p_lt_-5, p_le_0.1', async () => {
    const list = 'temp_mean>20,temp_max>=30.0,temp_mean<-5,temp_mean<=.1';
    const { variables } = await service.get(
      `${PATH}&var=temp_mean,temp_max&statistics=0.5&threshold=${encodeURIComponent(list)}`,
    );
    const names = (slug: string) => Object.keys(variables[slug].statistics['2026-03-06']);
    expect(names('temp_mean')).toEqual(['mean', 'q50', 'p_gt_20', 'p_lt_-5', 'p_le_0.1']);
    expect(names('temp_max')).toEqual(['mean', 'q50', 'p_ge_30']);
  }),

  rounding: test('a limit of 0.1 is that of the data, and a third is 0.3333', async () => {
    const { statistics } = tinyService({ forecast: tinyForecast('precipitation', [[0.1], [0.2], [7]]) });
    const list = 'precipitation>0.1,precipitation>=0.1,precipitation<0.2,precipitation<=0.2,precipitation>6.99';
    const { '2026-03-05': entry } = await statistics(`statistics=0.5&threshold=${list}`);
    expect(entry).toMatchObject({ 'p_gt_0.1': 0.6667, 'p_ge_0.1': 1, 'p_lt_0.2': 0.3333, 'p_le_0.2': 0.6667 });
    expect(entry['p_gt_6.99']).toBe(0.3333);
  }),

  missing: test('a missing member is not counted; where the quantiles are null, so are the shares', async () => {
    const none = Number.NaN;
    const members = [
      [none, none],
      [1, none],
      [2, 2],
      [3, 3],
      [4, 4],
    ];
    const { statistics } = tinyService({ forecast: tinyForecast('precipitation', members) });
    const entries = await statistics('statistics=0.5&threshold=precipitation>2');
    expect(Object.values(entries)).toEqual([
      { mean: 2.5, q50: 2.5, p_gt_2: 0.5 },
      { mean: null, q50: null, p_gt_2: null },
    ]);
  }),

  tables: test('CSV has the columns of both variables, Arrow says what they are', async () => {
    const path = `${PATH}&var=temp_mean,precipitation&statistics=0.5&threshold=temp_mean>5,precipitation>=1`;
    const csv = await (await service.request(path, { Accept: 'text/csv' })).text();
    const rows = csv.trimEnd().split('\n');
    const cells = (row: string) => row.split(',').slice(-2);
    expect(cells(rows[0])).toEqual(['p_gt_5', 'p_ge_1']);
    expect(cells(rows[1])[1]).toBe('');
    expect(cells(rows.at(-1) as string)[0]).toBe('');
    expect(cells(rows[1])[0]).toMatch(/^[01]/);
    const bytes = new Uint8Array(await (await service.request(path, { Accept: ARROW })).arrayBuffer());
    const { fields } = tableFromIPC(bytes).schema;
    expect(fields.slice(-2).map(readStatistic)).toEqual([
      { kind: 'exceedance', threshold: { operator: '>', limit: 5 } },
      { kind: 'exceedance', threshold: { operator: '>=', limit: 1 } },
    ]);
  }),

  faults:
    test('five wrong lists of conditions are a 400 of `threshold`, also where the data lack the variable', async () => {
      for (const [query, part] of [
        ['threshold=precipitation', 'no condition'],
        ['threshold=precipitation>20,', 'empty item'],
        ['threshold=rain>20', 'not known'],
        ['var=temp_mean&threshold=precipitation>20', 'var leaves out'],
        ['threshold=dew_point>20', 'derived'],
      ]) {
        const { errors } = await service.problem(400, `${PATH}&${query}`);
        expect(errors).toMatchObject([{ parameter: 'threshold', detail: expect.stringContaining(part) }]);
      }
      const { problem } = tinyService({ forecast: tinyForecast('precipitation', [[1]]) });
      const { errors } = await problem(400, `${PATH}&threshold=temp_mean>20`);
      expect(errors).toMatchObject([{ parameter: 'threshold', received: 'temp_mean>20' }]);
      expect(errors[0]).toMatchObject({ allowed: 'conditions on precipitation' });
    }),
});

/** A history of one place, 1993 to 2022 and a week, with the same amount on every day. */
const rainHistory = (amount: number, days = 10_970) => ({
  data: tinyDataset('precipitation', [new Array(days).fill(amount)], '1993-01-01'),
  isPreloaded: () => false,
});

const TERCILES = ['p_below', 'p_normal', 'p_above'] as const;
const tercilesOf = (entry: Body) => TERCILES.map((name) => entry[name]);

section('Extension: tercile shares', import.meta.url, {
  shares: [
    test('the shares of days, weeks and months are those of members in the terciles of 30 years', async () => {
      for (const [granularity, slug, rule] of [
        ['daily', 'temp_mean', 'mean'],
        ['weekly', 'precipitation', 'sum'],
      ] as const) {
        const { variables } = await service.get(`${PATH}&var=${slug}&granularity=${granularity}&terciles=true`);
        const run = service.run('short-term', slug);
        for (const [key, dates] of [...completeWindows(granularity, ...SHORT)].slice(0, 3)) {
          const normal = samplesOf(service.observed('reanalysis', slug), key.slice(5), rule);
          const [low, high] = [quantile(normal, 1 / 3), quantile(normal, 2 / 3)].map(Math.fround);
          const members = memberWindows(run, dates, rule);
          const shares = [shareOf(members, (x) => x < low), shareOf(members, (x) => x > high)];
          const expected = [shares[0], 1 - shares[0] - shares[1], shares[1]];
          expectRounded(tercilesOf(variables[slug].statistics[key]), expected, 4);
        }
      }
      const { variables } = await service.get(`${PATH}&var=temp_mean&granularity=monthly&terciles=true`);
      const shares = tercilesOf(variables.temp_mean.statistics['2026-05']);
      expect(shares.reduce((sum, share) => sum + share, 0)).toBeCloseTo(1, 3);
    }),

    test('a member on a limit is normal, and a missing one does not count', async () => {
      const days = (value: number) => new Array(14).fill(value);
      const members = [days(1), days(2), days(2), days(3), days(3), days(Number.NaN)];
      const { statistics } = tinyService({
        forecast: tinyForecast('precipitation', members),
        history: rainHistory(2),
      });
      const { '2026-W11': entry } = await statistics('granularity=weekly&terciles=true');
      expect(tercilesOf(entry)).toEqual([0.2, 0.4, 0.4]);
    }),
  ],

  reference: test('the body says 1993-2022 and observations, and so do the metadata of Arrow', async () => {
    const body = await service.get(`${PATH}&var=temp_mean&granularity=weekly&terciles=true`);
    expect(body).toMatchObject({ reference_period: '1993-2022', tercile_reference: 'observations' });
    const path = `${PATH}&var=temp_mean&granularity=weekly&terciles=true`;
    const bytes = new Uint8Array(await (await service.request(path, { Accept: ARROW })).arrayBuffer());
    const { fields, metadata } = tableFromIPC(bytes).schema;
    expect(fields.slice(-3).map(({ name }) => name)).toEqual([...TERCILES]);
    expect([metadata.get('reference_period'), metadata.get('tercile_reference')]).toEqual([
      '1993-2022',
      'observations',
    ]);
  }),

  supplied: test('a supplied climatology of 2001 to 2030 is compared with, and named', async () => {
    const days = 11_000;
    const table = wideTable(
      {
        latitude: new Float64Array(days).fill(37.25),
        longitude: new Float64Array(days).fill(-80),
        date: Int32Array.from({ length: days }, (_, day) => 11_323 + day),
        members: [new Float64Array(days).fill(4)],
      },
      new Map([['variable', 'precipitation']]),
    );
    const options = { granularity: 'weekly', reference: '2001-2030' } as const;
    const normal = climatologyTable(computeClimatology(await loadCore(), table, options));
    const members = [2, 3, 5].map((value) => new Array(14).fill(value));
    const forecast = tinyForecast('precipitation', members);
    const supplied = tinyService({
      ...{ forecast, history: rainHistory(0) },
      climatology: (of) => (of === 'observations' ? normal : undefined),
    });
    const body = await supplied.get(`${PATH}&granularity=weekly&terciles=true`);
    expect(body.reference_period).toBe('2001-2030');
    expect(tercilesOf(body.variables.precipitation.statistics['2026-W11'])).toEqual([0.6667, 0, 0.3333]);
  }),

  coarse: test('with terciles, a key with 1 km data gets the coarse values that a key without gets', async () => {
    const path = `/v2/forecast/statistics?${AT_FINE}&var=temp_mean&granularity=weekly`;
    expect((await service.get(path, FINE_KEY)).variables.temp_mean.downscaled).toBe(true);
    const fine = await service.get(`${path}&terciles=true`, FINE_KEY);
    expect(fine.variables.temp_mean.downscaled).toBe(false);
    expect(fine).toEqual(await service.get(`${path}&terciles=true`));
  }),

  partly: test('the history has rain alone: rain has shares, temperature nulls', async () => {
    const forecast = service.data.forecast;
    const { get } = createService({
      source: { snapshot: () => ({ forecast, history: rainHistory(2) }) },
    });
    const body = await get(`${PATH}&var=temp_mean,precipitation&granularity=weekly&terciles=true`);
    const first = (slug: string) => tercilesOf(Object.values<Body>(body.variables[slug].statistics)[0]);
    expect(first('temp_mean')).toEqual([null, null, null]);
    expect(first('precipitation').every((share: unknown) => typeof share === 'number')).toBe(true);
    expect(body.reference_period).toBe('1993-2022');
  }),

  none: test('without a history, and with one that ends in 2012, it is a 503 that names the variables', async () => {
    const forecast = tinyForecast('precipitation', [new Array(14).fill(1)]);
    for (const history of [undefined, rainHistory(2, 7000)]) {
      const { problem, get } = tinyService({ forecast, history });
      const { code, detail } = await problem(503, `${PATH}&granularity=weekly&terciles=true`);
      expect([code, detail]).toEqual(['climatology-unavailable', expect.stringContaining('precipitation')]);
      expect(await get(`${PATH}&granularity=weekly`)).toMatchObject({ granularity: 'weekly' });
    }
  }),
});
