import { existsSync, mkdirSync } from 'node:fs';
import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { readTable } from '../../src/files/index.js';
import { folderWith, plumecast, threeMembers } from './run-command.js';
import { plumecastHere } from './run-here.js';

const { folder, remove } = folderWith({
  'a.csv': threeMembers(7),
  'b.csv': threeMembers(7),
  'b[1].csv': threeMembers(7),
});
mkdirSync(join(folder, 'empty'));
afterAll(remove);
const at = (name: string) => join(folder, name);
const weekly = ['-v', 'precipitation', '--units', 'mm', '--granularity', 'weekly', '--quantiles', '0.5'];
const stats = (...args: string[]) => plumecastHere('stats', ...args);
const sources = (out: string) =>
  out
    .trimEnd()
    .split('\n')
    .slice(1)
    .map((line) => line.split(',')[0]);

describe('several inputs of stats', () => {
  it('have a first column that names the file of each row; a single input has none', async () => {
    const { out } = await stats(at('a.csv'), at('b.csv'), ...weekly);
    expect(out.split('\n')[0]).toMatch(/^source,variable,units,latitude,/);
    expect(sources(out)).toEqual([at('a.csv'), at('b.csv')]);
    expect((await stats(at('a.csv'), ...weekly)).out).toMatch(/^variable,/);
  });

  it.each(['arrow', 'arrow-stream', 'parquet'])('have this column in %s', async (format) => {
    const out = at(`out.${format}`);
    const { code, err } = await stats(at('a.csv'), at('b.csv'), ...weekly, '--format', format, '-o', out);
    expect([code, err]).toEqual([0, '']);
    const table = await readTable(new Uint8Array(await readFile(out)));
    expect(table.schema.names[0]).toBe('source');
    expect([...(table.getChild('source') ?? [])].map(String)).toEqual([at('a.csv'), at('b.csv')]);
  });

  it('have this column in JSON and in tables for reading', async () => {
    const json = JSON.parse((await stats(at('a.csv'), at('b.csv'), ...weekly, '--format', 'json')).out);
    expect(json.map(({ source }: { source: string }) => source)).toEqual([at('a.csv'), at('b.csv')]);
    const { out } = await stats(at('a.csv'), at('b.csv'), ...weekly, '--format', 'table');
    expect(out.split('\n')[1]).toMatch(/^source +period/);
  });

  it('are an error where their days are of different zones', async () => {
    const value = ['-v', 'precipitation', '--units', 'mm'];
    const berlin = join(folder, 'zones', 'berlin.arrow');
    mkdirSync(join(folder, 'zones'));
    const converted = await plumecastHere('convert', at('a.csv'), berlin, ...value, '--time-zone', 'Europe/Berlin');
    expect(converted.code).toBe(0);
    expect(sources((await stats(berlin, berlin, ...weekly)).out)).toEqual([berlin, berlin]);
    const { code, err } = await stats(at('b.csv'), berlin, ...weekly, '-o', at('mixed.arrow'));
    expect(code).toBe(1);
    expect(err).toContain(
      `${berlin}: another zone of its days; received "days of Europe/Berlin"; allowed: days of UTC`,
    );
    expect(existsSync(at('mixed.arrow'))).toBe(false);
  });

  it('may be a glob in quotes, for files by name', async () => {
    expect(sources((await stats(at('*.csv'), ...weekly)).out)).toEqual(['a.csv', 'b.csv', 'b[1].csv'].map(at));
    expect(sources((await stats(at('{a,b}.csv'), ...weekly)).out)).toEqual(['a.csv', 'b.csv'].map(at));
  });

  it('are the file itself if an existing name looks like a glob', async () => {
    const { code, out } = await stats(at('b[1].csv'), at('a.csv'), ...weekly);
    expect([code, sources(out)]).toEqual([0, [at('b[1].csv'), at('a.csv')]]);
  });

  it.each(['*.nc', 'nowhere/*.csv'])('%s is an error if no file matches', async (pattern) => {
    const { code, err } = await stats(at(pattern), ...weekly);
    expect(code).toBe(1);
    expect(err).toBe(
      `error: ${at(pattern)}: no file matches this pattern; allowed: a pattern such as "runs/*.nc", in quotes, that files match\n`,
    );
  });
});

