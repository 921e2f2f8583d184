import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { findInputs } from '../../src/batch/find-inputs.js';
import { folderWith } from '../cli/run-command.js';
import { put } from './many-inputs.js';

const { folder, remove } = folderWith({});
afterAll(remove);
for (const name of [
  'runs/b.csv',
  'runs/a.nc',
  'runs/notes.txt',
  'runs/.hidden.csv',
  'runs/2026/c.parquet',
  'runs/2026/deep/d[1].arrow',
  'runs/store.zarr/zarr.json',
  'runs/store.zarr/rain/c/0/0.csv',
  'runs/unnamed/.zgroup',
  'other/b.csv',
  'other/no ending',
  'none/readme.md',
])
  put(folder, name, 'x');

/** Inputs as path and name, and the faults. */
async function found(...given: string[]) {
  const faults: string[] = [];
  const at = (path: string) => path.replaceAll(`${folder}/`, '');
  const inputs = await findInputs(
    given.map((path) => `${folder}/${path}`),
    ({ message }) => faults.push(at(message)),
  );
  return { inputs: inputs.map(({ path, name }) => [at(path), name]), faults };
}

const ALL = [
  ['runs/2026/c.parquet', '2026/c'],
  ['runs/2026/deep/d[1].arrow', '2026/deep/d[1]'],
  ['runs/a.nc', 'a'],
  ['runs/b.csv', 'b'],
  ['runs/store.zarr', 'store'],
  ['runs/unnamed', 'unnamed'],
];

describe('findInputs', () => {
  it('finds the data files and Zarr stores of a folder at any depth, by name, but not hidden ones', async () => {
    expect(await found('runs')).toEqual({ inputs: ALL, faults: [] });
  });

  it('knows the ending of each, and that some have none', async () => {
    put(folder, 'endings/a.csv.gz', 'x');
    put(folder, 'endings/b.NC', 'x');
    put(folder, 'endings/c.grib2', 'x');
    put(folder, 'endings/d/.zgroup', 'x');
    const inputs = await findInputs([`${folder}/endings`], () => {});
    expect(inputs.map(({ name, ending }) => [name, ending])).toEqual([
      ['a', 'csv.gz'],
      ['b', 'NC'],
      ['c', 'grib2'],
      ['d', 'none'],
    ]);
  });

  it('finds each file once, in the order given, even if it is given several times', async () => {
    const { inputs, faults } = await found('runs/b.csv', './runs/../runs//b.csv', 'runs/', 'runs/store.zarr/');
    expect(inputs.map(([path]) => path)).toEqual([
      'runs/b.csv',
      ...ALL.map(([path]) => path).filter((path) => path !== 'runs/b.csv'),
    ]);
    expect(faults).toEqual([]);
  });

  it('accepts a file given by name with any ending, and a file whose name looks like a glob', async () => {
    expect((await found('other/no ending', 'runs/2026/deep/d[1].arrow')).inputs).toEqual([
      ['other/no ending', 'no ending'],
      ['runs/2026/deep/d[1].arrow', 'd[1]'],
    ]);
  });

  it.each([
    ['runs/*.{nc,csv}', ['a', 'b']],
    ['runs/**', ['2026/c', '2026/deep/d[1]', 'a', 'b', 'notes.txt', 'store', 'unnamed']],
    ['runs/*/*.parquet', ['2026/c']],
    ['*/b.csv', ['other/b', 'runs/b']],
    ['runs/{2026/c,b}.*', ['2026/c', 'b']],
  ])('expands the glob %s to %j', async (glob, names) => {
    const { inputs, faults } = await found(glob);
    expect(inputs.map(([, name]) => name)).toEqual(names);
    expect(faults).toEqual([]);
  });

  it('reports paths that do not exist, have no data, or cannot be read, and finds the rest', async () => {
    const { inputs, faults } = await found('none', 'nowhere.csv', 'none/*.csv', 'nowhere/*.csv', 'other/b.csv');
    expect(inputs).toEqual([['other/b.csv', 'b']]);
    expect(faults.map((fault) => fault.split(';')[0])).toEqual([
      'none: contains no file with the ending of a data file',
      'nowhere.csv: cannot be read: there is no such file or folder',
      'none/*.csv: no file matches this pattern',
      'nowhere: cannot be read: there is no such file or folder',
    ]);
    await expect(
      findInputs([join(folder, 'nowhere.csv')], (fault) => {
        throw fault;
      }),
    ).rejects.toThrow('nowhere.csv: cannot be read');
  });

  it('follows links, but not in a circle, and lists a link without a target as a file', async () => {
    mkdirSync(join(folder, 'links'));
    symlinkSync('../other', join(folder, 'links/other'));
    symlinkSync('../runs/a.nc', join(folder, 'links/link.nc'));
    symlinkSync('nowhere', join(folder, 'links/dangling.csv'));
    symlinkSync('.', join(folder, 'links/self'));
    symlinkSync('../runs/store.zarr', join(folder, 'links/zarr'));
    const { inputs, faults } = await found('links');
    expect(inputs.map(([, name]) => name)).toEqual(['dangling', 'link', 'other/b', 'zarr']);
    expect(faults).toEqual([expect.stringMatching('^links/self: is a link to a folder above it')]);
  });

  it('throws for pipes, which may never end', async () => {
    try {
      mkdirSync(join(folder, 'pipes'));
      execFileSync('mkfifo', [join(folder, 'pipes/pipe.csv')], { stdio: 'ignore' });
    } catch {
      return console.log('skipped: no pipes can be made here');
    }
    put(folder, 'pipes/a.csv', 'x');
    for (const given of ['pipes', 'pipes/*.csv', 'pipes/pipe.csv'])
      expect((await found(given)).faults).toEqual([expect.stringMatching('^pipes/pipe.csv: is a pipe')]);
    expect((await found('pipes')).inputs).toEqual([['pipes/a.csv', 'a']]);
  });

  it('does not find files that batches made, finished or not', async () => {
    const made = (output: string) => ({ output, bytes: 1, sha256: 'ab', rows: 1, request: 'cd', inputs: [] });
    const journal = `\n${JSON.stringify(made('late.csv'))}\n{"outp`;
    const manifest = { inputs: [], outputs: [made('made/1.csv')], others: [made('former.csv')] };
    put(folder, 'made/manifest.json', JSON.stringify(manifest));
    put(folder, 'made/.plumecast-batch/journal.jsonl', journal);
    for (const name of ['made/1.csv', 'late.csv', 'former.csv', 'own.csv', 'deep/own.csv'])
      put(folder, `made/${name}`, 'x');
    expect((await found('made')).inputs.map(([, name]) => name)).toEqual(['deep/own', 'own']);
    expect((await found('made/**')).inputs.map(([, name]) => name)).toEqual(['deep/own', 'own']);
    put(folder, 'foreign/manifest.json', '{"name": "my app"}');
    put(folder, 'foreign/a.csv', 'x');
    expect((await found('foreign')).inputs).toEqual([['foreign/a.csv', 'a']]);
  });
});
