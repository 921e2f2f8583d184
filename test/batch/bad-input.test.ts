import { spawn, spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { tableToIPC } from 'apache-arrow';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { writeTable } from '../../src/formats/write-table.js';
import { folderWith, plumecast } from '../cli/run-command.js';
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
  for (const seed of [1, 2]) beside(`good${seed}.csv`, await writeTable(rain(seed), 'csv'));
});

describe('a batch with inputs that cannot be used', () => {
  it('makes the rest where it is to go on, and tells each file, its fault and by the exit code that there were some', async () => {
    const rows = rain(5, { days: 400 });
    beside('cut.arrow', tableToIPC(rows, 'file').subarray(0, 20_000));
    beside('cut.arrows', tableToIPC(rows, 'stream').subarray(0, 20_000));
    beside('cut.parquet', (await writeTable(rows, 'parquet')).subarray(0, 9_000));
    beside('empty.csv', '');
    beside('words.csv', 'date,m01\n2024-01-01,rain\n');
    beside('infinite.csv', 'date,m01\n2024-01-01,inf\n');
    mkdirSync(join(folder, inputs, 'folder.csv'));
    symlinkSync('nowhere', join(folder, inputs, 'dangling.csv'));
    const { code, err } = batch('--out', 'rest', '--on-error', 'continue', '--name', '{input}-{granularity}');
    expect(code).toBe(1);
    const faults = Object.fromEntries(
      [...err.matchAll(/^error: (\S+)-weekly\.arrow: (.*)$/gm)].map(([, output, fault]) => [output, fault]),
    );
    expect(faults).toMatchObject({
      cut: expect.stringMatching(`^${inputs}/cut\\.`),
      empty: expect.stringMatching(`^${inputs}/empty.csv: `),
      words: expect.stringMatching(`^${inputs}/words.csv, row 1, column m01: `),
      infinite: expect.stringMatching(`^${inputs}/infinite.csv, row 1, column m01: infinite value`),
      dangling: `${inputs}/dangling.csv: cannot be read: there is no such file or folder; allowed: a readable file`,
    });
    expect(outputs('rest')).toEqual(['good1-weekly.arrow', 'good2-weekly.arrow', 'manifest.json']);
  });
});
