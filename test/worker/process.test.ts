import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { rain } from '../batch/many-inputs.js';
import { CLI, folderWith, plumecast } from '../cli/run-command.js';
import { hasPython, PYTHON } from '../reference/foreign-programs.js';
import { count, frame, readAnswers, request } from './talk.js';

const CASES = fileURLToPath(new URL('process-cases.py', import.meta.url));

describe('plumecast worker', () => {
  it.skipIf(process.platform === 'win32' || !hasPython('pyarrow', 'numpy'))(
    'answers a client in Python: many requests, errors, long and cut streams, bounded memory, sockets',
    () => {
      const { folder, remove } = folderWith({});
      const temporary = folderWith({});
      const env = { ...process.env, TMPDIR: temporary.folder };
      // Without a limit of its own it is waited for even when the test has timed out.
      const options = { env, encoding: 'utf8', timeout: 280_000 } as const;
      const { status, stdout, stderr } = spawnSync(PYTHON, [CASES, CLI, folder], options);
      remove();
      temporary.remove();
      expect([stderr, status]).toEqual(['', 0]);
      const cases = ['many_requests', 'errors_between', 'long_streams', 'bounded_memory', 'cut_streams', 'sockets'];
      expect(stdout.trim().split('\n')).toEqual(cases.map((name) => `${name} passed`));
    },
    300_000,
  );

  it('exits with 0 after no requests, 1 after failed ones alone, 3 where some were answered, and writes nothing but frames', () => {
    const none = spawnSync(process.execPath, [CLI, 'worker'], { input: '', timeout: 110_000 });
    expect([none.status, none.stderr.length]).toEqual([0, 0]);
    expect(readAnswers(none.stdout)).toEqual({ hello: { version: 1, plumecast: expect.any(String) }, answers: [] });
    const bad = Buffer.concat([frame('Q', '{"version":1}'), frame('E', count(0))]);
    const failed = spawnSync(process.execPath, [CLI, 'worker'], { input: bad, timeout: 110_000 });
    expect([failed.status, failed.stderr.length]).toEqual([1, 0]);
    expect(readAnswers(failed.stdout).answers).toMatchObject([{ error: { tag: 'format', subject: 'data' } }]);
    const partly = Buffer.concat([bad, request({ options: {} }, rain(1, { days: 7 })), bad]);
    expect(spawnSync(process.execPath, [CLI, 'worker'], { input: partly, timeout: 110_000 }).status).toBe(3);
    // Whatever is after half a request is lost.
    const cut = Buffer.concat([request({ options: {} }, rain(1, { days: 7 })), bad.subarray(0, -1)]);
    expect(spawnSync(process.execPath, [CLI, 'worker'], { input: cut, timeout: 110_000 }).status).toBe(1);
  });

  it.skipIf(process.platform === 'win32')('does not listen where a file is, nor on a path that is too long', () => {
    const { folder, remove } = folderWith({ file: '' });
    const file = plumecast(['worker', '--socket', `${folder}/file`]);
    const long = plumecast(['worker', '--socket', `${folder}/${'x'.repeat(100)}`]);
    const none = plumecast(['worker', '--socket', `${folder}/none/worker.sock`]);
    remove();
    expect([file.code, file.err]).toEqual([
      1,
      `error: --socket: is the path of a file or folder; received "${folder}/file"; allowed: a path where nothing is\n`,
    ]);
    expect([long.code, long.err]).toEqual([1, expect.stringContaining('is too long for the path of a socket')]);
    expect([none.code, none.err]).toEqual([1, expect.stringContaining('cannot be written: ')]);
  });
});
