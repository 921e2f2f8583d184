import { setImmediate } from 'node:timers/promises';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { FileError } from '../../../src/errors.js';
import { dayNumber } from '../../../src/period/day.js';
import { memoryUsage, type UsageStore } from '../../../src/service/access/usage.js';
import type { HandlerOptions, RequestMetric } from '../../../src/service/handler/handler-options.js';
import { costOf } from '../../../src/service/handler/usage-meter.js';
import { createUsageMeter } from '../../../src/service/handler/usage-meter.node.js';
import { memoryKeys } from '../../../src/service/source/index.js';
import type { Snapshot } from '../../../src/service/source/source.js';
import { dataset, fakeService, forecastRun, NOON, problemOf, snapshot } from './fake-service.js';

const PATH = '/v2/forecast/statistics?lat=37.3&lon=-79.84&var=precipitation';
const key = (id: string, dailyQuota?: number) => ({
  id,
  owner: `owner of ${id}`,
  downscaling: false,
  key: id,
  dailyQuota,
});

/** A service whose usage is kept in a store, and a clock. */
function countingService(store: UsageStore = memoryUsage(), options: Partial<HandlerOptions> = {}) {
  const clock = { now: NOON };
  const onFault = vi.fn();
  const usage = createUsageMeter(store, { now: () => clock.now, onFault });
  onTestFinished(() => usage.close().catch(() => undefined));
  const keys = memoryKeys([key('free'), key('ten', 10), key('two', 2)]);
  const service = fakeService({ keys, usage, now: () => clock.now, ...options });
  const ask = (id: string, path = PATH, headers = {}, method = 'GET') =>
    service.ask(path, { 'x-api-key': id, ...headers }, method);
  return { ...service, ask, usage, clock, onFault, store };
}

const rows = (store: UsageStore) => store.read('2026-01-01', '2026-12-31');

describe('usage', () => {
  it('counts all requests with a valid key, the cost of answers with data, and their bytes', async () => {
    const { ask, usage, store } = countingService();
    const first = await ask('free');
    const bytes = (await first.arrayBuffer()).byteLength;
    await ask('free', PATH, { 'if-none-match': first.headers.get('etag') });
    const bad = await ask('free', `${PATH}&x=1`);
    const problem = (await bad.arrayBuffer()).byteLength;
    await ask('free', PATH, {}, 'HEAD');
    await ask('none');
    expect((await ask('free', '/health')).status).toBe(200);
    await usage.flush();
    const cost = 2;
    expect(await rows(store)).toEqual([
      { day: '2026-03-02', keyId: 'free', requests: 4, cost, bytes: bytes + problem, lastUsed: NOON },
    ]);
  });

  it('costs the same where the response was kept', async () => {
    const { ask, usage, store } = countingService(memoryUsage(), { responseCacheBytes: 1e6 });
    for (let i = 0; i < 5; i++)
      expect((await ask('free', `${PATH}&points=1,1`.replace('lat=37.3&lon=-79.84&', ''))).status).toBe(200);
    await usage.flush();
    expect((await rows(store))[0]).toMatchObject({ requests: 5, cost: 5 });
  });

  it('is told to onMetric by key', async () => {
    const metrics: RequestMetric[] = [];
    const { ask } = countingService(memoryUsage(), { onMetric: (metric) => void metrics.push(metric) });
    await ask('free');
    await ask('none');
    expect(metrics.map((metric) => metric.usage)).toEqual([
      { keyId: 'free', owner: 'owner of free', cost: 1 },
      undefined,
    ]);
  });

  it('that cannot be added is kept and added later, each once, and reported once', async () => {
    const inner = memoryUsage();
    let isAway = true;
    const store: UsageStore = {
      ...inner,
      async add(day, used) {
        await setImmediate();
        if (isAway) throw new FileError({ subject: 'the store', problem: 'is away' });
        return inner.add(day, used);
      },
    };
    const { ask, usage, onFault } = countingService(store);
    await ask('free');
    for (let i = 0; i < 3; i++) {
      const flushing = expect(usage.flush()).rejects.toThrow('is away');
      await ask('free');
      await flushing;
    }
    expect(onFault).toHaveBeenCalledTimes(1);
    isAway = false;
    await Promise.all([usage.flush(), usage.flush()]);
    await usage.flush();
    expect((await rows(inner))[0]).toMatchObject({ requests: 4, cost: 4 });
  });

  it('of a day is added to that day, also after midnight', async () => {
    const { ask, usage, clock, store } = countingService();
    await ask('free');
    clock.now = new Date('2026-03-03T00:00:00Z');
    await ask('free');
    await usage.close();
    expect((await rows(store)).map(({ day, requests }) => [day, requests])).toEqual([
      ['2026-03-02', 1],
      ['2026-03-03', 1],
    ]);
  });

  it('is added every two seconds by itself', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    onTestFinished(() => void vi.useRealTimers());
    const { ask, store } = countingService();
    await ask('free');
    vi.advanceTimersByTime(1900);
    await setImmediate();
    expect(await rows(store)).toEqual([]);
    vi.advanceTimersByTime(200);
    await setImmediate();
    expect(await rows(store)).toHaveLength(1);
  });
});

