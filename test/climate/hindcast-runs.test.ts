import type { Table } from 'apache-arrow';
import { beforeAll, describe, expect, it } from 'vitest';
import { climatology, climatologyTable, readClimatology } from '../../src/climate/index.js';
import type { ClimatologyOptions } from '../../src/climate/options.js';
import { type Core, loadCore } from '../../src/core/load.js';
import { statistics } from '../../src/statistics/statistics.js';
import { daysFrom, messageOf, table } from '../table/tables.js';

let core: Core;
beforeAll(async () => {
  core = await loadCore();
});

const DAY = 86_400_000;
const monthOf = (day: number) => new Date(day * DAY).toISOString().slice(0, 7);
/** A run of two members: a value for each day of the run. */
function run(start: string, days: number, value: (lead: number, member: number) => number, members = 2): Table {
  const columns = Array.from({ length: members }, (_, m) => [
    `member_${m}`,
    Array.from({ length: days }, (_, lead) => value(lead, m)),
  ]);
  const metadata = { variable: 'temp_mean', units: 'degC', init_time: `${start}T00:00:00Z` };
  return table({ date: daysFrom(start, days), ...Object.fromEntries(columns) }, metadata);
}

const yearsFrom = (first: number, count: number) => Array.from({ length: count }, (_, i) => first + i);
const monthly = { granularity: 'monthly', reference: '2001-2010', quantiles: [0.5] } as const;
const pooled = (runs: readonly Table[], options: ClimatologyOptions = {}) =>
  climatology(core, runs, { ...monthly, ...options });
const byKey = (runs: readonly Table[], options: ClimatologyOptions = {}) => {
  const { keys, samples, mean } = pooled(runs, options);
  return Object.fromEntries(keys.flatMap((key, k) => (samples[k] === 0 ? [] : [[key, [samples[k], mean[k]]]])));
};

/** The means of whole months of runs, pooled by month of the year: the slow way. */
function slowly(runs: readonly { start: string; days: number; value: (lead: number, member: number) => number }[]) {
  const found = new Map<string, number[]>();
  for (const { start, days, value } of runs) {
    const first = Date.parse(start) / DAY;
    for (let m = 0; m < 2; m++) {
      const inMonths = new Map<string, number[]>();
      for (let lead = 0; lead < Math.min(days, 365); lead++) {
        const month = monthOf(first + lead);
        inMonths.set(month, [...(inMonths.get(month) ?? []), value(lead, m)]);
      }
      for (const [month, values] of inMonths) {
        const [year, number] = month.split('-').map(Number);
        if (values.length < new Date(Date.UTC(year, number, 0)).getUTCDate()) continue;
        const mean = values.reduce((sum, each) => sum + each, 0) / values.length;
        found.set(month.slice(5), [...(found.get(month.slice(5)) ?? []), mean]);
      }
    }
  }
  return Object.fromEntries(
    [...found].map(([key, values]) => [
      key,
      [values.length, expect.closeTo(values.reduce((a, b) => a + b) / values.length, 9)],
    ]),
  );
}

