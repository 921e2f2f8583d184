import { createServer, type RequestListener, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { getRequestListener } from '@hono/node-server';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createListener } from '../../../../src/service/handler/listener/create-listener.node.js';
import { AT, conformanceService, createService, KEY, type Service } from '../../../conformance/service.js';
import { callListener } from './call-listener.js';

let service: Service;
const servers: Server[] = [];
/** Ports of the listener, and of an adapter to the Fetch API. */
let own: number;
let adapted: number;

async function serve(listener: RequestListener): Promise<number> {
  const server = createServer(listener);
  servers.push(server);
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  return (server.address() as AddressInfo).port;
}

beforeAll(async () => {
  service = await conformanceService();
  own = await serve(createListener(service.handler));
  adapted = await serve(getRequestListener(service.handler, { hostname: 'x', overrideGlobalObjects: false }));
});
afterAll(() => {
  for (const server of servers) server.close().closeAllConnections();
});

/**
 * All that a server sends for what is written to it, until it ends the connection; header lines are sorted, and the time
 * of day is left out.
 */
function exchange(port: number, text: string): Promise<string> {
  return new Promise((done, failed) => {
    let answer = '';
    const socket = connect(port, '127.0.0.1', () => socket.write(text, 'latin1'));
    socket.on('data', (chunk) => {
      answer += chunk.toString('latin1');
    });
    socket.once('close', () => done(answer.replace(/(HTTP\/1\.1 .*\r\n)((?:.+\r\n)+)/g, sortedHead)));
    socket.once('error', failed);
  });
}

function sortedHead(_: string, status: string, lines: string): string {
  const kept = lines.split('\r\n').filter((line) => line !== '' && !line.startsWith('Date: '));
  return `${status}${kept.sort().join('\r\n')}\r\n`;
}

// With an id of its own: else each answer gets a new one.
const HOST = 'Host: service.test\r\nX-Request-Id: request-1\r\n';
const OWN_KEY = `X-Api-Key: ${KEY}\r\n`;
const LAST = 'Connection: close\r\n\r\n';
const WEEKS = `/v2/forecast/statistics?${AT}&var=temp_mean&granularity=weekly`;
const DAYS = `/v2/forecast/statistics?${AT}&var=temp_mean,precipitation`;

