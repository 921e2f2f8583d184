import { copyFileSync, existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { tableToIPC } from 'apache-arrow';
import { afterAll, describe, expect, it } from 'vitest';
import { encodeTable } from '../../src/files/encode-tables.js';
import { folderWith, plumecast } from '../cli/run-command.js';
import { casePath } from '../reference/data-folder.js';
import { checksums } from './batch-process.js';
import { put, rain } from './many-inputs.js';

const { folder, remove } = folderWith({});
afterAll(remove);
const batch = (cwd: string, ...args: string[]) => plumecast(['batch', ...args, '--workers', '1'], { cwd });
const run = (cwd: string, ...args: string[]) => batch(cwd, ...args, '--variable', 'precipitation');
const outputs = (...steps: string[]) =>
  Object.keys(checksums(join(folder, ...steps))).filter((name) => name !== 'manifest.json');
const CASES = casePath('files');

describe('names of outputs', () => {
  it.skipIf(CASES === undefined)('have the variable of each input for {variable}, as in tables of people', () => {
    const own = join(folder, 'people');
    mkdirSync(own);
    for (const name of ['rain.csv', 'temp.csv']) copyFileSync(join(CASES as string, name), join(own, name));
    expect(batch(own, '.', '--name', '{variable}/{input}', '--out', '../people-out').code).toBe(0);
    expect(outputs('people-out')).toEqual(['precipitation/rain.arrow', 'temp_mean/temp.arrow']);
  });

  it.skipIf(CASES === undefined)('of `.` that is one input have the name of the folder, and are not hidden', () => {
    const runs = join(CASES as string, 'two-forecasts-in-a-folder');
    const out = join(folder, 'here-out');
    const request = ['--granularity', 'monthly', '--partial', '--init', '2026-03-02'];
    expect(batch(runs, '.', ...request, '--out', out).code).toBe(0);
    expect(outputs('here-out')).toEqual(['two-forecasts-in-a-folder.arrow']);
  });

  it('do not depend on the other inputs: each has the name and bytes that it has alone', async () => {
    const own = join(folder, 'neighbours');
    const paths = ['runs/a.csv', 'runs/b.arrow', 'runs/deep/a.csv', 'runs/deep/a.b.csv'];
    for (const [seed, path] of paths.entries())
      put(own, path, path.endsWith('csv') ? await encodeTable(rain(seed), 'csv') : tableToIPC(rain(seed), 'file'));
    const templates = ['{input}', '{variable}/{input}', '{input}_{ending}', '{ending}/{granularity}/{input}'];
    for (const [index, template] of templates.entries()) {
      const named = ['--name', template, '-q'];
      expect(run(own, 'runs', '--out', `all-${index}`, ...named).code).toBe(0);
      const all = checksums(join(own, `all-${index}`));
      expect(Object.keys(all)).toHaveLength(paths.length + 1);
      for (const [number, path] of paths.entries()) {
        const one = `one-${index}-${number}`;
        expect(run(own, `runs/**/${path.split('/').at(-1)}`, '--out', one, ...named).code).toBe(0);
        const { 'manifest.json': _, ...made } = checksums(join(own, one));
        expect(Object.keys(made).length).toBeGreaterThan(0);
        expect(all).toMatchObject(made);
      }
    }
  });

  it('tell inputs of one name apart by {ending}; without it the others are made where the batch is to continue', async () => {
    const own = join(folder, 'alike');
    put(own, 'a.csv', await encodeTable(rain(1), 'csv'));
    put(own, 'a.parquet', await encodeTable(rain(2), 'parquet'));
    put(own, 'b.csv', await encodeTable(rain(3), 'csv'));
    const stopped = run(own, '.', '--out', '../alike-out');
    expect([stopped.code, existsSync(join(folder, 'alike-out'))]).toEqual([1, false]);
    expect(stopped.err).toBe(
      "error: --name: two inputs would both become a.arrow: a.csv, a.parquet; allowed: {ending} in the name, such as --name '{input}_{ending}'; or --name all to write all results to one file\n",
    );
    const { code, err } = run(own, '.', '--out', '../alike-out', '--on-error', 'continue');
    expect([code, err]).toEqual([3, expect.stringContaining('error: a.arrow: --name: two inputs would both become')]);
    expect(err).toMatch(/alike-out: 1 made, 1 failed/);
    expect(outputs('alike-out')).toEqual(['b.arrow']);
    expect(run(own, '.', '--out', '../alike-by-ending', '--name', '{input}_{ending}', '-q').code).toBe(0);
    expect(outputs('alike-by-ending')).toEqual(['a_csv.arrow', 'a_parquet.arrow', 'b_csv.arrow']);
  });
});

describe('--inputs-from', () => {
  it('takes empty lines and comments, which begin with #, and is an error where it lists nothing', async () => {
    for (const seed of [1, 2, 3]) put(folder, `listed/${seed}.csv`, await encodeTable(rain(seed), 'csv'));
    put(folder, 'listed/#4.csv', await encodeTable(rain(4), 'csv'));
    const list = '# runs of today\r\n\n  \nlisted/1.csv\r\n#listed/2.csv\nlisted/3.csv\nlisted/#4.csv';
    put(folder, 'list.txt', list);
    expect(run(folder, '--inputs-from', 'list.txt', '--out', 'from-list', '-q').code).toBe(0);
    expect(outputs('from-list')).toEqual(['#4.arrow', '1.arrow', '3.arrow']);
    put(folder, 'none.txt', '# nothing today\n\n');
    expect(run(folder, '--inputs-from', 'none.txt', '--out', 'from-none')).toMatchObject({
      code: 1,
      err: 'error: none.txt: lists no inputs; allowed: a file, folder or glob a line; lines that begin with # are comments\n',
    });
  });
});
