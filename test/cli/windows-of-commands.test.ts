import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { folderWith } from './run-command.js';
import { plumecastHere } from './run-here.js';

/** Daily values of members from a day on, which look random and are not. */
function csv(first: string, days: number, members: readonly string[], seed: number, scale = 1): string {
  const from = Date.parse(first);
  const rows = Array.from({ length: days }, (_, d) => {
    const values = members.map((_, m) =>
      (scale * Math.max(0, ((d * 7919 + m * 104_729 + seed * 31) % 997) / 40 - 5)).toFixed(2),
    );
    return [new Date(from + d * 86_400_000).toISOString().slice(0, 10), ...values].join(',');
  });
  return `${['date', ...members].join(',')}\n${rows.join('\n')}\n`;
}

const members = ['member_00', 'member_01', 'member_02', 'member_03', 'member_04'];
const { folder, remove } = folderWith({
  'history.csv': csv('1990-01-01', 11 * 365 + 3, ['value'], 3),
  'warm.csv': csv('1990-01-01', 11 * 365 + 3, ['value'], 11, 0.5),
  'rain.csv': csv('2003-11-28', 200, members, 5),
  'temp.csv': csv('2003-11-28', 200, members, 9, 0.5),
  'rain-a.csv': csv('2003-11-28', 100, members, 5),
  'list.csv': 'name,start,end\nsowing,2003-12-01,2003-12-20\nafter,2003-12-10,2004-01-15\n',
});
afterAll(remove);
const at = (name: string) => join(folder, name);
const RAIN = ['--variable', 'precipitation', '--units', 'mm'];

async function rows(...args: string[]): Promise<Record<string, string>[]> {
  const { code, out, err } = await plumecastHere(...args, '--format', 'csv');
  expect([code, code === 0 ? '' : err]).toEqual([0, '']);
  const [head, ...lines] = out.trimEnd().split('\n');
  return lines.map((line) => {
    const cells = line.split(',');
    return Object.fromEntries(head.split(',').map((name, i) => [name, cells[i]]));
  });
}

async function climatology(history: string, out: string, variable: string, ...args: string[]) {
  const options = ['--variable', variable, '--units', variable === 'precipitation' ? 'mm' : 'degC'];
  const { code, err } = await plumecastHere(
    ...['climatology', at(history), ...options, '--reference', '1991-2000', '--quantiles', '0.1,0.9'],
    ...['--out', at(out), ...args],
  );
  expect([code, code === 0 ? '' : err]).toEqual([0, '']);
}

describe('windows of a climatology', () => {
  it.each(['arrow', 'csv', 'nc'])('are compared with, from %s', async (ending) => {
    await climatology('history.csv', `seasons.${ending}`, 'precipitation', '--windows', 'seasons');
    const found = await rows(
      'stats',
      at('rain.csv'),
      ...RAIN,
      '--windows',
      'DJF,MAM',
      '--climatology',
      at(`seasons.${ending}`),
    );
    expect(found.map(({ period }) => period)).toEqual(['2004-DJF', '2004-MAM']);
    for (const row of found) {
      const shares = [row.p_below, row.p_normal, row.p_above].map(Number);
      expect(shares[0] + shares[1] + shares[2]).toBeCloseTo(1, 9);
    }
  });

  it('are those of the forecast, where none are requested', async () => {
    await climatology('history.csv', 'dekads.arrow', 'precipitation', '--windows', 'dekads', '--days', '>10');
    const found = await rows(
      'stats',
      at('rain.csv'),
      ...RAIN,
      '--days',
      '>10',
      '--climatology',
      at('dekads.arrow'),
      '--threshold',
      '>q90',
    );
    expect(found[0]).toMatchObject({ period: '2003-D34', units: 'd' });
    expect(Object.keys(found[0])).toContain('p_gt_clim_q90');
  });

  it('that are no windows of a year are errors', async () => {
    const { code, err } = await plumecastHere('climatology', at('history.csv'), ...RAIN, '--windows', 'days 1-7');
    expect(code).not.toBe(0);
    expect(err).toMatch(/^error: --windows: do not recur in each year; received "days 1-7"; allowed: .*"rolling 7"/);
  });

  it('have a measure of their own in comparisons', async () => {
    await climatology('history.csv', 'sums.arrow', 'precipitation', '--windows', 'seasons');
    const args = [
      'stats',
      at('rain.csv'),
      ...RAIN,
      '--windows',
      'seasons',
      '--days',
      '>10',
      '--climatology',
      at('sums.arrow'),
    ];
    const { err } = await plumecastHere(...args);
    expect(err).toMatch(/its units are not those of the climatology; received "d"; allowed: mm/);
  });
});

