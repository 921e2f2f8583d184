import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { tableFromArrays } from 'apache-arrow';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type SocketServer, serveSocket } from '../../src/worker/socket-server.js';
import { frame, readAnswers, request } from './talk.js';

const STALL_SECONDS = 0.3;
const WEEK = tableFromArrays({
  latitude: Float64Array.from({ length: 7 }, () => 50),
  longitude: Float64Array.from({ length: 7 }, () => 10),
  date: Array.from({ length: 7 }, (_, day) => new Date(Date.UTC(2026, 0, 5 + day))),
  rain_01: Float32Array.from({ length: 7 }, (_, day) => day),
  rain_02: Float32Array.from({ length: 7 }, (_, day) => 2 * day),
});
const ONE = request({ options: { granularity: 'weekly', variable: 'precipitation' } }, WEEK);

describe.skipIf(process.platform === 'win32')('a client of a socket', () => {
  const faults: unknown[] = [];
  let folder: string;
  let path: string;
  let server: SocketServer;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'plumecast-stalled-'));
    path = join(folder, 'worker.sock');
    server = await serveSocket(path, (fault) => faults.push(fault), STALL_SECONDS);
  });
  afterAll(async () => {
    server.stop();
    await rm(folder, { recursive: true });
    expect(faults).toEqual([]);
  });

  /** All that a connection sends until it ends. */
  async function received(socket: Socket): Promise<Buffer> {
    const pieces: Buffer[] = [];
    socket.on('data', (piece: Buffer) => pieces.push(piece));
    await once(socket, 'close');
    return Buffer.concat(pieces);
  }

  it('that stalls within a request gets an error, and its connection is closed', async () => {
    const socket = connect(path);
    socket.write(Buffer.concat([frame('Q', '{"version":1}'), frame('D', new Uint8Array(8))]));
    const { answers } = readAnswers(await received(socket));
    expect(answers).toMatchObject([{ error: { tag: 'format', subject: 'request', closes: true } }]);
    expect(answers[0].error?.message).toContain('stalls');
  });

  it('may wait between requests', async () => {
    const socket = connect(path);
    const all = received(socket);
    socket.write(ONE);
    await wait(4000 * STALL_SECONDS);
    socket.end(ONE);
    const { answers } = readAnswers(await all);
    expect(answers.map(({ rows, error }) => [rows, error])).toEqual([
      [1, undefined],
      [1, undefined],
    ]);
  });

  it('that does not read its answers is cut off', async () => {
    const socket = connect(path);
    socket.on('error', () => {});
    socket.pause();
    const requests = Buffer.concat(Array.from({ length: 1000 }, () => ONE));
    const failed = new Promise<void>((resolve) => {
      // What is left after the connection was cut off cannot be sent.
      const send = () => socket.write(requests, (error) => (error ? resolve() : send()));
      send();
    });
    await failed;
    socket.destroy();
  });
});
