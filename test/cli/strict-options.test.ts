import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { version } from '../../package.json';
import { folderWith, threeMembers } from './run-command.js';
import { plumecastHere } from './run-here.js';

const { folder, remove } = folderWith({ 'a.csv': threeMembers(14) });
afterAll(remove);
const at = (name: string) => join(folder, name);
const stats = (...args: string[]) => plumecastHere('stats', at('a.csv'), ...args);

describe('--version', () => {
  it('of the program is printed', async () => {
    for (const flag of ['--version', '-V'])
      expect(await plumecastHere(flag)).toMatchObject({ code: 0, out: `${version}\n`, err: '' });
  });

  it.each([
    [['ingest', '--store', 's', '--short-term', 'a.csv', '--version', 'v1'], '(Did you mean --model-version?)'],
    [['ingest', '--version', 'v1', '--store', 's'], '(Did you mean --model-version?)'],
    [['stats', 'a.csv', '--version'], "unknown option '--version'"],
    [['stats', '-V'], "unknown option '-V'"],
    [['batch', 'runs', '--out', 'x', '-V'], "unknown option '-V'"],
    [['key', '--version'], "unknown option '--version'"],
    [['key', 'create', '--store', 's', '--owner', 'o', '--version', 'x'], "unknown option '--version'"],
    [['--unknown', 'ingest', '--version', 'v1'], "unknown option '--unknown'"],
    [['--unknown', '--version'], "unknown option '--unknown'"],
  ])('after a command belongs to the command: %j', async (args, message) => {
    const { code, out, err } = await plumecastHere(...args);
    expect([code, out]).toEqual([2, '']);
    expect(err).toContain(message);
  });
});

describe('options about archives', () => {
  it.each([
    ['--run', '2026-03-01'],
    ['--runs', '4'],
    ['--lead-hours', '48'],
    ['--mirror', 'https://example.org/'],
  ])('%s is an error where no input is an archive', async (flag, value) => {
    const { code, out, err } = await stats(flag, value, '--variable', 'precipitation');
    expect([code, out]).toEqual([1, '']);
    expect(err).toContain(`${flag}: is for archives, and no input is one; received`);
  });
});

describe('options', () => {
  it.each([
    [['--out', '--format', 'csv'], "'-o, --out <path>' argument missing, as '--format' is an option"],
    [['--variable', '--quantils', '0.5'], "'-v, --variable <slug>' argument missing, as '--quantils' is an option"],
    [['--columns', '-h'], 'Expected ROLE=NAME'],
    [['--out', '--', 'x.csv'], "argument missing, as '--' is an option"],
    [['--variable', ''], "'-v, --variable <slug>' argument is empty"],
    [['--out', ' '], "'-o, --out <path>' argument is empty"],
    [['--units', ''], "'--units <units>' argument is empty"],
    [['--quantiles', ','], '"" is not a plain decimal'],
    [['--quantiles', '0.1,'], '"" is not a plain decimal'],
    [['--quantiles', ''], '"" is not a plain decimal'],
    [
      ['--variable', 'temp_mean,precipitation'],
      'Expected one variable; plumecast plot and plumecast batch take several.',
    ],
    [['--min-member-share', '0x1'], 'Expected a number'],
    [['--min-member-share', '9'.repeat(400)], 'Expected a number'],
    [['--point', '1,2,3'], 'Expected LAT,LON'],
    [['--variable', 'precipitation', '--variable', 'temp_mean'], "given twice, as 'precipitation' and 'temp_mean'"],
    [['--quantiles', '0.1', '--quantiles', '0.9'], "given twice, as '0.1' and '0.9'"],
    [['--columns', 'date=a', '--columns', 'date=b'], 'date is a already'],
    [['--min-member'], '(Did you mean --min-member-share?)'],
    [['--quantile', '0.5'], '(Did you mean --quantiles?)'],
  ])('%j are not understood', async (args, message) => {
    const { code, out, err } = await stats(...args);
    expect([code, out]).toEqual([2, '']);
    expect(err).toContain(message);
  });

  it.each([
    [['blend'], '--windows', 'plumecast stats TIMELINE --windows'],
    [['blend'], '--days', 'plumecast stats TIMELINE --days'],
    [['ingest', '--store', 's'], '--excess', 'plumecast stats FILE --excess'],
  ])('of statistics name the command that takes them: %j %s', async (command, flag, message) => {
    const { code, out, err } = await plumecastHere(...command, at('a.csv'), flag, '>1');
    expect([code, out]).toEqual([2, '']);
    expect(err).toContain(`unknown option '${flag}'`);
    expect(err).toContain(message);
  });

  it('may be repeated with the same value, or with values that add up', async () => {
    const rain = ['--variable', 'precipitation', '--units', 'mm'];
    expect(await stats(...rain, ...rain)).toMatchObject({ code: 0, err: '' });
    const { code, out } = await stats(...rain, '--threshold', '>2', '--threshold', '<1', '--columns', 'date=date');
    expect([code, out.split('\n')[0]]).toEqual([0, expect.stringContaining('p_gt_2,p_lt_1')]);
  });

  it('end at --', async () => {
    const { code, err } = await plumecastHere('stats', '--variable', 'precipitation', '--', '--format');
    expect([code, err]).toEqual([1, expect.stringContaining('--format: cannot be read: there is no such file')]);
  });

  it.each([
    ['batch', 'runs', '--out', 'x', '--workers', '0x10'],
    ['batch', 'runs', '--out', 'x', '--variable', 'precipitation,'],
    ['batch', 'runs', '--out', 'x', '--variable', 'precipitation', '--variable', 'temp_mean'],
    ['batch', '', '--out', 'x'],
    ['blend', 'a.csv', 'b.csv', '--names', 'a,,b'],
    ['stats', ''],
    ['convert', 'a.csv', ''],
    ['location', 'add', '--store', 's', '--id', 'x', '--latitude', '1e1', '--longitude', '0'],
  ])('%s %s %s %s %s %s are not understood', async (...args) => {
    expect(await plumecastHere(...args)).toMatchObject({ code: 2, out: '' });
    expect(existsSync('x')).toBe(false);
  });
});
