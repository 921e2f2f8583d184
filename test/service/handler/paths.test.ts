import { describe, expect, it, vi } from 'vitest';
import { createEndpoints } from '../../../src/service/endpoints/all-endpoints.js';
import { requestTarget } from '../../../src/service/handler/request-head.js';
import { fakeService, problemOf } from './fake-service.js';

const POINT = '?lat=37.3&lon=-79.84';

const LEGACY = [
  ['/forecast/short-term', 'legacyForecast', 'short-term'],
  ['/forecast/subseasonal', 'legacyForecast', 'subseasonal'],
  ['/forecast/seasonal', 'legacyForecast', 'seasonal'],
  ['/history', 'legacyHistory', undefined],
  ['/climatology', 'legacyClimatology', undefined],
] as const;

describe('paths of data', () => {
  it.each([
    ['/v2/forecast', 'members'],
    ['/v2/forecast/statistics', 'statistics'],
    ['/v2/history', 'history'],
  ])('%s answers with %s', async (path, answer) => {
    const { ask, calls } = fakeService();
    const response = await ask(path + POINT);
    expect(response.status).toBe(200);
    expect(calls).toMatchObject([{ answer, query: { point: { latitude: 37.3, longitude: -79.84 } } }]);
  });

  it.each(LEGACY)(
    '%s works with and without the prefix /v1, and for stored locations',
    async (path, answer, horizon) => {
      const { ask, calls } = fakeService();
      for (const prefix of ['/v1', '']) {
        expect((await ask(`${prefix}${path}${POINT}`)).status).toBe(200);
        expect((await ask(`${prefix}${path}/location/everybodys`)).status).toBe(200);
      }
      const byPoint = { answer, query: { point: { latitude: 37.3, longitude: -79.84 }, locationId: undefined } };
      const byLocation = { answer, query: { point: { latitude: 37.5, longitude: -79.5 }, locationId: 'everybodys' } };
      expect(calls).toMatchObject([byPoint, byLocation, byPoint, byLocation]);
      for (const call of calls) expect(call.query.horizon).toBe(horizon);
    },
  );

  it('there are no others: three current ones, each also for several points, and five legacy ones, each of these four times', () => {
    const all = createEndpoints();
    expect(all).toHaveLength(3 * 2 + 5 * 4);
    expect(new Set(all.map(({ path }) => path)).size).toBe(all.length);
    expect(new Set(all.map(({ operationId }) => operationId)).size).toBe(all.length);
  });
});

describe('paths for several points', () => {
  const points = 'points=37.3,-79.84;37.3,-79.85';

  it.each(['/v2/forecast', '/v2/forecast/statistics', '/v2/history'])(
    '%s/points is counted as the path itself, and shares its kept answers',
    async (path) => {
      const onMetric = vi.fn();
      const onRequest = vi.fn();
      const { ask, calls } = fakeService({ onMetric, onRequest, responseCacheBytes: 1e6 });
      const tags = [];
      for (const each of [path, `${path}/points`, path, `${path}/points`]) {
        tags.push((await ask(`${each}?${points}`)).headers.get('etag'));
      }
      expect(new Set(tags).size).toBe(1);
      const measured = onMetric.mock.calls.map(([{ endpoint, cached, bytes }]) => ({ endpoint, cached, bytes }));
      const { endpoint, bytes } = measured[0];
      // An answer is kept when it is asked for a second time.
      expect(measured).toEqual([false, false, true, true].map((cached) => ({ endpoint, cached, bytes })));
      expect(endpoint).toBe(createEndpoints().find((one) => one.path === path)?.operationId);
      expect(calls.length).toBe(4);
      expect(onRequest.mock.calls.map(([request]) => request.path)).toEqual([
        ...[path, `${path}/points`],
        ...[path, `${path}/points`],
      ]);
    },
  );

  it('take GET, HEAD and OPTIONS, also below a base path', async () => {
    const { ask } = fakeService({ basePath: '/weather' });
    const path = `/weather/v2/history/points?${points}`;
    const body = await (await ask(path)).text();
    const head = await ask(path, {}, 'HEAD');
    expect([head.status, head.headers.get('content-length'), await head.text()]).toEqual([200, `${body.length}`, '']);
    expect((await ask(path, {}, 'OPTIONS')).status).toBe(204);
    expect((await ask(path, {}, 'POST')).status).toBe(405);
    expect((await ask('/weather/v2/history/point')).status).toBe(404);
  });
});

