import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { tableToIPC } from 'apache-arrow';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { folderWith, plumecast } from '../cli/run-command.js';
import { checksums } from './batch-process.js';
import { put, rain } from './many-inputs.js';

const { folder, remove } = folderWith({});
afterAll(remove);
let own: string;
let number = 0;
const run = (...args: string[]) =>
  plumecast(['batch', ...args, '--variable', 'precipitation', '--granularity', 'weekly', '--workers', '1'], {
    cwd: own,
  });
const at = (...steps: string[]) => join(own, ...steps);
const outputs = (out = 'out') => Object.keys(checksums(at(out))).filter((name) => name !== 'manifest.json');
const removeInput = (name: string) => rmSync(at('runs', name));

/** Each test has three inputs of its own, and their outputs. */
beforeEach(() => {
  own = join(folder, String(++number));
  for (const [seed, name] of ['a', 'b', '2025/c'].entries())
    put(own, `runs/${name}.arrow`, tableToIPC(rain(seed), 'file'));
  expect(run('runs', '--out', 'out', '-q').code).toBe(0);
});

describe('--prune', () => {
  it('removes outputs whose inputs are gone, with folders that are empty then, and says how many', () => {
    removeInput('b.arrow');
    rmSync(at('runs/2025'), { recursive: true });
    const { code, err } = run('runs', '--out', 'out', '--prune', '--resume');
    expect([code, err]).toEqual([0, expect.stringMatching(/\nout: 0 made, 1 kept, 2 pruned in 0:0\d\n$/)]);
    expect(outputs()).toEqual(['a.arrow']);
    expect(existsSync(at('out/2025'))).toBe(false);
    expect(JSON.parse(readFileSync(at('out/manifest.json'), 'utf8'))).toMatchObject({ others: [], failed: [] });
    expect(run('runs', '--out', 'out', '--prune', '--resume').err).toContain('1 kept, 0 pruned');
  });

  it('leaves the bytes of a batch of the inputs that are there', () => {
    removeInput('b.arrow');
    expect(run('runs', '--out', 'out', '--prune', '-q').code).toBe(0);
    expect(run('runs', '--out', 'alone', '-q').code).toBe(0);
    expect(checksums(at('out'))).toEqual(checksums(at('alone')));
  });

  it('has to be requested: without it, outputs stay and are listed', () => {
    removeInput('b.arrow');
    expect(run('runs', '--out', 'out').err).not.toContain('pruned');
    expect(outputs()).toContain('b.arrow');
  });

  it('reports each output as JSON, and their number', () => {
    removeInput('b.arrow');
    const events = run('runs', '--out', 'out', '--prune', '--json')
      .out.trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(events.filter(({ event }) => event === 'pruned')).toEqual([
      { event: 'pruned', output: 'b.arrow', bytes: expect.any(Number) },
    ]);
    expect(events.at(-1)).toMatchObject({ event: 'ended', status: 'done', pruned: 1 });
  });

  it('with --dry-run prints what it would remove, and removes nothing', () => {
    removeInput('b.arrow');
    const before = checksums(own);
    expect(run('runs', '--out', 'out', '--prune', '--dry-run').out).toMatch(
      /\npruned +bytes\nb\.arrow +(\d+)\n1 in all +\1\n$/,
    );
    expect(run('runs', '--out', 'out', '--prune', '--dry-run', '--json').out).toMatch(
      /\n\{"pruned":"b\.arrow","bytes":\d+\}\n$/,
    );
    expect(checksums(own)).toEqual(before);
  });

  it('removes nothing that was changed since, is a link, or that no batch made', () => {
    for (const name of ['a.arrow', 'b.arrow', '2025/c.arrow']) removeInput(name);
    put(own, 'runs/d.arrow', tableToIPC(rain(4), 'file'));
    const kept = readFileSync(at('out/a.arrow'));
    // The same size, but other bytes.
    writeFileSync(at('out/a.arrow'), kept.fill(1, 100, 110));
    renameSync(at('out/b.arrow'), at('moved.arrow'));
    symlinkSync('../moved.arrow', at('out/b.arrow'));
    put(own, 'out/mine.arrow', 'mine');
    put(own, 'out/2025/mine.txt', 'mine');
    const { code, err } = run('runs', '--out', 'out', '--prune');
    expect(code).toBe(0);
    expect(err).toContain('warning: out/a.arrow: stays, as it was changed since a batch made it');
    expect(err).toContain('1 made, 1 pruned');
    expect(outputs().concat('b.arrow').sort()).toEqual([
      '2025/mine.txt',
      'a.arrow',
      'b.arrow',
      'd.arrow',
      'mine.arrow',
    ]);
    expect(existsSync(at('moved.arrow'))).toBe(true);
  });

  it('keeps outputs of inputs that are there, but not in the plan', () => {
    expect(run('runs/a.arrow', '--out', 'out', '--prune').err).toContain('1 made, 0 pruned');
    expect(outputs()).toHaveLength(3);
  });

  it('keeps an output of several inputs until all of them are gone', () => {
    expect(run('runs/a.arrow', 'runs/b.arrow', '--out', 'joined', '--name', 'all', '-q').code).toBe(0);
    const other = (...more: string[]) => run('runs', '--out', 'joined', '--prune', ...more).err;
    removeInput('a.arrow');
    expect(other()).toContain('0 pruned');
    removeInput('b.arrow');
    expect(other()).toContain('2 pruned');
    expect(outputs('joined')).toEqual(['2025/c.arrow']);
  });

  it('counts climatologies as no inputs', () => {
    const climate = [
      'climatology',
      'runs/a.arrow',
      '--granularity',
      'weekly',
      '--reference',
      '2024-2024',
      '--fewer-years',
    ];
    plumecast([...climate, '--out', 'weeks.arrow', '-q'], { cwd: own });
    if (!existsSync(at('weeks.arrow'))) throw new Error('there is no climatology');
    const against = (...more: string[]) => run('runs', '--out', 'against', '--climatology', 'weeks.arrow', ...more);
    expect(against('-q').code).toBe(0);
    removeInput('b.arrow');
    expect(against('--prune').err).toContain('1 pruned');
  });

  it('removes nothing where an input of the command was not found: its disk may not be there', () => {
    removeInput('b.arrow');
    const { code, err } = run('runs', 'archive', '--out', 'out', '--prune', '--on-error', 'continue');
    expect(code).toBe(3);
    expect(err).toContain('warning: out: nothing is removed, as some inputs were not found');
    expect(outputs()).toContain('b.arrow');
  });

  it('removes nothing where relative paths may be those of another folder', () => {
    mkdirSync(at('elsewhere'));
    put(own, 'elsewhere/runs/z.arrow', tableToIPC(rain(9), 'file'));
    const args = [
      'batch',
      'runs',
      '--out',
      '../out',
      '--variable',
      'precipitation',
      '--granularity',
      'weekly',
      '--prune',
    ];
    const { code, err } = plumecast(args, { cwd: at('elsewhere') });
    expect(code).toBe(0);
    expect(err).toContain(
      'outputs of inputs with relative paths stay, as the earlier batch may have run in another folder',
    );
    expect(outputs()).toEqual(['2025/c.arrow', 'a.arrow', 'b.arrow', 'z.arrow']);
  });

  it('removes nothing where a batch is stopped by a failure', () => {
    removeInput('b.arrow');
    put(own, 'runs/bad.csv', 'no data\n');
    expect(run('runs', '--out', 'out', '--prune').code).toBe(1);
    expect(outputs()).toContain('b.arrow');
  });

  it('is not for shards', () => {
    const { code, err } = run('runs', '--out', 'out', '--shard', '1/2', '--prune');
    expect([code, err]).toEqual([
      1,
      expect.stringMatching(
        /^error: --prune: cannot be used together with --shard; allowed: a batch without shards, after the merge, with --changed-only\n$/,
      ),
    ]);
  });
});
