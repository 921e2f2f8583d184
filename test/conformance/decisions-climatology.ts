import { beforeAll, expect } from 'vitest';
import { isDegenerate } from '../../src/climate/category-limits.js';
import { climatology, climatologyTable } from '../../src/climate/index.js';
import { loadCore } from '../../src/core/load.js';
import { parseDate } from '../../src/period/day.js';
import { memorySource } from '../../src/service/source/index.js';
import { statistics } from '../../src/statistics/statistics.js';
import { wideTable } from '../../src/table/build/wide-table.js';
import { netLongwaveRadiation, referenceEvapotranspiration } from '../../src/variable/fao56.js';
import { expectRounded } from './expect-rounded.js';
import { section, test } from './section.js';
import { AT, type Body, conformanceService, createService, type Service } from './service.js';
import { samplesOf } from './slow-climatology.js';
import { mean, memberWindows, quantile } from './slow-statistics.js';
import { tinyDataset, tinyForecast, tinyService } from './tiny-service.js';

let service: Service;
beforeAll(async () => {
  service = await conformanceService();
});

const FIVE = [0.05, 0.25, 0.5, 0.75, 0.95];

/** Expects the normals of some periods of the year to be the quantiles of their samples. */
async function expectNormals(slug: string, granularity: string, keys: readonly string[], rule: 'sum' | 'mean') {
  const { data } = await service.get(`/v1/climatology?${AT}&var=${slug}&granularity=${granularity}`);
  for (const key of keys) {
    const samples = samplesOf(service.observed('reanalysis', slug), key, rule);
    const { attributes } = data.find(({ date }: Body) => date === key);
    expectRounded(
      Object.values(attributes[slug].quantile),
      FIVE.map((p) => quantile(samples, p)),
    );
  }
}

/** A history of one place, 1993 to 2022 and a week, dry but on the days that `amount` says. */
const rainHistory = (amount: (day: number) => number) => ({
  data: tinyDataset('precipitation', [Array.from({ length: 10_970 }, (_, day) => amount(day))], '1993-01-01'),
  isPreloaded: () => true,
});

/** The shares of the first week of a subseasonal forecast of members that each have one value on every day. */
async function weeklyShares(history: ReturnType<typeof rainHistory>, members: readonly number[]) {
  const forecast = tinyForecast(
    'precipitation',
    members.map((value) => new Array(42).fill(value)),
  );
  const { get } = tinyService({ forecast, history });
  const { data } = await get(`/v1/forecast/subseasonal?${AT}&granularity=weekly`);
  return Object.values(data[0].attributes.precipitation.probability);
}

/** A table of float64 precipitation at one place; `value(day, member)` counts days from `first` on. */
function rainTable(first: string, days: number, members: number, value: (day: number, member: number) => number) {
  return wideTable(
    {
      latitude: new Float64Array(days).fill(37.25),
      longitude: new Float64Array(days).fill(-80),
      date: Int32Array.from({ length: days }, (_, day) => parseDate(first) + day),
      members: Array.from({ length: members }, (_, m) => Float64Array.from({ length: days }, (_, d) => value(d, m))),
    },
    new Map([['variable', 'precipitation']]),
  );
}

