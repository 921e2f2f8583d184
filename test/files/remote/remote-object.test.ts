import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openRemote, type RemoteObject } from '../../../src/files/remote/remote-object.js';
import { httpRemote, type RemoteOptions } from '../../../src/files/remote/remote-server.js';
import { type ObjectServer, serveObjects, tagOf } from './object-server.js';

const objects = new Map<string, Uint8Array>();
const whole = Uint8Array.from({ length: 300_000 }, (_, i) => (i * 7 + (i >> 8)) & 255);
let server: ObjectServer;
const at = (name: string) => httpRemote(new URL(`${server.url}/${name}`));
const opened = async (name = 'data', options: RemoteOptions = {}): Promise<RemoteObject> => {
  const found = await openRemote(at(name), options);
  if (found.kind !== 'ranges') throw new Error(`it is ${found.kind}`);
  return found.object;
};

beforeAll(async () => {
  server = await serveObjects(objects);
});
afterAll(() => server[Symbol.asyncDispose]());
beforeEach(() => {
  objects.set('data', whole);
  server.fault = undefined;
  server.reset();
});

it('opens an object by its first bytes, and gives ranges of it', async () => {
  const object = await opened();
  expect([object.size, object.head.length]).toEqual([whole.length, 65_537]);
  expect(await object.range(100_000, 1000)).toEqual(whole.slice(100_000, 101_000));
  expect(server.requests).toEqual(['data bytes=0-65536', 'data bytes=100000-100999']);
});

it('says why ranges cannot be requested, and gives all of it then', async () => {
  const reasons: unknown[] = [];
  const answer = (status: number, headers: Record<string, string>) => {
    server.fault = ({ headers: { range } }, response) => {
      if (range === undefined) return false;
      response.writeHead(status, headers).end(status === 200 ? whole : whole.subarray(0, 65_537));
      return true;
    };
  };
  for (const [status, headers] of [
    [200, {}],
    [206, { 'content-range': 'bytes 0-65536/*' }],
    [206, { 'content-range': 'bytes 5-65541/300000' }],
    [206, { 'content-range': 'bytes 0-65536/300000', 'content-encoding': 'br' }],
    [416, {}],
  ] as const) {
    answer(status, headers);
    const found = await openRemote(at('data'));
    if (found.kind !== 'whole') throw new Error(found.kind);
    let length = 0;
    for await (const piece of found.answer.pieces()) length += piece.length;
    reasons.push([found.reason, length]);
  }
  expect(reasons).toEqual([
    ['the server ignores ranges', whole.length],
    ['the server does not say how long it is', whole.length],
    ['the server does not say how long it is', whole.length],
    ['the server sends it compressed', whole.length],
    ['the server ignores ranges', whole.length],
  ]);
});

describe('an object that changes', () => {
  it('is an error, by its tag', async () => {
    const object = await opened();
    objects.set(
      'data',
      Uint8Array.from(whole, (byte) => byte ^ 1),
    );
    await expect(object.range(100_000, 10)).rejects.toMatchObject({
      subject: `${server.url}/data`,
      problem: 'was changed on the server while it was read',
    });
  });

  it('is an error, where the server does not compare tags, and where it is shorter', async () => {
    const object = await opened();
    const other = Uint8Array.from(whole, (byte) => byte ^ 1);
    server.fault = ({ headers }, response) => {
      delete headers['if-match'];
      const range = { 'content-range': `bytes 100000-100009/${whole.length}` };
      response.writeHead(206, { etag: tagOf(other), ...range }).end(other.subarray(100_000, 100_010));
      return true;
    };
    await expect(object.range(100_000, 10)).rejects.toMatchObject({ problem: /changed/ });
    server.fault = (_, response) => {
      response.writeHead(206, { 'content-range': 'bytes 100000-100009/200000' }).end(other.subarray(0, 10));
      return true;
    };
    await expect(object.range(100_000, 10)).rejects.toMatchObject({ problem: /changed/ });
    server.fault = undefined;
    objects.set('data', whole.subarray(0, 90_000));
    await expect(object.range(100_000, 10)).rejects.toMatchObject({ problem: /changed/ });
  });
});

