import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { readClimatology } from '../../src/climate/index.js';
import { encodeTable, readTable } from '../../src/files/index.js';
import { seededHistory, tableOf } from '../climate/histories.js';
import { folderWith, plumecast } from './run-command.js';

const history = tableOf(seededHistory({ from: [2001, 1, 1], to: [2003, 12, 31] }));
/** 2 mm on each day of a year, of which July is dry. */
const rain = (year: number) =>
  [...Array(365).keys()]
    .map((d) => new Date(Date.UTC(year, 0, 1 + d)).toISOString().slice(0, 10))
    .map((date) => `${date},${date.slice(5, 7) === '07' ? 0 : 2}`);
const { folder, remove } = folderWith({
  'rain.csv': `date,mm\n${[...rain(2001), ...rain(2002)].join('\n')}\n`,
  ...Object.fromEntries(
    [2001, 2002, 2003, 2004, 2005].map((year) => [
      `metres-${year}.csv`,
      `date,rain (m)\n${rain(year).join('\n').replaceAll(',2', ',0.002')}\n`,
    ]),
  ),
  'first.csv': `date,mm\n${rain(2001).join('\n')}\n`,
  'second.csv': `date,mm\n${rain(2002).join('\n')}\n`,
  'codes.csv': `date,mm\n${rain(2001).join('\n').replaceAll(/-15,2/g, '-15,-999')}\n${rain(2002).join('\n')}\n`,
  'history.arrow': await encodeTable(history, 'arrow'),
});
afterAll(remove);

const climatology = (...args: string[]) => plumecast(['climatology', ...args], { cwd: folder });
const convert = (...args: string[]) => plumecast(['convert', ...args], { cwd: folder });
const monthly = ['--variable', 'precipitation', '--granularity', 'monthly', '--reference', '2001-2002'];
const HEADER = 'variable,units,latitude,longitude,period,n_samples,mean,q05,q25,q50,q75,q95,t33,t67,degenerate';

