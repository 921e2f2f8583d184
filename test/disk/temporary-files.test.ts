import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { tableFromArrays } from 'apache-arrow';
import { afterAll, describe, expect, it } from 'vitest';
import { removeLeftTemporaries, temporaryPath } from '../../src/disk/temporary-file.node.js';
import { writeNetcdf } from '../../src/files/write-netcdf.node.js';
import { CLI, folderWith, threeMembers } from '../cli/run-command.js';
import { plumecastHere } from '../cli/run-here.js';
import { casesOf } from '../full-check.js';

const { folder, remove } = folderWith({ 'a.csv': threeMembers(14) });
afterAll(remove);
const at = (name: string) => join(folder, name);
const temporaries = () => readdirSync(folder).filter((name) => name.endsWith('.tmp'));

/** A command that computes for very long, with a copy of its input in a temporary folder. */
async function busy(): Promise<ChildProcess> {
  const child = spawn(process.execPath, [CLI, 'stats', '-', ...RAIN, '--out', 'out.csv'], {
    cwd: folder,
    env: { ...process.env, TMPDIR: folder },
    stdio: ['pipe', 'ignore', 'inherit'],
  });
  const columns = Array.from({ length: 200_000 }, (_, member) => member);
  child.stdin.end(`date,${columns.map((member) => `m${member}`).join()}\n2026-03-02,${columns.join()}\n`);
  child.stdin.on('error', () => {});
  while (temporaries().length === 0 && child.exitCode === null) await wait(10);
  // The input is read.
  await wait(500);
  return child;
}
const ended = (child: ChildProcess) => new Promise((done) => child.once('close', (_, signal) => done(signal)));
const RAIN = ['--variable', 'precipitation', '--units', 'mm'];

describe('temporary files', () => {
  it.each(casesOf(['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGKILL'] as const, [1, 3]))(
    'are removed by %s, which ends a command while it computes',
    async (signal) => {
      const child = await busy();
      child.kill(signal);
      expect(await ended(child)).toBe(signal);
      for (let i = 0; i < 500 && temporaries().length > 0; i++) await wait(10);
      expect([temporaries(), existsSync(at('out.csv'))]).toEqual([[], false]);
    },
    30_000,
  );

  it('of a process that has ended are removed when the same file is written next, those of a running process are not', async () => {
    const running = temporaryPath(folder, 'day.csv');
    const left = running.replace(`.${process.pid}-`, '.999999999-');
    for (const path of [running, left]) writeFileSync(path, 'half a fi');
    expect(await plumecastHere('stats', at('a.csv'), ...RAIN, '--out', at('day.csv'))).toMatchObject({ code: 0 });
    expect(temporaries()).toEqual([basename(running)]);
  });

  it('of other machines, and of earlier releases, are removed a day after they were last written to', async () => {
    const names = ['.x.csv.1-500-0a1b2c3d-00000000.tmp', '.x.csv.1234-lz3k9.tmp'];
    for (const name of names) writeFileSync(at(name), '');
    const others = ['.y.csv.1234-lz3k9.tmp', '.x.csv.notes.tmp', 'x.csv.tmp', '.x.csv.1234-lz3k9'];
    for (const name of others) writeFileSync(at(name), '');
    await removeLeftTemporaries(folder, 'x.csv');
    expect([...names, ...others].filter((name) => !existsSync(at(name)))).toEqual([]);
    const yesterday = Date.now() / 1000 - 100_000;
    for (const name of [...names, ...others]) utimesSync(at(name), yesterday, yesterday);
    await removeLeftTemporaries(folder, 'x.csv');
    expect([...names, ...others].filter((name) => !existsSync(at(name)))).toEqual(names);
  });

  it('of long names have shorter ones', () => {
    expect(basename(temporaryPath(folder, 'ü'.repeat(127))).length).toBeLessThan(120);
  });

  it('of standard input are folders', async () => {
    const left = temporaryPath(folder, 'plumecast').replace(`.${process.pid}-`, '.999999999-');
    mkdirSync(left);
    writeFileSync(join(left, 'standard input'), 'CDF');
    await removeLeftTemporaries(folder, 'plumecast');
    expect(existsSync(left)).toBe(false);
  });
});

describe('standard output that cannot be written to', () => {
  it.each([
    ['stats', 'a.csv', ...RAIN],
    ['inspect', 'a.csv'],
  ])('is an error of one line: %s', async (...args) => {
    if (!existsSync('/dev/full')) return console.log('skipped: there is no /dev/full');
    const command = '"$0" "$@" > /dev/full';
    const child = spawn('sh', ['-c', command, process.execPath, CLI, ...args], { cwd: folder });
    let err = '';
    child.stderr.on('data', (text) => (err += text));
    const code = await new Promise((done) => child.once('close', done));
    expect([code, err]).toEqual([
      1,
      expect.stringMatching(/^error: standard output: cannot be written: the disk is full; allowed: .*\n$/),
    ]);
  });
});

it('an existing file stays as it was if writing it again fails', async () => {
  writeFileSync(at('kept.csv'), 'old');
  expect(await plumecastHere('stats', at('none.csv'), ...RAIN, '--out', at('kept.csv'))).toMatchObject({ code: 1 });
  expect([readFileSync(at('kept.csv'), 'utf8'), temporaries().filter((name) => name.includes('kept'))]).toEqual([
    'old',
    [],
  ]);
});

it('a file that cannot be written is named by its own name', async () => {
  const lost = at('no such folder/weeks.nc');
  const days = tableFromArrays({ date: ['2026-03-02', '2026-03-03'], m0: Float64Array.of(1, 2) });
  const written = writeNetcdf(lost, days, { variable: 'precipitation' });
  await expect(written).rejects.toMatchObject({ tag: 'file', subject: lost });
});
