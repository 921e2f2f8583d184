import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { tableToIPC } from 'apache-arrow';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { encodeTable } from '../../src/files/encode-tables.js';
import { CLI, folderWith, plumecast } from '../cli/run-command.js';
import { checksums, startBatch } from './batch-process.js';
import { put, rain } from './many-inputs.js';

const { folder, remove } = folderWith({});
afterAll(remove);
let inputs: string;
let number = 0;
const RAIN = ['--variable', 'precipitation', '--granularity', 'weekly'];
const batch = (...args: string[]) => plumecast(['batch', inputs, ...RAIN, ...args], { cwd: folder });
const outputs = (out: string) => Object.keys(checksums(join(folder, out)));
/** Puts a file beside the good ones. */
const beside = (name: string, content: string | Uint8Array) => put(folder, `${inputs}/${name}`, content);

/** Each test has two good files, and what it puts beside them. */
beforeEach(async () => {
  inputs = `in${++number}`;
  for (const seed of [1, 2]) beside(`good${seed}.csv`, await encodeTable(rain(seed), 'csv'));
});

describe('a batch with inputs that cannot be used', () => {
  it('with --on-error continue makes the other outputs, names each file and its problem, and exits with code 3', async () => {
    const rows = rain(5, { days: 400 });
    beside('cut-arrow.arrow', tableToIPC(rows, 'file').subarray(0, 20_000));
    beside('cut-arrows.arrows', tableToIPC(rows, 'stream').subarray(0, 20_000));
    beside('cut-parquet.parquet', (await encodeTable(rows, 'parquet')).subarray(0, -500));
    beside('empty.csv', '');
    beside('short.csv', await encodeTable(rain(5, { days: 3 }), 'csv'));
    beside('words.csv', 'date,m01,m02\n2024-01-01,1,rain\n');
    beside(
      'infinite.csv',
      Buffer.from(await encodeTable(rain(6), 'csv'))
        .toString()
        .replace(/,[\d.]+\n/, ',inf\n'),
    );
    mkdirSync(join(folder, inputs, 'folder.csv'));
    symlinkSync('nowhere', join(folder, inputs, 'dangling.csv'));
    const { code, err } = batch('--out', 'rest', '--on-error', 'continue', '--name', '{input}-{granularity}');
    expect(code).toBe(3);
    const faults = Object.fromEntries(
      [...err.matchAll(/^error: (\S+)-weekly\.arrow: (.*)$/gm)].map(([, output, fault]) => [output, fault]),
    );
    expect(faults).toMatchObject({
      'cut-arrow': expect.stringMatching(`^${inputs}/cut-arrow.arrow: is a truncated Arrow file`),
      'cut-arrows': expect.stringMatching(`^${inputs}/cut-arrows.arrows: `),
      'cut-parquet': expect.stringMatching(`^${inputs}/cut-parquet.parquet: `),
      empty: expect.stringMatching(`^${inputs}/empty.csv: `),
      short: expect.stringMatching(`^${inputs}/short.csv: no complete ISO week`),
      words: expect.stringMatching(`^${inputs}/words.csv, row 1, column m02: not a number`),
      infinite: expect.stringMatching(`^${inputs}/infinite.csv, row 1, column member_5: infinite value`),
      dangling: `${inputs}/dangling.csv: cannot be read: there is no such file or folder; allowed: a readable file`,
    });
    expect(outputs('rest')).toEqual(['good1-weekly.arrow', 'good2-weekly.arrow', 'manifest.json']);
  });
});

describe('a batch whose inputs change while it runs', () => {
  /** Some outputs that take a while, and one input after them that the caller can change meanwhile. */
  async function changedMeanwhile(change: () => void) {
    for (const seed of [3, 4, 5, 6, 7, 8])
      beside(`good${seed}.csv`, await encodeTable(rain(seed, { days: 3_000 }), 'csv'));
    const args = [inputs, ...RAIN, '--out', `changed-${inputs}`, '--on-error', 'continue', '--workers', '1'];
    return startBatch(args, folder, ({ event }) => {
      if (event === 'planned') change();
    }).ended;
  }

  it('knows of an output that fails once, which is made again when its input is whole, in shards as well', async () => {
    const ways = [
      ['whole', (...args: string[]) => batch('--out', 'whole', '-q', ...args)],
      [
        'shards',
        (...args: string[]) => {
          batch('--out', 'shards', '--shard', '1/1', '-q', ...args);
          return plumecast(['merge', 'shards'], { cwd: folder });
        },
      ],
    ] as const;
    for (const [out, run] of ways) {
      expect(run().code).toBe(0);
      const before = checksums(join(folder, out));
      const good = readFileSync(join(folder, inputs, 'good2.csv'));
      beside('good2.csv', 'no table\n');
      expect(run('--on-error', 'continue').code).toBe(3);
      const { 'manifest.json': _, ...kept } = before;
      expect(checksums(join(folder, out))).toMatchObject(kept);
      beside('good2.csv', good);
      expect(run()).toMatchObject({ code: 0 });
      expect(outputs(out)).toEqual(Object.keys(before));
    }
  });

  it('leaves out an input that disappears, and says so', async () => {
    const { code, out } = await changedMeanwhile(() => rmSync(join(folder, inputs, 'good8.csv')));
    expect(code).toBe(3);
    expect(out).toMatch(
      `"output":"good8.arrow","message":"${inputs}/good8.csv: cannot be read: there is no such file or folder`,
    );
    expect(outputs(`changed-${inputs}`)).toHaveLength(8);
  });
});