describe('plumecast climatology', () => {
  it('has the same bytes after conversion to NetCDF and back', () => {
    for (const [from, to] of [
      ['', 'normal.arrow'],
      ['normal.arrow', 'normal.nc'],
      ['normal.nc', 'again.arrow'],
    ]) {
      const { code, err } = from === '' ? climatology('rain.csv', ...monthly, '--out', to) : convert(from, to);
      expect([code, err]).toEqual([0, '']);
    }
    expect(readFileSync(join(folder, 'again.arrow'))).toEqual(readFileSync(join(folder, 'normal.arrow')));
  });

  it('says the same words of many files in one line', () => {
    const names = ['2001', '2002', '2003', '2004', '2005'].map((year) => `metres-${year}.csv`);
    const { code, err } = climatology(...names, ...monthly.with(-1, '2001-2005'));
    // The file of 2004, a leap year, has no 31 December.
    const fewer = 'note: metres-2001.csv: 12 (4) has fewer samples than the other periods (5)\n';
    expect([code, err]).toEqual([0, `note: 5 files, the first metres-2001.csv: m to mm\n${fewer}`]);
    const few = climatology(...names.slice(0, 2), ...monthly);
    expect(few.err).toBe('note: metres-2001.csv: m to mm\nnote: metres-2002.csv: m to mm\n');
    const failed = climatology(...names, ...monthly.with(-1, '1951-1952'));
    expect(failed.err).toMatch(/^note: 5 files, the first metres-2001.csv: m to mm\nerror: /);
  });

  it('warns of averages and quantiles that are not plausible, as of numbers that stand for missing values', () => {
    const { code, err } = climatology('codes.csv', ...monthly);
    expect(code).toBe(0);
    expect(err).toBe(
      'warning: codes.csv: precipitation of -28.6758 mm a day in 01 is not plausible (0 to 2000): are the units right, and are numbers such as -9999 missing values (--missing)?\n',
    );
  });

  it('writes a row for each period with exactly the documented columns', () => {
    const { code, out, err } = climatology('rain.csv', ...monthly);
    expect([code, err]).toEqual([0, '']);
    const lines = out.trimEnd().split('\n');
    expect(lines).toHaveLength(13);
    expect(lines[0]).toBe(HEADER);
    expect(lines[2]).toBe('precipitation,mm,,,02,2,56,56,56,56,56,56,56,56,1');
    expect(lines[7]).toBe('precipitation,mm,,,07,2,0,0,0,0,0,0,0,0,1');
  });

  it('gives days by default, and weeks', () => {
    const options = ['--variable', 'temp_mean', '--reference', '2001-2003', '--quantiles', '0.5', '--categories', '0'];
    const days = climatology('history.arrow', ...options)
      .out.trimEnd()
      .split('\n');
    expect(days[0]).toBe('variable,units,latitude,longitude,period,n_samples,mean,q50,degenerate');
    expect([days.length, days[1].split(',')[4], days[60].split(',')[4]]).toEqual([367, '01-01', '02-29']);
    expect(days[1].split(',')[5]).toBe(String(8 + 15 + 15));
    const narrow = climatology('history.arrow', ...options, '--half-width', '0').out.split('\n');
    expect(narrow[1].split(',')[5]).toBe('3');
    const weeks = climatology('history.arrow', ...options, '--granularity', 'weekly')
      .out.trimEnd()
      .split('\n');
    expect(weeks.slice(1).map((line) => line.split(',')[4])).toEqual(
      Array.from({ length: 53 }, (_, w) => `W${String(w + 1).padStart(2, '0')}`),
    );
  });

  it('joins the files of one history, in any order, so that weeks across two files are complete', () => {
    for (const granularity of ['daily', 'weekly', 'monthly']) {
      const options = ['--variable', 'precipitation', '--granularity', granularity, '--reference', '2001-2002'];
      const joined = climatology('second.csv', 'first.csv', ...options);
      expect([joined.code, joined.err]).toEqual([0, '']);
      expect(joined.out).toBe(climatology('rain.csv', ...options).out);
    }
  });

  it('names the day and the files if two files have the same day', () => {
    expect(climatology('first.csv', 'rain.csv', ...monthly)).toMatchObject({
      code: 1,
      err: 'error: rain.csv, row 1, column mm: a day that first.csv also has; received "2001-01-01"; allowed: each day in one table, as tables of one member are joined to one history; members of a run in one table\n',
    });
  });

  it('adds categories and thresholds as columns', () => {
    const { out } = climatology('rain.csv', ...monthly, '--categories', '4', '--threshold', '>50', '--quantiles', '1');
    const [header, january] = out.split('\n');
    expect(header).toBe('variable,units,latitude,longitude,period,n_samples,mean,q100,t25,t50,t75,p_gt_50,degenerate');
    expect(january).toBe('precipitation,mm,,,01,2,62,62,62,62,62,1,1');
  });

  it('writes files that are read as a climatology', async () => {
    for (const name of ['normal.arrow', 'normal.parquet', 'normal.csv']) {
      expect(climatology('rain.csv', ...monthly, '--out', name)).toEqual({ code: 0, out: '', err: '' });
      const { keys, limits, samples } = readClimatology(await readTable(readFileSync(join(folder, name))));
      expect([keys.length, limits.length, limits[0][1], samples[11]]).toEqual([12, 2, 56, 2]);
    }
  });

  it('prints an aligned table on request', () => {
    expect(climatology('rain.csv', ...monthly, '--format', 'table').out).toMatchSnapshot();
  });

  it('names missing years and the available days, and a remedy if there is one', () => {
    const years = (reference: string) =>
      climatology('rain.csv', '--variable', 'precipitation', '--reference', reference);
    const within = '--reference 2001-2002, within the days available, 2001-01-01 to 2002-12-31';
    expect(years('2000-2003')).toMatchObject({
      code: 1,
      err: `error: rain.csv: the reference 2000-2003 has years without a day; received "2000", "2003"; allowed: ${within}; or --fewer-years, to use the available years only\n`,
    });
    expect(years('1981-2000').err).toBe(
      `error: rain.csv: the reference 1981-2000 has years without a day; received "1981-2000"; allowed: ${within}\n`,
    );
  });

  it('accepts fewer years with --fewer-years, and warns which are missing', () => {
    const fewer = (...args: string[]) =>
      climatology('rain.csv', '--variable', 'precipitation', '--fewer-years', '--reference', ...args);
    const { code, out, err } = fewer('1999-2003');
    expect([code, out.split('\n').length]).toEqual([0, 368]);
    expect(err).toBe('warning: rain.csv: computed without the missing reference years 1999-2000, 2003\n');
    const caption = (reference: string) => fewer(reference, '--format', 'table').out.split('\n')[0];
    expect(caption('1999-2003')).toBe('precipitation (mm), daily, of 1999-2003, 3 years missing');
    expect(caption('2001-2003')).toBe('precipitation (mm), daily, of 2001-2003, 1 year missing');
    expect(fewer('2001-2002').err).toBe('');
  });

  it('says which periods have fewer samples than the others, as of the winter before the first year', () => {
    const seasons = ['--variable', 'precipitation', '--windows', 'seasons', '--reference', '2001-2002'];
    expect(climatology('rain.csv', ...seasons)).toMatchObject({
      code: 0,
      err: 'note: rain.csv: DJF (1) has fewer samples than the other periods (2)\n',
    });
    expect(climatology('rain.csv', ...monthly).err).toBe('');
  });

  it('exits 1 for option values that cannot be used, 2 for texts that are not values', () => {
    const days = ['--variable', 'precipitation', '--reference', '2001-2002'];
    expect(climatology('rain.csv', ...days, '--half-width', '200').err).toMatch('error: --half-width: not a number');
    expect(climatology('rain.csv', ...monthly, '--half-width', '7').err).toMatch(
      'error: --half-width: is for days and rolling windows, not for a monthly climatology; received 7',
    );
    expect(climatology('rain.csv', ...monthly, '--categories', '1').err).toMatch('error: --categories: not a number');
    expect(climatology('rain.csv', ...monthly, '--min-sample-share', '8').err).toMatch(
      'error: --min-sample-share: cannot be used; received 8; allowed: a number from 0 to 1',
    );
    expect(climatology('rain.csv', ...days.slice(0, 2), '--reference', '2002-2001').err).toMatch(
      'error: --reference: ends before it begins; received "2002-2001"',
    );
    expect(climatology('rain.csv', '--reference', '1993')).toMatchObject({
      code: 2,
      err: "error: option '--reference <years>' argument '1993' is invalid. Expected two years, such as 1993-2022.\n",
    });
    expect(climatology('rain.csv', ...monthly, '--out', 'rain.csv').err).toMatch('rain.csv: is also an input');
  });
});