section('Climatology and terciles', import.meta.url, {
  reference: test('the reference is 1993-2022, thirty samples for a month', async () => {
    for (const path of ['/v1/climatology?granularity=monthly', '/v1/forecast/seasonal?granularity=monthly']) {
      const { meta } = await service.get(`${path}&${AT}&var=temp_mean`);
      expect(meta.reference_period).toBe('1993-2022');
    }
    // A sample for each of the thirty years, and none of 2023.
    const years = samplesOf(service.observed('reanalysis', 'temp_mean'), '06', 'mean');
    expect(years).toHaveLength(30);
    await expectNormals('temp_mean', 'monthly', ['06'], 'mean');
  }),

  daily: test("a day's quantiles are those of 15 days around it, cut at both ends of the reference", async () => {
    const keys = ['01-01', '01-05', '02-28', '02-29', '03-01', '07-04', '12-28', '12-31'];
    const series = service.observed('reanalysis', 'temp_mean');
    const counts = ['07-04', '01-01', '12-31'].map((key) => samplesOf(series, key, 'mean').length);
    expect(counts).toEqual([450, 443, 443]);
    await expectNormals('temp_mean', 'daily', keys, 'mean');
    await expectNormals('precipitation', 'daily', keys, 'sum');
  }),

  weekly: test("a week's quantiles are those of its 30 ISO weeks, W53 of the weeks from 28 December", async () => {
    await expectNormals('precipitation', 'weekly', ['W01', 'W10', 'W26', 'W52', 'W53'], 'sum');
    expect(samplesOf(service.observed('reanalysis', 'precipitation'), 'W53', 'sum')).toHaveLength(30);
  }),

  monthly: test("a month's quantiles are those of its total or mean in each year", async () => {
    await expectNormals('precipitation', 'monthly', ['01', '02', '07', '12'], 'sum');
    await expectNormals('temp_max', 'monthly', ['01', '02', '07', '12'], 'mean');
  }),

  rules: test('a month of rain is a sum, a month of temperature a mean', async () => {
    const median = async (slug: string, granularity: string, key: string) => {
      const { data } = await service.get(`/v1/climatology?${AT}&var=${slug}&granularity=${granularity}`);
      return data.find(({ date }: Body) => date === key).attributes[slug].quantile['quantile_0.50'];
    };
    const rain = service.observed('reanalysis', 'precipitation');
    expect(await median('precipitation', 'monthly', '07')).toBeGreaterThan(20 * mean(samplesOf(rain, '07-15', 'sum')));
    const temperatures = [await median('temp_mean', 'daily', '07-15'), await median('temp_mean', 'monthly', '07')];
    expect(Math.abs(temperatures[0] - temperatures[1])).toBeLessThan(2);
  }),

  terciles: test('terciles are strict at the 1/3 and 2/3 quantiles, and shares of the members present', async () => {
    const { data } = await service.get(`/v1/forecast/seasonal?${AT}&var=temp_mean&granularity=monthly`);
    const normal = samplesOf(service.observed('reanalysis', 'temp_mean'), '05', 'mean');
    const [low, high] = [quantile(normal, 1 / 3), quantile(normal, 2 / 3)];
    const dates = Array.from({ length: 31 }, (_, d) => `2026-05-${String(d + 1).padStart(2, '0')}`);
    const members = memberWindows(service.run('seasonal', 'temp_mean'), dates, 'mean');
    const shares = [members.filter((x) => x < low).length / 51, members.filter((x) => x > high).length / 51];
    const { probability } = data[2].attributes.temp_mean;
    expectRounded(Object.values(probability), [shares[0], 1 - shares[0] - shares[1], shares[1]], 4);
    // Each reference week has 14 mm: a member on the limits is normal, and a missing one does not count.
    const missing = Number.NaN;
    expect(
      await weeklyShares(
        rainHistory(() => 2),
        [1, 2, 2, 3, missing],
      ),
    ).toEqual([0.25, 0.5, 0.25]);
  }),

  degenerate: test('limits that coincide give legal shares, and isDegenerate names the months', async () => {
    expect(
      await weeklyShares(
        rainHistory(() => 0),
        [0, 0, 1, 1],
      ),
    ).toEqual([0, 0.5, 0.5]);
    const days = 10_970;
    const table = wideTable(
      {
        latitude: new Float64Array(days).fill(37.25),
        longitude: new Float64Array(days).fill(-80),
        date: Int32Array.from({ length: days }, (_, day) => parseDate('1993-01-01') + day),
        members: [Float32Array.from({ length: days }, (_, day) => (day % 365 < 181 ? 0 : day % 13))],
      },
      new Map([['variable', 'precipitation']]),
    );
    const normals = climatology(await loadCore(), table, { granularity: 'monthly' });
    const degenerate = normals.keys.filter((_, entry) => isDegenerate(normals, entry));
    expect(degenerate).toEqual(['01', '02', '03', '04', '05']);
  }),

  model: test("a source's own climatology of a horizon is used for it, and tercile_reference says so", async () => {
    const path = `/v1/forecast/seasonal?${AT}&var=temp_mean&granularity=monthly`;
    const plain = await service.get(path);
    expect(plain.meta.tercile_reference).toBe('observations');
    const core = await loadCore();
    // The model's own normals are ten degrees warmer: its forecasts are cold for it.
    const { first, members } = service.observed('reanalysis', 'temp_mean');
    const days = members[0].length;
    const table = wideTable(
      {
        latitude: new Float64Array(days).fill(37.25),
        longitude: new Float64Array(days).fill(-80),
        date: Int32Array.from({ length: days }, (_, day) => parseDate(first) + day),
        members: [Float32Array.from(members[0], (value) => value + 10)],
      },
      new Map([['variable', 'temp_mean']]),
    );
    const model = climatologyTable(climatology(core, table, { granularity: 'monthly' }));
    const source = memorySource({
      ...service.data,
      climatology: (of: string) => (of === 'seasonal' ? model : undefined),
    });
    const { get } = createService({ source });
    const { data, meta } = await get(path);
    expect(meta.tercile_reference).toBe('seasonal model');
    const below = (entry: Body) => entry.attributes.temp_mean.probability['clim_prob_0.00-0.33'];
    expect([below(data[2]), below(plain.data[2])]).toEqual([1, expect.not.closeTo(1, 1)]);
    const subseasonal = await get(`/v1/forecast/subseasonal?${AT}&var=temp_mean&granularity=weekly`);
    expect(subseasonal.meta.tercile_reference).toBe('observations');
  }),

  ties: test('a total within 1e-12 of a limit ties with it; one 5e-12 away does not', async () => {
    const core = await loadCore();
    // Each week of the reference has 0.1 + 0.2 + 0.3 mm, which is not 0.6 in float64. 1992-12-28 is a Monday.
    const history = rainTable('1992-12-28', 11_000, 1, (day) => [0.1, 0.2, 0.3, 0, 0, 0, 0][day % 7]);
    const normal = climatology(core, history, { granularity: 'weekly' });
    const totals = [0.6, 0.6 + 5e-13, 0.6 - 5e-13, 0.6 + 5e-12, 0.6 - 5e-12];
    const week = rainTable('2026-03-02', 7, 5, (day, m) => (day === 0 ? totals[m] : 0));
    const [shares] = statistics(core, week, { climatology: normal }).toArray();
    expect([0.1 + 0.2 + 0.3 === 0.6, shares.p_below, shares.p_normal, shares.p_above]).toEqual([false, 0.2, 0.6, 0.2]);
  }),

  incomplete: test('an incomplete week has a mean but no shares', async () => {
    const core = await loadCore();
    const normal = climatology(
      core,
      rainTable('1992-12-28', 11_000, 1, (day) => day % 5),
      { granularity: 'weekly' },
    );
    const run = rainTable('2026-03-04', 12, 3, (day, m) => day + m);
    const rows = statistics(core, run, { partial: true, climatology: normal }).toArray();
    expect(
      rows.map(({ period, complete, mean: average, p_below }) => [period, complete, average > 0, p_below]),
    ).toEqual([
      ['2026-W10', false, true, null],
      ['2026-W11', true, true, 0],
    ]);
  }),

  pieces: test('pieces of a history give the results of one table; runs with members are pooled', async () => {
    const core = await loadCore();
    const amount = (day: number) => (day * 7919) % 101;
    const piece = (from: number, days: number) =>
      rainTable(new Date(Date.UTC(1993, 0, 1 + from)).toISOString().slice(0, 10), days, 1, (day) => amount(from + day));
    const pieces = [piece(0, 5000), piece(5000, 5957)];
    const table = (tables: Parameters<typeof climatology>[1]) =>
      climatologyTable(climatology(core, tables, { granularity: 'monthly' }))
        .toArray()
        .map(String);
    expect(table(pieces)).toEqual(table(piece(0, 10_957)));
    expect(() => table([piece(0, 5001), piece(5000, 5957)])).toThrow(/2006-09-10/);
    // Two runs of two members on the same days: four samples a year.
    const runs = [0, 1].map((run) => rainTable('1993-01-01', 10_957, 2, (day, m) => amount(day) + 2 * run + m));
    const together = rainTable('1993-01-01', 10_957, 4, (day, m) => amount(day) + m);
    expect(table(runs)).toEqual(table(together));
  }),

  radiation:
    test('Rs/Rso is limited to 0.3 to 1; at low sun it is that of the day before, else 0.5; ET0 is never below 0', () => {
      const longwave = (solarRadiation: number, clearSky: number, relativeShortwaveBefore?: number) =>
        netLongwaveRadiation({
          tempMin: 10,
          tempMax: 20,
          vaporPressure: 1.2,
          solarRadiation,
          clearSkyRadiation: clearSky,
          relativeShortwaveBefore,
        });
      expect(longwave(0, 30)).toBe(longwave(9, 30));
      expect(longwave(40, 30)).toBe(longwave(30, 30));
      expect(longwave(0, 0)).toBe(longwave(15, 30));
      expect(longwave(0.2, 0.9)).toBe(longwave(15, 30));
      expect(longwave(0.2, 0.9, 0.6)).toBe(longwave(18, 30));
      expect(longwave(15, 30)).not.toBe(longwave(9, 30));
      const night = {
        netRadiation: -3,
        temperature: -5,
        windSpeed: 0.5,
        vaporPressureDeficit: 0,
        psychrometricConstant: 0.066,
      };
      expect(referenceEvapotranspiration(night)).toBe(0);
      expect(referenceEvapotranspiration({ ...night, netRadiation: 3 })).toBeGreaterThan(0.1);
    }),
});
