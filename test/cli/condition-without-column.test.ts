import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { folderWith } from './run-command.js';
import { plumecastHere } from './run-here.js';

const { folder, remove } = folderWith({
  'snow.csv': ['date,member,snow_depth', '2026-03-02,1,20', '2026-03-02,2,40'].join('\n'),
  'two.csv': ['date,member,precipitation,temp_mean', '2026-03-02,1,20,-1', '2026-03-02,2,40,1'].join('\n'),
  'history.csv': ['date,precip_mm,t2m_degC', '2026-03-02,20,-1', '2026-03-03,2,-1'].join('\n'),
  'list.csv': [
    'name,start,end',
    ...'abcd'.split('').map((name, k) => `${name},2030-0${k + 1}-01,2030-0${k + 2}-0${k + 1}`),
  ].join('\n'),
});
afterAll(remove);

const stats = (name: string, ...args: string[]) =>
  plumecastHere('stats', join(folder, name), '--format', 'csv', ...args);

it('a condition on several variables is an error where a table has no column of one of them', async () => {
  const own = ['--window', 'max', '--threshold', 'snow_depth>30 and foo>10'];
  expect(await stats('snow.csv', ...own)).toMatchObject({
    code: 1,
    err: expect.stringMatching(/no file has foo; received .*snow\.csv"?; allowed: snow_depth$/m),
  });
  expect(await stats('two.csv', '--threshold', 'wind_speed>3 or temp_mean<0')).toMatchObject({
    code: 1,
    err: expect.stringMatching(/no file has wind_speed; received .*; allowed: precipitation, temp_mean$/m),
  });
});

it('a condition on several variables is an error where one column is said to have the values', async () => {
  const args = ['--columns', 'value=precipitation', '--threshold', 'precipitation>30 and temp_mean<50'];
  expect(await stats('two.csv', ...args)).toMatchObject({
    code: 1,
    err: expect.stringContaining('has one column of values, and the condition has several variables'),
  });
});

it.each(['snow>5', 'snow>5 or temp_mean<0'])(
  'a variable of %s that nobody knows is one of the condition',
  async (text) => {
    expect(await stats('two.csv', '--threshold', text)).toMatchObject({
      code: 1,
      err: expect.stringMatching(
        /^error: --threshold: a condition is on a variable that is not known; received "snow"; allowed: temp_mean,/,
      ),
    });
    expect((await stats('two.csv', '--threshold', 'temp>5')).err).toMatch(
      /variable that may be one of several variables/,
    );
  },
);

it('a list without a complete window is named by its file and its windows', async () => {
  const list = join(folder, 'list.csv');
  const windows = (complete: string) =>
    `two.csv: no ${complete}window of ${list} (a, b, c and 1 more, within 2030-01-01 to 2030-05-04); allowed: windows within`;
  const one = ['two.csv', '--variable', 'precipitation', '--windows', list] as const;
  expect((await stats(...one)).err).toContain(windows('complete '));
  expect((await stats(...one, '--partial')).err).toContain(windows(''));
  const joint = await stats('two.csv', '--threshold', 'rain>30 and temp_mean<2', '--windows', list);
  expect(joint.err).toContain(windows('complete '));
});

it('the variables of a history have one member each, whatever their columns are called', async () => {
  const { code, out } = await stats('history.csv', '--threshold', 'precipitation>10 and temp_mean<1');
  expect(code).toBe(0);
  expect(
    out
      .trim()
      .split('\n')
      .slice(1)
      .map((row) => row.split(',').at(-1)),
  ).toEqual(['1', '0']);
});

it('conditions that are given twice have one column', async () => {
  const twice = ['rain>30 and temp_mean<2', 'rain > 30 AND temp_mean<2.0'].flatMap((text) => ['--threshold', text]);
  const { out } = await stats('two.csv', ...twice);
  expect(out).toMatch(/,n_members,p_rain_gt_30_and_temp_mean_lt_2$/m);
});

it('columns of a condition have the names that variables have', async () => {
  const { code, out } = await stats('two.csv', '--threshold', 'rain>30 and temp_mean<2');
  expect(code).toBe(0);
  expect(out.trim().split('\n').at(-1)).toMatch(/,0\.5$/);
});

it('a rule makes any name that of a variable, of days, too', async () => {
  for (const args of [['--variable', 'snow_depth'], []]) {
    const { code, out } = await stats('snow.csv', '--window', 'max', '--threshold', 'snow_depth>30', ...args);
    expect(code).toBe(0);
    expect(out.trim().split('\n')[1]).toMatch(/^snow_depth,.*,0\.5$/);
  }
  const { err } = await stats('two.csv', '--variable', 'temp_mean', '--window', 'max');
  expect(err).toContain('--window: is for windows of several days');
});
