import { Agent, get, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import { connect, type Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { isLoopback, listen, type RunningServer } from '../../src/cli/http-server.js';

const started: RunningServer[] = [];
const agents: Agent[] = [];
afterEach(async () => {
  for (const agent of agents.splice(0)) agent.destroy();
  await Promise.all(started.splice(0).map((server) => server.stop(0)));
});

async function start(listener: RequestListener, host = '127.0.0.1'): Promise<RunningServer> {
  const server = await listen(listener, { host, port: 0 });
  started.push(server);
  return server;
}

/** A grace period in seconds, beyond the time limit of tests: what waits for its end fails. */
const LONG = 3600;

/** An answer that comes after `milliseconds`. */
const slow =
  (milliseconds: number): RequestListener =>
  (_, answer) => {
    answer.writeHead(200);
    answer.flushHeaders();
    setTimeout(() => answer.end('whole'), milliseconds);
  };

/**
 * Asks over a connection that is kept alive; resolves to the body once the headers are there, and rejects where it is
 * cut off.
 */
function ask(address: string): Promise<{ body: Promise<string> }> {
  const agent = new Agent({ keepAlive: true });
  agents.push(agent);
  return new Promise((answered, failed) => {
    get(address, { agent }, (response) => {
      const body = new Promise<string>((done, cut) => {
        let text = '';
        response.on('data', (chunk) => (text += chunk));
        response.on('end', () => done(text));
        response.on('error', cut);
      });
      body.catch(() => undefined);
      answered({ body });
    }).on('error', failed);
  });
}

const portOf = (address: string) => Number(new URL(address).port);

describe('listen', () => {
  it('gives the address with the actual port', async () => {
    const { address } = await start((_, answer) => answer.end('here'));
    expect(address).toMatch(/^http:\/\/127\.0\.0\.1:[1-9]\d*$/);
    expect(await (await fetch(address)).text()).toBe('here');
  });

  it('gives an address that this machine can reach if it listens on all addresses', async () => {
    const { address } = await start((_, answer) => answer.end('here'), '0.0.0.0');
    expect(address).toMatch(/^http:\/\/127\.0\.0\.1:/);
    expect(await (await fetch(address)).text()).toBe('here');
  });

  it('throws for a port in use, and for a host that is not an address of this machine', async () => {
    const { address } = await start(() => undefined);
    const port = portOf(address);
    await expect(listen(() => undefined, { host: '127.0.0.1', port })).rejects.toMatchObject({
      tag: 'option',
      message: `--port: is in use by another server; received ${port}; allowed: a free port, or 0 for any`,
    });
    await expect(listen(() => undefined, { host: '192.0.2.1', port: 0 })).rejects.toMatchObject({
      tag: 'option',
      subject: '--host',
      problem: 'is not an address of this machine',
    });
  });
});

/** The server of a request, which node:http keeps at its connection. */
const serverOf = ({ socket }: IncomingMessage) => (socket as Socket & { server: Server }).server;

describe('time limits', () => {
  it('are those of a request, of its head, and of a connection on which nothing moves', async () => {
    let limits: Server | undefined;
    const { address } = await start((request, answer) => {
      limits = serverOf(request);
      answer.end();
    });
    await fetch(address);
    expect(limits).toMatchObject({ requestTimeout: 30_000, headersTimeout: 20_000, timeout: 60_000 });
  });

  it('end a connection on which nothing moves, but not one whose answer is being computed', async () => {
    const sockets: Socket[] = [];
    let finish: () => unknown = () => undefined;
    const { address } = await start((request, answer) => {
      sockets.push(request.socket);
      finish = () => answer.end('whole');
    });
    const socket = connect(portOf(address), '127.0.0.1');
    let text = '';
    socket.on('data', (chunk) => (text += chunk));
    const closed = new Promise((done) => socket.once('close', done));
    socket.write('GET / HTTP/1.1\r\nHost: here\r\n\r\n');
    await expect.poll(() => sockets.length).toBe(1);
    // As node:http does after the time.
    sockets[0].emit('timeout');
    finish();
    await expect.poll(() => text).toContain('whole');
    sockets[0].emit('timeout');
    await closed;
  });
});

describe('stop', () => {
  it('waits until responses in progress are finished, and no longer', async () => {
    let finish: () => unknown = () => expect.fail('nothing was requested');
    const server = await start((_, answer) => {
      answer.writeHead(200).flushHeaders();
      finish = () => answer.end('whole');
    });
    const { body } = await ask(server.address);
    let hasStopped = false;
    const stopped = server.stop(LONG).then(() => (hasStopped = true));
    await wait(50);
    expect(hasStopped).toBe(false);
    finish();
    expect(await body).toBe('whole');
    await stopped;
  });

  it('rejects new connections while it waits', async () => {
    const server = await start(slow(300));
    const { body } = await ask(server.address);
    const stopped = server.stop(LONG);
    await expect(ask(server.address)).rejects.toMatchObject({ code: 'ECONNREFUSED' });
    await stopped;
    expect(await body).toBe('whole');
  });

  it('closes idle connections at once, with and without an earlier request', async () => {
    const server = await start((_, answer) => answer.end('here'));
    const { body } = await ask(server.address);
    await body;
    const silent = connect(portOf(server.address), '127.0.0.1');
    await new Promise((done) => silent.once('connect', done));
    await wait(20);
    expect(await server.stop(LONG)).toBe(0);
  });

  it('answers a request that has partly arrived', async () => {
    const server = await start((_, answer) => answer.end('here'));
    const socket = connect(portOf(server.address), '127.0.0.1');
    socket.write('GET / HTTP/1.1\r\n');
    await wait(200);
    const stopped = server.stop(LONG);
    await wait(200);
    socket.write('Host: localhost\r\n\r\n');
    let text = '';
    for await (const chunk of socket) text += chunk;
    expect(text).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
    expect(text.toLowerCase()).toContain('connection: close');
    expect(await stopped).toBe(0);
  });

  it('cuts off responses after the grace period, and returns their number', async () => {
    const server = await start(slow(60_000));
    const answers = await Promise.all([ask(server.address), ask(server.address)]);
    expect(await server.stop(0.1)).toBe(2);
    for (const { body } of answers) await expect(body).rejects.toThrow();
  });
});

describe('isLoopback', () => {
  it('is true only for 127.0.0.0/8, ::1 and localhost', () => {
    for (const host of ['127.0.0.1', '127.8.9.10', '::1', 'localhost', 'LOCALHOST'])
      expect(isLoopback(host)).toBe(true);
    for (const host of [
      '0.0.0.0',
      '::',
      '',
      '128.0.0.1',
      '127.evil.example',
      'localhost.example',
      '10.0.0.1',
      '1127.0.0.1',
    ]) {
      expect(isLoopback(host)).toBe(false);
    }
  });
});
