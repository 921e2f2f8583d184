import {
  appendFileSync,
  cpSync,
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { tableToIPC } from 'apache-arrow';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { folderWith, plumecast } from '../../cli/run-command.js';
import { ensembleTable } from '../../files/cf/ensemble-tables.js';
import { isFullCheck } from '../../full-check.js';
import { checksums, withOneWorker } from '../batch-process.js';
import { put, rain, writeInputs } from '../many-inputs.js';
import { gridNetcdf3 } from './grid-netcdf3.js';

const { folder, remove } = folderWith({});
const path = (...steps: string[]) => join(folder, ...steps);
const run = (...args: string[]) => plumecast(withOneWorker(args), { cwd: folder });
const RAIN = ['--variable', 'precipitation', '--units', 'mm', '--threshold', '>2', '--granularity'];
const WEEKS = [...RAIN, 'weekly'];
const SHARDS = '.plumecast-shards';

/** Computes shards of a batch, and expects each to end well. */
function computeShards(out: string, of: number, ...args: string[]): void {
  for (let number = 1; number <= of; number++)
    expect(run('batch', ...args, '--out', out, '--shard', `${number}/${of}`, '-q')).toEqual({
      code: 0,
      out: '',
      err: '',
    });
}

function merge(out: string, ...args: string[]) {
  return run('merge', out, '-q', ...args);
}

/** All files of a folder of outputs; those with a dot are left from work. */
function expectSameAs(single: string, out: string): void {
  expect(checksums(path(out))).toEqual(checksums(path(single)));
  expect(readdirSync(path(out)).filter((name) => name.startsWith('.'))).toEqual([]);
}

/** A manifest of a shard, changed. */
function editManifest(shard: string, edit: (manifest: ReturnType<typeof JSON.parse>) => void): void {
  const file = path(shard, 'manifest.json');
  const manifest = JSON.parse(readFileSync(file, 'utf8'));
  edit(manifest);
  writeFileSync(file, JSON.stringify(manifest));
}

/** Expects an error of a merge that names `words`, and nothing moved. */
function expectRejected(out: string, ...words: readonly string[]): void {
  const before = checksums(path(out));
  const { code, err } = merge(out);
  expect(code).toBe(1);
  expect(err).toMatch(/^error: /);
  for (const word of words) expect(err).toContain(word);
  expect(checksums(path(out))).toEqual(before);
}

beforeAll(async () => {
  await writeInputs(folder, 7);
  put(folder, 'grid.arrow', tableToIPC(ensembleTable('grid'), 'file'));
  put(folder, 'grids/small.arrow', tableToIPC(rain(3, { days: 20, members: 1 }), 'file'));
  put(folder, 'grids/grid.nc', gridNetcdf3());
  expect(run('convert', 'grid.arrow', 'netcdf4.nc', '-q')).toMatchObject({ code: 0 });
  expect(run('batch', 'runs', ...WEEKS, '--out', 'single', '-q').code).toBe(0);
  computeShards('three', 3, 'runs', ...WEEKS);
});
afterAll(remove);

/** Shards of `runs` that have ended, in a folder of their own. */
function endedShards(out: string): string {
  cpSync(path('three'), path(out), { recursive: true });
  return join(out, SHARDS);
}

describe('plumecast merge', () => {
  it('of three shards gives the bytes of a batch without shards', () => {
    endedShards('merged-three');
    expect(merge('merged-three')).toEqual({ code: 0, out: '', err: '' });
    expectSameAs('single', 'merged-three');
  });

  it.each([1, 9])('of %i shards, some without outputs, gives the same bytes', (of) => {
    const inputs = ['runs/00.arrow', 'runs/01.arrows', 'runs/03.csv'];
    expect(run('batch', ...inputs, ...WEEKS, '--out', `few-${of}`, '-q').code).toBe(0);
    computeShards(`of-${of}`, of, ...inputs, ...WEEKS);
    expect(merge(`of-${of}`)).toEqual({ code: 0, out: '', err: '' });
    expectSameAs(`few-${of}`, `of-${of}`);
  });

  it.each(['netcdf', 'csv'])('joins the pieces of a grid that is larger than the share of a shard, as %s', (format) => {
    const args = ['grids', ...RAIN, 'daily,weekly', '--format', format];
    const planned = run('batch', ...args, '--out', 'x', '--shard', '1/3', '--dry-run').out;
    expect(planned).toMatch(/^grid_daily\S+ .* pieces \d/m);
    expect(planned).toMatch(/^small_weekly\S+ .* \d$/m);
    expect(run('batch', ...args, '--out', `one-${format}`, '-q')).toEqual({ code: 0, out: '', err: '' });
    computeShards(`pieces-${format}`, 3, ...args, '--workers', '2');
    expect(merge(`pieces-${format}`)).toEqual({ code: 0, out: '', err: '' });
    expectSameAs(`one-${format}`, `pieces-${format}`);
  });

  if (isFullCheck) {
    it('joins pieces that were computed with other memory and threads', () => {
      const args = ['netcdf4.nc', ...WEEKS, '--format', 'arrow'];
      expect(run('batch', ...args, '--out', 'one-grid', '-q').code).toBe(0);
      ['300MB', '1GB'].forEach((memory, index) => {
        const own = ['--memory', memory, '--workers', String(1 + index), '--shard', `${index + 1}/2`];
        expect(run('batch', ...args, '--out', 'mixed', ...own, '-q').code).toBe(0);
      });
      expect(merge('mixed').code).toBe(0);
      expectSameAs('one-grid', 'mixed');
    });
  }

  it('joins inputs into one output as a batch does', () => {
    const args = ['runs', ...RAIN, 'weekly,monthly', '--name', '{granularity}', '--format', 'csv'];
    expect(run('batch', ...args, '--out', 'joined-one', '-q').code).toBe(0);
    computeShards('joined', 2, ...args);
    expect(merge('joined').code).toBe(0);
    expectSameAs('joined-one', 'joined');
  });

  it('lists outputs of earlier batches in the folder, and replaces those of the same name', () => {
    for (const out of ['again', 'again-one'])
      expect(run('batch', 'runs/00.arrow', 'runs/03.csv', ...RAIN, 'daily,weekly', '--out', out, '-q').code).toBe(0);
    expect(run('batch', 'runs/00.arrow', ...WEEKS, '--name', '{input}_daily', '--out', 'again-one', '-q').code).toBe(0);
    computeShards('again', 2, 'runs/00.arrow', ...WEEKS, '--name', '{input}_daily');
    expect(merge('again').code).toBe(0);
    expectSameAs('again-one', 'again');
  });

  it('prints what it merged, as JSON too', () => {
    endedShards('printed');
    expect(run('merge', 'printed')).toEqual({ code: 0, out: '', err: 'printed: 7 outputs of all shards, 0 failed\n' });
    endedShards('printed-json');
    const { out, err } = run('merge', 'printed-json', '--json');
    expect(err).toBe('');
    expect(JSON.parse(out)).toEqual({ event: 'merged', status: 'done', outputs: 7, failed: [], alreadyMerged: false });
  });

  it('lists failures of shards as a batch that continues does, and ends with code 3', () => {
    put(folder, 'faulty/a.csv', 'date,latitude,longitude,member_1\n2024-01-01,1,1,inf\n');
    put(folder, 'faulty/b.arrow', tableToIPC(rain(1), 'file'));
    put(folder, 'faulty/c.csv', 'no data\n');
    const args = ['faulty', 'absent.nc', ...WEEKS, '--on-error', 'continue'];
    expect(run('batch', ...args, '--out', 'faults-one', '-q').code).toBe(3);
    for (const shard of ['1/2', '2/2'])
      expect(run('batch', ...args, '--out', 'faults', '--shard', shard, '-q').code).toBe(3);
    const { code, err } = merge('faults');
    expect(code).toBe(3);
    expect(err).toMatch(/^error: absent\.nc: .*\nerror: a\.arrow: .*\nerror: c\.arrow: .*\n$/);
    expectSameAs('faults-one', 'faults');
    expect(merge('faults')).toEqual({ code: 3, out: '', err });
  });

  it('names inputs of the same name as a batch that continues does, and fails where there is no output at all', () => {
    put(folder, 'alike/a.csv', 'no data\n');
    put(folder, 'alike/a.arrow', tableToIPC(rain(1), 'file'));
    put(folder, 'alike/b.arrow', tableToIPC(rain(2), 'file'));
    const args = ['alike', ...WEEKS, '--on-error', 'continue'];
    expect(run('batch', ...args, '--out', 'alike-one', '-q').code).toBe(3);
    for (const shard of ['1/2', '2/2']) run('batch', ...args, '--out', 'alike-two', '--shard', shard, '-q');
    const { code, err } = merge('alike-two');
    expect([code, err]).toEqual([
      3,
      expect.stringMatching(/^error: a\.arrow: .*: alike\/a\.arrow, alike\/a\.csv; .*\n$/),
    ]);
    expectSameAs('alike-one', 'alike-two');
    const none = ['alike/a.csv', ...WEEKS, '--on-error', 'continue', '--out', 'none'];
    expect(run('batch', ...none, '--shard', '1/1', '-q').code).toBe(3);
    expect(merge('none').code).toBe(1);
  });
});

describe('a shard', () => {
  it('that is computed again has the same bytes, and with --resume makes nothing', () => {
    const shards = endedShards('repeated');
    const before = checksums(path(shards));
    const again = (...more: string[]) =>
      run('batch', 'runs', ...WEEKS, '--out', 'repeated', '--shard', '2/3', '--json', ...more).out;
    expect(again()).toContain('"event":"finished"');
    expect(checksums(path(shards))).toEqual(before);
    expect(again('--resume')).not.toContain('"event":"finished"');
    expect(checksums(path(shards))).toEqual(before);
  });

  it('writes only to its own folder', () => {
    expect(run('batch', 'runs', ...WEEKS, '--out', 'own', '--shard', '2/3', '-q').code).toBe(0);
    expect(readdirSync(path('own'))).toEqual([SHARDS]);
    expect(readdirSync(path('own', SHARDS))).toEqual(['2-of-3']);
  });

  it('does not depend on the order of the folder, other shards, or times of inputs', () => {
    cpSync(path('runs'), path('copy/runs'), { recursive: true });
    utimesSync(path('copy/runs/00.arrow'), 1, 1);
    const list = (cwd: string) =>
      plumecast(['batch', 'runs', ...WEEKS, '--out', 'x', '--shard', '1/3', '--dry-run'], { cwd }).out;
    expect(list(path('copy'))).toBe(list(folder));
  });

  it.each(['0/3', '4/3', '1/0', '3', '1/20000', '-1/2', '1/2/3', 'a/b'])('rejects --shard %s', (shard) => {
    const { code, err } = run('batch', 'runs', ...WEEKS, '--out', 'rejected', `--shard=${shard}`);
    expect(code).toBeGreaterThan(0);
    expect(err).toMatch(/--shard/);
    expect(existsSync(path('rejected'))).toBe(false);
  });

  it('rejects --changed-only', () => {
    const { code, err } = run('batch', 'runs', ...WEEKS, '--out', 'single', '--shard', '1/2', '--changed-only');
    expect({ code, err }).toEqual({
      code: 1,
      err: 'error: --changed-only: cannot be used together with --shard; allowed: --resume to keep what the same shard has made already\n',
    });
  });

  it('rejects an output whose place is taken by a file that no batch made, before it computes', () => {
    put(folder, 'taken/03.arrow', 'mine');
    const outcomes = [1, 2, 3].map((number) =>
      run('batch', 'runs', ...WEEKS, '--out', 'taken', '--shard', `${number}/3`, '-q'),
    );
    expect(outcomes.filter(({ code }) => code === 1)).toHaveLength(1);
    expect(outcomes.map(({ err }) => err).join('')).toContain(
      '03.arrow: exists, and no batch is known to have made it',
    );
  });
});

describe('plumecast merge of a merged folder', () => {
  it('says that it is merged already, changes nothing, and ends with the code of the first merge', () => {
    endedShards('merged');
    expect(merge('merged').code).toBe(0);
    const before = checksums(path('merged'));
    const said = 'merged: merged already: 7 outputs of all shards, 0 failed\n';
    expect(run('merge', 'merged')).toEqual({ code: 0, out: '', err: said });
    const report = { event: 'merged', status: 'done', outputs: 7, failed: [], alreadyMerged: true };
    expect(JSON.parse(run('merge', 'merged', '--json').out)).toEqual(report);
    expect(checksums(path('merged'))).toEqual(before);
  });
});

describe('plumecast merge rejects', () => {
  it('a folder without shards, and a merged one whose output is not in place', () => {
    expectRejected('runs', 'runs: has no shards');
    expectRejected('nowhere', 'nowhere: has no shards');
    expect(existsSync(path('nowhere'))).toBe(false);
    endedShards('lost');
    expect(merge('lost').code).toBe(0);
    const lost = readdirSync(path('lost')).find((name) => name !== 'manifest.json') as string;
    appendFileSync(path('lost', lost), 'more');
    expectRejected('lost', 'lost: has no shards', 'no complete outputs of an earlier merge');
  });

  it('missing shards, by their numbers', () => {
    const shards = endedShards('missing');
    rmSync(path(shards, '1-of-3'), { recursive: true });
    rmSync(path(shards, '3-of-3/manifest.json'));
    expectRejected('missing', '2 of 3 shards are missing or have not ended: 1,3', '--shard 1/3 with --resume');
  });

  it('a shard that was begun again and did not end', () => {
    const shards = endedShards('begun');
    put(folder, join(shards, '2-of-3/.plumecast-batch/journal.jsonl'), '\n{"output":');
    expectRejected('begun', '1 of 3 shards are missing or have not ended: 2');
  });

  it('shards of two divisions', () => {
    const shards = endedShards('divisions');
    cpSync(path(shards, '1-of-3'), path(shards, '1-of-4'), { recursive: true });
    expectRejected('divisions', 'has shards of several divisions: of 3, of 4');
  });

  it('a shard in the folder of another', () => {
    const shards = endedShards('swapped');
    rmSync(path(shards, '1-of-3'), { recursive: true });
    cpSync(path(shards, '2-of-3'), path(shards, '1-of-3'), { recursive: true });
    expectRejected('swapped', '1-of-3', 'is of shard 2 of 3', 'allowed: shard 1 of 3');
  });

  it('a shard of other options, and names them', () => {
    endedShards('options');
    const other = ['-v', 'precipitation', '--units', 'mm', '--granularity', 'weekly', '--quantiles', '0.5'];
    expect(run('batch', 'runs', ...other, '--out', 'options', '--shard', '2/3', '-q').code).toBe(0);
    expectRejected(
      'options',
      'shard 2 of 3 is of another plan than shard 1 of 3',
      'options differ: thresholds, quantiles',
    );
  });

  it('a shard of other inputs', () => {
    endedShards('inputs');
    const fewer = ['runs/00.arrow', 'runs/01.arrows'];
    expect(run('batch', ...fewer, ...WEEKS, '--out', 'inputs', '--shard', '3/3', '-q').code).toBe(0);
    expectRejected('inputs', 'shard 3 of 3 is of another plan', 'the inputs or their sizes differ');
  });

  it('a shard of another version', () => {
    const shards = endedShards('version');
    editManifest(join(shards, '2-of-3'), (manifest) => (manifest.plumecast = '9.9.9'));
    expectRejected('version', '2-of-3', 'was written by another version of plumecast', '9.9.9');
  });

  it('an output of two shards', () => {
    const shards = endedShards('overlap');
    editManifest(join(shards, '2-of-3'), (manifest) => manifest.shard.held.push({ ...heldOf(shards, '1-of-3')[0] }));
    expectRejected('overlap', 'is computed twice, by shard 1 of 3 and shard 2 of 3');
  });

  it('an output of no shard', () => {
    const shards = endedShards('gap');
    const [{ position }] = heldOf(shards, '2-of-3');
    editManifest(join(shards, '2-of-3'), (manifest) => manifest.shard.held.shift());
    expectRejected('gap', `no shard has output ${position + 1} of 7`);
  });

  it('an output that its manifest does not list', () => {
    const shards = endedShards('unlisted');
    const [{ output }] = heldOf(shards, '2-of-3');
    editManifest(join(shards, '2-of-3'), (manifest) => manifest.outputs.shift());
    expectRejected('unlisted', `does not list ${output}, which shard 2 of 3 computes`);
  });

  it('a piece of no shard', () => {
    computeShards('piece', 3, 'grids/grid.nc', ...WEEKS, '--format', 'netcdf');
    editManifest(join('piece', SHARDS, '1-of-3'), ({ shard }) => shard.held[0].pieces.blocks.shift());
    expectRejected('piece', 'grid.nc: no shard has its pieces');
  });

  it.each([
    ['longer', (file: string) => appendFileSync(file, 'x')],
    ['changed', (file: string) => writeFileSync(file, readFileSync(file).fill(7, 100, 101))],
    ['missing', (file: string) => rmSync(file)],
  ])('an output that is %s', (how, damage) => {
    const shards = endedShards(`damaged-${how}`);
    const [{ output }] = heldOf(shards, '3-of-3');
    damage(path(shards, '3-of-3', output));
    expectRejected(`damaged-${how}`, output, 'is missing, or is not as shard 3 of 3 wrote it');
  });

  it('an input that was changed between two shards', () => {
    for (const number of [1, 2]) {
      put(folder, 'moving/a.arrow', tableToIPC(rain(number, { place: 1 }), 'file'));
      const shard = ['--shard', `${number}/2`, '-q'];
      expect(run('batch', 'moving', ...RAIN, 'daily,weekly', '--out', 'moved', ...shard).code).toBe(0);
    }
    expectRejected('moved', 'moving/a.arrow: was changed between shard 1 of 2 and shard 2 of 2');
  });

  if (isFullCheck) {
    it('a grid in pieces whose input is gone', () => {
      cpSync(path('grids'), path('leaving'), { recursive: true });
      computeShards('left', 2, 'leaving/grid.nc', ...WEEKS);
      renameSync(path('leaving'), path('elsewhere'));
      expectRejected('left', 'leaving/grid.nc: is missing here or was changed', 'grid.arrow');
      renameSync(path('elsewhere'), path('leaving'));
      expect(merge('left').code).toBe(0);
    });
  }

  it('to replace a file that no batch made, unless --overwrite permits it', () => {
    endedShards('foreign');
    put(folder, 'foreign/03.arrow', 'mine');
    expectRejected('foreign', '03.arrow: exists, and no batch is known to have made it', '--overwrite');
    expect(merge('foreign', '--overwrite').code).toBe(0);
    expectSameAs('single', 'foreign');
  });

  it('a manifest that is none', () => {
    const shards = endedShards('broken');
    writeFileSync(path(shards, '2-of-3/manifest.json'), '{"plumecast": "0.1.0"');
    expectRejected('broken', '2-of-3/manifest.json: is not the manifest of a batch');
    editManifest(join(shards, '1-of-3'), (manifest) => delete manifest.shard);
    expectRejected('broken', '1-of-3/manifest.json: is not the manifest of a batch');
  });

  it('to merge while a shard is running', () => {
    const shards = endedShards('running');
    const { pid } = process;
    put(folder, join(shards, '2-of-3/.plumecast-batch/update.lock'), `${pid} ${'-'} - - - x`);
    expectRejected('running', '2-of-3', 'another batch is running there');
  });
});

function heldOf(shards: string, name: string): { output: string; position: number }[] {
  return JSON.parse(readFileSync(path(shards, name, 'manifest.json'), 'utf8')).shard.held;
}
