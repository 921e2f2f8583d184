import { Float32 } from 'apache-arrow';
import { beforeAll, describe, expect, it } from 'vitest';
import type { StatisticsAgainstOptions } from '../../src/climate/against-options.js';
import type { Climatology } from '../../src/climate/climatology.js';
import { statisticsAgainst } from '../../src/climate/statistics-against.js';
import { type Core, loadCore } from '../../src/core/load.js';
import { statistics } from '../../src/statistics/statistics.js';
import { daysFrom, messageOf, table, typed } from '../arrow/tables.js';
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
  statisticsAgainst(core, input, climatology, { variable: 'precipitation', ...options });
const column = (result: ReturnType<typeof against>, name: string) => [...(result.getChild(name) ?? [])];
const shares = (result: ReturnType<typeof against>) =>
  ['p_below', 'p_normal', 'p_above'].map((name) => column(result, name));

describe('statistics against a climatology', () => {
  it('are those of statistics, and behind them shares, exceedance and anomaly', () => {
    const normal = plainClimatology([{ limits: [7, 20], mean: 10, quantiles: [14, 2] }], { quantiles: [0.9, 0.025] });
    const asked = { spread: true, thresholds: ['>5'], quantiles: [0.5] };
    const result = against(normal, { ...asked, exceed: [0.025, 0.9], anomaly: true });
    const plain = statistics(core, steady('2024-01-01', 14), {
      ...asked,
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

  it('have the values of their own period of the year, week 53 and 29 February among them', () => {
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
    expect(names([])).toEqual([]);
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

    const lacking = table({ date: daysFrom('2024-01-01', 7), m1: Array(7).fill(1), m2: [null, 1, 1, 1, 1, 1, 1] });
    expect(shares(against(normal, {}, lacking))).toEqual([[null], [null], [null]]);
    expect(shares(against(normal, { minMemberShare: 0.5 }, lacking))).toEqual([[0], [1], [0]]);
  });

  it('compare in the type of the members, and have it', () => {
    const days = { granularity: 'daily', variable: undefined, window: 'mean', units: undefined } as const;
    const normal = plainClimatology([{ limits: [0.1, 0.1], mean: 0.1, quantiles: [0.1] }], {
      ...days,
      quantiles: [0.9],
    });
    const single = table({ date: daysFrom('2024-01-01', 1), m1: typed(new Float32(), [0.1]) });
    const result = statisticsAgainst(core, single, normal, { window: 'mean', exceed: [0.9], anomaly: true });
    expect(shares(result)).toEqual([[0], [1], [0]]);
    expect(column(result, 'p_gt_clim_q90')).toEqual([0]);
    expect(column(result, 'anomaly')).toEqual([Math.fround(Math.fround(0.1) - 0.1)]);
    for (const name of ['p_below', 'p_gt_clim_q90', 'anomaly']) {
      expect(String(result.getChild(name)?.type)).toBe('Float32');
    }
  });

  it('tell of the climatology in their metadata, and of periods in which its limits coincide', () => {
    const told = (result: ReturnType<typeof against>) =>
      ['reference_period', 'tercile_reference', 'degenerate_periods'].map((key) => result.schema.metadata.get(key));
    const normal = plainClimatology([{ limits: [7, 20] }], { metadata: new Map([['source', 'ERA5']]) });
    expect(told(against(normal))).toEqual(['1993-2022', 'ERA5', undefined]);
    setPeriod(normal, 'W02', { limits: [0, 0] });
    setPeriod(normal, 'W01', { limits: [5, 5] });
    setPeriod(normal, 'W30', { limits: [0, 0] });
    expect(told(against(normal))).toEqual(['1993-2022', 'ERA5', '["2024-W01","2024-W02"]']);
    // A window that is cut is not compared.
    const cut = against(normal, { startDate: '2024-01-02', partial: true });
    expect(told(cut)[2]).toBe('["2024-W02"]');
    const unknown = plainClimatology([{ limits: [7, 20] }], {
      reference: undefined,
      metadata: new Map([
        ['source', 'SEAS5'],
        ['tercile_reference', 'hindcasts'],
      ]),
    });
    expect(told(against(unknown))).toEqual([undefined, 'hindcasts', undefined]);
  });

  it('refuse options that cannot be used', () => {
    const normal = plainClimatology([{ limits: [7, 20], quantiles: [14, 3] }], { quantiles: [0.9, 0.1] });
    const refused = (options: object, of = normal) => messageOf(() => against(of, options));
    expect(refused({ exceed: [0.9, 0.95] })).toBe(
      'OptionError exceed: not only quantiles of the climatology; received 0.9, 0.95; allowed: a list of 0.9, 0.1',
    );
    expect(refused({ exceed: 0.9 })).toMatch(
      /^OptionError exceed: not only quantiles of the climatology; received 0.9;/,
    );
    expect(refused({ exceed: [0.5] }, plainClimatology([{ limits: [1] }]))).toMatch(
      'allowed: none, as the climatology has no quantiles',
    );
    expect(refused({ anomaly: 'yes' })).toBe(
      'OptionError anomaly: neither true nor false; received "yes"; allowed: true or false',
    );
    expect(refused({ anomalies: true })).toMatch('unknown option, the nearest is anomaly; received "anomalies"');
    expect(column(against(normal, { exceed: [0.9, 0.9] }), 'p_gt_clim_q90')).toEqual([0.25, 0.25]);
  });
});
