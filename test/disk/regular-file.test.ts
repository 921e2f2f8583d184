import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { openWithStatus, readRegularFile } from '../../src/disk/regular-file.node.js';

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

  it('rejects a file that is longer than allowed before it reads it, and links that lead in a circle', async () => {
    const path = join(folder, 'long');
    writeFileSync(path, '');
    truncateSync(path, 2 ** 40);
    const problem = `${path}: is too long; received "1099511627776 bytes"; allowed: at most`;
    await expect(readRegularFile(path)).rejects.toThrow(`${problem} 2147483647 bytes`);
    await expect(readRegularFile(path, { maxBytes: 10 })).rejects.toThrow(`${problem} 10 bytes`);
    symlinkSync('circle', join(folder, 'circle'));
    await expect(readRegularFile(join(folder, 'circle'))).rejects.toMatchObject({ code: 'ELOOP' });
  });

  it('stops at a signal', async () => {
    writeFileSync(join(folder, 'stopped'), 'content');
    const reading = readRegularFile(join(folder, 'stopped'), { signal: AbortSignal.abort() });
    await expect(reading).rejects.toThrow('aborted');
  });
});

describe.skipIf(process.platform === 'win32')('openWithStatus', () => {
  it('gives the size of a file, and rejects a link that is not to be followed', async () => {
    writeFileSync(join(folder, 'sized'), 'content');
    symlinkSync('sized', join(folder, 'to-sized'));
    const { handle, status } = await openWithStatus(join(folder, 'sized'), { followsLink: false });
    await handle.close();
    expect(status.size).toBe(7);
    const opening = openWithStatus(join(folder, 'to-sized'), { followsLink: false });
    await expect(opening).rejects.toMatchObject({ code: 'ELOOP' });
  });
});