const REQUESTS: readonly [title: string, text: string, status: number][] = [
  ['a plain request', `GET ${WEEKS} HTTP/1.1\r\n${HOST}${OWN_KEY}${LAST}`, 200],
  ['a key whose line comes twice', `GET ${WEEKS} HTTP/1.1\r\n${HOST}${OWN_KEY}${OWN_KEY}${LAST}`, 401],
  ['a key with blanks around it', `GET ${WEEKS} HTTP/1.1\r\n${HOST}X-Api-Key: \t ${KEY} \t\r\n${LAST}`, 200],
  ['an empty key', `GET ${WEEKS} HTTP/1.1\r\n${HOST}X-Api-Key:\r\n${LAST}`, 401],
  [
    'two lines Accept',
    `GET ${WEEKS} HTTP/1.1\r\n${HOST}${OWN_KEY}Accept: image/png\r\nACCEPT: text/csv\r\n${LAST}`,
    200,
  ],
  ['a folded line', `GET ${WEEKS} HTTP/1.1\r\n${HOST}${OWN_KEY}Accept: text/csv;\r\n q=0.5\r\n${LAST}`, 400],
  ['a key that is not ASCII', `GET ${WEEKS} HTTP/1.1\r\n${HOST}X-Api-Key: \xe9\xff\r\n${LAST}`, 401],
  ['an Accept that is not ASCII', `GET ${WEEKS} HTTP/1.1\r\n${HOST}${OWN_KEY}Accept: \xa0text/csv\r\n${LAST}`, 200],
  ...[
    'gzip',
    'GZIP;q=0.5, *;q=0',
    'zstd;q=0.9,gzip;q=1.0',
    'gzip;q=nonsense',
    ',;=,\xe9\xff',
    `${'a,'.repeat(2000)}gzip`,
  ].map((value): [string, string, number] => [
    `Accept-Encoding: ${value.slice(0, 30)}`,
    `GET ${DAYS} HTTP/1.1\r\n${HOST}${OWN_KEY}Accept-Encoding: ${value}\r\n${LAST}`,
    200,
  ]),
  [
    'two lines Accept-Encoding',
    `GET ${DAYS} HTTP/1.1\r\n${HOST}${OWN_KEY}Accept-Encoding: br\r\nAccept-Encoding: gzip\r\n${LAST}`,
    200,
  ],
  ['a target that is not ASCII', `GET /v2/f\xf6 HTTP/1.1\r\n${HOST}${OWN_KEY}${LAST}`, 400],
  ['an absolute target', `GET http://other.test${WEEKS} HTTP/1.1\r\n${HOST}${OWN_KEY}${LAST}`, 200],
  ['a target with segments of dots', `GET /v2/x/..${WEEKS.slice(3)} HTTP/1.1\r\n${HOST}${OWN_KEY}${LAST}`, 200],
  ['HTTP/1.0 without a host', `GET ${WEEKS} HTTP/1.0\r\nX-Request-Id: request-1\r\n${OWN_KEY}\r\n`, 200],
  ['a body on GET', `GET ${WEEKS} HTTP/1.1\r\n${HOST}${OWN_KEY}Content-Length: 5\r\n${LAST}hello`, 200],
  [
    'a body in chunks on GET',
    `GET ${WEEKS} HTTP/1.1\r\n${HOST}${OWN_KEY}Transfer-Encoding: chunked\r\n${LAST}5\r\nhello\r\n0\r\n\r\n`,
    200,
  ],
  ...(
    [
      ['points that repeat and leave the grid', 'points=37.3,-80;37.3,-80;0,0;37.5,-80;37.3,-80', 200],
      ['points of which none is on the grid', 'points=0,0;1,1', 200],
      ['points that end in a separator', 'points=37.3,-80;', 400],
      ['points between which one is empty', 'points=37.3,-80;;37.5,-80', 400],
      ['points without an end', 'points=37.3,', 400],
      ['points beyond a pole', 'points=37.3,-80;91,0', 400],
      ['points in two parameters', 'points=37.3,-80&points=37.5,-80', 400],
      ['points beside a point', `points=37.3,-80&${AT}`, 400],
      ['a threshold that is no condition', `${AT}&threshold=temp_mean`, 400],
      ['a threshold without a number', `${AT}&threshold=temp_mean>`, 400],
      ['a threshold without a variable', `${AT}&threshold=>5`, 400],
      ['a threshold that is not a number', `${AT}&threshold=temp_mean>NaN`, 400],
      ['thresholds that end in a separator', `${AT}&threshold=temp_mean>5,`, 400],
      ['a threshold of a variable that is not requested', `${AT}&var=precipitation&threshold=temp_mean>5`, 400],
    ] as const
  ).map(([title, query, status]): [string, string, number] => [
    title,
    `GET /v2/forecast/statistics?${query} HTTP/1.1\r\n${HOST}${OWN_KEY}${LAST}`,
    status,
  ]),
  ['a body on POST', `POST ${WEEKS} HTTP/1.1\r\n${HOST}${OWN_KEY}Content-Length: 5\r\n${LAST}hello`, 405],
  ['HEAD', `HEAD ${WEEKS} HTTP/1.1\r\n${HOST}${OWN_KEY}${LAST}`, 200],
  ['HEAD of a long body', `HEAD /v2/history?${AT}&start_date=1995-01-01 HTTP/1.1\r\n${HOST}${OWN_KEY}${LAST}`, 200],
  ['OPTIONS', `OPTIONS ${WEEKS} HTTP/1.1\r\n${HOST}Origin: https://a.test\r\n${LAST}`, 204],
  ['If-None-Match: *', `GET ${WEEKS} HTTP/1.1\r\n${HOST}${OWN_KEY}If-None-Match: *\r\n${LAST}`, 304],
  ['an unknown method', `BREW / HTTP/1.1\r\n${HOST}${LAST}`, 400],
];