describe('a climatology of hindcasts', () => {
  it('pools runs of one start, each used whole although it ends beyond the reference', () => {
    const made = yearsFrom(2001, 10).map((year) => ({
      start: `${year}-11-01`,
      days: 150,
      value: (lead: number, member: number) => year / 100 + lead * 0.05 + member,
    }));
    const runs = made.map(({ start, days, value }) => run(start, days, value));
    expect(byKey(runs)).toEqual(slowly(made));
    expect(Object.keys(byKey(runs)).sort()).toEqual(['01', '02', '11', '12']);
    const { metadata } = pooled(runs);
    expect([metadata.get('run_start'), metadata.get('runs')]).toEqual(['11-01', '10']);
  });

  it('takes runs some days around a start, and the year to which they belong', () => {
    const starts = yearsFrom(2001, 10).flatMap((year) => [`${year - 1}-12-30`, `${year}-01-02`, `${year}-01-20`]);
    const made = starts.map((start) => ({ start, days: 100, value: (lead: number, m: number) => lead + m }));
    const runs = made.map(({ start, days, value }) => run(start, days, value));
    const near = made.filter(({ start }) => !start.endsWith('-20'));
    expect(byKey(runs, { start: '01-01', startDays: 3 })).toEqual(slowly(near));
    expect(byKey(runs, { start: '01-20' })).toEqual(slowly(made.filter(({ start }) => start.endsWith('-20'))));
  });

  it('counts the first year of a long run only: no period mixes leads', () => {
    const made = yearsFrom(2001, 10).map((year) => ({
      start: `${year}-03-01`,
      days: 500,
      value: (lead: number, m: number) => lead + m,
    }));
    expect(byKey(made.map(({ start, days, value }) => run(start, days, value)))).toEqual(slowly(made));
  });

  it('asks where runs start on several days; mixing leads makes an anomaly out of the drift of a model', () => {
    const drift = (lead: number, member: number) => 10 - 0.05 * lead + 0.01 * member;
    const of = (month: string) => yearsFrom(2001, 10).map((year) => run(`${year}-${month}-01`, 150, drift));
    const both = [...of('02'), ...of('05')];
    expect(messageOf(() => pooled(both))).toBe(
      'OptionError start: runs start on several days of the year, and have the same periods at different leads; ' +
        'received "02-01 (10), 05-01 (10)"; allowed: one of them, by the option start, also with the option startDays ' +
        'around it; or mixLeads: true, to pool all leads',
    );
    const forecast = run('2026-05-01', 150, drift);
    const anomaly = (climate: ReturnType<typeof pooled>) =>
      statistics(core, forecast, { climatology: climate, granularity: 'monthly', anomaly: true }).get(0)?.anomaly;
    expect(anomaly(pooled(both, { start: '05-01' }))).toBeCloseTo(0, 9);
    // Half of the samples are 89 days older.
    expect(anomaly(pooled(both, { mixLeads: true }))).toBeCloseTo((89 * 0.05) / 2, 1);
    expect(pooled(both, { mixLeads: true }).metadata.get('mixed_leads')).toBe('true');
  });

  it('uses runs whole where leads are mixed: November starts keep their months of the next year', () => {
    const value = (lead: number, member: number) => lead * 0.05 + member;
    const starts = yearsFrom(2001, 10).flatMap((year) => [`${year}-10-01`, `${year}-11-01`]);
    const made = starts.map((start) => ({ start, days: 150, value }));
    const before = run('2000-11-01', 150, value);
    const runs = [before, ...made.map(({ start, days }) => run(start, days, value))];
    expect(byKey(runs, { mixLeads: true })).toEqual(slowly(made));
    expect(messageOf(() => pooled([before, runs[1]], { mixLeads: true, reference: '2001-2002' }))).toMatch(
      /the reference 2001-2002 has years without a run; received "2002"/,
    );
  });

  it('is compared with forecasts of its own start, also when it was read from a table', () => {
    const climate = pooled(
      yearsFrom(2001, 10).map((year) => run(`${year}-03-01`, 100, (lead) => lead)),
      {
        startDays: 2,
      },
    );
    for (const read of [climate, readClimatology(climatologyTable(climate))]) {
      const against = (start: string) =>
        statistics(
          core,
          run(start, 95, (lead) => lead),
          { climatology: read, granularity: 'monthly' },
        );
      expect(against('2026-02-28').schema.metadata.get('tercile_reference')).toBe(
        'runs that start on 03-01, 2 days around, each lead by itself',
      );
      expect(messageOf(() => against('2026-05-01'))).toBe(
        'DataError input: starts on another day of the year than the runs of the climatology, which is by start and lead; ' +
          'received "2026-05-01"; allowed: a run of 03-01, 2 days around; or a climatology of runs that start on 05-01',
      );
    }
  });

  it('says what is missing, and rejects options without effect', () => {
    const runs = yearsFrom(2003, 5).map((year) => run(`${year}-03-01`, 100, (lead) => lead));
    expect(messageOf(() => pooled(runs))).toBe(
      'DataError input: the reference 2001-2010 has years without a run that starts on 03-01; ' +
        'received "2001-2002", "2008-2010"; ' +
        "allowed: reference: '2003-2007'; or fewerYears: true, to use the available years only",
    );
    expect(pooled(runs, { fewerYears: true }).metadata.get('lacking_years')).toBe('2001-2002, 2008-2010');
    expect(messageOf(() => pooled(runs, { start: '06-01' }))).toMatch(
      /^DataError table 1 and others: no run starts on 06-01; /,
    );
    expect(messageOf(() => pooled(runs, { reference: '1981-1990' }))).toMatch('no run starts within the reference');
    expect(messageOf(() => pooled(runs, { start: '13-01' }))).toMatch('start: cannot be used; received "13-01"');
    expect(messageOf(() => pooled(runs, { start: '03-01', mixLeads: true }))).toMatch(
      'mixLeads: pools runs of any start',
    );
    const history = run('2001-01-01', 3652, (lead) => lead, 1);
    expect(messageOf(() => pooled([history], { mixLeads: true }))).toMatch('mixLeads: is for hindcasts');
  });
});

describe('a daily climatology of hindcasts', () => {
  const LEADS = 30;
  /** The quantiles of a uniform distribution from -1 to 1: its terciles are the same for any number of them. */
  const spread = (i: number, count: number) => (2 * i + 1) / count - 1;
  /** A season that warms by 0.2 a day, and a model that drifts fastest after its start. */
  const mean = (lead: number) => 0.2 * lead + 2 * Math.exp(-lead / 4);
  const runs = yearsFrom(2001, 10).map((year, y) =>
    run(`${year}-03-01`, LEADS, (lead, m) => mean(lead) + spread((lead * 37 + 30 * y + m) % 300, 300), 30),
  );
  const daily = { granularity: 'daily', reference: '2001-2010', quantiles: [0.5] } as const;
  const forecast = run('2026-03-01', LEADS, (lead, m) => mean(lead) + spread(m, 300), 300);
  const sharesOf = (options: ClimatologyOptions) => {
    const table = statistics(core, forecast, { climatology: climatology(core, runs, { ...daily, ...options }) });
    return Array.from(table, (row) => [row?.p_below, row?.p_above] as [number, number]);
  };

  it('pools the samples of each lead by itself: a forecast of the same climate has a third in each category', () => {
    const { samples, keys, metadata } = climatology(core, runs, daily);
    expect([samples[keys.indexOf('03-01')], metadata.get('half_width')]).toEqual([300, '0']);
    const shares = sharesOf({});
    expect(shares).toHaveLength(LEADS);
    for (const share of shares.flat()) expect(Math.abs(share - 1 / 3)).toBeLessThan(0.01);
  });

  it('takes as many leads before as after each on request, fewer near the ends of its runs', () => {
    const { samples, keys } = climatology(core, runs, { ...daily, halfWidth: 3 });
    const counts = ['03-01', '03-02', '03-03', '03-04', '03-05', '03-28', '03-29', '03-30'].map(
      (key) => samples[keys.indexOf(key)] / 300,
    );
    expect(counts).toEqual([1, 3, 5, 7, 7, 5, 3, 1]);
    const shares = sharesOf({ halfWidth: 3 });
    for (const share of [...shares[0], ...shares[LEADS - 1]]) expect(Math.abs(share - 1 / 3)).toBeLessThan(0.01);
  });
});
