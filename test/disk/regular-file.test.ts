import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { readRegularFile } from '../../src/disk/regular-file.node.js';

const folder = mkdtempSync(join(tmpdir(), 'plumecast-regular-'));
afterAll(() => rmSync(folder, { recursive: true }));

describe.skipIf(process.platform === 'win32')('readRegularFile', () => {
  it('reads a file, also through a link', async () => {
    const path = join(folder, 'file');
    writeFileSync(path, 'content');
    symlinkSync(path, join(folder, 'link'));
    expect(`${await readRegularFile(path)}`).toBe('content');
    expect(`${await readRegularFile(join(folder, 'link'))}`).toBe('content');
  });

  it('rejects a folder, a named pipe, a device and a socket at once, and says what they are', async () => {
    mkdirSync(join(folder, 'folder'));
    execFileSync('mkfifo', [join(folder, 'pipe')]);
    const server = createServer();
    await new Promise<void>((listening) => server.listen(join(folder, 'socket'), listening));
    for (const [path, kind] of [
      [join(folder, 'folder'), 'is a folder'],
      [join(folder, 'pipe'), 'is a named pipe'],
      ['/dev/zero', 'is a device'],
      [join(folder, 'socket'), 'is a socket or a device'],
    ]) {
      const problem = `${path}: ${kind}, and only files are read here; allowed: a file`;
      await expect(readRegularFile(path)).rejects.toMatchObject({ name: 'FileError', message: problem });
    }
    await new Promise((closed) => server.close(closed));
  });

  it('rejects with the error of the system where there is nothing', async () => {
    await expect(readRegularFile(join(folder, 'absent'))).rejects.toMatchObject({ code: 'ENOENT' });
  });
});