describe('paths that lead nowhere', () => {
  it.each([
    '/',
    '/v2',
    '/v2/climatology',
    '/v2/history/location/everybodys',
    '/v2/forecast/location/everybodys',
    '/v1/forecast',
    '/v2/forecast/',
    '/v2//forecast',
    '//v2/forecast',
    '/V2/forecast',
    '/v2%2Fforecast',
    '/v2/forec%61st',
    '/v1/history/location',
    '/v1/history/location/a/b',
    '/v1/history/location/everybodys/',
    '/v2/forecast/statistics/../../../etc/passwd',
    '/__proto__',
    '/constructor',
    '/%ff',
    `/${'x'.repeat(5000)}`,
  ])('%s is 404, with a key and without', async (path) => {
    const { ask } = fakeService();
    for (const headers of [undefined, { 'x-api-key': '' }]) {
      const response = await ask(path + POINT, headers);
      expect(response.status).toBe(404);
      expect(await problemOf(response)).toMatchObject({
        code: 'path-not-found',
        contentType: 'application/problem+json',
      });
    }
  });

  it('the nearest path is named', async () => {
    const { ask } = fakeService();
    expect((await problemOf(await ask('/v2/forecast/'))).detail).toContain('nearest is /v2/forecast.');
  });
});

describe('stored locations', () => {
  const bad = [
    '',
    '%20',
    'a.b',
    '..%2f..%2fetc%2fpasswd',
    "x'%20or%201=1",
    '%00',
    '%zz',
    '%ff',
    'ü',
    'x'.repeat(65),
    'none',
  ];

  it.each(bad)('%j is not found', async (id) => {
    const { ask, calls } = fakeService();
    const response = await ask(`/v1/history/location/${id}`);
    expect(response.status).toBe(404);
    expect(await problemOf(response)).toMatchObject({ code: 'location-not-found' });
    expect(calls).toEqual([]);
  });

  it('an id may be percent-encoded', async () => {
    const { ask } = fakeService();
    expect((await ask('/v1/history/location/every%62odys')).status).toBe(200);
  });

  it('only ids of 1 to 64 letters, digits, _ and - are looked up in the store', async () => {
    const requested: string[] = [];
    const find = (id: string) => {
      requested.push(id);
      return { id, latitude: 0, longitude: 0 };
    };
    const { ask } = fakeService({ locations: { find } });
    const good = ['x', 'x'.repeat(64), 'A-z_09'];
    for (const id of good) expect((await ask(`/v1/history/location/${id}`)).status).toBe(200);
    for (const id of bad.filter((text) => text !== 'none')) {
      expect((await ask(`/v1/history/location/${id}`)).status).toBe(404);
    }
    expect(requested).toEqual(good);
  });

  it('unknown, foreign and malformed ids have the same body but for the path', async () => {
    const { ask } = fakeService();
    const bodies = await Promise.all(
      ['none', 'fines-own', 'a.b'].map(async (id) => {
        const { instance, ...body } = await problemOf(await ask(`/v1/history/location/${id}`));
        expect(instance).toBe(`/v1/history/location/${id}`);
        return body;
      }),
    );
    expect(bodies[1]).toEqual(bodies[0]);
    expect(bodies[2]).toEqual(bodies[0]);
  });

  it('the owner finds its own', async () => {
    const { ask, calls } = fakeService();
    expect((await ask('/v1/history/location/fines-own', { 'x-api-key': 'secret-of-1km' })).status).toBe(200);
    expect(calls[0].query.locationId).toBe('fines-own');
  });

  it('without a store of locations, no location is found', async () => {
    const { ask } = fakeService({ locations: undefined });
    expect((await ask('/v1/history/location/everybodys')).status).toBe(404);
  });
});

describe('mounted under a path', () => {
  it('the service answers there, and nowhere else', async () => {
    const { ask } = fakeService({ basePath: '/weather' });
    expect((await ask(`/weather/v2/forecast${POINT}`)).status).toBe(200);
    expect((await ask('/weather/v1/history/location/everybodys')).status).toBe(200);
    expect((await ask('/weather/health')).status).toBe(200);
    for (const path of ['/v2/forecast', '/health', '/weather', '/weatherv2/forecast']) {
      expect((await ask(path + POINT)).status).toBe(404);
    }
  });

  it.each([
    ...['weather', '/', '/weather/', '//', '/a//b', '/a b', '/a?b', 5],
    ...['/../x', '/x/..', '/./x', '/x/.', '/%2e/x'],
  ])('%j is no such path', (basePath) => {
    expect(() => fakeService({ basePath: basePath as string })).toThrow('basePath');
  });
});

describe('the path and the query of a URL', () => {
  it.each([
    ['http://h/a/b?c=d', '/a/b', 'c=d'],
    ['http://h/a', '/a', ''],
    ['http://h', '/', ''],
    ['http://h?c=/d', '/', 'c=/d'],
    ['http://h/a?b?c', '/a', 'b?c'],
    ['http://h/a#b?c', '/a', ''],
    ['http://h/a?b#c', '/a', 'b'],
    ['http://h#/a?b', '/', ''],
  ])('%s', (url, path, query) => {
    expect(requestTarget(url)).toEqual({ path, query });
  });
});
