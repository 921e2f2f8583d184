import { readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { encodeTable } from '../../src/files/encode-tables.js';
import { folderWith, plumecast } from '../cli/run-command.js';
import { checksums } from './batch-process.js';
import { put, rain } from './many-inputs.js';

const { folder, remove } = folderWith({});
afterAll(remove);
let own: string;
let number = 0;
const run = (...args: string[]) =>
  plumecast(['batch', 'runs', '--variable', 'precipitation', '--granularity', 'weekly', '--workers', '1', ...args], {
    cwd: own,
  });

beforeEach(async () => {
  own = join(folder, String(++number));
  for (const seed of [1, 2]) put(own, `runs/${seed}.csv`, await encodeTable(rain(seed), 'csv'));
  expect(run('--out', 'out', '-q').code).toBe(0);
});

/** Gives an input another value, and leaves its size and time as they are. */
function replaceUnseen(): void {
  const path = join(own, 'runs/1.csv');
  const { atime, mtime } = statSync(path);
  const text = readFileSync(path, 'utf8');
  const other = text.replace(/(\d)\n$/, (_, digit) => `${(Number(digit) + 1) % 10}\n`);
  expect(other).not.toBe(text);
  writeFileSync(path, other);
  utimesSync(path, atime, mtime);
}

describe('an input with other content, but the same size and time', () => {
  it('is computed again by --resume, which compares contents', () => {
    replaceUnseen();
    expect(run('--out', 'out', '--resume').err).toContain('out: 1 made, 1 kept');
    expect(run('--out', 'new', '-q').code).toBe(0);
    expect(checksums(join(own, 'out'))).toEqual(checksums(join(own, 'new')));
  });

  it('is computed again by --resume together with --changed-only', () => {
    replaceUnseen();
    expect(run('--out', 'out', '--resume', '--changed-only').err).toContain('out: 1 made, 1 kept');
  });

  it('counts as unchanged for --changed-only, which says in one note what it relies on', () => {
    replaceUnseen();
    const { code, err } = run('--out', 'out', '--changed-only');
    expect(code).toBe(0);
    expect(err.match(/^note: .*$/gm)).toEqual([
      'note: out: 2 inputs count as unchanged because their sizes and times are the same; --resume compares contents, too',
    ]);
    expect(err).toContain('out: 0 made, 2 kept');
  });
});

it('--resume relies on nothing but contents, and says nothing of it', () => {
  expect(run('--out', 'out', '--resume').err).toMatch(
    /^2 of 2 outputs are complete and stay\nout: 0 made, 2 kept in .*\n$/,
  );
});

it('manifests and journals without any new field stay readable', () => {
  const path = join(own, 'out/manifest.json');
  const { inputs, outputs, ...others } = JSON.parse(readFileSync(path, 'utf8'));
  const known = ['path', 'bytes', 'modified', 'sha256'];
  for (const input of inputs) expect(Object.keys(input)).toEqual(known);
  for (const output of outputs)
    expect(Object.keys(output)).toEqual(['output', 'bytes', 'sha256', 'rows', 'request', 'inputs']);
  expect(Object.keys(others)).toEqual(['plumecast', 'plan', 'failed', 'others']);
});
