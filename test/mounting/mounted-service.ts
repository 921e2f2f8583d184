import { Agent } from 'node:http';
import type { Handler } from 'plumecast/service';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type HttpOptions, type HttpResponse, httpRequest } from './http-request.js';
import { KEY } from './served-store.js';
import { beginRequest, closing, type ServerProcess } from './server-process.js';

/** A service that is mounted in a server. */
export interface Mount {
  /** Where it is mounted. */
  readonly basePath: string;
  start(): Promise<ServerProcess>;
  /** The handler that is mounted, or one that answers the same. */
  handler(): Handler | Promise<Handler>;
  /** What the server gives for `/`; undefined where it has no routes of its own. */
  readonly ownRoute: string | undefined;
  /**
   * Status of a request that has begun when the server is to stop, and is complete a little later; undefined where it
   * ends at once.
   */
  readonly whenEnding: number | undefined;
}

const PLACE = 'lat=37.2&lon=-79.8';
const WEEKS = `/v2/forecast/statistics?${PLACE}&var=precipitation&granularity=weekly`;

/** Requests whose answers have to be those of the handler itself, to the byte. */
const SAME: readonly [title: string, path: string, headers?: Record<string, string>][] = [
  ['weekly statistics', WEEKS],
  ['weekly statistics as CSV', WEEKS, { accept: 'text/csv' }],
  ['members', `/v2/forecast?${PLACE}`],
  ['a query with percent-encoding', `/v2/forecast/statistics?l%61t=37%2E2&lon=%2D79.8&var=temp_mean%2Cprecipitation`],
  ['all faults of a query', '/v2/forecast/statistics?lat=91&lon=x&var=rain&start=2026-02-30'],
  ['a parameter that is no percent-encoded UTF-8', `/v2/forecast?${PLACE}&start_date=%E0%A4%A`],
  ['a path that there is not', '/v2/forecasts'],
  ['a media type that there is not', WEEKS, { accept: 'image/png' }],
  ['the description of the service', '/openapi.json'],
];

/** Tests that a mounted service answers as its handler does, and that its server goes on with the rest. */
export function testMount({ basePath, start, handler, ownRoute, whenEnding }: Mount): void {
  let server: ServerProcess;
  let direct: Handler;
  beforeAll(async () => {
    [server, direct] = await Promise.all([start(), handler()]);
  });
  afterAll(async () => {
    await server?.end('SIGKILL');
  });

  const ask = (path: string, { headers, ...more }: HttpOptions = {}) =>
    httpRequest(server.address, basePath + path, { headers: { 'X-Api-Key': KEY, ...headers }, ...more });

  it.each(SAME)('answers %s as the handler does, byte for byte', async (_, path, headers = {}) => {
    const answer = await ask(path, { headers });
    const request = new Request(server.address + basePath + path, { headers: { 'X-Api-Key': KEY, ...headers } });
    const expected = await direct(request);
    expect(answer.status).toBe(expected.status);
    for (const name of ['content-type', 'content-length', 'etag', 'vary', 'access-control-allow-origin']) {
      expect([name, answer.headers[name]]).toEqual([name, expected.headers.get(name) ?? undefined]);
    }
    expect(answer.body.equals(Buffer.from(await expected.arrayBuffer()))).toBe(true);
  });

  it('requires a key', async () => {
    const { status, headers, body } = await httpRequest(server.address, basePath + WEEKS);
    expect([status, headers['content-type']]).toEqual([401, 'application/problem+json']);
    expect(JSON.parse(body.toString())).toMatchObject({
      code: 'key-missing',
      instance: `${basePath}${WEEKS.split('?')[0]}`,
    });
  });

  it('leaves other paths to the server', async () => {
    const statusOf = async (path: string) => (await httpRequest(server.address, path)).status;
    if (ownRoute !== undefined) {
      const { status, body } = await httpRequest(server.address, '/');
      expect([status, body.toString()]).toEqual([200, ownRoute]);
      expect(await statusOf('/weatherx/health')).toBe(404);
    }
    expect(await statusOf('/nowhere')).toBe(404);
    expect(await statusOf(`${basePath}/health`)).toBe(200);
    expect(await statusOf(`${basePath === '' ? '/weather' : ''}/health`)).toBe(404);
  });

  it('answers HEAD as GET, without the body', async () => {
    const got = await ask(WEEKS);
    const { status, headers, body } = await ask(WEEKS, { method: 'HEAD' });
    expect([status, body.length]).toEqual([200, 0]);
    expect(headers['content-length']).toBe(`${got.body.length}`);
    expect(headers.etag).toBe(got.headers.etag);
  });

  it('answers 304 to a client that has the answer', async () => {
    const { headers } = await ask(WEEKS);
    const again = await ask(WEEKS, { headers: { 'If-None-Match': headers.etag as string } });
    expect([again.status, again.body.length, again.headers.etag]).toEqual([304, 0, headers.etag]);
  });

  it('answers OPTIONS without a key, also to a web page', async () => {
    const origin = { Origin: 'https://example.org', 'Access-Control-Request-Headers': 'X-Api-Key' };
    const { status, headers } = await httpRequest(server.address, basePath + WEEKS, {
      method: 'OPTIONS',
      headers: origin,
    });
    expect([status, headers.allow]).toEqual([204, 'GET, HEAD, OPTIONS']);
    expect(headers['access-control-allow-headers']).toContain('X-Api-Key');
  });

  it('rejects a request with any body, short or long, and keeps the connection', async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const answers: HttpResponse[] = [];
    for (const type of ['application/json', 'text/plain', 'image/png']) {
      for (const body of ['{"half', 'x'.repeat(1_000_000)]) {
        answers.push(await ask(WEEKS, { method: 'POST', headers: { 'Content-Type': type }, body, agent }));
      }
    }
    answers.push(await ask(WEEKS, { agent }));
    agent.destroy();
    expect(answers.map(({ status }) => status)).toEqual([405, 405, 405, 405, 405, 405, 200]);
    expect(answers[0].headers.allow).toBe('GET, HEAD, OPTIONS');
  });

  it('answers a path that cannot be decoded', async () => {
    expect((await ask('/v1/history/location/%E0%A4%A')).status).toBeOneOf([400, 404]);
    expect((await ask(WEEKS)).status).toBe(200);
  });

  it.skipIf(whenEnding === undefined)('answers a request that has begun before it ends, with exit code 0', async () => {
    const text = `GET ${basePath}${WEEKS} HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Api-Key: ${KEY}`;
    let ended: Promise<unknown> = Promise.resolve();
    const answer = await beginRequest(server.address, text, async () => {
      // Whoever answers what came later has read what came before.
      await ask(WEEKS);
      ended = server.end();
      await closing(server.address);
    });
    expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${whenEnding} `));
    expect(await ended).toBe(0);
  });
}
