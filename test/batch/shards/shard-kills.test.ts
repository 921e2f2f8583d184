import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { tableToIPC } from 'apache-arrow';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CLI, folderWith, plumecast } from '../../cli/run-command.js';
import { casesOf } from '../../full-check.js';
import { checksums, startBatch } from '../batch-process.js';
import { put, rain } from '../many-inputs.js';
import { gridNetcdf3 } from './grid-netcdf3.js';

const { folder, remove } = folderWith({});
afterAll(remove);
const SHARDS = '.plumecast-shards';
const MERGED = '.plumecast-merged';
const PRELOAD = fileURLToPath(new URL('kill-at-step.mjs', import.meta.url));
const ARGS = ['runs', '--variable', 'precipitation', '--granularity', 'weekly'];
/** Of a batch without shards. */
let single: Record<string, string>;

beforeAll(() => {
  const run = (...args: string[]) => expect(plumecast(args, { cwd: folder })).toMatchObject({ code: 0 });
  for (const seed of [1, 2, 3]) put(folder, `runs/${seed}.arrow`, tableToIPC(rain(seed, { days: 20 }), 'file'));
  put(folder, 'runs/grid.nc', gridNetcdf3());
  run('batch', ...ARGS, '--out', 'single', '-q');
  single = checksums(join(folder, 'single'));
  expect(Object.keys(single)).toHaveLength(5);
  for (const shard of ['1/2', '2/2']) run('batch', ...ARGS, '--out', 'shards', '--shard', shard, '-q');
  const files = ['1-of-2', '2-of-2'].map((name) => readdirSync(join(folder, 'shards', SHARDS, name)));
  for (const names of files) expect(names).toContain('grid.arrow.pieces');
});

/** Runs a command that is killed at a step; returns whether it got there. */
function isKilledAt(step: number, ...args: string[]): boolean {
  const { signal } = spawnSync(process.execPath, ['--import', PRELOAD, CLI, ...args], {
    timeout: 110_000,
    cwd: folder,
    env: { ...process.env, KILL_AT_STEP: String(step) },
  });
  return signal === 'SIGKILL';
}

/** Files in place are those of the batch without shards. */
function expectNothingHalfWritten(out: string): void {
  for (const [name, checksum] of Object.entries(checksums(join(folder, out))))
    if (!name.startsWith('.')) expect([name, checksum]).toEqual([name, single[name]]);
}

/** The steps of a merge of four outputs that change files, and one that it does not get to. */
const STEPS = Array.from({ length: 40 }, (_, step) => step);

describe('a merge that is killed', () => {
  it.each(casesOf(STEPS, [9, 18, 21, 23]))(
    'at step %i leaves nothing half-written, and ends with the same bytes when it is run again',
    (step) => {
      const out = `merge-${step}`;
      cpSync(join(folder, 'shards'), join(folder, out), { recursive: true });
      const isKilled = isKilledAt(step, 'merge', out);
      expectNothingHalfWritten(out);
      const hasEnded = !existsSync(join(folder, out, SHARDS)) && !existsSync(join(folder, out, MERGED));
      expect(isKilled || hasEnded).toBe(true);
      if (!hasEnded) expect(plumecast(['merge', out, '-q'], { cwd: folder })).toEqual({ code: 0, out: '', err: '' });
      expect(checksums(join(folder, out))).toEqual(single);
      expect(readdirSync(join(folder, out)).filter((name) => name.startsWith('.'))).toEqual([]);
    },
  );

  it('gets to all steps but the last ones', () => {
    cpSync(join(folder, 'shards'), join(folder, 'steps'), { recursive: true });
    expect(isKilledAt(39, 'merge', 'steps')).toBe(false);
  });
});

describe('a shard that is killed', () => {
  it('continues with --resume, and ends with the same bytes', async () => {
    const out = 'killed';
    const args = [...ARGS, '--out', out, '--shard', '2/2'];
    let finished = 0;
    const shard = startBatch(args, folder, ({ event }) => {
      if (event === 'finished' && ++finished === 1) shard.kill('SIGKILL');
    });
    expect((await shard.ended).signal).toBe('SIGKILL');
    expect(plumecast(['batch', ...ARGS, '--out', out, '--shard', '1/2', '-q'], { cwd: folder }).code).toBe(0);
    const { code, err } = plumecast(['merge', out], { cwd: folder });
    expect({ code, err }).toEqual({
      code: 1,
      err: expect.stringContaining('1 of 2 shards are missing or have not ended: 2;'),
    });
    const resumed = plumecast(['batch', ...args, '--resume', '--json'], { cwd: folder });
    expect(resumed).toMatchObject({ code: 0, err: '' });
    expect(JSON.parse(resumed.out.slice(0, resumed.out.indexOf('\n'))).kept).toBeGreaterThanOrEqual(1);
    const shards = (name: string) => checksums(join(folder, name, SHARDS));
    expect(shards(out)).toEqual(shards('shards'));
    expect(plumecast(['merge', out, '-q'], { cwd: folder }).code).toBe(0);
    expect(checksums(join(folder, out))).toEqual(single);
  });
});
