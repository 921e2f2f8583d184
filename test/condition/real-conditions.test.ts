import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { folderWith, plumecast } from '../cli/run-command.js';
import { referenceFolder } from '../reference/data-folder.js';
import { hasPython, python } from '../reference/foreign-programs.js';

const gefs = referenceFolder('gefs-fcre-2022');
const { folder, remove } = folderWith({});
afterAll(remove);

/** Rows of results as CSV has them, of some columns. */
function rowsOf(csv: string, columns: readonly string[]): string[][] {
  const [head, ...lines] = csv.trimEnd().split('\n');
  const names = head.split(',');
  return lines.map((line) => columns.map((column) => line.split(',')[names.indexOf(column)]));
}

const numbers = (rows: readonly (readonly string[])[]) =>
  rows.map((row) => row.map((cell) => (cell === '' || cell === 'nan' ? null : Number(cell))));

/** Weekly windows of the members of both variables, and shares of conditions of pandas' own evaluation. */
const PANDAS = `
import sys, json
import numpy as np, pandas as pd
folder, conditions = sys.argv[1], json.loads(sys.argv[2])
def weeks(name, how):
    daily = pd.read_csv(f'{folder}/{name}_members_daily.csv', index_col='date', parse_dates=True)
    iso = daily.index.isocalendar()
    groups = daily.groupby(iso.year.astype(str) + '-W' + iso.week.astype(str).str.zfill(2))
    return getattr(groups, how)()[groups.size() == 7]
frames = {'rain': weeks('precip_mm', 'sum'), 'temp': weeks('t2m_degC', 'mean')}
out = []
for own, given in conditions:
    holds = eval(own, {}, frames)
    among = eval(given, {}, frames) if given else holds | True
    out.append((holds & among).sum(axis=1) / among.sum(axis=1).replace(0, np.nan))
print(pd.DataFrame(out).T.reset_index(drop=True).to_csv(index=False, header=False, float_format='%.17g', na_rep='nan'))
`;

describe.skipIf(gefs === undefined || !hasPython('pandas', 'numpy'))('conditions on real forecasts', () => {
  const cases: [string, string, string][] = [
    ['precipitation>5 and temp_mean<18', '(rain > 5) & (temp < 18)', ''],
    ['precipitation>30 or temp_mean<10', '(rain > 30) | (temp < 10)', ''],
    [
      'temp_mean 10..14.5 and (precipitation>20 or precipitation<2)',
      '(temp >= 10) & (temp <= 14.5) & ((rain > 20) | (rain < 2))',
      '',
    ],
    ['precipitation>10 given temp_mean<14', 'rain > 10', 'temp < 14'],
  ];

  it('of two variables are the shares that pandas finds, value by value', () => {
    const conditions = JSON.stringify(cases.map(([, own, given]) => [own, given]));
    const expected = numbers(
      rowsOf(`a,b,c,d\n${python(PANDAS, { args: [gefs as string, conditions] })}`, ['a', 'b', 'c', 'd']),
    );
    const flags = cases.flatMap(([text]) => ['--threshold', text]);
    const { out, err } = plumecast([
      'stats',
      join(gefs as string, 'daily_nc3_f64.nc'),
      '--granularity',
      'weekly',
      ...flags,
    ]);
    expect(err).toBe('');
    const columns = out
      .split('\n')[0]
      .split(',')
      .filter((name) => name.startsWith('p_'));
    expect(columns).toHaveLength(4);
    const shares = numbers(rowsOf(out, columns));
    expect(shares).toEqual(expected);
    expect(shares.length).toBeGreaterThan(3);
    expect(shares.flat().some((share) => share !== null && share > 0 && share < 1)).toBe(true);
  });

  it('of one variable are the same, beside its statistics', () => {
    const own = ['(temp >= 10) & (temp <= 14.5)', '(temp < 9) | (temp > 15)'];
    const expected = numbers(
      rowsOf(`a,b\n${python(PANDAS, { args: [gefs as string, JSON.stringify(own.map((one) => [one, '']))] })}`, [
        'a',
        'b',
      ]),
    );
    const { out } = plumecast([
      ...['stats', join(gefs as string, 'daily_nc3_f64.nc'), '--variable', 't2m', '--granularity', 'weekly'],
      ...['--threshold', '10..14.5', '--threshold', 'temp_mean<9 or >15'],
    ]);
    expect(numbers(rowsOf(out, ['p_10_to_14.5', 'p_lt_9_or_gt_15']))).toEqual(expected);
    expect(out.split('\n')[0]).toMatch(/n_members,mean,q05,.*q95,p_10_to_14.5,p_lt_9_or_gt_15$/);
  });
});

