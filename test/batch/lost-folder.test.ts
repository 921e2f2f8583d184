import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WorkFolder } from '../../src/batch/work-folder.js';
import { encodeTable } from '../../src/files/encode-tables.js';
import { CLI, folderWith } from '../cli/run-command.js';
import { withoutPrivileges } from '../service/source/without-privileges.js';
import { startBatch } from './batch-process.js';
import { put, rain } from './many-inputs.js';

const { folder, remove } = folderWith({});
afterAll(remove);
const INPUTS = 40;

beforeAll(async () => {
  for (let seed = 0; seed < INPUTS; seed++) put(folder, `runs/${seed}.csv`, await encodeTable(rain(seed), 'csv'));
});

/** A command in which an empty folder is on a read-only disk; it fails where such cannot be mounted. */
function onReadOnlyDisk(mounted: string, ...command: string[]) {
  const script = 'mount -t tmpfs -o ro none "$0" && exec "$@"';
  const args = ['--user', '--map-root-user', '--mount', 'sh', '-c', script, join(folder, mounted), ...command];
  const { status, stderr } = spawnSync('unshare', args, { cwd: folder, encoding: 'utf8', timeout: 110_000 });
  return { status, stderr };
}

mkdirSync(join(folder, 'read-only'));
const canMount = onReadOnlyDisk('read-only', 'true').status === 0;
if (!canMount) console.log('skipped: folders on a read-only disk, as unshare cannot mount one');

it.skipIf(!canMount)('a batch, and its shards, say that the disk is read-only', () => {
  const args = ['batch', 'runs', '--variable', 'precipitation', '--out', 'read-only/results', '--quiet'];
  for (const shard of [[], ['--shard', '1/2']]) {
    const { status, stderr } = onReadOnlyDisk('read-only', process.execPath, CLI, ...args, ...shard);
    expect([status, stderr]).toEqual([
      1,
      expect.stringMatching(/^error: read-only\/results.*: the disk is read-only; /),
    ]);
  }
});

describe('a batch whose folder of results', () => {
  // Renamed, as to remove a folder takes more than a moment, in which a batch may make others of its files.
  it.each<[string, (out: string) => void, RegExp]>([
    ['is moved away', (out) => renameSync(out, `${out}.away`), /there is no such file or folder/],
    [
      'is replaced by a file',
      (out) => {
        writeFileSync(`${out}.file`, 'mine');
        renameSync(out, `${out}.away`);
        renameSync(`${out}.file`, out);
      },
      /there is no such file or folder|part of its path is not a folder/,
    ],
    [
      'is replaced by an empty one',
      (out) => {
        renameSync(out, `${out}.away`);
        mkdirSync(out);
      },
      /there is no such file or folder/,
    ],
  ])('%s stops and names the folder once, even with onError continue', async (what, change, reason) => {
    const out = what.replaceAll(' ', '-');
    const args = ['runs', '--variable', 'precipitation', '--out', out, '--on-error', 'continue', '--workers', '2'];
    let finished = 0;
    const batch = startBatch(args, folder, ({ event }) => {
      if (event === 'finished' && ++finished === 2) change(join(folder, out));
    });
    const ended = await batch.ended;
    expect([ended.code, ended.err]).toEqual([1, '']);
    const events = ended.out
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    const failures = events.filter(({ event }) => event === 'failed');
    expect(failures).toHaveLength(1);
    expect(failures[0]).not.toHaveProperty('output');
    expect(failures[0].message).toMatch(`${out}: the folder of the results cannot be written to any more: `);
    expect(failures[0].message).toMatch(reason);
    expect(events.at(-1)).toMatchObject({ event: 'ended', status: 'stopped', failed: 1 });
    expect(events.at(-1).left).toBeGreaterThan(0);
    expect(existsSync(join(folder, out, 'manifest.json'))).toBe(false);
  });
});

describe('WorkFolder', () => {
  it('finds out why the folder cannot be written to any more', async () => {
    const out = join(folder, 'protected');
    const work = await WorkFolder.open(out);
    expect(await work.findFault()).toBeUndefined();
    expect(readdirSync(join(out, '.plumecast-batch'))).toEqual(['update.lock']);
    chmodSync(join(out, '.plumecast-batch'), 0o555);
    const fault = await withoutPrivileges(() => work.findFault());
    chmodSync(join(out, '.plumecast-batch'), 0o755);
    expect(fault?.message).toContain(
      `${out}: the folder of the results cannot be written to any more: permission denied`,
    );
    rmSync(out, { recursive: true });
    expect((await work.findFault())?.subject).toBe(out);
    await work.leave();
    expect(existsSync(out)).toBe(false);
  });

  it('names the output whose temporary file is missing', async () => {
    const work = await WorkFolder.open(join(folder, 'gone'));
    const message = `${join(folder, 'gone/a.arrow')}: cannot be written: there is no such file or folder`;
    await expect(work.measure(0, 'a.arrow')).rejects.toThrow(message);
    await work.leave();
  });

  it('removes its own temporary files when it is released, but not those of a batch that took it over', async () => {
    const out = join(folder, 'left');
    const work = await WorkFolder.open(out);
    writeFileSync(work.temporary(0), '');
    writeFileSync(work.results(1), '');
    await work.leave();
    expect(readdirSync(join(out, '.plumecast-batch'))).toEqual([]);
    const slow = await WorkFolder.open(out);
    writeFileSync(join(out, '.plumecast-batch/update.lock'), '7 elsewhere 900 b1 40 abc');
    put(out, '.plumecast-batch/0.0a1b2c3d.part', 'half');
    const finished = { output: 'a', bytes: 0, sha256: '', rows: 0, request: '', inputs: [] };
    await expect(slow.finish(0, finished)).rejects.toThrow('was taken over by another process');
    await slow.leave();
    expect(readdirSync(join(out, '.plumecast-batch')).sort()).toEqual(['0.0a1b2c3d.part', 'update.lock']);
  });
});
