import { spawn } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { describe, expect, it, vi } from 'vitest';
import { lockFolder, takeLock } from '../../src/disk/file-lock.node.js';
import {
  type ProcessIdentity,
  type ProcessTable,
  processState,
  type StartTime,
  systemProcesses,
} from '../../src/disk/process-table.node.js';
import { temporaryFolder } from '../service/source/temporary-folder.js';

/** For what happens soon, on a machine that may do much else. */
const WAIT = { timeout: 60_000 };
const WRITTEN = Date.UTC(2026, 2, 2, 12);
const self: ProcessIdentity = { pid: 1, host: 'web', start: '500', boot: 'b1', namespace: '40' };

/** The processes of a machine on which process 1 is this one, and process 7 another. */
function table(running: Record<number, StartTime> = {}, own: Partial<ProcessIdentity> = {}): ProcessTable {
  const all: Record<number, StartTime> = { 1: { start: '500', time: WRITTEN - 60_000 }, ...running };
  return { self: { ...self, ...own }, find: (pid) => all[pid] };
}

describe('processState', () => {
  const seven = { 7: { start: '900', time: WRITTEN - 1000 } };
  it.each<[string, ProcessIdentity, ProcessTable, string]>([
    ['runs', { ...self, pid: 7, start: '900' }, table(seven), 'running'],
    ['has ended', { ...self, pid: 8, start: '900' }, table(seven), 'gone'],
    ['has ended, and another has its number', { ...self, pid: 7, start: '800' }, table(seven), 'gone'],
    ['was process 1 of a container that is killed, as this one is', { ...self, start: '100' }, table(), 'gone'],
    ['was of before the machine was started anew', { ...self, boot: 'b0' }, table(), 'gone'],
    ['is of this machine, which has another name now', { ...self, pid: 8, host: 'old' }, table(), 'gone'],
    ['is of another container', { ...self, namespace: '41' }, table(), 'out of sight'],
    ['is of another machine', { ...self, host: 'db', boot: 'b2' }, table(), 'out of sight'],
  ])('of a process that %s', (_, holder, processes, state) => {
    expect(processState(holder, WRITTEN, processes)).toBe(state);
  });

  const old = (pid: number, host: string | undefined = 'web') => ({ pid, host });
  it.each<[string, ProcessIdentity, StartTime | undefined, string]>([
    ['runs since before it was written', old(7), { time: WRITTEN - 1000 }, 'running'],
    ['has the number of one that began later', old(7), { time: WRITTEN + 10_000 }, 'gone'],
    ['does not run', old(7), undefined, 'gone'],
    ['names a number alone, and runs', { pid: 7, host: undefined }, { time: WRITTEN - 1000 }, 'running'],
    ['is of another machine', old(7, 'db'), undefined, 'out of sight'],
  ])('of a lock without a start time whose process %s', (_, holder, found, state) => {
    expect(processState(holder, WRITTEN, table(found && { 7: found }))).toBe(state);
    // Where there is no /proc.
    const without = table(found && { 7: { time: found.time } }, {
      start: undefined,
      boot: undefined,
      namespace: undefined,
    });
    expect(processState(holder, WRITTEN, without)).toBe(state);
  });

  it('of this process is running', () => {
    expect(processState(systemProcesses.self, Date.now(), systemProcesses)).toBe('running');
    expect(processState({ pid: process.pid, host: hostname() }, Date.now(), systemProcesses)).toBe('running');
  });

  it('of a killed process that its parent has not waited for is gone', async () => {
    // The shell does not wait for its child.
    const shell = spawn('sh', ['-c', 'sleep 60 & echo $!; exec sleep 61'], { stdio: ['ignore', 'pipe', 'ignore'] });
    const pid = await new Promise<number>((done) => shell.stdout.once('data', (text) => done(Number(text))));
    const holder = { ...systemProcesses.self, pid, start: systemProcesses.find(pid)?.start };
    expect(processState(holder, Date.now(), systemProcesses)).toBe('running');
    process.kill(pid, 'SIGKILL');
    await vi.waitFor(() => expect(processState(holder, Date.now(), systemProcesses)).toBe('gone'), WAIT);
    shell.kill('SIGKILL');
  });
});

