import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { gribFile, RAIN, T2M, type TestField } from '../files/grib/write-grib.js';
import { referenceFolder } from '../reference/data-folder.js';
import { folderWith } from './run-command.js';
import { plumecastHere } from './run-here.js';

const { folder, remove } = folderWith({ 'rain.csv': 'date,m1\n2026-03-02,1\n' });
afterAll(remove);

function write(name: string, fields: readonly TestField[]): string {
  writeFileSync(join(folder, name), gribFile(fields));
  return join(folder, name);
}
const reference = '2026-03-02T00:00Z';
const hours = (date: string) => (Date.parse(date) - Date.parse(reference)) / 3_600_000;
/** Fields of three members over a period; member m has the value and m more. */
const over = (field: Omit<TestField, 'value'>, from: string, to: string, value: number): TestField[] =>
  [0, 1, 2].map((member) => ({
    ...{ ...field, reference, step: hours(from), end: hours(to), member, value: value + member },
  }));
const native = (file: string, ...options: string[]) =>
  plumecastHere('stats', file, '--granularity', 'native', '--quantiles', '0.5', '--format', 'csv', ...options);
/** The rows of results, with numbers of three decimals. */
const rows = (out: string) =>
  out
    .trim()
    .split('\n')
    .slice(1)
    .map((row) => row.replace(/\d+\.\d{4,}/g, (number) => String(Number(Number(number).toFixed(3)))));
const MEAN = { ...T2M, process: 0 };

