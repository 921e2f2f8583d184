import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { climatologyTable } from '../../src/climate/climatology-table.js';
import { demoTable } from '../../src/demo/index.js';
import { encodeTable } from '../../src/files/index.js';
import { plainClimatology, setPeriod } from '../climate/against-climatology.js';
import { folderWith, plumecast, threeMembers } from './run-command.js';

const weeks = plainClimatology([{ limits: [10, 20], mean: 15, quantiles: [20.9, 6] }], { quantiles: [0.9, 0.1] });
setPeriod(weeks, 'W02', { limits: [14, 16], mean: 14 });
const dry = plainClimatology([{ limits: [0, 0], mean: 0 }], { granularity: 'daily' });
setPeriod(dry, '01-02', { limits: [0, 1] });

const { folder, remove } = folderWith({
  'weeks.csv': threeMembers(14),
  'week.csv': threeMembers(7),
  'demo.arrow': await encodeTable(demoTable('precipitation', { days: 30 }), 'arrow'),
  'normal.arrow': await encodeTable(climatologyTable(weeks), 'arrow'),
  'normal.parquet': await encodeTable(climatologyTable(weeks), 'parquet'),
  'normal.csv': await encodeTable(climatologyTable(weeks), 'csv'),
  'dry.arrow': await encodeTable(climatologyTable(dry), 'arrow'),
});
afterAll(remove);

const stats = (...args: string[]) => plumecast(['stats', ...args], { cwd: folder });
const rain = ['--variable', 'precipitation', '--units', 'mm', '--quantiles', '0.5'];

const against = (file: string) => ['--climatology', file];
const NAMES = 'variable,units,latitude,longitude,period,start,end,complete,n_days,n_members,mean,q50';
const [first, second] = ['2024-W01,2024-01-01,2024-01-07', '2024-W02,2024-01-08,2024-01-14'].map(
  (window) => `precipitation,mm,,,${window},1,7,3,14,14`,
);

describe('plumecast stats --climatology', () => {
  it('adds shares of terciles after all other columns, by default in the windows of the climatology', () => {
    const third = String(1 / 3);
    expect(stats('weeks.csv', ...rain, ...against('normal.arrow'))).toEqual({
      code: 0,
      out: `${NAMES},p_below,p_normal,p_above\n${first},${third},${third},${third}\n${second},${third},${third},${third}\n`,
      err: '',
    });
  });

  it('adds exceedance of quantiles of the climatology, and the anomaly, on request', () => {
    const { out } = stats('weeks.csv', ...rain, ...against('normal.arrow'), '--exceed', '0.1,0.9', '--anomaly');
    const [header, ...rows] = out.trim().split('\n');
    expect(header).toBe(`${NAMES},p_below,p_normal,p_above,p_gt_clim_q10,p_gt_clim_q90,anomaly`);
    expect(rows.map((row) => row.split(',').slice(-3).map(Number))).toEqual([
      [1, 1 / 3, -1],
      [1, 1 / 3, 0],
    ]);
  });

  it('reads the climatology in every format', () => {
    const requested = ['weeks.csv', ...rain, '--exceed', '0.9', '--anomaly'];
    const { out } = stats(...requested, ...against('normal.arrow'));
    expect(out).toContain('p_gt_clim_q90');
    for (const file of ['normal.parquet', 'normal.csv']) expect(stats(...requested, ...against(file)).out).toBe(out);
    const input = readFileSync(join(folder, 'normal.arrow'));
    const piped = plumecast(['stats', ...requested, ...against('-')], { cwd: folder, input });
    expect(piped).toEqual({ code: 0, out, err: '' });
  });

  it('compares several files with one climatology', () => {
    const { out } = stats('week.csv', 'weeks.csv', ...rain, ...against('normal.csv'));
    const rows = out.trim().split('\n').slice(1);
    expect(rows.map((row) => row.split(',')[5])).toEqual(['2024-W01', '2024-W01', '2024-W02']);
    expect(rows.map((row) => row.split(',').length)).toEqual([16, 16, 16]);
  });

  it('warns once of limits that coincide, naming the first of their periods', () => {
    const warning = (...args: string[]) => stats('weeks.csv', ...rain, ...against('dry.arrow'), ...args).err;
    const reported = 'between them are only members that equal them\n';
    expect(warning()).toBe(
      `warning: weeks.csv: limits of the climatology coincide in 13 periods (2024-01-01, 2024-01-03, 2024-01-04, ...): ${reported}`,
    );
    expect(warning('--end-date', '2024-01-03')).toContain(' in 2 periods (2024-01-01, 2024-01-03): ');
    expect(warning('--end-date', '2024-01-02')).toContain(' in 1 period (2024-01-01): ');
    expect(warning('--start-date', '2024-01-02', '--end-date', '2024-01-02')).toBe('');
  });

  it('shows shares, signed anomalies and the reference period in the table', () => {
    const requested = ['--exceed', '0.9', '--anomaly', '--format', 'table'];
    expect(stats('demo.arrow', ...against('normal.arrow'), ...requested).out).toMatchSnapshot();
  });

  it('exits 1 if the two do not match, or the file is not a climatology', () => {
    const rejected = (...args: string[]) => {
      const { code, out, err } = stats(...args);
      expect([code, out]).toEqual([1, '']);
      return err;
    };
    expect(rejected('weeks.csv', ...rain, ...against('normal.arrow'), '--granularity', 'daily')).toBe(
      'error: --granularity: not that of the climatology; received "daily"; allowed: weekly\n',
    );
    expect(rejected('weeks.csv', '-v', 'temp_mean', '--units', 'degC', ...against('normal.arrow'))).toBe(
      'error: weeks.csv: its variable is not that of the climatology; received "temp_mean"; allowed: precipitation\n',
    );
    expect(rejected('weeks.csv', ...rain, ...against('normal.arrow'), '--exceed', '0.95')).toBe(
      'error: --climatology: does not have these quantiles; received 0.95; allowed: its quantiles, 0.9, 0.1; or a climatology made with --quantiles 0.95\n',
    );
    expect(rejected('weeks.csv', ...rain, ...against('weeks.csv'))).toMatch(/^error: weeks.csv: /);
    expect(rejected('weeks.csv', ...rain, ...against('nowhere.arrow'))).toBe(
      'error: nowhere.arrow: cannot be read: there is no such file or folder; allowed: a readable file\n',
    );
  });

  it('exits 2 for options that need a climatology without one', () => {
    for (const requested of [['--exceed', '0.9'], ['--anomaly']]) {
      expect(stats('weeks.csv', ...rain, ...requested)).toEqual({
        code: 2,
        out: '',
        err: 'error: options --exceed and --anomaly need --climatology FILE\n',
      });
    }
  });

  it('exits 2 if data and climatology are both standard input', () => {
    const input = readFileSync(join(folder, 'normal.arrow'));
    expect(plumecast(['stats', 'week.csv', '-', ...rain, ...against('-')], { cwd: folder, input })).toEqual({
      code: 2,
      out: '',
      err: 'error: only one of the data and --climatology can be standard input\n',
    });
  });

  it('does not write over the climatology', () => {
    const whole = readFileSync(join(folder, 'normal.csv'));
    expect(stats('weeks.csv', ...rain, ...against('normal.csv'), '--out', './normal.csv')).toMatchObject({
      code: 1,
      err: 'error: ./normal.csv: is also an input; allowed: another path to write to\n',
    });
    expect(readFileSync(join(folder, 'normal.csv')).equals(whole)).toBe(true);
  });
});
