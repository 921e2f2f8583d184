import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { mergeShards, runBatch } from 'plumecast/batch';
import { demoTable } from 'plumecast/demo';
import { encodeTable } from 'plumecast/files';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { folderWith } from '../cli/run-command.js';
import { plumecastHere } from '../cli/run-here.js';
import { casesOf, isFullCheck } from '../full-check.js';

const MEMBERS = 4;
const runs = ['20260302', '20260303'];
const { folder, remove } = folderWith({});
afterAll(remove);
const at = (...steps: string[]) => join(folder, ...steps);
const OPTIONS = { variables: ['precipitation'], granularities: ['weekly'], format: 'csv', workers: 1 } as const;

beforeAll(async () => {
  // Each run as one file, as a file for each member, and as a table for each member.
  for (const [r, run] of runs.entries()) {
    const table = demoTable('precipitation', { days: 21, members: MEMBERS, seed: r });
    const columns = table.schema.fields.map(({ name }) => name).filter((name) => name.startsWith('member_'));
    for (const part of ['tables', 'whole', `nc/${run}`, `csv/${run}`]) mkdirSync(at(part), { recursive: true });
    const write = async (chosen: readonly string[], path: string) => {
      const part = table.select(['date', ...chosen]);
      part.schema.metadata.set('variable', 'precipitation').set('units', 'mm');
      const arrow = at('tables', `${run}-${chosen.join('')}.arrow`);
      writeFileSync(arrow, await encodeTable(part, 'arrow'));
      expect(await plumecastHere('convert', arrow, path, '-q')).toMatchObject({ code: 0, err: '' });
    };
    await write(columns, at('whole', `${run}.nc`));
    for (const column of columns) {
      const name = column.replace('member_', 'mem');
      await write([column], at('nc', run, `${name}.nc`));
      await write([column], at('csv', run, `${name}.csv`));
      const path = at('csv', run, `${name}.csv`);
      writeFileSync(path, readFileSync(path, 'utf8').replace(column, 'value'));
    }
  }
  await runBatch({ ...OPTIONS, inputs: [at('whole')], out: at('expected') });
});

const results = (out: string, name: string) => readFileSync(at(out, `${name}.csv`), 'utf8');

describe('a batch of files that are one input together', () => {
  const ways = [
    ['nc', 'mem{member}.nc', (run: string) => `${run}/mem`],
    ['nc', 'folder', (run: string) => run],
  ] as const;

  it.each(casesOf(ways, [0]))('has the results of the whole: %s joined by %s', async (kind, pattern, nameOf) => {
    const out = `joined-${pattern === 'folder' ? 'folder' : 'names'}`;
    const report = await runBatch({ ...OPTIONS, inputs: [at(kind)], join: pattern, out: at(out) });
    expect(report.failed).toEqual([]);
    expect(report).toMatchObject({ status: 'done', finished: 2 });
    for (const run of runs) expect(results(out, nameOf(run))).toBe(results('expected', run));
    const manifest = JSON.parse(readFileSync(at(out, 'manifest.json'), 'utf8'));
    expect(manifest.inputs).toHaveLength(2 * MEMBERS);
    expect(manifest.outputs[0].inputs).toHaveLength(MEMBERS);
  });

  if (isFullCheck) {
    it('takes tables of a member each, too, by a pattern', async () => {
      const plan = { ...OPTIONS, inputs: [at('csv')], units: 'mm', out: at('tables-out') };
      const report = await runBatch({ ...plan, join: 'mem{member}.csv' });
      expect([report.failed, report.finished]).toEqual([[], 2]);
      const means = (text: string) => {
        const [header, ...rows] = text.trim().split('\n');
        const place = header.split(',').indexOf('mean');
        return rows.map((row) => Number(row.split(',')[place]).toFixed(4));
      };
      for (const run of runs) {
        expect(means(results('tables-out', `${run}/mem`))).toEqual(means(results('expected', run)));
        expect(means(results('expected', run))).toHaveLength(3);
      }
    });

    it('makes an output anew where a member has come, and keeps the others', async () => {
      const plan = { ...OPTIONS, inputs: [at('again')], join: 'mem{member}.nc', out: at('again-out') };
      for (const run of runs) mkdirSync(at('again', run), { recursive: true });
      const copy = (run: string, name: string) => copyFileSync(at('nc', run, name), at('again', run, name));
      const names = readdirSync(at('nc', runs[0]));
      for (const run of runs)
        for (const name of names.slice(0, run === runs[1] ? MEMBERS - 1 : MEMBERS)) copy(run, name);
      await runBatch(plan);
      copy(runs[1], names[MEMBERS - 1]);
      expect(await runBatch(plan, { changedOnly: true })).toMatchObject({ status: 'done', finished: 1, kept: 1 });
      for (const run of runs) expect(results('again-out', `${run}/mem`)).toBe(results('expected', run));
      rmSync(at('again', runs[1], names[0]));
      expect(await runBatch(plan, { resume: true })).toMatchObject({ status: 'done', finished: 1, kept: 1 });
    });

    it('is the same in shards', async () => {
      const plan = { ...OPTIONS, inputs: [at('nc')], join: 'mem{member}.nc', out: at('shards') };
      for (const number of [1, 2]) await runBatch(plan, { shard: { number, of: 2 } });
      await mergeShards(at('shards'));
      for (const run of runs) expect(results('shards', `${run}/mem`)).toBe(results('expected', run));
    });
  }

  it('names files that a pattern does not match, and files that are not one, and does the others', async () => {
    mkdirSync(at('mixed', 'a'), { recursive: true });
    mkdirSync(at('mixed', 'b'));
    for (const name of readdirSync(at('nc', runs[0]))) copyFileSync(at('nc', runs[0], name), at('mixed/a', name));
    copyFileSync(at('nc', runs[0], 'mem00.nc'), at('mixed/b/one.nc'));
    copyFileSync(at('nc', runs[0], 'mem00.nc'), at('mixed/b/other.nc'));
    const plan = { ...OPTIONS, inputs: [at('mixed')], onError: 'continue', out: at('mixed-out') } as const;
    const named = await runBatch({ ...plan, join: 'mem{member}.nc' });
    expect(named).toMatchObject({ status: 'incomplete', finished: 1 });
    expect(named.failed.map(({ error }) => error)).toEqual(
      ['one', 'other'].map((name) =>
        expect.stringContaining(
          `${at('mixed/b', `${name}.nc`)}, join: the pattern does not match the name of this file`,
        ),
      ),
    );
    const folders = await runBatch({ ...plan, join: 'folder', out: at('mixed-folders') });
    expect(folders.failed).toEqual([
      { output: 'b.csv', error: expect.stringContaining(`${at('mixed/b')}: names several inputs: `) },
    ]);
    expect(results('mixed-folders', 'a')).toBe(results('expected', runs[0]));
    await expect(runBatch({ ...plan, join: 'member' })).rejects.toThrow(
      'join: is no pattern of names; received "member"',
    );
  });
});
