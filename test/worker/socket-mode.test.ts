import { statSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { serveSocket } from '../../src/worker/socket-server.js';

it.skipIf(process.platform === 'win32')('a socket cannot be opened by others, from its first moment on', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'plumecast-mode-'));
  const path = join(folder, 'worker.sock');
  const modes: number[] = [];
  const look = () => modes.push(statSync(path).mode & 0o777);
  const listen = Server.prototype.listen as (...args: unknown[]) => Server;
  const spy = vi.spyOn(Server.prototype, 'listen').mockImplementation(function (this: Server, ...args: unknown[]) {
    const server = listen.apply(this, args);
    look();
    return server;
  });
  const mask = process.umask();
  const server = await serveSocket(path, () => {});
  look();
  server.stop();
  spy.mockRestore();
  await rm(folder, { recursive: true });
  expect(modes).toEqual([0o600, 0o600]);
  expect(process.umask()).toBe(mask);
});