describe('raw requests', () => {
  it.each(REQUESTS)('%s is answered as by an adapter to the Fetch API, byte for byte', async (_, text, status) => {
    const [answer, expected] = await Promise.all([exchange(own, text), exchange(adapted, text)]);
    expect(answer.slice(0, 13)).toBe(`HTTP/1.1 ${status} `);
    expect(answer).toBe(expected);
  });

  it('pipelined requests are answered in their order, all of them', async () => {
    const one = (path: string, more = '\r\n') => `GET ${path} HTTP/1.1\r\n${HOST}${OWN_KEY}${more}`;
    const text = `${one(WEEKS)}${one('/health')}${one('/v2/nowhere')}${one(WEEKS)}${one(`${WEEKS}&x=1`, LAST)}`;
    const [answer, expected] = await Promise.all([exchange(own, text), exchange(adapted, text)]);
    expect(answer.match(/HTTP\/1\.1 \d+/g)).toEqual([200, 200, 404, 200, 400].map((status) => `HTTP/1.1 ${status}`));
    expect(answer).toBe(expected);
  });

  describe('what follows a request with `Connection: close`', () => {
    const one = (path: string, more = '\r\n') => `GET ${path} HTTP/1.1\r\n${HOST}${OWN_KEY}${more}`;
    const POINTS = `/v2/forecast/statistics?points=37.3,-80;37.5,-80`;
    const AFTER = [one(WEEKS), one(WEEKS).repeat(20), 'no request\r\n\r\n'];
    const statuses = (answer: string) => answer.match(/(?<=HTTP\/1\.1 )\d+/g);

    it('takes no answer from it and those before it, whether they are at hand or awaited', async () => {
      const texts = [
        `${one(WEEKS)}${one('/v2/nowhere')}${one(DAYS, LAST)}`,
        `${one(POINTS)}${one('/v2/nowhere')}${one(POINTS, LAST)}`,
      ];
      for (const text of texts) {
        const expected = await exchange(own, text);
        for (const more of ['', ...AFTER]) {
          const answer = await exchange(own, text + more);
          expect(statuses(answer)).toEqual(['200', '404', '200']);
          expect(answer === expected).toBe(true);
        }
      }
    });

    // Which answers of data are at hand depends on how busy the service is: this one always is.
    it('takes no answer at hand from it where a server calls the listener from its own', async () => {
      const listener = createListener(service.handler);
      const port = await serve((request, response) => listener(request, response));
      for (const more of AFTER)
        expect(statuses(await exchange(port, one('/v2/nowhere', LAST) + more))).toEqual(['404']);
    });

    it('is left to the server where it handles such errors itself', async () => {
      const server = createServer(createListener(service.handler));
      servers.push(server);
      server.on('clientError', (_, socket) => socket.end('HTTP/1.1 418 Its own\r\n\r\n'));
      await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
      const { port } = server.address() as AddressInfo;
      expect(statuses(await exchange(port, one('/health')))).toEqual(['200']);
      expect(statuses(await exchange(port, `${one('/health')}no request\r\n\r\n`))).toEqual(['418']);
    });
  });

  it('what is no request is answered as by node:http alone', async () => {
    await exchange(own, `GET /health HTTP/1.1\r\n${HOST}${LAST}`);
    for (const text of ['no request\r\n\r\n', `GET / HTTP/1.1\r\n${'X: y\r\n'.repeat(5000)}\r\n`]) {
      const [answer, expected] = await Promise.all([exchange(own, text), exchange(adapted, text)]);
      expect(answer).toMatch(/^HTTP\/1\.1 4\d\d /);
      expect(answer).toBe(expected);
    }
  });

  it('a hundred pipelined requests, some with a body or of HEAD, are answered in their order', async () => {
    const one = (i: number) => {
      const path = [WEEKS, '/health', DAYS, '/v2/nowhere', `/v2/history?${AT}&start_date=1995-01-01`][i % 5];
      const [method, body] = [i % 7 === 3 ? 'HEAD' : 'GET', i % 4 === 1 ? 'hello' : ''];
      const length = body === '' ? '' : `Content-Length: ${body.length}\r\n`;
      return `${method} ${path} HTTP/1.1\r\n${HOST}${OWN_KEY}${length}${i === 99 ? LAST : '\r\n'}${body}`;
    };
    const text = Array.from({ length: 100 }, (_, i) => one(i)).join('');
    const [answer, expected] = await Promise.all([exchange(own, text), exchange(adapted, text)]);
    const statuses = Array.from({ length: 100 }, (_, i) => `HTTP/1.1 ${i % 5 === 3 ? 404 : 200}`);
    expect(answer.match(/HTTP\/1\.1 \d+/g)).toEqual(statuses);
    expect(answer).toBe(expected);
  });

  it('a backslash in the path is a slash, as in the URL of a Request', async () => {
    for (const [path, status] of [
      [`/v2\\forecast\\statistics?${AT}&var=temp_mean`, 200],
      [`/\\v2/forecast?${AT}`, 404],
      [`/v2/x\\..\\forecast/statistics?${AT}&var=temp_mean&granularity=weekly\\`, 400],
    ] as const) {
      const answer = await exchange(own, `GET ${path} HTTP/1.1\r\n${HOST}${OWN_KEY}${LAST}`);
      const request = new Request(`http://service.test${path}`, {
        headers: { 'x-api-key': KEY, 'x-request-id': 'request-1' },
      });
      const expected = await service.handler(request);
      expect(answer.slice(0, 12)).toBe(`HTTP/1.1 ${status}`);
      expect(Buffer.from(answer.split('\r\n\r\n')[1], 'latin1').toString() === (await expected.text())).toBe(true);
    }
  });

  it.each([
    ['a Host that is none', `GET /health HTTP/1.1\r\nHost: a b\r\n${LAST}`],
    ['a Host with a path', `GET /health HTTP/1.1\r\nHost: a.test/v2?x=\r\n${LAST}`],
    ['an absolute target that is none', `GET http:// HTTP/1.1\r\n${HOST}${LAST}`],
    ['a target without a path', `OPTIONS * HTTP/1.1\r\n${HOST}${LAST}`],
  ])('%s is a problem of status 400', async (_, text) => {
    const answer = await exchange(own, text);
    expect(answer.slice(0, 12)).toBe('HTTP/1.1 400');
    // Node itself rejects some.
    if (!answer.includes('problem+json')) return;
    const [head, body] = answer.split('\r\n\r\n');
    expect(JSON.parse(body)).toMatchObject({ status: 400, code: 'request-unreadable' });
    expect(head).toMatch(/^x-request-id: ./im);
  });

  it('pieces of a long body are written only as the client takes them', async () => {
    const sent: number[] = [];
    const { handler } = createService({
      source: { snapshot: () => service.data },
      onMetric: ({ bytes }) => sent.push(bytes),
    });
    const path = `/v2/history?${AT}&start_date=1995-01-01`;
    const held: (() => void)[] = [];
    const rawHeaders = ['Host', 'service.test', 'X-Api-Key', KEY];
    const answer = callListener(createListener(handler), { method: 'GET', url: path, rawHeaders }, (taken) =>
      held.push(taken),
    );
    await expect.poll(() => held.length).toBe(1);
    await setTimeout(50);
    // The metric comes when all is written.
    expect([held.length, sent]).toEqual([1, []]);
    const release = setInterval(() => held.shift()?.(), 0);
    const { byteLength } = await (await answer).arrayBuffer();
    clearInterval(release);
    const expected = await (await service.request(path)).arrayBuffer();
    expect([byteLength, sent]).toEqual([expected.byteLength, [expected.byteLength]]);
  });

  it('a client that reads one byte at a time gets all, and keeps nobody else waiting', async () => {
    const port = await serve(createListener(service.handler));
    const text = (more: string) => `GET ${DAYS} HTTP/1.1\r\n${HOST}${OWN_KEY}${more}${LAST}`;
    const expected = await exchange(port, text('Accept-Encoding: gzip\r\n'));
    let slow = '';
    const socket = connect(port, '127.0.0.1');
    socket.write(text('Accept-Encoding: gzip\r\n'));
    const readByte = () => {
      slow += socket.read(1)?.toString('latin1') ?? '';
    };
    for (let i = 0; i < 20; i++) {
      readByte();
      await setTimeout(5);
    }
    expect((await exchange(port, text(''))).slice(0, 15)).toBe('HTTP/1.1 200 OK');
    expect(slow.length).toBeLessThanOrEqual(20);
    const rest = new Promise((end) => socket.once('close', end));
    socket.on('data', (chunk) => {
      slow += chunk.toString('latin1');
    });
    await rest;
    expect(slow.length).toBe(slow.indexOf('\r\n\r\n') + 4 + Number(/content-length: (\d+)/.exec(slow)?.[1]));
    expect(slow.split('\r\n\r\n')[1].slice(0, 100)).toBe(expected.split('\r\n\r\n')[1].slice(0, 100));
  });

  it('a client that goes away ends the work on a long body', async () => {
    const sent: number[] = [];
    const { handler } = createService({
      source: { snapshot: () => service.data },
      onMetric: ({ bytes }) => sent.push(bytes),
    });
    const port = await serve(createListener(handler));
    const socket = connect(port, '127.0.0.1');
    socket.write(`GET /v2/history?${AT}&start_date=1995-01-01 HTTP/1.1\r\n${HOST}${OWN_KEY}\r\n`);
    await new Promise((first) => socket.once('readable', first));
    socket.destroy();
    await expect.poll(() => sent.length).toBe(1);
  });
});