describe('the folder of a batch', () => {
  const rejected = (...args: string[]) => {
    const { code, err } = batch(...args);
    expect(code).toBe(1);
    return err;
  };

  it('allows only one batch at a time; a new batch takes over the lock of a dead one', () => {
    put(folder, 'locked/.plumecast-batch/update.lock', `${process.pid} ${hostname()}`);
    expect(rejected('--out', 'locked')).toMatch(
      `another batch is running there, process ${process.pid} on ${hostname()}`,
    );
    const dead = spawnSync(process.execPath, ['-e', '']).pid;
    put(folder, 'locked/.plumecast-batch/update.lock', `${dead} ${hostname()}`);
    put(folder, 'locked/.plumecast-batch/0.part', 'half an outp');
    expect(batch('--out', 'locked').code).toBe(0);
    expect(readdirSync(join(folder, 'locked')).sort()).toEqual(['good1.arrow', 'good2.arrow', 'manifest.json']);
  });

  it('keeps files that no batch made, unless --overwrite is given', () => {
    put(folder, 'foreign/good2.arrow', 'letters');
    expect(rejected('--out', 'foreign')).toBe(
      'error: foreign/good2.arrow: exists, and no batch is known to have made it; allowed: another folder for the outputs, or --overwrite to replace the file\n',
    );
    expect(readFileSync(join(folder, 'foreign/good2.arrow'), 'utf8')).toBe('letters');
    expect(batch('--out', 'foreign', '--overwrite').code).toBe(0);
  });

  it('may be the folder of the inputs, or within it: results are not read as inputs', () => {
    for (const out of [inputs, `${inputs}/results`]) {
      for (const again of [[], ['--changed-only'], ['--resume']])
        expect(batch('--out', out, ...again)).toMatchObject({ code: 0, err: expect.stringContaining('2 ') });
      expect(outputs(out).filter((name) => name.endsWith('.arrow') && !name.startsWith('results/'))).toHaveLength(2);
    }
    expect(rejected('--out', inputs, '--format', 'csv')).toMatch(`${inputs}/good1.csv: is also an input`);
  });

  it('must not be a file, and its manifest.json must be that of a batch', () => {
    put(folder, 'file', '');
    expect(rejected('--out', 'file')).toMatch(
      'error: file/.plumecast-batch: cannot be written: part of its path is not a folder',
    );
    put(folder, 'other/manifest.json', '{"name": "my app"}');
    expect(rejected('--out', 'other')).toMatch('error: other/manifest.json: is not the manifest of a batch');
    expect(readFileSync(join(folder, 'other/manifest.json'), 'utf8')).toBe('{"name": "my app"}');
  });

  it('may be on a full disk: the batch names files it cannot write, leaves none incomplete, and can be resumed', async () => {
    beside('long.csv', await encodeTable(rain(3, { days: 6_000 }), 'csv'));
    const args = [CLI, 'batch', inputs, ...RAIN, '--out', 'small', '--on-error', 'continue'];
    // Files of more than 16 blocks of 512 or 1024 bytes cannot be written, as on a full disk.
    const command = `ulimit -f 16; trap '' XFSZ; exec "$0" "$@"`;
    const shell = spawnSync('sh', ['-c', command, process.execPath, ...args], {
      timeout: 110_000,
      cwd: folder,
      env: { ...process.env, NO_COLOR: '1' },
    });
    if (shell.error) return console.log('skipped: there is no sh');
    expect(shell.status).toBe(3);
    expect(shell.stderr.toString()).toMatch('error: long.arrow: ');
    expect(outputs('small')).toEqual(['good1.arrow', 'good2.arrow', 'manifest.json']);
    expect(existsSync(join(folder, 'small/.plumecast-batch'))).toBe(false);
    expect(batch('--out', 'small', '--resume').err).toMatch('small: 1 made, 2 kept');
  });
});

describe('the plan of a batch', () => {
  const planned = (plan: unknown, ...options: string[]) => {
    const { code, err } = plumecast(['batch', '--plan', '-', ...options], { cwd: folder, input: JSON.stringify(plan) });
    expect(code).toBe(1);
    return err;
  };

  it('is checked, and an error names the wrong option', () => {
    expect(planned({ inputs: ['x'], out: 'y', variabels: [] })).toMatch(
      'error: standard input, plan: unknown option, the nearest is variables; received "variabels"',
    );
    const workers = { inputs: ['x'], out: 'y', workers: '4' };
    expect(planned(workers)).toMatch('error: standard input, workers: is not a number of threads; received "4"');
    expect(planned({ ...workers, workers: 4 }, '--memory', 'much')).toMatch(
      'error: --memory: is not a number of bytes',
    );
    expect(planned([])).toMatch('error: standard input: is not a plan; allowed: a plan such as {');
    expect(planned({ inputs: [inputs, 'nofile.csv'], out: 'y' })).toMatch(
      'error: nofile.csv: cannot be read: there is no such file or folder; allowed: a file, a folder, a Zarr store, a glob such as "runs/*.nc", or the address of a file',
    );
    expect(existsSync(join(folder, 'y'))).toBe(false);
  });
});
