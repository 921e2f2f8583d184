import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { folderWith, threeMembers } from './run-command.js';
import { plumecastHere } from './run-here.js';

const { folder, remove } = folderWith({ 'a.csv': threeMembers(14), 'b.csv': threeMembers(28) });
afterAll(remove);
const at = (name: string) => join(folder, name);
const RAIN = ['--variable', 'precipitation', '--units', 'mm'];

/** Each command that writes a file, given where to. */
const commands: [string, (out: string, ...more: string[]) => string[]][] = [
  ['stats', (out, ...more) => ['stats', at('a.csv'), ...RAIN, '--out', out, ...more]],
  ['climatology', (out, ...more) => ['climatology', at('a.csv'), ...RAIN, '--out', out, ...more]],
  ['blend', (out, ...more) => ['blend', at('a.csv'), at('b.csv'), ...RAIN, '--out', out, ...more]],
  ['convert', (out, ...more) => ['convert', at('a.csv'), out, ...more.map((arg) => arg.replace('--format', '--to'))]],
];

describe.each(commands)('plumecast %s', (name, command) => {
  it.each([
    ['x.docx', 'has the unknown ending .docx'],
    ['x.csv.', 'has the unknown ending .'],
    ['x.csv ', 'has the unknown ending .csv '],
    ['x', 'has no ending that selects the format'],
    ['.csv', 'has no ending that selects the format'],
    ['x.csv.gz', '.gz files are not written'],
    ['x.nc.ZST', '.zst files are not written'],
  ])('rejects the name %s before it reads anything', async (out, problem) => {
    const args = command(at(out)).map((arg) => arg.replace(/[ab]\.csv$/, 'no-such-file.csv'));
    const { code, err } = await plumecastHere(...(out === '.csv' ? command(at(out)) : args));
    expect([code, err]).toEqual([1, expect.stringContaining(`${at(out)}: ${problem}; allowed: .csv, .json, `)]);
    expect(err).toMatch(name === 'convert' ? 'or --to csv, json' : 'or --format csv, json');
    expect(existsSync(at(out))).toBe(false);
  });

  it('accepts endings in capitals, and any name with --format', async () => {
    if (name === 'climatology') return;
    expect(await plumecastHere(...command(at('x.CSV')))).toMatchObject({ code: 0, err: '' });
    expect(readFileSync(at('x.CSV'), 'utf8')).toMatch(/^[a-z_]+,/);
    expect(await plumecastHere(...command(at('x.PARQUET')))).toMatchObject({ code: 0, err: '' });
    expect(readFileSync(at('x.PARQUET')).subarray(0, 4).toString()).toBe('PAR1');
    expect(await plumecastHere(...command(at('x.data'), '--format', 'parquet'))).toMatchObject({ code: 0, err: '' });
    expect(readFileSync(at('x.data')).subarray(0, 4).toString()).toBe('PAR1');
    expect((await plumecastHere(...command(at('x.csv.gz'), '--format', 'csv'))).code).toBe(1);
  });

  it('notes that --format wins over an ending of another format', async () => {
    if (name === 'climatology') return;
    const { code, err } = await plumecastHere(...command(at('y.csv'), '--format', 'json'));
    const option = name === 'convert' ? '--to' : '--format';
    expect([code, err]).toEqual([0, `note: ${at('y.csv')}: written as json, because of ${option}\n`]);
    expect(readFileSync(at('y.csv'), 'utf8')).toMatch(/^\[/);
  });

  it('rejects a folder to write to', async () => {
    mkdirSync(at('folder.csv'), { recursive: true });
    const { code, err } = await plumecastHere(...command(at('folder.csv')));
    expect([code, err]).toEqual([1, expect.stringContaining('folder.csv: is a folder; allowed: the path of a file')]);
  });

  it('names an output whose folder does not exist, and leaves nothing', async () => {
    const before = readdirSync(folder);
    const { code, err } = await plumecastHere(...command(at('none/x.parquet')));
    expect([code, err]).toEqual([1, expect.stringContaining('none/x.parquet: cannot be written: there is no such')]);
    expect(readdirSync(folder)).toEqual(before);
  });
});

it('plumecast batch rejects a name with the ending of a format', async () => {
  const { code, err } = await plumecastHere('batch', at('a.csv'), ...RAIN, '--out', at('o'), '--name', '{input}.csv');
  expect([code, err]).toEqual([
    1,
    expect.stringContaining('--name: has the ending of a format; received "{input}.csv"'),
  ]);
  expect(existsSync(at('o'))).toBe(false);
});
