import { spawn, spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { constants } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, describe, expect, it } from 'vitest';
import { EXIT_CODES } from '../../src/cli/exit-codes.js';
import { allCommands } from '../../src/cli/run-all.js';
import { checksums, startBatch } from '../batch/batch-process.js';
import { casesOf } from '../full-check.js';
import { CLI, folderWith, plumecast, threeMembers } from './run-command.js';

const { folder, remove } = folderWith({
  'rain.csv': threeMembers(30, 'date,m01,m02,m03'),
  'bad.csv': 'no table\n',
  'empty/readme.txt': '',
});
afterAll(remove);
const V = ['--variable', 'precipitation'];
const codeOf = (...args: string[]) => plumecast(args, { cwd: folder }).code;

describe('the table of exit codes', () => {
  const rows = Object.values(EXIT_CODES).map(({ code, text }) => [String(code), text]);

  it('is that of docs/command.md', () => {
    const page = readFileSync(new URL('../../docs/command.md', import.meta.url), 'utf8');
    const [section] = page.split('\n## Exit codes\n')[1].split('\n## ');
    const table = [...section.matchAll(/^\| (\d+) \| (.*) \|$/gm)].map(([, code, text]) => [
      code,
      text.replaceAll('`', ''),
    ]);
    expect(table).toEqual(rows);
  });

  it('is at the end of plumecast --help', () => {
    const { out } = plumecast(['--help', 'all']);
    const lines = out.slice(out.indexOf('Exit codes:\n')).trimEnd().split('\n').slice(1);
    expect(lines.map((line) => line.trim().split(/ {2,}/))).toEqual(rows);
    for (const line of lines) expect(line.length).toBeLessThanOrEqual(120);
  });
});

describe('exit code 2', () => {
  it.each(allCommands().map((command) => command.name()))('%s does not know an option', (name) => {
    expect(codeOf(name, '--no-such-option')).toBe(EXIT_CODES.usage.code);
  });
});

describe('exit code 1', () => {
  it.each([
    ['stats', 'none.csv'],
    ['batch', 'none.csv', '--out', 'none'],
    ['batch', 'none.csv', 'gone.csv', '--out', 'none', '--on-error', 'continue'],
    ['batch', 'bad.csv', '--out', 'bad-1', '--on-error', 'continue'],
    ['batch', 'rain.csv', 'bad.csv', ...V, '--out', 'bad-2'],
    ['batch', 'none.csv', '--out', 'none', '--dry-run'],
    ['merge', 'empty'],
    ['inspect', 'none.csv', 'gone.csv'],
    ['convert', 'none.csv', 'none.parquet'],
    ['blend', 'none.csv', 'gone.csv'],
    ['climatology', 'none.csv'],
    ['plot', 'none.csv'],
    ['explore', 'none.csv', '--no-open'],
    ['ingest', '--store', 'store', '--short-term', 'none.csv'],
    ['preload', '--store', 'store', '--grid'],
    ['serve', '--store', 'bad.csv'],
    ['key', 'revoke', '--store', 'empty', 'id'],
    ['location', 'remove', '--store', 'empty', 'id'],
    ['demo', 'rain.csv/below'],
    // One bad file ends commands that make one result of all.
    ['stats', 'rain.csv', 'bad.csv', ...V],
    ['blend', 'rain.csv', 'bad.csv', ...V],
  ])('%s fails where nothing is made: %j', (...args) => {
    expect(codeOf(...args)).toBe(EXIT_CODES.failed.code);
  });
});

