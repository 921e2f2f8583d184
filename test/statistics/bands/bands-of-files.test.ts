import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { distinctMembers, horizonMembers } from '../../../src/statistics/bands/distinct-members.js';
import { folderWith, plumecast } from '../../cli/run-command.js';
import { referenceFolder } from '../../reference/data-folder.js';
import { hasPython, python } from '../../reference/foreign-programs.js';

const gefs = referenceFolder('gefs-fcre-2022');
const members = Array.from({ length: 5 }, (_, m) => `m${m}`);
const days = Array.from(
  { length: 14 },
  (_, d) =>
    `2026-03-${String(d + 2).padStart(2, '0')},${members.map((_, m) => (m === 4 && d > 9 ? '' : d + m)).join()}`,
);
const { folder, remove } = folderWith({ 'few.csv': `date,${members.join()}\n${days.join('\n')}\n` });
afterAll(remove);

const SCIPY = `
import sys
import numpy as np, pandas as pd
from scipy import stats
daily = pd.read_csv(sys.argv[1] + '/precip_mm_members_daily.csv', index_col='date', parse_dates=True)
iso = daily.index.isocalendar()
groups = daily.groupby(iso.year * 100 + iso.week)
for x in groups.sum()[groups.size() == 7].values:
    n = len(x)
    ends = list(stats.t.interval(0.8, n - 1, loc=x.mean(), scale=x.std(ddof=1) / np.sqrt(n)))
    for p in [0.01, 0.1, 0.5]:
        ci = stats.quantile_test(x, p=p, q=0).confidence_interval(0.8)
        ends += [ci.low, ci.high]
    for holds in [x > 20, (x >= 5) & (x <= 20)]:
        ci = stats.binomtest(int(holds.sum()), n).proportion_ci(0.8, method='wilson')
        ends += [ci.low, ci.high]
    print(','.join('' if np.isnan(end) else f'{end:.17g}' for end in ends))
`;

describe('bands of files', () => {
  it.skipIf(gefs === undefined || !hasPython('scipy', 'pandas', 'numpy'))('are those of scipy, value by value', () => {
    const { out, err } = plumecast([
      ...['stats', join(gefs as string, 'daily_nc3_f64.nc'), '--variable', 'precipitation', '--granularity', 'weekly'],
      ...['--quantiles', '0.01,0.1,0.5', '--threshold', '>20', '--threshold', '5..20', '--bands', '0.8'],
    ]);
    expect(err).toContain('31 members are too few for both ends of the band of 80 % of q01 (230 members)');
    const [head, ...rows] = out
      .trimEnd()
      .split('\n')
      .map((line) => line.split(','));
    const bands = ['mean', 'q01', 'q10', 'q50', 'p_gt_20', 'p_5_to_20'].flatMap((name) => [
      `${name}_low`,
      `${name}_high`,
    ]);
    expect(head.slice(-bands.length)).toEqual(bands);
    const expected = python(SCIPY, { args: [gefs as string] })
      .trimEnd()
      .split('\n')
      .map((line) => line.split(','));
    expect(rows.length).toBe(expected.length);
    for (const [row, cells] of rows.entries()) {
      for (const [k, end] of expected[row].entries()) {
        const cell = cells[head.length - bands.length + k];
        expect([row, bands[k], cell === ''], cell).toEqual([row, bands[k], end === '']);
        if (end !== '') expect(Number(cell)).toBeCloseTo(Number(end), 9);
      }
    }
  });

  it('are missing where a statistic is, and state their level', () => {
    const flags = ['--variable', 'temp_mean', '--granularity', 'weekly', '--bands', '0.9', '--min-member-share', '1'];
    const { out } = plumecast(['stats', 'few.csv', ...flags, '--quantiles', '0.5', '--format', 'json'], {
      cwd: folder,
    });
    const [first, second] = JSON.parse(out);
    expect([first.mean, first.mean_low < 5 && first.mean_high > 5]).toEqual([5, true]);
    expect([first.q50_low, first.q50_high]).toEqual([3, 7]);
    expect([second.mean, second.mean_low, second.q50_high]).toEqual([null, null, null]);
  });

  it('are for a probability', () => {
    for (const level of ['1', '0', '90', 'x']) {
      expect(plumecast(['stats', 'few.csv', '--bands', level], { cwd: folder }).code).toBe(2);
    }
  });
});

describe('distinctMembers', () => {
  const horizons = [
    { name: 'a', start: '2026-03-02', end: '2026-03-16', members: 31 },
    { name: 'b', start: '2026-03-02', end: '2026-04-12', hand_over: '2026-03-14', members: 11 },
  ];
  const read = (text: string) => horizonMembers(new Map([['horizons', text]]));

  it('of a window are at most those of each horizon with a day of it', () => {
    const found = read(JSON.stringify(horizons));
    const day = Math.floor(Date.UTC(2026, 2, 2) / 86_400_000);
    expect(distinctMembers(found, day, day + 6)).toBe(31);
    expect(distinctMembers(found, day + 7, day + 13)).toBe(11);
    expect(distinctMembers(found, day + 21, day + 27)).toBe(11);
    expect(distinctMembers([], day, day)).toBe(Number.POSITIVE_INFINITY);
  });

  it('are not read from what blend did not write', () => {
    for (const text of ['', '{', '5', '[5]', '[null]', '[{"members":3}]', '[{"start":"x","end":"y","members":3}]'])
      expect(read(text)).toEqual([]);
    expect(read(JSON.stringify([{ ...horizons[0], members: 0.5 }]))).toEqual([]);
  });
});
