import { createServer } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { listen } from '../../../../src/cli/http-server.js';
import type { Answers } from '../../../../src/service/endpoints/answers.js';
import type { RequestMetric, RequestRecord } from '../../../../src/service/handler/handler-options.js';
import { createListener } from '../../../../src/service/handler/listener/create-listener.node.js';
import type { WorkLimits } from '../../../../src/service/handler/work-queue.js';
import { fakeAnswers, fakeService, KEY } from '../fake-service.js';
import { longHistory } from '../long-history.js';

/** The machine may be busy. */
const PATIENT = { timeout: 20_000 };

const ONE = `GET /v2/history?lat=37.3&lon=-79.84 HTTP/1.1\r\nHost: here\r\nX-Api-Key: ${KEY}\r\n\r\n`;
/** More than the system keeps for a client that does not read. */
const LONG = ONE.replace('lat=37.3&lon=-79.84', `points=${Array(20).fill('37.3,-79.84').join(';')}`);
const SHORT = `GET /health HTTP/1.1\r\nHost: here\r\n\r\n`;

const LISTENERS = [
  [
    'createListener under createServer',
    async (listener: ReturnType<typeof createListener>) => {
      const server = createServer(listener);
      await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
      onTestFinished(() => server.close().closeAllConnections());
      return (server.address() as AddressInfo).port;
    },
  ],
  [
    'plumecast serve',
    async (listener: ReturnType<typeof createListener>) => {
      const server = await listen(listener, { host: '127.0.0.1', port: 0 });
      onTestFinished(async () => void (await server.stop(0)));
      return Number(new URL(server.address).port);
    },
  ],
] as const;

