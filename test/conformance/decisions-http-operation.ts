import { gunzipSync } from 'node:zlib';
import { beforeAll, expect } from 'vitest';
import { createRateLimit, type RequestRecord } from '../../src/service/handler/index.js';
import { createUsageMeter } from '../../src/service/handler/usage-meter.node.js';
import { memoryKeys, memorySource, memoryUsage } from '../../src/service/source/index.js';
import { section, test } from './section.js';
import { AT, conformanceService, createService, KEY, type Service } from './service.js';

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

  quotas: test('a key with a quota of 1 gets one answer a day, then 429 until midnight in UTC', async () => {
    const clock = { now: new Date('2026-03-05T18:00:00Z') };
    const usage = createUsageMeter(memoryUsage(), { now: () => clock.now });
    const keys = memoryKeys([{ id: 'a', owner: 'a', downscaling: false, key: KEY, dailyQuota: 1 }]);
    const { request } = createService({ source: memorySource(service.data), keys, usage });
    const seen = async () => {
      const { status, headers } = await request(SHORT);
      return [status, headers.get('ratelimit'), headers.get('ratelimit-policy'), headers.get('retry-after')];
    };
    const policy = '"day";q=1;w=86400';
    expect(await seen()).toEqual([200, '"day";r=1;t=21600', policy, null]);
    expect(await seen()).toEqual([429, '"day";r=0;t=21600', policy, '21600']);
    clock.now = new Date('2026-03-06T00:00:00Z');
    expect(await seen()).toEqual([200, '"day";r=1;t=86400', policy, null]);
    await usage.close();
  }),

  terms: test('expired, revoked and future keys are a 401 each, with the time', async () => {
    const key = { owner: 'a', downscaling: false };
    const time = new Date('2020-01-01T00:00:00Z');
    const future = new Date('2999-01-01T00:00:00Z');
    const keys = memoryKeys([
      { ...key, id: 'a', key: 'expired', expires: time },
      { ...key, id: 'b', key: 'revoked', revoked: time },
      { ...key, id: 'c', key: 'future', starts: future },
    ]);
    const { problem } = createService({ source: memorySource(service.data), keys });
    const found = async (name: string) => {
      const { code, detail } = await problem(401, SHORT, { 'X-Api-Key': name });
      return [code, detail];
    };
    expect(await found('expired')).toEqual(['key-expired', 'The key expired at 2020-01-01T00:00:00Z.']);
    expect(await found('revoked')).toEqual(['key-revoked', 'The key was revoked at 2020-01-01T00:00:00Z.']);
    expect(await found('future')).toEqual(['key-not-yet-valid', 'The key is valid from 2999-01-01T00:00:00Z on.']);
  }),

  away: test('responses say for how many seconds keys may have changed unseen, and nothing where they cannot', async () => {
    const known = memoryKeys([{ id: 'a', owner: 'a', downscaling: false, key: KEY }]);
    const age = async (seconds: number) => {
      const keys = { find: (key: string) => known.find(key), ageSeconds: () => seconds };
      return (await createService({ source: memorySource(service.data), keys }).request(SHORT)).headers.get('keys-age');
    };
    expect([await age(0), await age(0.2), await age(75)]).toEqual([null, '1', '75']);
  }),
});