describe('a folder of files', () => {
  it('is so, too, where the program has that command alone', () => {
    const { err } = plumecast(['stats', folder, '--variable', 'precipitation', '--out', 'x.csv']);
    expect(err).toContain(`plumecast batch ${folder} --variable precipitation --out results`);
  });

  it.each([
    ['stats', [...weekly, '--out', 'x.csv'], ' -v precipitation --units mm --granularity weekly --quantiles 0.5'],
    ['inspect', ['--units', 'kg m-2 s-1', '--json'], " --units 'kg m-2 s-1'"],
    ['convert', ['x.csv', '--variable=precipitation'], ' --variable=precipitation'],
    ['climatology', ['--variable', 'precipitation'], ' --variable precipitation'],
  ])('given to %s is an error that names the command for folders', async (command, args, kept) => {
    const { code, err } = await plumecastHere(command, folder, ...args);
    expect(code).toBe(1);
    expect(err).toBe(
      `error: ${folder}: is a folder of files, not a Zarr store; allowed: files in it, such as '${folder}/*.csv'; or statistics of all at once: plumecast batch ${folder}${kept} --out results\n`,
    );
  });

  it('is accepted if it is a Zarr store, but not as a place for output', async () => {
    await mkdir(at('store.zarr'));
    await writeFile(at('store.zarr/zarr.json'), '{}');
    const { err } = await plumecastHere('convert', at('store.zarr'), at('store.zarr/x.csv'));
    expect(err).toContain('x.csv: is within an input,');
  });

  it('is reported as empty if it has no entries', async () => {
    expect((await stats(at('empty'))).err).toContain('empty: is an empty folder;');
  });
});

describe('two inputs of a batch with the same output', () => {
  it('are an error that names the options to separate them', async () => {
    for (const run of ['one', 'two']) {
      await mkdir(at(run));
      await copyFile(at('a.csv'), join(at(run), 'rain.csv'));
    }
    const inputs = ['one', 'two'].map((run) => join(at(run), 'rain.csv'));
    const { code, err } = await plumecastHere('batch', ...inputs, '-o', at('results'), ...weekly);
    expect(code).toBe(1);
    expect(err).toContain(`error: --name: two inputs would both become rain.arrow: ${inputs.join(', ')}; allowed: `);
    expect(err).toContain(
      `allowed: the folder that both are in, ${folder}, whose subfolders are kept in names; or --name all to write all results to one file`,
    );
  });
});

describe('short forms', () => {
  it('-o is --out, -v is --variable, -V the version', async () => {
    const { code, out } = await stats(at('a.csv'), '-v', 'precipitation', '-o', at('short.csv'));
    expect([code, out]).toEqual([0, '']);
    expect((await plumecastHere('-V')).out).toMatch(/^\d+\.\d+\.\d+/);
  });

  it('-q prints neither notes nor progress, but warnings and errors', async () => {
    const hours = Array.from({ length: 48 }, (_, h) => `${new Date(Date.UTC(2024, 0, 1, h)).toISOString()},9999,9999`);
    await writeFile(at('hourly.csv'), `time,m1,m2\n${hours.join('\n')}\n`);
    const args = [at('hourly.csv'), '-v', 'temp_mean', '--units', 'degC'];
    const loud = await stats(...args);
    expect(loud.err).toMatch(/^note: .*\nwarning: .*\n$/);
    expect((await stats(...args, '-q')).err).toBe(loud.err.replace(/^note: .*\n/, ''));
    expect((await stats(at('nowhere.csv'), '--quiet')).err).toMatch(/^error: /);
    // Threads of a batch need the built command.
    const batch = plumecast(['batch', at('a.csv'), '-v', 'precipitation', '--units', 'mm', '-o', at('quiet'), '-q']);
    expect([batch.code, batch.err]).toEqual([0, '']);
  });

  it('help prints the commands, help stats its options, with exit code 0', async () => {
    const [all, one] = [await plumecastHere('help'), await plumecastHere('help', 'stats')];
    expect([all.code, one.code]).toEqual([0, 0]);
    expect(all.out).toContain('Usage: plumecast');
    expect(one.out).toBe((await plumecastHere('stats', '--help')).out);
    const unknown = await plumecastHere('help', 'stat');
    expect([unknown.code, unknown.out, unknown.err]).toEqual([
      2,
      '',
      "error: unknown command 'stat'\n(Did you mean stats?)\n",
    ]);
  });
});
