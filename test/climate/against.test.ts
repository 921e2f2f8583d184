import { Float32 } from 'apache-arrow';
import { beforeAll, describe, expect, it } from 'vitest';
import type { StatisticsAgainstOptions } from '../../src/climate/against-options.js';
import type { Climatology } from '../../src/climate/climatology.js';
import { climatologyTable } from '../../src/climate/climatology-table.js';
import { climatology } from '../../src/climate/compute-climatology.js';
import { readClimatology } from '../../src/climate/read-climatology.js';
import { type Core, loadCore } from '../../src/core/load.js';
import { statistics } from '../../src/statistics/statistics.js';
import { daysFrom, messageOf, table, typed } from '../table/tables.js';
import { plainClimatology, setPeriod } from './against-climatology.js';

let core: Core;
beforeAll(async () => {
  core = await loadCore();
});

/** Daily rain of four members that have 0, 1, 2 and 4 mm on every day: weekly totals of 0, 7, 14 and 28 mm. */
const steady = (first: string, days: number) =>
  table({
    date: daysFrom(first, days),
    ...Object.fromEntries([0, 1, 2, 4].map((mm, m) => [`m${m}`, Array(days).fill(mm)])),
  });

const against = (climatology: Climatology, options: StatisticsAgainstOptions = {}, input = steady('2024-01-01', 14)) =>
  statistics(core, input, { variable: 'precipitation', ...options, climatology });
const column = (result: ReturnType<typeof against>, name: string) => [...(result.getChild(name) ?? [])];
const shares = (result: ReturnType<typeof against>) =>
  ['p_below', 'p_normal', 'p_above'].map((name) => column(result, name));