describe('a daily quota', () => {
  it('rejects when it is used, says when it begins anew, and does so at midnight in UTC', async () => {
    const { ask, clock } = countingService();
    const limits = async (id: string) => {
      const response = await ask(id);
      return [response.status, response.headers.get('ratelimit'), response.headers.get('ratelimit-policy')];
    };
    expect(await limits('two')).toEqual([200, '"day";r=2;t=43200', '"day";q=2;w=86400']);
    expect(await limits('two')).toEqual([200, '"day";r=1;t=43200', '"day";q=2;w=86400']);
    const rejected = await ask('two');
    expect([rejected.status, rejected.headers.get('retry-after'), rejected.headers.get('ratelimit')]).toEqual([
      429,
      '43200',
      '"day";r=0;t=43200',
    ]);
    expect(await problemOf(rejected)).toMatchObject({
      code: 'quota-exceeded',
      detail: 'The key has used its quota of 2 for this day; it begins anew at 00:00 UTC.',
    });
    expect(await limits('free')).toEqual([200, null, null]);
    clock.now = new Date('2026-03-02T23:59:59.500Z');
    expect((await ask('two')).headers.get('retry-after')).toBe('1');
    clock.now = new Date('2026-03-03T00:00:00Z');
    expect(await limits('two')).toEqual([200, '"day";r=2;t=86400', '"day";q=2;w=86400']);
  });

  it('stands beside the rate limit in the headers', async () => {
    const rateLimit = () => ({ allowance: { requests: 5, windowSeconds: 60, remaining: 4, resetSeconds: 12 } });
    const { ask } = countingService(memoryUsage(), { rateLimit });
    const { headers } = await ask('ten');
    expect(headers.get('ratelimit-policy')).toBe('"key";q=5;w=60, "day";q=10;w=86400');
    expect(headers.get('ratelimit')).toBe('"key";r=4;t=12, "day";r=10;t=43200');
  });

  it('holds over a restart, and for all servers of a store', async () => {
    const store = memoryUsage();
    const first = countingService(store);
    await first.ask('two');
    await first.usage.close();
    const [second, third] = [countingService(store), countingService(store)];
    expect((await second.ask('two')).headers.get('ratelimit')).toBe('"day";r=1;t=43200');
    expect((await third.ask('two')).status).toBe(200);
    await Promise.all([second.usage.flush(), third.usage.flush()]);
    await third.ask('free');
    expect((await third.ask('two')).status).toBe(429);
  });

  it('counts what is on its way to the store', async () => {
    const inner = memoryUsage();
    let letGo = () => {};
    const store: UsageStore = {
      ...inner,
      add: (day, used) =>
        new Promise((done) => {
          letGo = () => done(inner.add(day, used));
        }),
    };
    const { ask, usage } = countingService(store);
    await ask('two');
    const flushing = usage.flush();
    expect((await ask('two')).headers.get('ratelimit')).toBe('"day";r=1;t=43200');
    expect((await ask('two')).status).toBe(429);
    letGo();
    await flushing;
    expect((await ask('two')).status).toBe(429);
    const closing = usage.flush();
    letGo();
    await closing;
  });

  it('that cannot be told is a 503, and keys without one go on', async () => {
    const store: UsageStore = {
      ...memoryUsage(),
      costOf: () => Promise.reject(new FileError({ subject: 'the store', problem: 'is away' })),
    };
    const { ask } = countingService(store);
    expect([(await ask('two')).status, (await ask('free')).status]).toEqual([503, 200]);
  });
});

describe('costOf', () => {
  const firstDay = dayNumber(2026, 3, 2);
  const axes = (days: number, count: number) => {
    const variables = new Map(Array.from({ length: count }, (_, i) => [`v${i}`, { firstDay, days, members: 3 }]));
    return { ...dataset('axes'), variables };
  };
  const run = { initTime: '2026-03-02T00:00:00Z', data: axes(15, 9) };
  const data: Snapshot = snapshot({
    forecast: forecastRun({ timeline: axes(215, 9), horizons: { 'short-term': run } }),
    history: { data: axes(10_000, 11), isPreloaded: () => true },
  });
  const list = (length: number) => Array.from({ length });
  const days = (from: number, to: number) => ({ startDay: firstDay + from, endDay: firstDay + to });

  it.each([
    [{ variables: list(1), ...days(0, 13) }, 'forecast', 1],
    [{ variables: list(10), ...days(0, 13) }, 'forecast', 1],
    [{ variables: list(11), ...days(0, 13) }, 'forecast', 2],
    [{ variables: list(1) }, 'forecast', 2],
    [{ variables: list(9) }, 'forecast', 14],
    [{}, 'forecast', 14],
    [{ points: list(100), variables: list(1), ...days(0, 6) }, 'forecast', 100],
    [{ points: list(3) }, 'forecast', 42],
    [{ variables: list(1), ...days(-500, 6) }, 'forecast', 1],
    [{ variables: list(1), ...days(500, 600) }, 'forecast', 1],
    [{ variables: list(9), horizon: 'short-term' }, 'forecast', 1],
    [{ variables: list(9), horizon: 'seasonal' }, 'forecast', 1],
    [{ variables: list(1) }, 'history', 3],
    [{ variables: list(1), ...days(0, 9999) }, 'history', 72],
    [{ variables: list(5) }, 'climatology', 14],
  ] as const)('of %j in the %s is %d', (query, family, cost) => {
    expect(costOf(query as never, data, family)).toBe(cost);
  });
});
