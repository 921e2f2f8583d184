import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import { afterEach, describe, expect, it } from 'vitest';
import { type ClientOptions, createClient, ServiceError } from '../../src/client/index.js';
import { FileError, isPlumecastError } from '../../src/errors.js';
import { KEY, memoryService } from './memory-service.js';

const POINT = { latitude: 37.3, longitude: -79.8 };

const open: Server[] = [];
afterEach(() => {
  for (const server of open.splice(0)) {
    server.close();
    server.closeAllConnections();
  }
});

/** Starts a server; gives its address. */
async function listening(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  open.push(server);
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** A client of a server that answers with a status, a media type and a text. */
async function clientOfText(status: number, type: string, text: string, headers: Record<string, string> = {}) {
  const baseUrl = await listening((_, answer) =>
    answer.writeHead(status, { 'content-type': type, ...headers }).end(text),
  );
  return createClient({ baseUrl, apiKey: KEY });
}

async function failure(asking: Promise<unknown>): Promise<ServiceError> {
  const error = await asking.then(
    () => 'it was answered',
    (reason: unknown) => reason,
  );
  if (error instanceof ServiceError) return error;
  throw new Error(`not a ServiceError: ${error}`);
}

describe('over a server of node:http', () => {
  it('a client is answered', async () => {
    const { handler } = memoryService();
    const client = createClient({ baseUrl: await listening(getRequestListener(handler)), apiKey: KEY });
    const statistics = await client.forecastStatistics({ ...POINT, granularity: 'monthly' });
    expect(Object.keys(statistics.variables.precipitation.statistics)).toEqual([]);
    expect(await client.forecastStatistics({ ...POINT, granularity: 'monthly' }, { previous: statistics })).toBe(
      statistics,
    );
  });
});

describe('an error of the service', () => {
  const clientOf = (options: Parameters<typeof memoryService>[0] = {}, apiKey = KEY) =>
    createClient({ baseUrl: 'http://service.test', apiKey, fetch: memoryService(options).handler });

  it('reports every fault of the query', async () => {
    const error = await failure(
      clientOf().forecastStatistics({ latitude: 91, longitude: -79.8, variables: ['precip'], quantiles: [2] }),
    );
    expect([error.status, error.code]).toEqual([400, 'bad-parameters']);
    expect(error.faults.map(({ parameter }) => parameter)).toEqual(['lat', 'var', 'statistics']);
    expect(error.faults[0]).toEqual({
      parameter: 'lat',
      detail: 'is outside -90 to 90',
      received: '91',
      allowed: 'a number from -90 to 90',
    });
    expect(error.message).toContain(
      'bad-parameters: There are 3 faults in the parameters.\n  lat is outside -90 to 90;',
    );
  });

  it('has the status and the code of each kind', async () => {
    const unknown = await failure(clientOf({}, 'another key').forecast(POINT));
    expect([unknown.status, unknown.code, unknown.faults]).toEqual([401, 'key-unknown', []]);
    const far = await failure(clientOf().forecast({ latitude: -37, longitude: 0 }));
    expect([far.status, far.code]).toEqual([404, 'location-not-covered']);
  });

  it('states how long to wait, where the service does', async () => {
    const limited = await failure(clientOf({ rateLimit: () => ({ retryAfterSeconds: 7 }) }).forecast(POINT));
    expect([limited.status, limited.code, limited.retryAfterSeconds]).toEqual([429, 'rate-limited', 7]);
    const snapshot = () => {
      throw new FileError({ subject: 'store', problem: 'is gone' });
    };
    const unavailable = await failure(clientOf({ source: { snapshot } }).forecast(POINT));
    expect([unavailable.status, unavailable.code, unavailable.retryAfterSeconds]).toEqual([
      503,
      'source-unavailable',
      30,
    ]);
  });

  it('has the id that onError got', async () => {
    const ids: string[] = [];
    const source = {
      snapshot() {
        throw new FileError({ subject: 'store', problem: 'is gone' });
      },
    };
    const error = await failure(clientOf({ source, onError: (_, { id }) => ids.push(id) }).forecast(POINT));
    expect([error.id]).toEqual(ids);
  });
});

describe('a response of something else', () => {
  it('is an error that shows the beginning of the body, where its status is an error', async () => {
    const page = `<html><h1>Bad Gateway</h1>${'.'.repeat(500)}</html>`;
    const error = await failure((await clientOfText(502, 'text/html', page, { 'retry-after': '5' })).forecast(POINT));
    expect([error.status, error.code, error.retryAfterSeconds]).toEqual([502, 'no-problem', 5]);
    expect(error.detail).toMatch(/^Status 502, without a problem document: "<html><h1>Bad Gateway<\/h1>\.+"$/);
    expect(error.detail.length).toBeLessThan(200);
  });

  it.each(['null', '[]', '"gone"', '{"code":404,"detail":"x"}', '{"code":"x"}', ''])(
    'is no problem document, where it is %s',
    async (text) => {
      const error = await failure((await clientOfText(500, 'application/json', text)).forecast(POINT));
      expect([error.status, error.code]).toEqual([500, 'no-problem']);
    },
  );

  it('is an error where it is a web page with status 200', async () => {
    const error = await failure((await clientOfText(200, 'text/html', '<p>Log in')).forecast(POINT));
    expect([error.status, error.code, error.detail]).toEqual([
      200,
      'unreadable',
      'The answer is text/html, not application/json: "<p>Log in"',
    ]);
  });

  it('is an error where its media type is JSON and its body is not', async () => {
    const error = await failure((await clientOfText(200, 'application/json', '{"init_time":')).forecast(POINT));
    expect([error.code, error.detail]).toEqual(['unreadable', 'The answer is not JSON: "{\\"init_time\\":"']);
    expect(error.cause).toBeInstanceOf(SyntaxError);
  });

  it.each(['null', '1', '"text"'])('is an error where its JSON is %s, no object', async (text) => {
    const error = await failure((await clientOfText(200, 'application/json', text)).forecast(POINT));
    expect([error.code, error.detail]).toEqual(['unreadable', `The answer is not JSON: ${JSON.stringify(text)}`]);
  });

  it('is an error where it is a part of an answer, which nobody asked for', async () => {
    const error = await failure((await clientOfText(206, 'application/json', '{}')).forecast(POINT));
    expect([error.status, error.code]).toEqual([206, 'no-problem']);
  });

  it('is an error where it is JSON and CSV was requested', async () => {
    const error = await failure((await clientOfText(200, 'application/json', '{}')).forecast(POINT, { as: 'csv' }));
    expect(error.detail).toBe('The answer is application/json, not text/csv: "{}"');
  });

  it('is an error where it is a 304 to an unconditional request', async () => {
    const error = await failure((await clientOfText(304, 'text/plain', '')).forecast(POINT));
    expect([error.status, error.code]).toEqual([304, 'no-problem']);
  });
});

describe('an answer that is cut off', () => {
  const cutting = (status: number, headers: Record<string, string>) =>
    listening((_, answer) => {
      answer.writeHead(status, headers).write('{"a');
      setTimeout(() => answer.destroy(), 20);
    });

  it.each([
    ['json', 'application/json', { 'content-length': '100' }],
    ['json', 'application/json', {}],
    ['csv', 'text/csv', { 'content-length': '100' }],
    ['arrow', 'application/vnd.apache.arrow.stream', { 'content-length': '100' }],
    ['json', 'application/json', { 'content-encoding': 'gzip' }],
    ['json', 'text/html', {}],
  ] as const)(
    'says so, and is not taken for a service that was not reached (%s, %s, %j)',
    async (as, type, headers) => {
      const baseUrl = await cutting(200, { 'content-type': type, 'x-request-id': 'mine', ...headers });
      const error = await failure(createClient({ baseUrl, apiKey: KEY }).forecast(POINT, { as }));
      expect([error.status, error.code, error.requestId]).toEqual([200, 'cut-off', 'mine']);
      expect(error.detail).toMatch(/^The answer was cut off, or is damaged: /);
      expect(error.cause).toBeInstanceOf(Error);
    },
  );

  it('keeps its status and when to ask again, where it is an error of the service', async () => {
    const baseUrl = await cutting(503, { 'content-type': 'application/problem+json', 'retry-after': '7' });
    const error = await failure(createClient({ baseUrl, apiKey: KEY }).forecast(POINT));
    expect([error.status, error.code, error.retryAfterSeconds]).toEqual([503, 'cut-off', 7]);
  });
});

describe('when to ask again', () => {
  const DATE = 'Fri, 27 Nov 2026 10:00:00 GMT';

  it.each([
    ['7', 7],
    ['0', 0],
    ['Fri, 27 Nov 2026 10:01:30 GMT', 90],
    ['Friday, 27-Nov-26 10:01:30 GMT', 90],
    ['Fri Nov 27 10:01:30 2026', 90],
    ['Fri Nov  6 10:01:30 2026', 0],
    ['Thu, 26 Nov 2026 10:00:00 GMT', 0],
    ['Fri, 99 Nov 2026 10:00:00 GMT', undefined],
    ['2026-11-27T10:01:30Z', undefined],
    ['5.5', undefined],
    ['-1', undefined],
    ['1e3', undefined],
    ['soon', undefined],
    ['', undefined],
  ])('is read of Retry-After: %j as %j seconds', async (text, seconds) => {
    const client = await clientOfText(503, 'text/plain', 'later', { 'retry-after': text, date: DATE });
    expect((await failure(client.forecast(POINT))).retryAfterSeconds).toBe(seconds);
  });

  it('is counted from now, where the service sends no date', async () => {
    const baseUrl = await listening((_, answer) => {
      answer.sendDate = false;
      answer.writeHead(503, { 'retry-after': new Date(Date.now() + 3_600_000).toUTCString() }).end('later');
    });
    const { retryAfterSeconds } = await failure(createClient({ baseUrl, apiKey: KEY }).forecast(POINT));
    expect(Math.abs((retryAfterSeconds ?? 0) - 3600)).toBeLessThan(60);
  });
});

describe('a service that cannot be reached', () => {
  it('is an error with its cause', async () => {
    const baseUrl = await listening(() => undefined);
    for (const server of open.splice(0)) await new Promise((closed) => server.close(closed));
    const error = await failure(createClient({ baseUrl, apiKey: KEY }).forecast(POINT));
    expect([error.status, error.code]).toEqual([undefined, 'unreachable']);
    expect(error.detail).toContain(`${baseUrl} was not reached`);
    expect(error.cause).toBeInstanceOf(TypeError);
  });

  it.each([
    ['never answers', () => undefined],
    [
      'stops amid the body',
      (_: unknown, answer: Parameters<RequestListener>[1]) =>
        answer.writeHead(200, { 'content-type': 'application/json', 'content-length': '100' }).write('{'),
    ],
  ] as [string, RequestListener][])('is an error after the time limit, where it %s', async (_, listener) => {
    const client = createClient({ baseUrl: await listening(listener), apiKey: KEY, timeoutMs: 50 });
    const { signal } = new AbortController();
    for (const asking of [client.forecast(POINT), client.forecast(POINT, { signal })]) {
      const error = await failure(asking);
      expect([error.code, error.detail]).toEqual(['timeout', 'There was no answer within 50 ms.']);
    }
  });

  it('is an error after the time limit, also where fetch ignores the signal', async () => {
    const send = () => new Promise<Response>(() => undefined);
    const client = createClient({ baseUrl: 'http://service.test', apiKey: KEY, timeoutMs: 50, fetch: send });
    expect((await failure(client.forecast(POINT))).code).toBe('timeout');
  });

  it('is tried only once', async () => {
    let requests = 0;
    const baseUrl = await listening((_, answer) => {
      requests++;
      answer.writeHead(503, { 'content-type': 'text/plain' }).end('later');
    });
    await failure(createClient({ baseUrl, apiKey: KEY }).forecast(POINT));
    expect(requests).toBe(1);
  });
});

describe('a signal', () => {
  it.each([0, 30_000])('ends a request with its own reason, with a time limit of %d ms', async (timeoutMs) => {
    const client = createClient({ baseUrl: await listening(() => undefined), apiKey: KEY, timeoutMs });
    const controller = new AbortController();
    const asking = client.forecast(POINT, { signal: controller.signal });
    setTimeout(() => controller.abort('the page was left'), 20);
    await expect(asking).rejects.toBe('the page was left');
    await expect(client.forecast(POINT, { signal: AbortSignal.abort() })).rejects.toMatchObject({ name: 'AbortError' });
  });
});

describe('options', () => {
  const create = (options: Partial<ClientOptions>) => {
    try {
      createClient({ baseUrl: 'https://example.org', apiKey: KEY, ...options });
    } catch (error) {
      if (isPlumecastError(error, 'option')) return error.message;
      throw error;
    }
    return undefined;
  };

  it.each([
    '',
    '/weather',
    'example.org',
    'ftp://example.org',
    'https://example.org/?a=1',
    'https://example.org/#top',
    'https://name:password@example.org/',
  ])('the address %j is rejected, and not repeated', (baseUrl) => {
    expect(create({ baseUrl })).toBe(
      'baseUrl: is not the address of a service; allowed: an absolute URL without a name and password, query or hash, ' +
        'such as https://example.org/weather',
    );
  });

  it.each(['', 'two\nlines', 'ключ'])('the key %j is rejected, and not repeated', (apiKey) => {
    expect(create({ apiKey })).toBe('apiKey: cannot be sent; allowed: a key, on one line');
  });

  it('that are not known are rejected, with the nearest name', async () => {
    expect(create({ timeout: 5 } as Partial<ClientOptions>)).toBe(
      'options: unknown option, the nearest is timeoutMs; received "timeout"; ' +
        'allowed: baseUrl, apiKey, fetch, headers, timeoutMs, retries, onResponse, v1',
    );
    const client = createClient({ baseUrl: 'https://example.org', apiKey: KEY, fetch: memoryService().handler });
    const point = { latitude: 1, longitude: 2 };
    for (const [asking, words] of [
      [client.forecast(point, { singal: undefined } as object), 'the nearest is signal; received "singal"'],
      [client.forecast({ ...point, lattitude: 1 } as typeof point), 'query: unknown option, the nearest is latitude;'],
      [client.history({ ...point, start_date: '2026-01-01' } as typeof point), 'the nearest is startDate;'],
      [client.forecast({ ...point, constructor: 1 } as typeof point), 'query: unknown option; received "constructor"'],
      [client.forecast({ points: [point, Object.assign({ lat: 1 }, point)] }), 'query.points[1]: unknown option;'],
    ] as const) {
      const error = await asking.then(String, (reason: unknown) => reason);
      expect(isPlumecastError(error, 'option') && error.message).toContain(words);
    }
  });

  it.each([-1, 0.5, Number.NaN, 2 ** 31])('a time limit of %d ms is rejected', (timeoutMs) => {
    expect(create({ timeoutMs })).toContain(`timeoutMs: cannot be used; received ${timeoutMs}`);
  });

  it.each([0, 1, 2 ** 31 - 1])('a time limit of %d ms is accepted', (timeoutMs) => {
    expect(create({ timeoutMs })).toBeUndefined();
  });
});