describe('statistics against a climatology', () => {
  it('are those of statistics, followed by shares, exceedance and anomaly', () => {
    const normal = plainClimatology([{ limits: [7, 20], mean: 10, quantiles: [14, 2] }], { quantiles: [0.9, 0.025] });
    const requested = { spread: true, thresholds: ['>5'], quantiles: [0.5] };
    const result = against(normal, { ...requested, exceed: [0.025, 0.9], anomaly: true });
    const plain = statistics(core, steady('2024-01-01', 14), {
      ...requested,
      variable: 'precipitation',
      granularity: 'weekly',
    });
    const names = plain.schema.fields.map(({ name }) => name);
    expect(result.schema.fields.map(({ name }) => name)).toEqual([
      ...names,
      ...['p_below', 'p_normal', 'p_above', 'p_gt_clim_q025', 'p_gt_clim_q90', 'anomaly'],
    ]);
    expect(result.select(names).toArray().map(String)).toEqual(plain.toArray().map(String));
    expect(result.toArray()[1]?.toJSON()).toMatchObject({
      period: '2024-W02',
      mean: 12.25,
      p_below: 0.25,
      p_normal: 0.5,
      p_above: 0.25,
      p_gt_clim_q025: 0.75,
      p_gt_clim_q90: 0.25,
      anomaly: 2.25,
    });
  });

  it('use the values of their period of the year, also for week 53 and 29 February', () => {
    const weeks = plainClimatology([{ limits: [7, 20] }]);
    setPeriod(weeks, 'W53', { limits: [-1, 0] });
    const year = steady('2020-12-21', 21);
    expect(column(against(weeks, {}, year), 'period')).toEqual(['2020-W52', '2020-W53', '2021-W01']);
    expect(column(against(weeks, {}, year), 'p_above')).toEqual([0.25, 0.75, 0.25]);

    const days = plainClimatology([{ limits: [1, 2] }], { granularity: 'daily' });
    setPeriod(days, '02-29', { limits: [3, 5] });
    expect(shares(against(days, {}, steady('2024-02-28', 3)))).toEqual([
      [0.25, 0.75, 0.25],
      [0.5, 0.25, 0.5],
      [0.25, 0, 0.25],
    ]);

    const months = plainClimatology([{ limits: [30, 60] }], { granularity: 'monthly' });
    setPeriod(months, '12', { limits: [0, 31] });
    expect(column(against(months, {}, steady('2023-12-01', 62)), 'p_above')).toEqual([0.5, 0.5]);
    expect(column(against(months, {}, steady('2023-12-01', 62)), 'p_below')).toEqual([0, 0.25]);
  });

  it('name categories other than terciles by their number', () => {
    const names = (limits: number[]) => {
      const result = against(plainClimatology([{ limits }]));
      const found = result.schema.fields.map(({ name }) => name).filter((name) => name.startsWith('p_'));
      return found.map((name) => [name, column(result, name)[0]]);
    };
    // Values on a limit lie nearer the middle, and above the very middle.
    expect(names([7])).toEqual([
      ['p_below', 0.25],
      ['p_above', 0.75],
    ]);
    expect(names([7, 10, 20, 28])).toEqual([
      ['p_1_of_5', 0.25],
      ['p_2_of_5', 0.25],
      ['p_3_of_5', 0.25],
      ['p_4_of_5', 0.25],
      ['p_5_of_5', 0],
    ]);
  });

  it('are null where the climatology has no values, for incomplete windows, and where too few members are valid', () => {
    const normal = plainClimatology([{ limits: [7, 20], mean: 10, quantiles: [14] }], { quantiles: [0.9] });
    setPeriod(normal, 'W02', { limits: [Number.NaN, Number.NaN], mean: Number.NaN, quantiles: [Number.NaN] });
    const options = { partial: true, exceed: [0.9], anomaly: true };
    const result = against(normal, options, steady('2024-01-01', 17));
    const nothing = [0.25, null, null];
    expect(shares(result)).toEqual([nothing, [0.5, null, null], nothing]);
    expect(column(result, 'p_gt_clim_q90')).toEqual(nothing);
    expect(column(result, 'anomaly')).toEqual([2.25, null, null]);
    expect(column(result, 'mean')).toEqual([12.25, 12.25, 5.25]);

    const missing = table({ date: daysFrom('2024-01-01', 7), m1: Array(7).fill(1), m2: [null, 1, 1, 1, 1, 1, 1] });
    expect(shares(against(normal, {}, missing))).toEqual([[null], [null], [null]]);
    expect(shares(against(normal, { minMemberShare: 0.5 }, missing))).toEqual([[0], [1], [0]]);
  });

  it('treat equal totals of decimals as ties, for any order of summation', () => {
    const rain = [0.1, 0.2, 0.3, 10.1, 15.2, 4.9, 0.1];
    const week = (k: number) => rain.map((_, d) => rain[(d * (1 + (k % 6)) + k) % 7]);
    const days = 7 * 60;
    const history = table({
      date: daysFrom('2018-01-01', days),
      value: Array.from({ length: days }, (_, d) => week(Math.floor(d / 7))[d % 7]),
    });
    const requested = { variable: 'precipitation', granularity: 'weekly', quantiles: [0.9], fewerYears: true } as const;
    const normal = climatology(core, history, { ...requested, reference: '2018-2019', minSampleShare: 0 });
    const members = Object.fromEntries(Array.from({ length: 42 }, (_, k) => [`m${k}`, week(k)]));
    const totals = Object.values(members).map((values) => values.reduce((sum, x) => sum + x, 0));
    expect(new Set(totals).size).toBeGreaterThan(2);
    for (const total of totals) expect(total).toBeCloseTo(30.9, 9);
    const result = against(normal, { exceed: [0.9] }, table({ date: daysFrom('2024-01-01', 7), ...members }));
    expect(shares(result)).toEqual([[0], [1], [0]]);
    expect(column(result, 'p_gt_clim_q90')).toEqual([0]);
  });

  it('accept a climatology that was read from a table, and say so of the table itself', () => {
    const normal = plainClimatology([{ limits: [7, 20], mean: 10, quantiles: [14] }], { quantiles: [0.9] });
    const options = { variable: 'precipitation', exceed: [0.9], anomaly: true };
    const result = statistics(core, steady('2024-01-01', 14), {
      ...options,
      climatology: readClimatology(climatologyTable(normal)),
    });
    expect(result.toArray().map(String)).toEqual(against(normal, options).toArray().map(String));
    expect(result.schema.metadata).toEqual(against(normal, options).schema.metadata);
    const unread: object = climatologyTable(normal);
    expect(messageOf(() => statistics(core, steady('2024-01-01', 14), { climatology: unread }))).toMatch(
      /^OptionError climatology: cannot be used; [\s\S]*allowed: what climatology or readClimatology returns, for exceed and anomaly too$/,
    );
    expect(messageOf(() => statistics(core, steady('2024-01-01', 14), { exceed: [0.9] }))).toBe(
      'OptionError climatology: cannot be used; received undefined; allowed: what climatology or readClimatology returns, for exceed and anomaly too',
    );
  });

  it('compare in the type of the members, and have that type', () => {
    const days = { granularity: 'daily', variable: undefined, window: 'mean', units: undefined } as const;
    const normal = plainClimatology([{ limits: [0.1, 0.1], mean: 0.1, quantiles: [0.1] }], {
      ...days,
      quantiles: [0.9],
    });
    const single = table({ date: daysFrom('2024-01-01', 1), m1: typed(new Float32(), [0.1]) });
    const result = statistics(core, single, { window: 'mean', exceed: [0.9], anomaly: true, climatology: normal });
    expect(shares(result)).toEqual([[0], [1], [0]]);
    expect(column(result, 'p_gt_clim_q90')).toEqual([0]);
    expect(column(result, 'anomaly')).toEqual([Math.fround(Math.fround(0.1) - 0.1)]);
    for (const name of ['p_below', 'p_gt_clim_q90', 'anomaly']) {
      expect(String(result.getChild(name)?.type)).toBe('Float32');
    }
  });

  it('state the climatology in their metadata, and the periods in which its limits coincide', () => {
    const reported = (result: ReturnType<typeof against>) =>
      ['reference_period', 'tercile_reference', 'degenerate_periods'].map((key) => result.schema.metadata.get(key));
    const normal = plainClimatology([{ limits: [7, 20] }], { metadata: new Map([['source', 'ERA5']]) });
    expect(reported(against(normal))).toEqual(['1993-2022', 'ERA5', undefined]);
    setPeriod(normal, 'W02', { limits: [0, 0] });
    setPeriod(normal, 'W01', { limits: [5, 5] });
    setPeriod(normal, 'W30', { limits: [0, 0] });
    expect(reported(against(normal))).toEqual(['1993-2022', 'ERA5', '["2024-W01","2024-W02"]']);
    // An incomplete window is not compared.
    const cut = against(normal, { startDate: '2024-01-02', partial: true });
    expect(reported(cut)[2]).toBe('["2024-W02"]');
    const unknown = plainClimatology([{ limits: [7, 20] }], {
      reference: undefined,
      metadata: new Map([
        ['source', 'SEAS5'],
        ['tercile_reference', 'hindcasts'],
      ]),
    });
    expect(reported(against(unknown))).toEqual([undefined, 'hindcasts', undefined]);
    const missing = new Map([['lacking_years', '1994, 2001-2003']]);
    const { metadata } = against(plainClimatology([{ limits: [7, 20] }], { metadata: missing })).schema;
    expect(metadata.get('reference_lacking_years')).toBe('1994, 2001-2003');
    expect(against(normal).schema.metadata.has('reference_lacking_years')).toBe(false);
  });

  it('reject options that cannot be used', () => {
    const normal = plainClimatology([{ limits: [7, 20], quantiles: [14, 3] }], { quantiles: [0.9, 0.1] });
    const errorMessage = (options: object, of = normal) => messageOf(() => against(of, options));
    expect(errorMessage({ exceed: [0.9, 0.95, 0.5] })).toBe(
      'OptionError climatology: does not have these quantiles; received 0.95, 0.5; allowed: its quantiles, 0.9, 0.1; or a climatology made with quantiles: [0.95, 0.5]',
    );
    expect(errorMessage({ exceed: 0.9 })).toBe(
      'OptionError exceed: not a list; received 0.9; allowed: a list such as [0.9]',
    );
    expect(errorMessage({ exceed: [0.5] }, plainClimatology([{ limits: [1] }]))).toMatch(
      'allowed: none, as it has no quantiles;',
    );
    expect(errorMessage({ anomaly: 'yes' })).toBe(
      'OptionError anomaly: cannot be used; received "yes"; allowed: true or false',
    );
    expect(errorMessage({ anomalies: true })).toMatch('unknown option, the nearest is anomaly; received "anomalies"');
    const nones = [null, 7, 'weeks.arrow', {}, []];
    for (const [i, said] of ['null', '7', '"weeks.arrow"', 'an object', 'an empty list'].entries()) {
      const none = nones[i];
      expect(messageOf(() => against(none as unknown as Climatology))).toBe(
        `OptionError climatology: cannot be used; received ${said}; allowed: what climatology or readClimatology returns, for exceed and anomaly too`,
      );
    }
    const bare = plainClimatology([{ mean: 10, quantiles: [14] }], { quantiles: [0.9] });
    expect(errorMessage({}, bare)).toBe(
      'OptionError climatology: it has no categories, and neither exceedance nor anomaly is requested, so there is nothing to compute; allowed: a climatology with categories, such as 3 for terciles; or the option exceed or the option anomaly',
    );
    expect(column(against(bare, { exceed: [0.9] }), 'p_gt_clim_q90')).toEqual([0.25, 0.25]);
    expect(column(against(bare, { anomaly: true }), 'anomaly')).toEqual([2.25, 2.25]);
    expect(column(against(normal, { exceed: [0.9, 0.9] }), 'p_gt_clim_q90')).toEqual([0.25, 0.25]);
  });
});
