import { appendFileSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { checkPlan } from '../../src/batch/check-plan.js';
import type { FinishedOutput } from '../../src/batch/journal.js';
import { LocalOutputs } from '../../src/batch/local-outputs.js';
import { createManifest, readManifest, writeManifest } from '../../src/batch/manifest.js';
import { WorkFolder } from '../../src/batch/work-folder.js';
import { folderWith } from '../cli/run-command.js';
import { put } from './many-inputs.js';

let folder: string;
let remove: () => void;
beforeEach(() => ({ folder, remove } = folderWith({})));
afterEach(() => remove());

const input = { path: 'a.csv', bytes: 1, modified: '2026-01-01T00:00:00.000Z', sha256: '00' };
const finished = (output: string): FinishedOutput => ({
  output,
  bytes: 5,
  sha256: 'ab',
  rows: 1,
  request: 'cd',
  inputs: [input],
});
const journal = () => join(folder, '.plumecast-batch/journal.jsonl');

describe('WorkFolder', () => {
  it('gives outputs their names, creates their folders, and lists them for the next batch', async () => {
    const work = await WorkFolder.open(folder);
    writeFileSync(work.temporary(0), 'bytes');
    await work.finish(0, finished('deep/a.arrow'));
    expect(readFileSync(join(folder, 'deep/a.arrow'), 'utf8')).toBe('bytes');
    await work.leave();
    const next = await WorkFolder.open(folder);
    expect([...next.journal.finished]).toEqual([['deep/a.arrow', finished('deep/a.arrow')]]);
    await next.remove();
    expect(readdirSync(folder)).toEqual(['deep']);
  });

  it('adds an output to the journal before it gets its name, so that a kill leaves no file of unknown origin', async () => {
    const work = await WorkFolder.open(folder);
    // Without a temporary file there is nothing to be renamed, as where the batch is killed just before.
    await expect(work.finish(0, finished('a.arrow'))).rejects.toThrow('a.arrow: cannot be written');
    expect([...(await new LocalOutputs(folder).readJournal()).finished.keys()]).toEqual(['a.arrow']);
  });

  it('skips an entry that was cut off, and adds the next one so that all others can be read', async () => {
    const work = await WorkFolder.open(folder);
    writeFileSync(work.temporary(0), '');
    await work.finish(0, finished('a'));
    appendFileSync(journal(), '\n{"output":"b","byt');
    writeFileSync(work.temporary(1), '');
    await work.finish(1, finished('c'));
    expect([...(await new LocalOutputs(folder).readJournal()).finished.keys()]).toEqual(['a', 'c']);
  });

  it('removes temporary files of an earlier batch, and nothing else', async () => {
    for (const name of ['0.part', '3.results', 'journal.jsonl', 'letter.txt'])
      put(folder, `.plumecast-batch/${name}`, '');
    const work = await WorkFolder.open(folder);
    expect(readdirSync(join(folder, '.plumecast-batch')).sort()).toEqual([
      'journal.jsonl',
      'letter.txt',
      'update.lock',
    ]);
    await work.remove();
    expect(existsSync(join(folder, '.plumecast-batch/letter.txt'))).toBe(true);
  });

  it('is used by one batch at a time', async () => {
    const work = await WorkFolder.open(folder);
    await expect(WorkFolder.open(folder)).rejects.toThrow(`another batch is running there, process ${process.pid}`);
    await work.leave();
    await (await WorkFolder.open(folder)).leave();
  });
});

describe('the manifest', () => {
  const plan = checkPlan({ inputs: ['a.csv'], out: 'out', granularities: ['weekly'] });

  it('lists the outputs of this plan and of others', async () => {
    const manifest = createManifest(plan, [finished('a.arrow')], [{ error: 'b' }], [finished('old.arrow')]);
    await writeManifest(new LocalOutputs(folder), manifest);
    expect(readdirSync(folder)).toEqual(['manifest.json']);
    const read = await readManifest(new LocalOutputs(folder));
    expect(read?.get('a.arrow')).toEqual(finished('a.arrow'));
    expect(read?.get('old.arrow')).toEqual(finished('old.arrow'));
    expect(manifest).toMatchObject({ plan: { granularities: ['weekly'] }, inputs: [input], failed: [{ error: 'b' }] });
  });

  it.each([
    '{"name": "my app"}',
    '[]',
    'null',
    '{"inputs":[],',
    '{"inputs":[],"others":[],"outputs":[{"output":"a","inputs":["gone.csv"]}]}',
  ])('cannot be read from %s', async (text) => {
    put(folder, 'manifest.json', text);
    await expect(readManifest(new LocalOutputs(folder))).rejects.toThrow(
      'manifest.json: is not the manifest of a batch',
    );
  });

  it('does not exist before a batch has ended', async () => {
    expect(await readManifest(new LocalOutputs(folder))).toBeUndefined();
  });
});
