import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { mergeShards, runBatch } from 'plumecast/batch';
import { demoTable } from 'plumecast/demo';
import { encodeTable, readTable } from 'plumecast/files';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { checkPlan } from '../../src/batch/check-plan.js';
import { parseDate } from '../../src/period/day.js';
import { folderWith } from '../cli/run-command.js';
import { casesOf } from '../full-check.js';
import { checksums } from './batch-process.js';

const { folder, remove } = folderWith({});
afterAll(remove);
const at = (...steps: string[]) => join(folder, ...steps);
const NAME = 'variable={variable}/input={input}/year={year}/part';
const PLAN = { variables: ['precipitation'], granularities: ['weekly'], format: 'csv', workers: 1 } as const;
const plan = (out: string, more: object = {}) => ({ ...PLAN, inputs: [at('runs')], out: at(out), name: NAME, ...more });

/** From October to the end of January. */
async function put(name: string, days = 120): Promise<void> {
  mkdirSync(at(name, '..'), { recursive: true });
  const table = demoTable('precipitation', { initDate: parseDate('2025-10-01'), days, members: 3, seed: name.length });
  writeFileSync(at(name), await encodeTable(table, 'arrow'));
}

beforeAll(async () => {
  for (const name of ['runs/a.arrow', 'runs/deep/b.arrow']) await put(name);
});

const filesIn = (out: string) => Object.keys(checksums(at(out))).filter((name) => name !== 'manifest.json');
const folders = ['a', 'deep/b'].map((input) => `variable=precipitation/input=${input}`);
const FILES = folders.flatMap((each) => [2025, 2026].map((year) => `${each}/year=${year}/part.csv`));