describe('quantiles of climatologies of several variables', () => {
  const SEVERAL = ['precipitation>q90 and temp_mean<q90', 'precipitation>q10 or temp_mean>2'];

  /** A file that states its variable, with a row for each day. */
  function stated(name: string, variable: string, units: string): string {
    const [, ...lines] = readFileSync(at(name), 'utf8').trimEnd().split('\n');
    const rows = lines.map((line) => `${variable},${units},${line}`);
    writeFileSync(at(`${variable}.csv`), `${[`variable,units,date,${members.join(',')}`, ...rows].join('\n')}\n`);
    return at(`${variable}.csv`);
  }

  /** Values of a member in seven days that end on a day. */
  function window(name: string, member: number, end: string, mean: boolean): number {
    const lines = readFileSync(at(name), 'utf8').trimEnd().split('\n');
    const row = lines.findIndex((line) => line.startsWith(end));
    const values = lines.slice(row - 6, row + 1).map((line) => Number(line.split(',')[member + 1]));
    return values.reduce((sum, value) => sum + value, 0) / (mean ? 7 : 1);
  }

  it('are each of its own, by place and time of the year', async () => {
    for (const ending of ['arrow', 'csv']) {
      const rolling = ['--windows', 'rolling 7', '--half-width', '0'];
      await climatology('history.csv', `rain7.${ending}`, 'precipitation', ...rolling);
      await climatology('warm.csv', `temp7.${ending}`, 'temp_mean', ...rolling);
    }
    const files = [stated('rain.csv', 'precipitation', 'mm'), stated('temp.csv', 'temp_mean', 'degC')];
    const found = await rows(
      ...['stats', ...files, '--windows', 'days 1-7,50-56,60-66', ...SEVERAL.flatMap((text) => ['--threshold', text])],
      ...['--climatology', `${at('rain7.arrow')},${at('temp7.arrow')}`],
    );
    expect(found).toHaveLength(3);
    const limit = (name: string, end: string, column: string): number => {
      const [head, ...lines] = readFileSync(at(name), 'utf8').trimEnd().split('\n');
      const line = lines.find((each) => each.includes(`P7D/${end.slice(5)}`)) as string;
      return Number(line.split(',')[head.split(',').indexOf(column)]);
    };
    const shares = found.map(({ end }) => {
      const both = members.map((_, m) => [window('rain.csv', m, end, false), window('temp.csv', m, end, true)]);
      const [q10, q90, warm] = [
        limit('rain7.csv', end, 'q10'),
        limit('rain7.csv', end, 'q90'),
        limit('temp7.csv', end, 'q90'),
      ];
      return [
        both.filter(([rain, temp]) => rain > q90 && temp < warm).length / 5,
        both.filter(([rain, temp]) => rain > q10 || temp > 2).length / 5,
      ];
    });
    const columns = Object.keys(found[0]).filter((name) => name.startsWith('p_'));
    expect(found.map((row) => columns.map((name) => Number(row[name])))).toEqual(shares);
    expect(new Set(shares.flat()).size).toBeGreaterThan(1);
  });

  it('that are not there are errors', async () => {
    const files = [stated('rain.csv', 'precipitation', 'mm'), stated('temp.csv', 'temp_mean', 'degC')];
    const args = ['stats', ...files, '--windows', 'days 1-7', '--threshold', SEVERAL[0]];
    expect((await plumecastHere(...args)).err).toContain(
      'quantiles in conditions, such as >q90, need --climatology FILE',
    );
    const one = await plumecastHere(...args, '--climatology', at('rain7.arrow'));
    expect(one.err).toContain('none of temp_mean, with which a condition compares; received "precipitation"');
    const idle = ['stats', ...files, '--windows', 'days 1-7', '--threshold', 'precipitation>1 and temp_mean<2'];
    expect((await plumecastHere(...idle, '--climatology', at('rain7.arrow'))).err).toContain(
      '--climatology is for quantiles in them',
    );
  });
});

describe('results of windows in files of arrays', () => {
  it.each([
    ['seasons', '2004-DJF,2004-MAM'],
    ['rolling 150', undefined],
    ['days 1-7,3-9,8-14', 'd001-007,d003-009,d008-014'],
    ['days 8-14,15-21', 'd008-014,d015-021'],
    ['all', 'all'],
    ['list.csv', 'sowing,after'],
  ])('keep the periods of %s', async (windows, periods) => {
    const which = windows.endsWith('.csv') ? at(windows) : windows;
    const args = ['stats', at('rain.csv'), ...RAIN, '--windows', which, '--days', '>10'];
    const expected = await rows(...args);
    if (periods !== undefined) expect(expected.map(({ period }) => period).join()).toBe(periods);
    const { code, err } = await plumecastHere(...args, '--out', at('results.nc'));
    expect([code, err]).toEqual([0, '']);
    const { out, err: problem } = await plumecastHere('convert', at('results.nc'), '-', '--to', 'csv');
    expect(problem).toBe('');
    const [head, ...lines] = out.trimEnd().split('\n');
    const column = (name: string) => lines.map((line) => line.split(',')[head.split(',').indexOf(name)]);
    for (const name of ['period', 'start', 'end', 'n_days'])
      expect(column(name), name).toEqual(expected.map((row) => row[name]));
  });
});

