import { beforeAll, expect } from 'vitest';
import { type Core, loadCore } from '../../src/core/load.js';
import { type QuantileType, statistics } from '../../src/index.js';
import { ingestHistory } from '../../src/service/ingest/index.js';
import { quantileName } from '../../src/statistics/statistic.js';
import { ensembleTable } from '../reference/ensemble-table.js';
import { quantilePosition } from '../reference/quantile.js';
import { RecordingWriter } from '../service/ingest/recording-writer.js';
import { expectRounded } from './expect-rounded.js';
import { section, test } from './section.js';
import { AT } from './service.js';
import { mean, quantile } from './slow-statistics.js';
import { tinyDataset, tinyForecast, tinyService } from './tiny-service.js';

let core: Core;
beforeAll(async () => {
  core = await loadCore();
});

const MISSING = Number.NaN;

/** Ten members of seven days from Monday 9 March on: member m has m + d / 10 on day d. */
const MEMBERS = Array.from({ length: 10 }, (_, m) => Array.from({ length: 7 }, (_, d) => m + d / 10));

const service = (members: readonly (readonly number[])[], slug = 'precipitation') =>
  tinyService({ forecast: tinyForecast(slug, members, '2026-03-09') });

/** The members with some values missing, as `[member, day]`. */
const without = (...holes: [number, number][]) =>
  MEMBERS.map((days, m) => days.map((x, d) => (holes.some(([a, b]) => a === m && b === d) ? MISSING : x)));