describe('a table of several runs', () => {
  const starts = ['2001-11-01', '2002-11-01', '2003-11-01'];
  const rowsOf = (start: string) =>
    Array.from({ length: 60 }, (_, lead) => {
      const day = new Date(Date.parse(start) + lead * 86_400_000).toISOString().slice(0, 10);
      return [0, 1].map((member) => `${start},${day},${member},${Number(start.slice(3, 4)) + lead / 10 + member}`);
    }).flat();
  const head = 'init_time,date,member,temp_mean_degC\n';
  const files = folderWith({
    'all.csv': `${head}${starts.flatMap(rowsOf).join('\n')}\n`,
    'two-starts.csv': `${head}${[...starts, '2002-12-01'].flatMap(rowsOf).join('\n')}\n`,
    ...Object.fromEntries(starts.map((start) => [`${start}.csv`, `${head}${rowsOf(start).join('\n')}\n`])),
  });
  afterAll(files.remove);
  const options = ['--variable', 'temp_mean', '--granularity', 'monthly', '--reference', '2001-2003'];
  const of = (...inputs: string[]) => plumecast(['climatology', ...inputs, ...options], { cwd: files.folder });

  it('gives the bytes that a file for each run gives', () => {
    const { code, out, err } = of('all.csv');
    expect([code, err]).toEqual([0, '']);
    expect(out).toBe(of(...starts.map((start) => `${start}.csv`)).out);
    const november = out.split('\n').find((line) => line.includes(',11,'));
    // Two members of three runs: the mean of 30 days, of leads 0 to 29.
    const [samples, mean] = november?.split(',').slice(5, 7).map(Number) ?? [];
    expect([samples, mean]).toEqual([6, expect.closeTo(2 + 1.45 + 0.5, 12)]);
  });

  it('has a climatology whose start CSV files do not keep, which a warning says', () => {
    const { code, err } = of('all.csv', '--out', 'model.csv');
    expect([code, err]).toEqual([
      0,
      'warning: model.csv: csv does not keep the start of runs, 11-01: comparisons with it cannot check the lead; arrow, parquet and netcdf keep it\n',
    ]);
    expect(of('all.csv', '--out', 'model.arrow').err).toBe('');
  });

  it('is no series of days: other commands take one run', () => {
    for (const args of [
      ['stats', 'all.csv', '--granularity', 'monthly', '--partial'],
      ['convert', 'all.csv', 'all.arrow', '--units', 'degC'],
      ['plot', 'all.csv', '--out', 'all.svg'],
      ['ingest', '--store', 'store', '--seasonal', 'all.csv', '--at', '50,7'],
    ]) {
      const { code, err } = plumecast([...args, '--variable', 'temp_mean'], { cwd: files.folder });
      expect([args[0], code, err]).toEqual([
        args[0],
        1,
        expect.stringContaining(
          'all.csv, column init_time: holds several runs, which are no series; received "2001-11-01, 2002-11-01, 2003-11-01"; allowed: the rows of one run',
        ),
      ]);
    }
  });

  it('with starts of several days of the year is an error that lists them', () => {
    const { code, err } = of('two-starts.csv');
    expect(code).toBe(1);
    expect(err).toContain('11-01');
    expect(err).toContain('12-01');
    expect(err).toContain('--start');
  });
});