describe('pictures of windows', () => {
  const plot = (...args: string[]) => plumecastHere('plot', at('rain.csv'), ...RAIN, ...args);

  it.each([
    [['--windows', 'seasons'], 'precipitation (mm), sums of seasons'],
    [['--windows', 'rolling 7'], 'precipitation (mm), sums of 7 days'],
    [['--windows', 'days 1-7,3-9,8-14'], 'precipitation (mm), sums of days 1-7,3-9,8-14'],
    [['--windows', 'dekads', '--days', '>10'], 'precipitation (d), dekads, days above 10'],
    [['--granularity', 'weekly', '--window', 'max'], 'precipitation (mm), weekly maxima'],
  ])('%j say which', async (flags, label) => {
    const { code, err } = await plot(...flags, '--out', at('windows.svg'));
    expect([code, err]).toEqual([0, '']);
    const svg = readFileSync(at('windows.svg'), 'utf8');
    expect(svg).toContain(label);
    expect(svg).not.toContain('NaN');
  });

  it('have the climatology of the same windows behind', async () => {
    await climatology('history.csv', 'roll.arrow', 'precipitation', '--windows', 'rolling 7');
    for (const windows of ['rolling 7', 'days 1-7,8-14']) {
      const args = ['--windows', windows, '--climatology', at('roll.arrow'), '--out', at('climate.svg')];
      const { code, err } = await plot(...args);
      expect([code, err]).toEqual([0, '']);
      const svg = readFileSync(at('climate.svg'), 'utf8');
      expect(svg).toMatch(/class="climate"/);
      expect(svg).toMatch(/class="[^"]*wet-below"/);
    }
    const { err } = await plot('--windows', 'days 1-8', '--climatology', at('roll.arrow'));
    expect(err).toContain('days 1-8 sums and the rolling 7 sums of the climatology have no common scale');
  });

  it('mark the limits of conditions, and nothing that is no number', async () => {
    const { out } = await plot('--windows', 'seasons', '--threshold', '5..20 or >80', '--format', 'text');
    for (const limit of ['╌ 5 mm', '╌ 20 mm', '╌ 80 mm']) expect(out).toContain(limit);
    expect((await plot('--threshold', '>q90')).err).toContain('a line needs a number');
  });
});

describe('what people read of windows', () => {
  it.each([
    ['sums of windows', ['--windows', at('list.csv')]],
    ['weekly, days below 5', ['--granularity', 'weekly', '--days', '<5']],
    ['seasons, longest spell of at least 1', ['--windows', 'seasons', '--spell', '>=1']],
    ['weekly maxima', ['--granularity', 'weekly', '--window', 'max']],
  ])('the caption of a table says %s', async (words, options) => {
    const { code, out } = await plumecastHere('stats', at('rain.csv'), ...RAIN, ...options, '--format', 'table');
    expect([code, out.split('\n')[0]]).toEqual([0, expect.stringMatching(new RegExp(`, ${words}$`))]);
  });

  it('the error of --array names the option for columns of tables', async () => {
    const { err } = await plumecastHere('stats', at('rain.csv'), '--array', 'nao', '--window', 'mean');
    expect(err).toContain('allowed: --array for files of arrays only; a column of a table, by --variable');
  });
});

describe('what is wrong with windows', () => {
  const failure = async (...args: string[]) => (await plumecastHere('stats', at('rain.csv'), ...RAIN, ...args)).err;

  it.each([
    ['empty', '2003-12-20,2003-12-01,a', 'a is empty; received "2003-12-20 to 2003-12-01"'],
    ['unnamed', '2003-12-01,2003-12-20,', 'window 1 has no name; received ""'],
    ['twice', '2003-12-01,2003-12-20,a\n2003-12-02,2003-12-20,a', 'has a window twice; received "a"'],
  ])('is told of their file: %s', async (name, lines, problem) => {
    const path = at(`${name}.csv`);
    writeFileSync(path, `start,end,name\n${lines}\n`);
    expect(await failure('--windows', path)).toBe(
      `error: ${path}: ${problem}; allowed: a table of windows: name, start, end; each name and each span of days once\n`,
    );
  });

  it('is told of --windows, where the climatology has others', async () => {
    await plumecastHere(
      ...['climatology', at('history.csv'), ...RAIN, '--windows', 'seasons', '--reference', '1991-2000'],
      ...['--out', at('seasons-told.arrow')],
    );
    expect(await failure('--windows', 'dekads', '--climatology', at('seasons-told.arrow'))).toMatch(
      /^error: --windows: not that of the climatology; received "dekads"; allowed: seasons/,
    );
  });

  it('quantiles in conditions need a climatology', async () => {
    expect(await failure('--windows', 'dekads', '--threshold', '>q90')).toBe(
      'error: quantiles in conditions, such as >q90, need --climatology FILE\n',
    );
  });

  it('counted days are in days', async () => {
    const [row] = await rows('stats', at('rain.csv'), ...RAIN, '--windows', 'dekads', '--window', 'count');
    expect([row.units, row.mean]).toEqual(['d', row.n_days]);
  });
});