section('Statistics', import.meta.url, {
  quantiles: test('quantiles are type 7 in the service, and each of types 1 to 9 in the library', async () => {
    // numpy.quantile([1, 2, 4, 8], [0.25, 0.5, 0.75]) is [1.75, 3, 5].
    const { '2026-03-09': entry } = await service([[1], [8], [4], [2]]).statistics('statistics=0.25,0.5,0.75');
    expect(entry).toEqual({ mean: 3.75, q25: 1.75, q50: 3, q75: 5 });
    const sample = [1, 2, 4, 8];
    const members = sample.map((value) => Float64Array.of(value));
    const table = ensembleTable({ firstDay: 20_521, days: 1, cells: 1, members }, { form: 'wide' });
    for (const quantileType of [1, 2, 3, 4, 5, 6, 7, 8, 9] as QuantileType[]) {
      const found = statistics(core, table, { quantileType, quantiles: [0.3], window: 'mean' });
      const { low, high, weight } = quantilePosition(quantileType, 4, 0.3);
      expect(found.getChild('q30')?.get(0)).toBeCloseTo(sample[low] + weight * (sample[high] - sample[low]), 12);
    }
  }),

  mean: test('the mean is the arithmetic mean', async () => {
    const { '2026-03-09': entry } = await service([[0.5], [1], [30]]).statistics();
    expect(entry.mean).toBe(10.5);
  }),

  order: test("members' weeks are made first: seven members that take turns all have the same week", async () => {
    // One member is wet on each day: each week's total is 7, and so is every quantile.
    const members = Array.from({ length: 7 }, (_, m) => Array.from({ length: 7 }, (_, d) => (m === d ? 7 : 0)));
    const { '2026-W11': entry } = await service(members).statistics('granularity=weekly');
    expect(entry).toEqual({ mean: 7, q05: 7, q25: 7, q50: 7, q75: 7, q95: 7 });
  }),

  missingDay: test("a missing day makes its member's week missing: no sum is scaled up", async () => {
    const { '2026-W11': entry } = await service(without([9, 3])).statistics('granularity=weekly&statistics=1');
    const sums = MEMBERS.slice(0, 9).map((days) => days.reduce((sum, value) => sum + value, 0));
    expectRounded([entry.mean, entry.q100], [mean(sums), Math.max(...sums)]);
    const history = { data: tinyDataset('precipitation', [[1, 1, 1, MISSING, 1, 1, 1]], '2026-03-09') };
    const { get } = tinyService({ history: { ...history, isPreloaded: () => true } });
    const { data } = await get(`/v2/history?${AT}&granularity=weekly`);
    expect(data.precipitation.values).toEqual({ '2026-W11': null });
  }),

  share: test('25 of 31 members give statistics of those present; with 24 every field is null', async () => {
    const nothing = { mean: null, q05: null, q50: null };
    const day = async (members: readonly (readonly number[])[]) =>
      (await service(members).statistics('statistics=0.05,0.5'))['2026-03-09'];
    const eight = MEMBERS.slice(2).map(([value]) => value);
    const found = await day(without([0, 0], [1, 0]));
    expectRounded(Object.values(found), [mean(eight), quantile(eight, 0.05), quantile(eight, 0.5)]);
    expect(await day(without([0, 0], [1, 0], [2, 0]))).toEqual(nothing);
    // 80 % of 31 is 24.8: 25 are needed.
    const of = (count: number, missing: number) => Array.from({ length: count }, (_, m) => [m < missing ? MISSING : m]);
    expect((await day(of(31, 6))).mean).toBe(18);
    expect(await day(of(31, 7))).toEqual(nothing);
    expect((await day(of(100, 20))).mean).toBe(59.5);
    expect(await day(of(100, 21))).toEqual(nothing);
    const forecast = tinyForecast(
      'precipitation',
      of(31, 7).map(([value]) => new Array(42).fill(value)),
    );
    const { get } = tinyService({ forecast, history: { data: wetYears(), isPreloaded: () => true } });
    const { data } = await get(`/v1/forecast/subseasonal?${AT}&granularity=weekly`);
    const { ensemble_mean, quantile: quantiles, probability } = data[0].attributes.precipitation;
    const fields = [ensemble_mean, ...Object.values(quantiles), ...Object.values(probability)];
    expect(fields).toEqual(new Array(9).fill(null));
  }),

  allMissing: test('where all members are missing every field is null, never 0', async () => {
    const none = MEMBERS.map((days) => days.map(() => MISSING));
    for (const granularity of ['daily', 'weekly']) {
      const entries = await service(none).statistics(`granularity=${granularity}`);
      for (const entry of Object.values(entries)) expect(new Set(Object.values(entry))).toEqual(new Set([null]));
    }
    const { get } = service(none);
    const legacy = await get(`/v1/forecast/short-term?${AT}`);
    expect(legacy.data[0].attributes.precipitation.ensemble_mean).toBeNull();
  }),

  ties: test('weeks of 0.1 + 0.2 and of 0.3 tie with 0.3 in both types; 5e-12 away they do not', async () => {
    const thresholds = ['>0.3', '>=0.3', '<0.3', '<=0.3'];
    const shares = (type: typeof Float32Array | typeof Float64Array, ...weeks: number[][]) => {
      const members = weeks.map((days) => type.from([...days, 0, 0, 0, 0, 0]));
      const table = ensembleTable({ firstDay: 20_514, days: 7, cells: 1, members }, { form: 'wide' });
      const [row] = statistics(core, table, { window: 'sum', granularity: 'weekly', thresholds }).toArray();
      return ['gt', 'ge', 'lt', 'le'].map((name) => row[`p_${name}_0.3`]);
    };
    expect(shares(Float64Array, [0.1, 0.2], [0.3, 0])).toEqual([0, 1, 0, 1]);
    expect(shares(Float64Array, [0.3, 5e-12], [0.3, -5e-12])).toEqual([0.5, 0.5, 0.5, 0.5]);
    expect(shares(Float32Array, [0.1, 0.2], [0.3, 0])).toEqual([0, 1, 0, 1]);
    // A rounding of float32 is more than a tie.
    expect(shares(Float32Array, [0.3, 3e-8], [0.3, 0])).toEqual([0.5, 1, 0, 0.5]);
  }),

  overflow: test('seven days of 3e38 in float32 are a DataError', async () => {
    const members = [Float32Array.of(1, 2, 3, 4, 5, 6, 7), new Float32Array(7).fill(3e38)];
    const table = ensembleTable({ firstDay: 20_514, days: 7, cells: 1, members }, { form: 'wide' });
    const compute = () => statistics(core, table, { window: 'sum', granularity: 'weekly' });
    expect(compute).toThrow(expect.objectContaining({ tag: 'data', problem: 'a sum from here on overflows' }));
  }),

  infinity: test('NaN and Arrow nulls give the same results; an infinite value is a DataError', async () => {
    const members = without([0, 0], [4, 2]).map((days) => Float32Array.from(days));
    const values = { firstDay: 20_521, days: 7, cells: 1, members };
    const tables = (['nan', 'null'] as const).map((missing) => ensembleTable(values, { form: 'wide', missing }));
    const [nan, arrowNull] = tables.map((table) => statistics(core, table, { window: 'sum' }).toArray().map(String));
    expect(arrowNull).toEqual(nan);
    members[3][5] = Number.POSITIVE_INFINITY;
    const infinite = ensembleTable(values, { form: 'wide' });
    expect(() => statistics(core, infinite, { window: 'sum' })).toThrow(expect.objectContaining({ tag: 'data' }));
    const single = ensembleTable({ ...values, members: [members[3]] }, { form: 'wide' });
    single.schema.metadata.set('variable', 'precipitation').set('units', 'mm');
    const files = [{ source: 'rain.arrow', load: async () => single }];
    await expect(ingestHistory(new RecordingWriter(), 'reanalysis', { files })).rejects.toMatchObject({ tag: 'data' });
  }),

  list: test('up to 99 plain decimals, in their order, without duplicates; other lists are a 400', async () => {
    const { statistics: request, problem } = service(MEMBERS);
    const { '2026-03-09': entry } = await request('statistics=0.9,.1,0.123456,0.90,0.1');
    expect(Object.keys(entry)).toEqual(['mean', 'q90', 'q10', 'q123456']);
    const many = (count: number) => Array.from({ length: count }, (_, i) => (i / 1000).toFixed(3)).join();
    expect(Object.keys((await request(`statistics=${many(99)}`))['2026-03-09'])).toHaveLength(100);
    for (const list of ['0.1234567', '1e-1', '0.1,,0.2', '0.1,', '', '0.1;0.2', '50%25', 'NaN', many(100)]) {
      const { errors } = await problem(400, `/v2/forecast/statistics?${AT}&statistics=${list}`);
      expect(errors).toMatchObject([{ parameter: 'statistics' }]);
    }
  }),

  names: test('quantile fields are q05, q50, q025, q00 and q100', async () => {
    const { '2026-03-09': entry } = await service(MEMBERS).statistics('statistics=0.05,0.5,0.025,0,1,0.250');
    expect(Object.keys(entry)).toEqual(['mean', 'q05', 'q50', 'q025', 'q00', 'q100', 'q25']);
    expect([0.05, 0.5, 0.025, 0, 1].map(quantileName)).toEqual(['q05', 'q50', 'q025', 'q00', 'q100']);
  }),

  rounding: test('sums are rounded after all arithmetic, shares to 4 decimals, and missing is null', async () => {
    // Of rounded days the week would be 0; the mean of rounded sums would be 0.03.
    const days = (value: number) => new Array(7).fill(value);
    const { '2026-W11': week } = await service([days(0.004), days(0.003)]).statistics(
      'granularity=weekly&statistics=1',
    );
    expect(week).toEqual({ mean: 0.02, q100: 0.03 });
    const pressure = await service([[1.23456]], 'relative_humidity').statistics('statistics=1');
    expect(pressure['2026-03-09']).toEqual({ mean: 1.2, q100: 1.2 });
    const { '2026-03-09': entry } = await service([[MISSING], [1]]).statistics('statistics=1');
    expect(entry).toEqual({ mean: null, q100: null });
    // Thirds of three members, against a normal that none is near.
    const forecast = tinyForecast(
      'precipitation',
      [0, 1, 900].map((value) => new Array(42).fill(value)),
    );
    const { get } = tinyService({ forecast, history: { data: wetYears(), isPreloaded: () => true } });
    const { data } = await get(`/v1/forecast/subseasonal?${AT}&granularity=weekly`);
    expect(Object.values(data[0].attributes.precipitation.probability)).toEqual([0.6667, 0, 0.3333]);
  }),
});

/** A history of thirty years and a week: each week is wetter than a member of 1 mm a day, and drier than one of 900. */
function wetYears() {
  return tinyDataset('precipitation', [Array.from({ length: 10_970 }, (_, day) => 5 + (day % 11))], '1993-01-01');
}