describe('a server that fails', () => {
  it('is asked again where it cuts a body, is busy, or stands still', async () => {
    const object = await opened('data', { pauseMs: 300 });
    const faults = [
      (response: import('node:http').ServerResponse) => {
        response.writeHead(206, { 'content-range': `bytes 100000-100999/${whole.length}`, 'content-length': 1000 });
        response.write(whole.subarray(100_000, 100_100), () => setTimeout(() => response.destroy(), 20));
      },
      (response: import('node:http').ServerResponse) => {
        response.writeHead(206, { 'content-range': `bytes 100000-100999/${whole.length}` });
        response.end(whole.subarray(100_000, 100_100));
      },
      (response: import('node:http').ServerResponse) => response.writeHead(503).end(),
      () => undefined,
    ];
    server.fault = (_, response) => {
      const next = faults.shift();
      next?.(response);
      return next !== undefined;
    };
    expect(await object.range(100_000, 1000)).toEqual(whole.slice(100_000, 101_000));
    expect(faults).toEqual([]);
  });

  it('is asked again after the pause that it asks for', async () => {
    const object = await opened();
    let isFirst = true;
    server.fault = (_, response) => {
      if (!isFirst) return false;
      isFirst = false;
      response.writeHead(429, { 'retry-after': '1' }).end();
      return true;
    };
    const begin = performance.now();
    expect(await object.range(200_000, 10)).toEqual(whole.slice(200_000, 200_010));
    expect(performance.now() - begin).toBeGreaterThan(990);
    server.fault = (_, response) => {
      response.writeHead(429, { 'retry-after': '3600' }).end();
      return true;
    };
    await expect(object.range(200_000, 10)).rejects.toMatchObject({ received: '429 Too Many Requests' });
  });

  it('is an error in words', async () => {
    const object = await opened('data', { retries: 1 });
    const errors: unknown[] = [];
    for (const answer of [
      [200, { 'content-type': 'text/html' }, '<!doctype html><title>Log in</title>'],
      [200, {}, 'all of it'],
      [403, {}, ''],
      [404, {}, ''],
      [500, {}, ''],
      [206, { 'content-range': `bytes 7-16/${whole.length}` }, '0123456789'],
    ] as const) {
      server.fault = (_, response) => {
        response.writeHead(answer[0], answer[1]).end(answer[2]);
        return true;
      };
      errors.push(await object.range(100_000, 10).catch(({ problem, received }) => [problem, received]));
    }
    expect(errors).toEqual([
      ['the server gives a page (HTML) instead of a part of it', '200 OK'],
      ['the server gives no part of it', '200 OK'],
      ['the server does not give a part of it', '403 Forbidden'],
      ['the server does not give a part of it', '404 Not Found'],
      ['the server does not give a part of it', '500 Internal Server Error'],
      ['the server gives other bytes than those that were requested', `bytes 7-16/${whole.length}`],
    ]);
  });

  it('sends user and password to no other origin', async () => {
    await using other = await serveObjects(new Map([['data', whole]]));
    const seen: unknown[] = [];
    other.fault = ({ headers }) => {
      seen.push(headers.authorization);
      return false;
    };
    server.fault = ({ headers, url }, response) => {
      seen.push(headers.authorization);
      response.writeHead(302, { location: `${other.url}${url}` }).end();
      return true;
    };
    const found = await openRemote(httpRemote(new URL(`${server.url.replace('//', '//me:secret@')}/data`)));
    if (found.kind !== 'ranges') throw new Error(found.kind);
    expect(await found.object.range(70_000, 10)).toEqual(whole.slice(70_000, 70_010));
    const basic = `Basic ${btoa('me:secret')}`;
    expect(seen).toEqual([basic, undefined, basic, undefined]);
    expect(found.object.source).toBe(`${server.url}/data`);
  });

  it('stops when it is aborted, also while it waits', async () => {
    const controller = new AbortController();
    const object = await opened('data', { signal: controller.signal });
    server.fault = (_, response) => {
      response.writeHead(503, { 'retry-after': '60' }).end();
      return true;
    };
    setTimeout(() => controller.abort(new Error('stopped')), 100);
    await expect(object.range(100_000, 10)).rejects.toThrow('stopped');
  });
});
