import type { RequestListener, ServerResponse } from 'node:http';
import { connect, type Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { listen, type RunningServer } from '../../src/cli/http-server.js';

const started: RunningServer[] = [];
afterEach(() => Promise.all(started.splice(0).map((server) => server.stop(0))));

/** A server whose responses wait for the test. */
async function start(listener: RequestListener) {
  const server = await listen(listener, { host: '127.0.0.1', port: 0 });
  started.push(server);
  /** Opens a connection that asks for paths, all at once. */
  const open = async (...requests: string[]) => {
    const socket = connect({ port: Number(new URL(server.address).port), host: '127.0.0.1', allowHalfOpen: true });
    await new Promise((done) => socket.once('connect', done));
    socket.write(requests.join(''));
    return socket;
  };
  return { server, open };
}

const get = (path: string, more = '') => `GET ${path} HTTP/1.1\r\nHost: here\r\n${more}\r\n`;

/**
 * All that comes until the server ends the connection, however slowly it is read; rejects where the connection is
 * reset.
 */
async function received(socket: Socket, pauseMilliseconds = 0): Promise<string> {
  const chunks: Buffer[] = [];
  let unpaused = 0;
  for await (const chunk of socket) {
    chunks.push(chunk);
    unpaused += chunk.length;
    if (pauseMilliseconds === 0 || unpaused < 65_536) continue;
    unpaused = 0;
    await wait(pauseMilliseconds);
  }
  socket.end();
  return Buffer.concat(chunks).toString('latin1');
}

const statusLines = (text: string) => text.match(/HTTP\/1\.1 \d+/g) ?? [];
const LONG = 7_500_000;

/** How many times in a row there is an `x`. Not by a regular expression, whose stack may be too small for that. */
function lengthOfBody(text: string): number {
  const start = text.indexOf('x');
  let end = start;
  while (text[end] === 'x') end++;
  return end - start;
}

/** Responds to each path when the test says so. */
function onDemand() {
  const waiting = new Map<string, ServerResponse>();
  const listener: RequestListener = (request, response) => void waiting.set(request.url ?? '', response);
  const respond = async (path: string) => {
    while (!waiting.has(path)) await wait(5);
    waiting.get(path)?.end(`the body of ${path}`);
  };
  return { listener, respond, waiting };
}

describe('a server that stops', () => {
  it.each(['HTTP/1.1', 'HTTP/1.0'])(
    'sends a long %s response whole to a client that reads slowly and asks for more',
    async (version) => {
      const { server, open } = await start((_, response) => response.end(Buffer.alloc(LONG, 'x')));
      const socket = await open(`GET / ${version}\r\nHost: here\r\n\r\n`);
      const reading = received(socket, 5);
      await wait(50);
      const stopped = server.stop(10);
      await wait(50);
      socket.write(get('/more'));
      const text = await reading;
      expect(lengthOfBody(text)).toBe(LONG);
      expect(await stopped).toBe(0);
    },
  );

  it('sends a long response completely if it is written before the stop', async () => {
    const { server, open } = await start((_, response) => response.end(Buffer.alloc(LONG, 'x')));
    const socket = await open(get('/'));
    socket.pause();
    await wait(100);
    const stopped = server.stop(10);
    const text = await received(socket, 5);
    expect(lengthOfBody(text)).toBe(LONG);
    expect(await stopped).toBe(0);
  });

  it('ends kept-alive connections without resetting them', async () => {
    const { server, open } = await start((_, response) => response.end('here'));
    const idle = await open(get('/'));
    const reading = received(idle);
    await wait(50);
    const stopped = server.stop(10);
    expect(await reading).toMatch(/keep-alive[\s\S]*here$/);
    expect(await stopped).toBe(0);
  });

  it('answers all pipelined requests that have arrived, and closes with the last response', async () => {
    const { listener, respond, waiting } = onDemand();
    const { server, open } = await start(listener);
    const reading = received(await open(get('/1'), get('/2'), get('/3')));
    while (waiting.size < 3) await wait(5);
    const stopped = server.stop(10);
    for (const path of ['/3', '/1', '/2']) await respond(path);
    const text = await reading;
    expect(text.match(/the body of \/\d/g)).toEqual(['the body of /1', 'the body of /2', 'the body of /3']);
    expect(text.match(/^connection: .*$/gim)).toEqual([
      'Connection: keep-alive',
      'Connection: keep-alive',
      'Connection: close',
    ]);
    expect(await stopped).toBe(0);
  });

  it('answers HEAD, and a request whose body is not read', async () => {
    const { listener, respond, waiting } = onDemand();
    const { server, open } = await start(listener);
    const head = received(await open('HEAD /head HTTP/1.1\r\nHost: here\r\n\r\n'));
    const post = received(
      await open('POST /post HTTP/1.1\r\nHost: here\r\nContent-Length: 400000\r\n\r\n', 'x'.repeat(400_000)),
    );
    while (waiting.size < 2) await wait(5);
    const stopped = server.stop(10);
    await respond('/head');
    await respond('/post');
    expect(await head).toMatch(/^HTTP\/1\.1 200 OK[\s\S]*Connection: close[\s\S]*\r\n\r\n$/);
    expect(await post).toMatch(/^HTTP\/1\.1 200 OK[\s\S]*Connection: close[\s\S]*the body of \/post$/);
    expect(await stopped).toBe(0);
  });

  it('counts each response that it cuts off, including pipelined ones', async () => {
    const { listener, waiting } = onDemand();
    const { server, open } = await start(listener);
    const sockets = [await open(get('/1'), get('/2')), await open(get('/3'))];
    for (const socket of sockets) socket.on('error', () => undefined);
    while (waiting.size < 3) await wait(5);
    expect(await server.stop(0.05)).toBe(3);
  });
});

describe('a connection that is not kept alive', () => {
  it('ends after a complete long response, although its client continues to send', async () => {
    const { open } = await start((_, response) => response.end(Buffer.alloc(LONG, 'x')));
    const socket = await open(get('/', 'Connection: close\r\n'));
    const reading = received(socket, 5);
    let isOver = false;
    const sending = (async () => {
      while (!isOver) {
        socket.write(get('/more'));
        await wait(5);
      }
    })();
    const text = await reading;
    isOver = true;
    await sending;
    expect(lengthOfBody(text)).toBe(LONG);
  });
});

describe('a server that receives an invalid request', () => {
  it('finishes responses in progress first', async () => {
    const { listener, respond, waiting } = onDemand();
    const { open } = await start(listener);
    const reading = received(await open(get('/1'), get('/2'), 'no request\r\n\r\n'));
    while (waiting.size < 2) await wait(5);
    await respond('/1');
    await respond('/2');
    expect(await reading).toMatch(/the body of \/1[\s\S]*Connection: close[\s\S]*the body of \/2$/);
  });

  it('answers with a status for the problem', async () => {
    const { open } = await start((_, response) => response.end('here'));
    expect(await received(await open('no request\r\n\r\n'))).toBe(
      'HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n',
    );
    expect(await received(await open(get('/', `X-Long: ${'x'.repeat(100_000)}\r\n`)))).toMatch(/^HTTP\/1\.1 431 /);
  });
});

describe('a server that drains', () => {
  it('serves new and open connections, with Connection: close on both', async () => {
    const { server, open } = await start((_, response) => response.end('here'));
    const kept = await open(get('/'));
    const reading = received(kept);
    await wait(50);
    server.drain();
    kept.write(get('/', 'X-Number: 2\r\n'));
    const fresh = received(await open(get('/')));
    expect(statusLines(await reading)).toHaveLength(2);
    expect(await reading).toMatch(/Connection: close[\s\S]*here$/);
    expect(await fresh).toMatch(/Connection: close[\s\S]*here$/);
  });

  it('serves all pipelined requests that come together', async () => {
    const { listener, respond } = onDemand();
    const { server, open } = await start(listener);
    server.drain();
    const reading = received(await open(get('/1'), get('/2')));
    await respond('/2');
    await respond('/1');
    const text = await reading;
    expect(text.match(/^connection: .*$/gim)).toEqual(['Connection: keep-alive', 'Connection: close']);
    expect(text).toMatch(/the body of \/1[\s\S]*the body of \/2$/);
  });

  it('keeps a connection open whose response had started before', async () => {
    const { listener, waiting } = onDemand();
    const { server, open } = await start(listener);
    const socket = await open(get('/1'));
    const reading = received(socket);
    while (waiting.size < 1) await wait(5);
    waiting.get('/1')?.flushHeaders();
    server.drain();
    waiting.get('/1')?.end('first');
    await wait(50);
    socket.write(get('/2'));
    while (waiting.size < 2) await wait(5);
    waiting.get('/2')?.end('second');
    expect(await reading).toMatch(/first[\s\S]*Connection: close[\s\S]*second$/);
  });
});
