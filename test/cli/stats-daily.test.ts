import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { referenceFolder } from '../reference/data-folder.js';
import { folderWith, plumecast } from './run-command.js';

const DAYS = 9;
/** Hourly values of three members from Monday 2024-01-01 on: member k has k plus a tenth of the hour of the day. */
function hourly(header: string, digits = 1): string {
  const rows = Array.from({ length: DAYS * 24 }, (_, i) => {
    const time = new Date(Date.UTC(2024, 0, 1) + i * 3_600_000).toISOString();
    return [time, ...[1, 2, 3].map((k) => (k + (i % 24) / 10).toFixed(digits))].join(',');
  });
  return `${[header, ...rows].join('\n')}\n`;
}

const { folder, remove } = folderWith({
  'hourly.csv': hourly('time,m01,m02,m03'),
  'kelvin.csv': 'date,t2m_K\n2024-01-01,273.15\n2024-01-02,283.15\n',
  'fahrenheit.csv': 'date,units,t2m\n2024-01-01,furlong,1\n2024-01-02,furlong,2\n',
});
afterAll(remove);
const stats = (...args: string[]) => plumecast(['stats', ...args], { cwd: folder });
const requested = ['--quantiles', '0.5', '--granularity', 'weekly'];
const means = (out: string) =>
  out
    .trim()
    .split('\n')
    .slice(1)
    .map((row) => Number(row.split(',').at(-2)));

describe('plumecast stats of values within the day', () => {
  it('computes daily sums, means, minima and maxima, and says so once', () => {
    const amounts = ['hourly.csv', '--variable', 'precipitation', '--units', 'mm', ...requested];
    expect(stats(...amounts)).toMatchObject({ code: 1, out: '' });
    const rain = stats(...amounts, '--accumulation', 'per-step', '--stamps', 'start');
    expect(rain.err).toBe('note: hourly.csv: amounts of each step, by --accumulation; hourly values to daily sums\n');
    expect(means(rain.out)).toEqual([expect.closeTo(7 * (24 * 2 + 27.6), 8)]);
    const warm = (variable: string) => stats('hourly.csv', '--variable', variable, '--units', 'degC', ...requested);
    expect(warm('temp_max').err).toBe('note: hourly.csv: hourly values to daily maxima\n');
    const [least, mean, most] = ['temp_min', 'temp_mean', 'temp_max'].map((name) => means(warm(name).out)[0]);
    expect([least, mean, most]).toEqual([2, 3.15, 4.3].map((value) => expect.closeTo(value, 8)));
  });

  it('uses given names of columns, and times as ends of steps on request', () => {
    const columns = [
      '--columns',
      'date=time',
      '--units',
      'mm',
      '--variable',
      'precipitation',
      '--granularity',
      'daily',
      '--accumulation',
      'per-step',
    ];
    expect(means(stats('hourly.csv', ...columns, '--quantiles', '0.5').out).length).toBe(DAYS);
    const ends = stats('hourly.csv', ...columns, '--quantiles', '0.5', '--stamps', 'end');
    expect(ends.out.split('\n')[1]).toContain(',2024-01-01,2024-01-01,2024-01-01,1,1,3,');
    expect(means(ends.out).length).toBe(DAYS - 1);
  });

  it('exits with an error for unknown units, and for units of another kind', () => {
    expect(stats('hourly.csv', '--variable', 'temp_mean')).toMatchObject({
      code: 1,
      out: '',
      err: 'error: hourly.csv, --units: not given, and values of several times a day may be in any; allowed: a column named units, or --units K, for instance, for temp_mean\n',
    });
    expect(stats('hourly.csv', '--variable', 'temp_mean', '--units', 'mm').err).toBe(
      'error: hourly.csv, --units: cannot be converted to those of temp_mean; received "mm"; allowed: degC, or units of the same kind\n',
    );
    expect(stats('hourly.csv', '--variable', 'temp_mean', '--stamps', 'noon').code).toBe(2);
  });

  it('converts the units of daily values, and says so; unknown units are an error', () => {
    const { out, err } = stats('kelvin.csv', '--quantiles', '0.5');
    expect(err).toBe('note: kelvin.csv: K to degC\n');
    expect(means(out)).toEqual([0, 10]);
    expect(stats('fahrenheit.csv').err).toMatch(
      'error: fahrenheit.csv, the units: cannot be converted to those of temp_mean; received "furlong"; allowed: degC, or units of the same kind; --units states others',
    );
    const mended = stats('fahrenheit.csv', '--variable', 'temp_mean', '--units', 'degC', '--quantiles', '0.5');
    expect([mended.code, mended.err]).toEqual([0, 'note: fahrenheit.csv: units of t2m are degC, not furlong\n']);
  });

  it('computes climatologies of them', () => {
    const { out, err } = plumecast(
      [
        'climatology',
        'hourly.csv',
        '--variable',
        'precipitation',
        '--units',
        'mm',
        '--granularity',
        'weekly',
        '--reference',
        '2024-2024',
        '--quantiles',
        '0.5',
        '--accumulation',
        'per-step',
        '--stamps',
        'start',
      ],
      { cwd: folder },
    );
    expect(err).toBe('note: hourly.csv: amounts of each step, by --accumulation; hourly values to daily sums\n');
    expect(out.split('\n')[1]).toMatch(/^precipitation,mm,,,W01,3,529\.\d+,/);
  });
});

const reference = referenceFolder('gefs-fcre-2022');

describe.skipIf(reference === undefined)('plumecast stats of the raw GEFS forecast', () => {
  it('gives the weeks of the reference', () => {
    const raw = join(reference as string, 'raw/st2_part-0.parquet');
    const { out, err } = stats(raw, '--variable', 'precipitation', ...requested);
    expect(err).toBe(
      `note: ${raw}: precipitation_flux, without units, taken as kg m-2 s-1; kg m-2 s-1 to mm; hourly values to daily sums; column left out: horizon\n` +
        `warning: ${raw}: times of prediction are taken for the starts of steps, as there are values at the start of the run; --stamps decides otherwise\n`,
    );
    // The means of 2022-W40 to W43 in precip_mm_oracle_weekly.csv.
    expect(means(out).slice(0, 1)).toEqual([expect.closeTo(2.7367742429313293, 11)]);
    expect(means(out).length).toBe(4);
  });
});