describe.each(LISTENERS)('%s', (_, serve) => {
  /** A service whose first history waits for `release`; those after it are long answers. */
  async function service(limits: WorkLimits = {}) {
    const records: RequestRecord[] = [];
    const metrics: RequestMetric[] = [];
    let computed = 0;
    let release = () => {};
    const gate = new Promise<void>((done) => {
      release = done;
    });
    const answers: Answers = {
      ...fakeAnswers(),
      async history() {
        computed++;
        await gate;
        return longHistory();
      },
    };
    const { handler } = fakeService({
      answers,
      limits,
      onRequest: (record) => records.push(record),
      onMetric: (metric) => metrics.push(metric),
    });
    const port = await serve(createListener(handler));
    const open = async (text: string) => {
      const socket = connect(port, '127.0.0.1');
      onTestFinished(() => void socket.destroy());
      socket.on('error', () => undefined);
      await new Promise((connected) => socket.once('connect', connected));
      socket.write(text);
      return socket;
    };
    const statuses = () => [records.map(({ status }) => status), metrics.map(({ status }) => status)];
    return { handler, open, release, statuses, computed: () => computed };
  }

  it('computes one request of a connection at a time', async () => {
    const { open, release, computed, handler } = await service();
    const reading = received(await open(ONE.repeat(3)), 3);
    await expect.poll(computed, PATIENT).toBe(1);
    await turns();
    expect(computed()).toBe(1);
    release();
    expect((await reading).match(/HTTP\/1\.1 200/g)).toHaveLength(3);
    expect(computed()).toBe(3);
    await expect.poll(() => handler.state(), PATIENT).toMatchObject({ answering: 0, waiting: 0, sending: 0 });
  });

  it('computes nothing for pipelined requests whose client has gone, counts them as 499, and serves the key at once', async () => {
    const { open, release, computed, statuses, handler } = await service({ answering: 4, sending: 2 });
    const gone = await open(ONE.repeat(50));
    await expect.poll(computed, PATIENT).toBe(1);
    gone.destroy();
    await expect.poll(() => statuses()[0].filter((status) => status === 499), PATIENT).toHaveLength(49);
    release();
    await expect.poll(() => handler.state(), PATIENT).toMatchObject({ answering: 0, waiting: 0, sending: 0 });
    const [logged, counted] = statuses();
    expect(logged).toEqual(counted);
    expect(logged).toHaveLength(50);
    expect(computed()).toBe(1);
    expect((await received(await open(ONE), 1)).slice(0, 12)).toBe('HTTP/1.1 200');
  });

  it('frees the place of a long answer whose client has gone behind others', async () => {
    const { open, release, handler, statuses } = await service({ sending: 1 });
    release();
    for (let i = 0; i < 3; i++) {
      const socket = await open(LONG.repeat(4));
      socket.pause();
      await expect.poll(async () => (await handler.state()).sending, PATIENT).toBe(20);
      socket.destroy();
      await expect.poll(() => statuses()[0], PATIENT).toHaveLength(4 * (i + 1));
      expect(await handler.state()).toMatchObject({ answering: 0, waiting: 0, sending: 0 });
    }
    expect(statuses()[0].filter((status) => status === 499)).toHaveLength(9);
  });

  it('ends a connection on which more than 128 requests wait, after the response that is being sent', async () => {
    const { open, release, computed, statuses } = await service();
    const socket = await open(ONE + SHORT.repeat(400));
    const reading = received(socket);
    await expect.poll(() => statuses()[0].filter((status) => status === 499), PATIENT).toHaveLength(400);
    release();
    const text = await reading;
    expect(text.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 200']);
    expect(text.slice(0, 1000)).toMatch(/^connection: close\r$/im);
    expect(text.endsWith('0\r\n\r\n')).toBe(true);
    expect(computed()).toBe(1);
    expect((await received(await open(SHORT.repeat(129)), 129)).match(/200 OK/g)).toHaveLength(129);
  });

  it('breaks off a long answer of which its client takes nothing for too long', async () => {
    const { open, release, handler } = await service({ sending: 1, stalledSeconds: 0.2 });
    release();
    const slow = await open(LONG);
    slow.pause();
    await expect.poll(async () => (await handler.state()).sending, PATIENT).toBe(20);
    await expect.poll(async () => (await handler.state()).sending, PATIENT).toBe(0);
    expect((await received(await open(ONE), 1)).slice(0, 12)).toBe('HTTP/1.1 200');
    // What the system holds for it, and then the end of the connection.
    slow.resume();
    expect((await received(slow)).endsWith('0\r\n\r\n')).toBe(false);
  });
});

it('a handler of the Fetch API, through @hono/node-server, frees the places of clients that have gone behind others', async () => {
  const answers: Answers = { ...fakeAnswers(), history: async () => longHistory() };
  // The adapter writes there what it breaks off.
  const printed = vi.spyOn(console, 'error').mockImplementation(() => undefined);
  onTestFinished(() => printed.mockRestore());
  const sent: RequestMetric[] = [];
  const { handler } = fakeService({
    answers,
    limits: { stalledSeconds: 0.3 },
    onMetric: (metric) => sent.push(metric),
  });
  const server = createServer(getRequestListener(handler, { overrideGlobalObjects: false }));
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  onTestFinished(() => server.close().closeAllConnections());
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1', () => socket.write(LONG.repeat(4)));
  socket.once('data', () => socket.destroy());
  await expect.poll(() => sent, PATIENT).toHaveLength(4);
  expect(await handler.state()).toMatchObject({ answering: 0, waiting: 0, sending: 0 });
});

async function turns(): Promise<void> {
  for (let turn = 0; turn < 10; turn++) await new Promise((done) => setImmediate(done));
}

/** The ends of long and of short responses. */
const END = /\r\n0\r\n\r\n|"ok"\}/g;

/** What a socket receives: of so many responses, or until it is closed. */
function received(socket: Socket, responses = Number.POSITIVE_INFINITY): Promise<string> {
  return new Promise((done) => {
    let [text, ends] = ['', 0];
    socket.on('data', (chunk) => {
      const from = Math.max(0, text.length - 20);
      const before = text.slice(from).match(END)?.length ?? 0;
      text += chunk.toString('latin1');
      ends += (text.slice(from).match(END)?.length ?? 0) - before;
      if (ends >= responses) done(text);
    });
    socket.once('close', () => done(text));
  });
}