describe('a batch whose names have {year}', () => {
  it('divides the rows of each output by the year in which their windows begin', async () => {
    expect(await runBatch(plan('years'))).toMatchObject({ status: 'done', finished: 2 });
    expect(filesIn('years')).toEqual(FILES);
    await runBatch(plan('whole', { name: '{input}' }));
    for (const [i, input] of ['a', 'deep/b'].entries()) {
      const lines = (name: string) => readFileSync(name, 'utf8').trim().split('\n');
      const [head, ...rows] = lines(at('whole', `${input}.csv`));
      const parts = FILES.slice(2 * i, 2 * i + 2).map((name) => lines(at('years', name)));
      const names = head.split(',').filter((name) => name !== 'variable');
      for (const [own] of parts) expect(own.split(',')).toEqual(names);
      const without = (line: string) => line.split(',').filter((_, k) => head.split(',')[k] !== 'variable');
      expect(parts.flatMap(([, ...own]) => own)).toEqual(rows.map((line) => without(line).join()));
      const start = names.indexOf('start');
      const years = parts.map(([, ...own]) => [...new Set(own.map((line) => line.split(',')[start].slice(0, 4)))]);
      expect(years).toEqual([['2025'], ['2026']]);
    }
    const { outputs } = JSON.parse(readFileSync(at('years', 'manifest.json'), 'utf8'));
    expect(outputs.map(({ output }: { output: string }) => output)).toEqual(folders);
  });

  it.each(casesOf(['parquet', 'arrow', 'jsonl', 'geoparquet'] as const, [0]))('writes %s', async (format) => {
    await runBatch(plan(format, { format, inputs: [at('runs/a.arrow')], name: '{input}/{year}' }));
    const [first, second] = filesIn(format);
    const ending = format === 'geoparquet' ? 'parquet' : format;
    expect([first, second]).toEqual([2025, 2026].map((year) => `a/${year}.${ending}`));
    if (format === 'jsonl') return;
    const rows = await Promise.all([first, second].map(async (name) => readTable(readFileSync(at(format, name)))));
    // 120 days from a Wednesday on: 16 complete weeks, of which 13 begin in 2025.
    expect(rows.map(({ numRows }) => numRows)).toEqual([13, 3]);
  });

  it('keeps outputs that are intact, and makes those anew of which a file is gone, or the input has changed', async () => {
    await put('again/a.arrow');
    await put('again/b.arrow');
    const again = plan('again-out', { inputs: [at('again')], name: '{input}/{year}' });
    const made = async () => {
      const { finished, kept } = await runBatch(again, { resume: true });
      return [finished, kept];
    };
    expect([await made(), await made()]).toEqual([
      [2, 0],
      [0, 2],
    ]);
    const before = checksums(at('again-out'));
    rmSync(at('again-out/a/2026.csv'));
    expect(await made()).toEqual([1, 1]);
    expect(checksums(at('again-out'))).toEqual(before);
    // Fewer days: a year is not there any more.
    await put('again/b.arrow', 80);
    expect(await made()).toEqual([1, 1]);
    expect(filesIn('again-out')).toEqual(['a/2025.csv', 'a/2026.csv', 'b/2025.csv']);
    rmSync(at('again/b.arrow'));
    expect(await runBatch(again, { changedOnly: true, prune: true })).toMatchObject({ kept: 1, pruned: 1 });
    expect(filesIn('again-out')).toEqual(['a/2025.csv', 'a/2026.csv']);
    // Other names of files are another output, which does not replace these.
    const renamed = { ...again, name: '{input}/year={year}/part', onError: 'continue' } as const;
    expect(await runBatch(renamed, { resume: true })).toMatchObject({ kept: 0, failed: [{ output: 'a' }] });
    expect(filesIn('again-out')).toEqual(['a/2025.csv', 'a/2026.csv']);
  });

  it('has the bytes of one batch in shards that are merged', async () => {
    for (const number of [1, 2]) await runBatch(plan('shards'), { shard: { number, of: 2 } });
    await mergeShards(at('shards'));
    const { 'manifest.json': _, ...merged } = checksums(at('shards'));
    const { 'manifest.json': __, ...whole } = checksums(at('years'));
    expect(merged).toEqual(whole);
  });

  it('does not replace a folder with other files, even where it may replace what no batch made', async () => {
    mkdirSync(at('taken/a'), { recursive: true });
    writeFileSync(at('taken/a/notes.txt'), 'mine');
    const taken = plan('taken', { inputs: [at('runs/a.arrow')], name: '{input}/{year}' });
    await expect(runBatch(taken)).rejects.toThrow('exists, and no batch is known to have made it');
    const { failed } = await runBatch(taken, { overwrite: true });
    expect(failed).toEqual([
      { output: 'a', error: expect.stringContaining('holds a file that is none of a year; received "notes.txt"') },
    ]);
    expect(readdirSync(at('taken/a'))).toEqual(['notes.txt']);
  });

  it('is an error where an output would lie in the folder of another one', async () => {
    await put('nested/deep.arrow');
    await put('nested/deep/b.arrow');
    const nested = plan('nested-out', { inputs: [at('nested')], name: '{input}/{year}' });
    await expect(runBatch(nested)).rejects.toThrow('deep/b would lie in the folder deep, which is another output');
    const { finished, failed } = await runBatch({ ...nested, onError: 'continue' });
    expect([finished, failed.map(({ output }) => output)]).toEqual([1, ['deep/b']]);
  });

  it.each([
    [{ name: '{year}/{input}' }, 'name: has {input} beside or after {year}'],
    [{ name: 'year={year}' }, 'name: has no folder before {year}'],
    [{ name: '{input}/{granularity}_{year}' }, 'name: has {granularity} beside or after {year}'],
    [{ format: 'netcdf' }, 'name: divides rows by {year}, and netcdf has a grid'],
    [{ format: 'zarr' }, 'allowed: a format of tables, or a name without {year}'],
    [{ verify: { observed: ['o.csv'] } }, 'name: divides rows by {year}, and scores have no year'],
    [{ name: '{input}/{month}' }, 'allowed: {input}, {ending}, {variable}, {granularity}, {year}'],
  ])('is rejected in words: %j', (more, message) => {
    const { granularities: _, ...others } = plan('none', more);
    expect(() => checkPlan(others as never)).toThrow(message);
  });
});