describe('a lock', () => {
  const locked = (text: string, secondsAgo = 0) => {
    const dir = temporaryFolder();
    const path = join(dir, 'update.lock');
    writeFileSync(path, text);
    const at = Date.now() / 1000 - secondsAgo;
    utimesSync(path, at, at);
    return { dir, path };
  };
  const held = (dir: string, processes?: ProcessTable) => lockFolder(dir, 'is locked by', { processes });

  it('names its process, keeps others out, and is gone when it is released', async () => {
    const dir = temporaryFolder();
    const lock = await held(dir);
    expect(readFileSync(join(dir, 'update.lock'), 'utf8')).toMatch(`${process.pid} ${hostname()} `);
    await expect(held(dir)).rejects.toMatchObject({
      tag: 'file',
      message: expect.stringContaining(`${dir}: is locked by process ${process.pid} on ${hostname()}`),
    });
    await lock.assertHeld();
    await lock.release();
    await lock.release();
    expect(readdirSync(dir)).toEqual([]);
    await expect(lock.assertHeld()).rejects.toMatchObject({ tag: 'file' });
  });

  it.each([
    ['process 1 of a container that was killed', '1 web 100 b1 40 abc'],
    ['before the machine was started anew', '1 web 500 b0 40 abc'],
    ['a process that has ended', '8 web 900 b1 40 abc'],
    ['an earlier release, a process that has ended', '8 web'],
    ['a number alone', '8'],
  ])('of %s is taken over', async (_, text) => {
    const { dir } = locked(text);
    const lock = await held(dir, table());
    await lock.assertHeld();
    await lock.release();
    expect(readdirSync(dir)).toEqual([]);
  });

  it.each([
    ['of an earlier release of process 1, which began later', '1 web', 3600],
    ['that is empty, and was left alone for long', '', 3600],
    ['that is garbage, and was left alone for long', 'x\0\u001b[31m5', 3600],
    ['of a number that no process has', '99999999999 web', 3600],
    ['of process 0', '0 web', 3600],
    ['of another container that was not renewed for long', '1 web 500 b1 41 abc', 3600],
    ['of another machine that was not renewed for long', '1 db 500 b2 41 abc', 3600],
  ])('%s is taken over', async (_, text, secondsAgo) => {
    const { dir } = locked(text, secondsAgo);
    const began = { start: '500', time: Date.now() - 60_000 };
    await (await held(dir, table({ 1: began }))).release();
    expect(readdirSync(dir)).toEqual([]);
  });

  it.each([
    ['of a process that runs', '7 web 900 b1 40 abc', 3600],
    ['of an earlier release, of a process that runs', '7 web', 0],
    ['of an earlier release, of another machine', '8 db', 3600],
  ])('%s holds', async (_, text, secondsAgo) => {
    const { dir, path } = locked(text, secondsAgo);
    const seven = { start: '900', time: Date.now() - 7_200_000 };
    await expect(held(dir, table({ 7: seven }))).rejects.toThrow(/is locked by process (\d+|unknown) on /);
    expect(readFileSync(path, 'utf8')).toBe(text);
    expect(readdirSync(dir)).toEqual(['update.lock']);
  });

  it.each([
    ['empty', ''],
    ['garbage', '{"pid":'],
  ])('that is %s holds for a while, and the next process waits', async (_, text) => {
    const { dir, path } = locked(text, 13);
    let isHeld = false;
    const taken = held(dir, table()).finally(() => (isHeld = true));
    await wait(1200);
    expect([isHeld, readFileSync(path, 'utf8')]).toEqual([false, text]);
    await (await taken).release();
    expect(readdirSync(dir)).toEqual([]);
  });

  it('of another container holds as long as it is renewed', async () => {
    const { dir, path } = locked('1 web 500 b1 41 abc');
    const beats = setInterval(() => {
      writeFileSync(`${path}.next`, '1 web 500 b1 41 abc');
      renameSync(`${path}.next`, path);
    }, 50);
    try {
      await expect(held(dir, table())).rejects.toThrow('is locked by process 1 on web');
    } finally {
      clearInterval(beats);
    }
  });

  it('is renewed while it is held', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    const dir = temporaryFolder();
    const lock = await held(dir);
    const path = join(dir, 'update.lock');
    const text = readFileSync(path, 'utf8');
    writeFileSync(path, text.replaceAll(/./g, '-'));
    vi.advanceTimersByTime(5000);
    await vi.waitFor(() => expect(readFileSync(path, 'utf8')).toBe(text), WAIT);
    vi.useRealTimers();
    await lock.release();
  });

  it('is no longer held after another process takes it over, and its first holder does not remove it', async () => {
    const dir = temporaryFolder();
    const lock = await held(dir);
    writeFileSync(join(dir, 'update.lock'), '7 web 900 b1 40 abc');
    await expect(lock.assertHeld()).rejects.toThrow('was taken over by another process');
    await lock.release();
    expect(readFileSync(join(dir, 'update.lock'), 'utf8')).toBe('7 web 900 b1 40 abc');
  });

  it('is taken over if another process was killed while it took it over', async () => {
    const { dir, path } = locked('8 web 900 b1 40 abc');
    writeFileSync(`${path}.takeover`, '9 web 901 b1 40 def');
    await (await held(dir, table())).release();
    expect(readdirSync(dir)).toEqual([]);
  });

  it('that is not a file is an error', async () => {
    const dir = temporaryFolder();
    const path = join(dir, 'update.lock');
    mkdirSync(path);
    await expect(held(dir)).rejects.toThrow('update.lock: is not a regular file');
    rmSync(path, { recursive: true });
    symlinkSync('nowhere', path);
    await expect(held(dir)).rejects.toThrow('update.lock: is not a regular file');
    await expect(takeLock(join(dir, 'none', 'x.lock'), { problem: 'is held by' })).rejects.toThrow(
      'x.lock: cannot be written: there is no such file or folder',
    );
  });

  it('of a dead process is taken over by one of many processes at a time', async () => {
    const dir = temporaryFolder();
    const dead = `999999999 ${hostname()}`;
    writeFileSync(join(dir, 'update.lock'), dead);
    const outfile = join(dir, 'file-lock.mjs');
    const entryPoints = [join(import.meta.dirname, '../../src/disk/file-lock.node.ts')];
    await build({ entryPoints, outfile, bundle: true, platform: 'node', format: 'esm' });
    const module = pathToFileURL(outfile).href;
    // Each takes the lock some times, and leaves it as a process does that is killed.
    const script = `
      import { lockFolder } from ${JSON.stringify(module)};
      import { openSync, closeSync, rmSync, writeFileSync } from 'node:fs';
      import { setTimeout as sleep } from 'node:timers/promises';
      const [dir] = process.argv.slice(1);
      for (let times = 0; times < 5; ) {
        const lock = await lockFolder(dir, 'is locked by').catch(() => undefined);
        if (lock === undefined) { await sleep(2); continue; }
        closeSync(openSync(dir + '/held', 'wx'));
        await sleep(2);
        rmSync(dir + '/held');
        writeFileSync(dir + '/update.lock', ${JSON.stringify(dead)});
        times++;
      }
      process.exit(0);`;
    const run = () =>
      new Promise<string>((done) => {
        const child = spawn(process.execPath, ['--input-type=module', '-e', script, dir]);
        let err = '';
        child.stderr.on('data', (text) => (err += text));
        child.once('close', (code) => done(`${code} ${err}`));
      });
    expect(await Promise.all([run(), run(), run()])).toEqual(['0 ', '0 ', '0 ']);
    expect(existsSync(join(dir, 'held'))).toBe(false);
  });
});