/** Two files of one ensemble on a grid: other order of latitudes and members, one member fewer, other days, gaps. */
const GRIDS = `
import sys
import numpy as np, pandas as pd, xarray as xr
folder = sys.argv[1]
random = np.random.default_rng(1)
shape = dict(number=12, time=30, latitude=4, longitude=5)
coords = dict(number=np.arange(12), time=pd.date_range('2026-03-02', periods=30), latitude=[40., 41, 42, 43], longitude=[0., 1, 2, 3, 4])
def array(values, units, **more):
    return xr.DataArray(values, dims=list(shape), coords=coords, attrs={'units': units, **more})
rain = random.gamma(0.4, 4, tuple(shape.values())).round(1)
rain[3, 8, 1, 2] = np.nan
temp = random.normal(2, 4, tuple(shape.values())).round(1)
temp[5, 20, 0, 0] = np.nan
rain = array(rain, 'mm').rename('precipitation')
temp = array(temp, 'degC').rename('temp_mean')
other = temp.isel(latitude=slice(None, None, -1), time=slice(3, None), number=[4, 2, 0, 1, 3, 5, 6, 7, 8, 9, 10])
rain.to_netcdf(f'{folder}/rain.nc')
other.to_netcdf(f'{folder}/temp.nc')
wet, cold = rain.sel(number=slice(0, 10), time=slice('2026-03-09', '2026-03-29')), temp.sel(number=slice(0, 10), time=slice('2026-03-09', '2026-03-29'))
weekly = lambda a, how: getattr(a.coarsen(time=7).construct(time=('time', 'day')), how)('day', skipna=False)
r, t = weekly(wet, 'sum'), weekly(cold, 'mean')
truth = xr.where((r <= 12) | (t >= 2), 0.0, xr.where(r.isnull() | t.isnull(), np.nan, 1.0))
share = truth.mean('number', skipna=True).transpose('latitude', 'longitude', 'time')
valid = (r.notnull() & t.notnull()).sum('number').transpose('latitude', 'longitude', 'time')
print('share,valid')
for s, v in zip(share.values.ravel(), valid.values.ravel()): print(f'{s:.17g},{v}')
`;

describe.skipIf(!hasPython('xarray', 'netCDF4', 'pandas', 'numpy'))('conditions on grids in two files', () => {
  it('pair members by number and cells by place, on common days, as xarray does', () => {
    const expected = numbers(rowsOf(python(GRIDS, { args: [folder] }), ['valid', 'share']));
    const run = (...more: string[]) =>
      plumecast(
        [
          'stats',
          'rain.nc',
          'temp.nc',
          '--granularity',
          'weekly',
          '--threshold',
          'precipitation>12 and temp_mean<2',
          ...more,
        ],
        {
          cwd: folder,
        },
      );
    const { out, err } = run();
    expect(err).toContain('11 members are in all variables; not used: 1 of');
    const rows = numbers(rowsOf(out, ['n_members', 'p_precipitation_gt_12_and_temp_mean_lt_2']));
    expect(rows).toEqual(expected);
    expect(rows).toHaveLength(60);
    expect(run('--out', 'shares.nc').err).not.toContain('error');
    const read = `
import sys, xarray as xr
with xr.open_dataset(sys.argv[1]) as shares:
    [name] = [name for name in shares if name.endswith('p_precipitation_gt_12_and_temp_mean_lt_2')]
    for value in shares[name].transpose('latitude', 'longitude', 'time').values.ravel(): print(f'{value:.17g}')
`;
    const stored = python(read, { args: [join(folder, 'shares.nc')] })
      .trim()
      .split('\n')
      .map(Number);
    expect(stored).toEqual(expected.map(([, share]) => share));
  });
});