describe('exit code 3', () => {
  const continued = ['--on-error', 'continue'];

  it.each([
    ['batch', 'rain.csv', 'bad.csv', ...V, '--out', 'partly-1', ...continued],
    ['batch', 'rain.csv', 'none.csv', ...V, '--out', 'partly-2', ...continued],
    ['batch', 'rain.csv', 'none.csv', ...V, '--out', 'none', '--dry-run', ...continued],
    ['inspect', 'none.csv', 'rain.csv'],
    ['inspect', 'none.csv', 'rain.csv', '--json'],
  ])('%s has done the rest: %j', (...args) => {
    expect(codeOf(...args)).toBe(EXIT_CODES.partly.code);
  });

  it('a resumed batch has it as long as something fails', () => {
    const args = ['batch', 'rain.csv', 'bad.csv', ...V, '--out', 'resumed', ...continued];
    expect([codeOf(...args), codeOf(...args, '--resume'), codeOf(...args, '--changed-only')]).toEqual([3, 3, 3]);
    writeFileSync(join(folder, 'mended.csv'), 'no table\n');
    const mended = ['batch', 'rain.csv', 'mended.csv', ...V, '--out', 'mended', ...continued];
    expect(codeOf(...mended)).toBe(3);
    copyFileSync(join(folder, 'rain.csv'), join(folder, 'mended.csv'));
    expect(codeOf(...mended, '--resume')).toBe(0);
  });
});

describe.skipIf(process.platform === 'win32')('a command that is stopped by a signal', () => {
  const NUMBERS = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const;

  it.each(casesOf(Object.entries(NUMBERS) as [NodeJS.Signals, number][], [0]))(
    'a batch ends by %s, which shells show as %i',
    async (signal, code) => {
      expect(128 + constants.signals[signal]).toBe(code);
      mkdirSync(join(folder, signal));
      for (let i = 0; i < 30; i++) copyFileSync(join(folder, 'rain.csv'), join(folder, signal, `${i}.csv`));
      let finished = 0;
      const args = [signal, ...V, '--out', `${signal}-out`, '--workers', '1'];
      const batch = startBatch(args, folder, ({ event }) => {
        if (event === 'finished' && ++finished === 2) batch.kill(signal);
      });
      const ended = await batch.ended;
      expect([ended.code, ended.signal]).toEqual([null, signal]);
      expect(ended.out).toContain('"status":"interrupted"');
      expect(codeOf('batch', ...args, '--resume', '-q')).toBe(0);
      expect(Object.keys(checksums(join(folder, `${signal}-out`)))).toHaveLength(31);
    },
  );

  it.skipIf(spawnSync('unshare', ['--pid', '--fork', 'true']).status !== 0)(
    'a batch ends with 143 where it is the first process of a container, which its own signal does not end',
    async () => {
      mkdirSync(join(folder, 'first'));
      for (let i = 0; i < 60; i++) copyFileSync(join(folder, 'rain.csv'), join(folder, 'first', `${i}.csv`));
      const args = ['--pid', '--fork', process.execPath, CLI, 'batch', 'first', ...V, '--out', 'first-out', '--json'];
      const shell = spawn('unshare', [...args, '--workers', '1'], {
        cwd: folder,
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      const ended = new Promise((done) => shell.once('close', done));
      await new Promise<void>((begun) => shell.stdout.on('data', (text) => `${text}`.includes('finished') && begun()));
      const [pid] = readFileSync(`/proc/${shell.pid}/task/${shell.pid}/children`, 'utf8').split(' ');
      process.kill(Number(pid), 'SIGTERM');
      expect(await ended).toBe(NUMBERS.SIGTERM);
    },
  );

  const waiting = [
    ['stats', '-'],
    ['inspect', '-'],
    ['plot', '-'],
    ['climatology', '-'],
    ['batch', '--inputs-from', '-', '--out', 'waiting'],
    ['worker'],
  ];

  it.each(casesOf(waiting, [0, 4]))('%s %s ends by it while it waits for its input', async (...args) => {
    const child = spawn(process.execPath, [CLI, ...args], { cwd: folder, stdio: ['pipe', 'ignore', 'ignore'] });
    const ended = new Promise((done) => child.once('close', (code, signal) => done(signal ?? code)));
    await sleep(700);
    child.kill('SIGINT');
    expect(await ended).toBe('SIGINT');
  });
});
