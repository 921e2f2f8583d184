import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { folderWith, plumecast } from './run-command.js';

const rows = (name: string) =>
  `latitude,longitude,date,m0,m1\n50,7,2026-03-02,1,2\n`.replace('m0,m1', `${name}_m0,${name}_m1`);
const { folder, remove } = folderWith({ 'rain.csv': rows('precipitation'), 'temp.csv': rows('temp_mean') });
afterAll(remove);
const run = (...args: string[]) => plumecast(args, { cwd: folder });

describe('arguments that cannot be meant', () => {
  it.each([
    ['batch', 'rain.csv', '--out', 'gs://bucket/x'],
    ['stats', 'rain.csv', '--out', 'gs://bucket/x.csv'],
    ['convert', 'rain.csv', 'https://user:secret@host/x.nc'],
    ['batch', 'rain.csv', '--out', 'S3:/bucket/x'],
    ['worker', '--socket', 's3://bucket/x'],
  ])('an address as an output of %s is an error', (...args) => {
    const { code, err } = run(...args);
    expect([code, err]).toEqual([
      1,
      expect.stringMatching(/is an address(, and outputs are written to files| that outputs are not written to)/),
    ]);
    expect(err).not.toContain('secret');
    expect(readdirSync(folder).sort()).toEqual(['rain.csv', 'temp.csv']);
  });

  it('a bucket as the place of keys is an error that says where keys are', () => {
    const { code, err } = run('key', 'create', '--store', 's3://bucket', '--owner', 'x');
    const expected =
      'error: s3://bucket: has no keys: a bucket has the data alone; allowed: --store, a folder with keys.json, or --database\n';
    expect([code, err]).toEqual([1, expected]);
  });

  it('a placeholder in the folder of a batch is an error that names the option for it', () => {
    const { code, err } = run('batch', 'rain.csv', '--out', 'out/{variable}');
    const expected =
      'error: --out: has {variable}, and is one folder; received "out/{variable}"; ' +
      "allowed: --name '{variable}/{input}' for folders below it\n";
    expect([code, err]).toEqual([1, expected]);
  });

  it('--init is an error where no file holds arrays, in commands of several files, too', () => {
    const rejected =
      'rain.csv, --init: the file holds a table; received "banana"; allowed: --init for files of arrays only';
    for (const args of [
      ['blend', 'rain.csv', 'rain.csv', '--out', 'x.csv'],
      ['ingest', '--store', 'store', '--init-time', '2026-03-02T00:00:00Z', '--short-term', 'rain.csv'],
    ]) {
      expect(run(...args, '--init', 'banana')).toMatchObject({ code: 1, err: expect.stringContaining(rejected) });
    }
    expect(existsSync(join(folder, 'store'))).toBe(false);
  });

  it('{variable} in names is the variable of each file, and an error where that is not known', () => {
    const name = ['--name', '{variable}/{input}'];
    expect(run('batch', '.', '--out', 'out', ...name).code).toBe(0);
    expect(existsSync(join(folder, 'out/precipitation/rain.arrow'))).toBe(true);
    expect(existsSync(join(folder, 'out/temp_mean/temp.arrow'))).toBe(true);
    const { folder: other, remove: removeOther } = folderWith({ 'x.csv': 'date,a,b\n2026-03-02,1,2\n' });
    const { code, err } = plumecast(['batch', 'x.csv', '--out', 'out', ...name], { cwd: other });
    removeOther();
    expect([code, err]).toEqual([
      1,
      expect.stringContaining('--name: {variable} is not known of x.csv; allowed: a name'),
    ]);
  });

  it('commands that do not exist are errors, also with --help', () => {
    const allowed = /^error: unknown command 'nothing'; allowed: stats, batch, /;
    for (const args of [['nothing', '--help'], ['help', 'nothing'], ['nothing']]) {
      expect(run(...args)).toMatchObject({ code: 2, out: '', err: expect.stringMatching(allowed) });
    }
    expect(run('stat', '--help').err).toBe("error: unknown command 'stat'\n(Did you mean stats?)\n");
    expect(run('key', 'nothing', '--help')).toMatchObject({ code: 2, out: '' });
    expect(run('help', 'stats').code).toBe(0);
  });
});
