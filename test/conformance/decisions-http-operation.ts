import { gunzipSync } from 'node:zlib';
import { beforeAll, expect } from 'vitest';
import { createRateLimit, type RequestRecord } from '../../src/service/handler/index.js';
import { memorySource } from '../../src/service/source/index.js';
import { section, test } from './section.js';
import { AT, conformanceService, createService, type Service } from './service.js';

let service: Service;
beforeAll(async () => {
  service = await conformanceService();
});

const SHORT = `/v2/forecast/statistics?${AT}&var=temp_mean&granularity=weekly`;
const LONG = `/v2/forecast/statistics?${AT}&var=temp_mean,precipitation`;

section('HTTP', import.meta.url, {
  coded:
    test('a long answer is gzip where the client accepts it, with its own tag; a short one is as it is', async () => {
      const gzip = { 'Accept-Encoding': 'gzip' };
      const [plain, coded] = [await service.request(LONG), await service.request(LONG, gzip)];
      expect([plain, coded].map(({ headers }) => headers.get('content-encoding'))).toEqual([null, 'gzip']);
      expect(coded.headers.get('etag')).not.toBe(plain.headers.get('etag'));
      const text = gunzipSync(await coded.arrayBuffer()).toString();
      expect(text === (await plain.text())).toBe(true);
      expect((await service.request(SHORT, gzip)).headers.get('content-encoding')).toBeNull();
    }),

  ids: test('an id is taken over or made, and reaches the log with the trace context', async () => {
    const records: RequestRecord[] = [];
    const onRequest = (record: RequestRecord) => records.push(record);
    const { request } = createService({ source: memorySource(service.data), onRequest });
    const traceparent = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';
    const named = await request(SHORT, { 'X-Request-Id': 'mine-1', traceparent });
    const other = await request('/v2/forecast', { 'X-Request-Id': 'not sane', traceparent: 'nonsense' });
    expect(named.headers.get('x-request-id')).toBe('mine-1');
    expect(other.headers.get('x-request-id')).toMatch(/^[\da-f-]{36}$/);
    expect(records.map(({ requestId, trace }) => [requestId, trace?.traceparent])).toEqual([
      ['mine-1', traceparent],
      [other.headers.get('x-request-id'), undefined],
    ]);
  }),

  limits: test('responses say what a key has left, 429 when to come again', async () => {
    const rateLimit = createRateLimit({ requests: 2, windowSeconds: 60 });
    const { request } = createService({ source: memorySource(service.data), rateLimit });
    const seen = [];
    for (const path of [SHORT, '/v2/forecast', SHORT]) {
      const { status, headers } = await request(path);
      seen.push([status, headers.get('ratelimit'), headers.get('ratelimit-policy'), headers.get('retry-after')]);
    }
    const policy = '"key";q=2;w=60';
    expect(seen).toEqual([
      [200, '"key";r=1;t=30', policy, null],
      [400, '"key";r=0;t=60', policy, null],
      [429, '"key";r=0;t=60', policy, '30'],
    ]);
    expect((await service.request(SHORT)).headers.get('ratelimit')).toBeNull();
  }),
});