describe('stats --granularity native', () => {
  it('gives one window for each stored month, with its length', async () => {
    const months = [...over(MEAN, '2026-04-01', '2026-05-01', 280), ...over(MEAN, '2026-05-01', '2026-06-01', 285.25)];
    const { code, out, err } = await native(write('months.grib2', months), '--point', '50,10');
    expect([code, rows(out)]).toEqual([
      0,
      [
        'temp_mean,degC,50,10,2026-04,2026-04-01,2026-04-30,1,30,3,7.85,7.85',
        'temp_mean,degC,50,10,2026-05,2026-05-01,2026-05-31,1,31,3,13.1,13.1',
      ],
    ]);
    expect(err).toContain('monthly values, as stored');
  });

  it('is named by the errors of files of which no days can be made', async () => {
    const file = write('monthly.grib2', over(MEAN, '2026-04-01', '2026-05-01', 280));
    const { code, err } = await plumecastHere('stats', file);
    expect([code, err]).toEqual([1, expect.stringContaining('as stored, by plumecast stats --granularity native')]);
  });

  it('is what inspect says of such files, with the command', async () => {
    const months = [...over(MEAN, '2026-04-01', '2026-05-01', 280), ...over(MEAN, '2026-05-01', '2026-06-01', 285)];
    const { code, out } = await plumecastHere('inspect', write('inspected.grib2', months));
    expect(code).toBe(0);
    expect(out).toMatch(/holds +values over time/);
    expect(out).toMatch(/temp_mean \(degC\), from 2t\n +members +3: 0 to 2.*notes +.*monthly values, as stored/s);
    expect(out).toMatch(/command +plumecast stats .*--granularity[\s\\]+native/s);
    expect(out).not.toContain('problem');
  });

  it('gives amounts of ISO weeks, and days', async () => {
    const weeks = [...over(RAIN, '2026-03-02', '2026-03-09', 14), ...over(RAIN, '2026-03-16', '2026-03-23', 21)];
    const { out } = await native(write('weeks.grib2', weeks), '--point', '50,10');
    expect(rows(out).filter((row) => !row.includes('2026-W11'))).toEqual([
      'precipitation,mm,50,10,2026-W10,2026-03-02,2026-03-08,1,7,3,15,15',
      'precipitation,mm,50,10,2026-W12,2026-03-16,2026-03-22,1,7,3,22,22',
    ]);
    const days = await native(write('days.grib2', over(RAIN, '2026-03-02', '2026-03-03', 4)), '--point', '50,10');
    expect(rows(days.out)).toEqual(['precipitation,mm,50,10,2026-03-02,2026-03-02,2026-03-02,1,1,3,5,5']);
  });

  it.each([
    ['of seasons', over(MEAN, '2026-04-01', '2026-07-01', 280), 'no day, ISO week or calendar month'],
    ['of 10 days', over(MEAN, '2026-04-01', '2026-04-11', 280), 'no day, ISO week or calendar month'],
    [
      'of a month and a day',
      [...over(MEAN, '2026-04-01', '2026-05-01', 280), ...over(MEAN, '2026-05-01', '2026-05-02', 280)],
      'has values of different periods',
    ],
    ['of instants', [{ ...T2M, member: 0, step: 12, value: 280 }], 'does not state the periods of its values'],
    [
      'means of amounts',
      over({ ...RAIN, process: 0 }, '2026-04-01', '2026-05-01', 3),
      'holds means of amounts, and does not state of what time',
    ],
  ])('values %s are an error', async (name, fields, problem) => {
    const { code, err } = await native(write(`${name.replaceAll(' ', '-')}.grib2`, fields));
    expect(code).not.toBe(0);
    expect(err).toContain(problem);
  });

  /** Monthly means of March and April of a run of March 1st: of each member a field. */
  const runOf = (year: number, value: (month: number, member: number) => number, members = 4): TestField[] =>
    [3, 4].flatMap((month) =>
      Array.from({ length: members }, (_, member) => {
        const start = `${year}-03-01T00:00Z`;
        const hour = (m: number) => (Date.UTC(year, m - 1) - Date.parse(start)) / 3_600_000;
        const times = { reference: start, step: hour(month), end: hour(month + 1) };
        return { ...MEAN, ...times, member, value: 273.15 + value(month, member) };
      }),
    );
  const YEARS = Array.from({ length: 10 }, (_, i) => 1993 + i);
  /** Ten runs of four members: 0 to 39 in March, ten more in April. */
  const past = () => YEARS.flatMap((year, i) => runOf(year, (month, member) => 4 * i + member + 10 * (month - 3)));
  const ofPast = ['--granularity', 'native', '--reference', '1993-2002', '--point', '50,10'];

  it('makes a climatology of monthly hindcasts, by which months of a forecast are compared', async () => {
    const climatology = join(folder, 'months.arrow');
    const made = await plumecastHere('climatology', write('past.grib2', past()), ...ofPast, '--out', climatology);
    expect([made.code, made.err]).toEqual([0, expect.not.stringContaining('warning')]);
    const { out } = await plumecastHere('climatology', join(folder, 'past.grib2'), ...ofPast, '--format', 'csv', '-q');
    const [head, ...months] = out
      .trim()
      .split('\n')
      .map((row) => row.split(','));
    const mean = head.indexOf('mean');
    const withValues = months.filter((row) => row[mean] !== '');
    expect(withValues.map((row) => Number(row[mean]).toFixed(2))).toEqual(['19.50', '29.50']);
    // Of 40 values the terciles are at 13 and 26, so that one member is below, one within, two above; in April all are below.
    const now = [2, 20, 30, 31];
    const forecast = write(
      'now.grib2',
      runOf(2026, (month, member) => (month === 3 ? now[member] : member)),
    );
    const compared = await native(forecast, '--climatology', climatology, '--point', '50,10');
    expect(compared.code).toBe(0);
    const [names, ...found] = compared.out
      .trim()
      .split('\n')
      .map((row) => row.split(','));
    const shares = found.map((row) =>
      ['period', 'p_below', 'p_normal', 'p_above'].map((name) => row[names.indexOf(name)]),
    );
    expect(shares).toEqual([
      ['2026-03', '0.25', '0.25', '0.5'],
      ['2026-04', '1', '0', '0'],
    ]);
  });

  it('is not compared with a climatology of other windows', async () => {
    const weeks = join(folder, 'weeks.arrow');
    const history = [
      'date,precipitation',
      ...Array.from(
        { length: 800 },
        (_, d) => `${new Date(Date.UTC(2001, 0, 1 + d)).toISOString().slice(0, 10)},${d % 7}`,
      ),
    ];
    writeFileSync(join(folder, 'history.csv'), history.join('\n'));
    const made = await plumecastHere(
      ...['climatology', join(folder, 'history.csv'), '--units', 'mm', '--granularity', 'weekly'],
      ...['--reference', '2001-2002', '--out', weeks, '-q'],
    );
    expect(made.code).toBe(0);
    const file = write('rain-of-march.grib2', over(RAIN, '2026-04-01', '2026-05-01', 60));
    const { code, err } = await native(file, '--climatology', weeks);
    expect([code, err]).toEqual([
      1,
      expect.stringContaining(
        'climatology: is of other windows than the values, which are monthly; received "weekly"; allowed: a climatology of such values: --granularity native with both',
      ),
    ]);
  });

  it('is for files of arrays', async () => {
    const table = await native(join(folder, 'rain.csv'), '--variable', 'precipitation');
    expect(table.err).toContain('granularity: tables hold daily values');
    const file = write('april.grib2', over(MEAN, '2026-04-01', '2026-05-01', 280));
    const climatology = await plumecastHere('climatology', join(folder, 'rain.csv'), '--granularity', 'native');
    expect(climatology.err).toContain('granularity: tables hold daily values');
    const daily = await plumecastHere('stats', file);
    expect(daily.err).toContain('no UTC day is complete');
    const batch = await plumecastHere('batch', file, '--granularity', 'native', '--out', join(folder, 'out'));
    expect(batch.code).not.toBe(0);
  });

  const seasonal = referenceFolder('grib-cfsv2-seasonal');
  it.skipIf(seasonal === undefined)('gives the monthly means of a lagged seasonal ensemble', async () => {
    const read = async (name: string) => {
      const options = ['--granularity', 'native', '--quantiles', '0.05,0.5,0.95', '--format', 'csv'];
      const { out } = await plumecastHere('stats', join(seasonal as string, name), ...options);
      const [head, ...lines] = out.trim().split('\n');
      const names = head.split(',');
      return lines.map((line) => Object.fromEntries(line.split(',').map((cell, i) => [names[i], cell])));
    };
    const oracle = JSON.parse(readFileSync(join(seasonal as string, 'oracle.json'), 'utf8'));
    for (const name of ['ncep-seasonal-monthly.grib', 'variant_grid_second_order.grib']) {
      const results = await read(name);
      expect(results).toHaveLength(84 * 3);
      for (const [i, row] of results.entries()) {
        const [cell, month] = [Math.floor(i / 3), i % 3];
        const { mean, quantile } = oracle.groups[month];
        expect([row.period, row.n_days, row.n_members]).toEqual([
          `2021-${['09', '10', '11'][month]}`,
          ['30', '31', '30'][month],
          '124',
        ]);
        expect(Number(row.mean)).toBeCloseTo(mean[cell] - 273.15, 3);
        for (const [column, level] of [
          ['q05', 0],
          ['q50', 9],
          ['q95', 18],
        ] as const) {
          expect(Number(row[column])).toBeCloseTo(quantile[level][cell] - 273.15, 3);
        }
      }
    }
  });
});
