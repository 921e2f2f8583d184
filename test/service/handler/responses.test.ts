import { tableFromIPC } from 'apache-arrow';
import { describe, expect, it } from 'vitest';
import { ProblemError } from '../../../src/service/problem-error.js';
import type { Dataset } from '../../../src/service/source/dataset.js';
import type { ForecastRun, HistoryData } from '../../../src/service/source/source.js';
import { FINE_LOCATIONS, serviceData } from '../endpoints/service-data.js';
import {
  createHeaders,
  dataset,
  FINE_KEY,
  fakeAnswers,
  fakeService,
  forecastRun,
  KEY,
  NOON,
  problemOf,
  REQUEST_ID,
  snapshot,
} from './fake-service.js';

const POINT = 'lat=37.3&lon=-79.84';
const STATISTICS = `/v2/forecast/statistics?${POINT}`;
const HISTORY = `/v2/history?${POINT}`;

const etagOf = (response: Response) => response.headers.get('etag') ?? '';

describe('a success', () => {
  it('carries what caches and browsers need', async () => {
    const { ask } = fakeService();
    const response = await ask(STATISTICS);
    const { byteLength } = await response.clone().arrayBuffer();
    expect(createHeaders(response)).toEqual({
      'content-type': 'application/json',
      'content-length': `${byteLength}`,
      etag: expect.stringMatching(/^"[\w-]+"$/),
      // The next run is expected six hours from now.
      'cache-control': 'private, max-age=21600',
      vary: 'Accept, Accept-Encoding, X-Api-Key, Origin',
      'access-control-allow-origin': '*',
      'access-control-expose-headers':
        'ETag, Retry-After, X-Request-Id, RateLimit, RateLimit-Policy, Forecast-Age, Forecast-Incomplete, Keys-Age, Source-Age',
      'forecast-age': 'short-term=43200, subseasonal=43200, seasonal=43200',
      'x-request-id': REQUEST_ID,
    });
    expect(await response.json()).toBeInstanceOf(Object);
  });

  it('HEAD has the headers of GET and no body', async () => {
    const { ask } = fakeService();
    for (const path of [STATISTICS, '/openapi.json', '/health', '/v2/forecast', '/nowhere']) {
      const [get, head] = [await ask(path), await ask(path, {}, 'HEAD')];
      expect(head.status).toBe(get.status);
      expect(createHeaders(head)).toEqual(createHeaders(get));
      expect(await head.text()).toBe('');
    }
  });
});

describe('values that were rounded where they were stored', () => {
  it('are said to be so by the bodies of forecasts and histories, with the precision of each variable', async () => {
    const { data } = await serviceData();
    const rounded = (known: Dataset, precision: Readonly<Record<string, number>>): Dataset => ({
      ...{ revision: known.revision, places: known.places, read: known.read.bind(known) },
      variables: new Map([...known.variables].map(([slug, axis]) => [slug, { ...axis, precision: precision[slug] }])),
    });
    const ask = async (
      path: string,
      coarse: Readonly<Record<string, number>>,
      headers: Record<string, string> = {},
    ) => {
      const forecast = data.forecast as ForecastRun;
      const history = data.history as HistoryData;
      const source = {
        snapshot: () => ({
          ...data,
          forecast: {
            ...forecast,
            timeline: rounded(forecast.timeline, coarse),
            fineTimeline: rounded(forecast.fineTimeline as Dataset, { temp_mean: 0.01 }),
          },
          history: { ...history, data: rounded(history.data, coarse) },
        }),
      };
      const response = await fakeService({ source, answers: undefined }).ask(path, headers);
      if (headers.accept === undefined) return response.json();
      return tableFromIPC(new Uint8Array(await response.arrayBuffer())).schema.metadata;
    };
    const both = 'lat=37.25&lon=-80&var=temp_mean,precipitation';
    const precision = { temp_mean: 0.05 };
    for (const path of ['/v2/forecast', '/v2/forecast/statistics', '/v2/history']) {
      const exact = await ask(`${path}?${both}`, {});
      const known = await ask(`${path}?${both}`, precision);
      expect(known).toEqual(exact.meta ? { ...exact, meta: { ...exact.meta, precision } } : { ...exact, precision });
      expect(await ask(`${path}?lat=37.25&lon=-80&var=precipitation`, precision)).not.toHaveProperty('precision');
      const accept = 'application/vnd.apache.arrow.stream';
      const metadata = await ask(`${path}?${both}`, { ...precision, precipitation: 1e-7 }, { accept });
      expect(JSON.parse(metadata.get('precision'))).toEqual({ ...precision, precipitation: 1e-7 });
    }
    // Of the values that are served: the 1 km grid has a precision of its own.
    const fine = `/v2/forecast?lat=${FINE_LOCATIONS[1].latitude}&lon=${FINE_LOCATIONS[1].longitude}&var=temp_mean`;
    expect((await ask(fine, precision, { 'x-api-key': FINE_KEY })).precision).toEqual({ temp_mean: 0.01 });
  });
});

describe('an incomplete run', () => {
  const shortfalls = [
    { horizon: 'short-term', members: { received: 30, expected: 31 }, variables: ['wind_speed'] },
    { horizon: 'seasonal', days: { received: 200, expected: 215 }, fine: true },
  ] as const;

  it('is stated by the header and the body of forecasts, by the body of none that is complete', async () => {
    const { data } = await serviceData();
    const of = async (path: string, run: Partial<ForecastRun>) => {
      const forecast = { ...(data.forecast as ForecastRun), ...run };
      const { ask } = fakeService({ source: { snapshot: () => ({ ...data, forecast }) }, answers: undefined });
      const response = await ask(path);
      return {
        header: response.headers.get('forecast-incomplete'),
        etag: etagOf(response),
        body: await response.json(),
      };
    };
    for (const path of ['/v2/forecast', '/v2/forecast/statistics']) {
      const query = `${path}?lat=37.25&lon=-80&var=temp_mean`;
      const complete = await of(query, {});
      expect([complete.header, Object.hasOwn(complete.body, 'incomplete')]).toEqual([null, false]);
      expect(await of(query, { shortfalls: [] })).toMatchObject({ header: null, body: complete.body });
      const { header, etag, body } = await of(query, { shortfalls });
      expect(header).toBe(
        'short-term;members=30;expected-members=31;missing="wind_speed", seasonal;days=200;expected-days=215;without-1km',
      );
      expect(body).toEqual({ ...complete.body, incomplete: shortfalls });
      expect(etag).not.toBe(complete.etag);
      const several = (await of(`${path}?points=37.25,-80;37.5,-80&var=temp_mean`, { shortfalls })).body;
      expect(several.points.map((one: { incomplete: unknown }) => one.incomplete)).toEqual([shortfalls, shortfalls]);
    }
  });
});

describe('freshness', () => {
  const maxAge = async (path: string, nextInitTime: string | undefined, now = NOON) => {
    const source = { snapshot: () => snapshot({ forecast: forecastRun({ nextInitTime }) }) };
    const { ask } = fakeService({ source, now: () => now });
    return (await ask(path)).headers.get('cache-control');
  };

  it('of a forecast lasts until the next run, at least a minute and at most a day', async () => {
    expect(await maxAge(STATISTICS, '2026-03-02T13:00:00Z')).toBe('private, max-age=3600');
    expect(await maxAge(STATISTICS, '2026-03-02T12:00:30Z')).toBe('private, max-age=60');
    expect(await maxAge(STATISTICS, '2026-03-01T00:00:00Z')).toBe('private, max-age=60');
    expect(await maxAge(STATISTICS, '2026-04-01T00:00:00Z')).toBe('private, max-age=86400');
  });

  it('of a forecast is ten minutes where it is not known when the next run is', async () => {
    expect(await maxAge(STATISTICS, undefined)).toBe('private, max-age=600');
  });

  it('of a history lasts until the next day, or the next run where that is earlier', async () => {
    expect(await maxAge(HISTORY, '2026-03-02T13:00:00Z')).toBe('private, max-age=3600');
    expect(await maxAge(HISTORY, '2026-03-04T00:00:00Z')).toBe('private, max-age=43200');
    expect(await maxAge(HISTORY, '2026-03-01T00:00:00Z')).toBe('private, max-age=43200');
    expect(await maxAge(HISTORY, undefined, new Date('2026-03-02T23:59:50Z'))).toBe('private, max-age=60');
  });
});

describe('ETag', () => {
  const tagOf = async (path: string, headers = {}, data = snapshot()) =>
    etagOf(await fakeService({ source: { snapshot: () => data } }).ask(path, headers));

  it('is the same for the same content, however it is requested', async () => {
    const tag = await tagOf(`${STATISTICS}&var=temp_min,precipitation&statistics=0.5`);
    expect(
      await tagOf(`/v2/forecast/statistics?var=temp_min&lon=-79.840&var=precipitation&lat=%2B37.30&statistics=.50`),
    ).toBe(tag);
    expect(await tagOf(`${STATISTICS}&var=temp_min,precipitation&statistics=0.5&granularity=daily`)).toBe(tag);
    expect(await tagOf(`/v1/history?${POINT}`)).toBe(await tagOf(`/history?${POINT}`));
    expect(await tagOf(`${STATISTICS}&statistics=0.05,0.25,0.5,0.75,0.95`)).toBe(await tagOf(STATISTICS));
  });

  it('differs by the revision of a snapshot, which is that of elevations and climatologies', async () => {
    for (const path of [STATISTICS, HISTORY, `/v1/climatology?${POINT}`, `/v1/forecast/seasonal?${POINT}`]) {
      const tags = [undefined, 'a', 'b'].map((revision) => tagOf(path, {}, snapshot({ revision })));
      expect(new Set(await Promise.all(tags)).size).toBe(3);
    }
  });

  it('differs by every parameter, the endpoint, the media type, and 1 km data', async () => {
    const fine = { 'x-api-key': FINE_KEY };
    const tags = await Promise.all([
      tagOf(STATISTICS),
      tagOf('/v2/forecast/statistics?lat=37.4&lon=-79.84'),
      tagOf('/v2/forecast/statistics?lat=37.3&lon=-79.85'),
      ...[
        'var=temp_min',
        'var=temp_min,temp_max',
        'var=temp_max,temp_min',
        'start_date=2026-03-03',
        'end_date=2026-03-03',
      ].map((more) => tagOf(`${STATISTICS}&${more}`)),
      ...['statistics=0.1', 'statistics=0.1,0.9', 'granularity=weekly'].map((more) => tagOf(`${STATISTICS}&${more}`)),
      tagOf(STATISTICS, { accept: 'text/csv' }),
      tagOf(STATISTICS, { accept: 'application/vnd.apache.arrow.stream' }),
      tagOf(STATISTICS, fine),
      tagOf(`/v2/forecast?${POINT}`),
      tagOf(HISTORY),
      tagOf(`/v1/history?${POINT}`),
      tagOf('/v1/history/location/everybodys'),
      tagOf(`/v1/climatology?${POINT}`),
      ...['short-term', 'subseasonal', 'seasonal'].map((horizon) => tagOf(`/v1/forecast/${horizon}?${POINT}`)),
    ]);
    expect(tags).not.toContain('');
    expect(new Set(tags).size).toBe(tags.length);
  });

  it('is the same with and without a 1 km key where 1 km data have no part', async () => {
    const fine = { 'x-api-key': FINE_KEY };
    expect(await tagOf(`${STATISTICS}&use_downscaling=false`, fine)).toBe(await tagOf(STATISTICS));
    expect(await tagOf(`${STATISTICS}&var=precipitation`, fine)).toBe(await tagOf(`${STATISTICS}&var=precipitation`));
    expect(await tagOf(`/v1/history?${POINT}`, fine)).toBe(await tagOf(`/v1/history?${POINT}`));
  });

  const forecasts = {
    generation: forecastRun({ generation: 'run-2' }),
    version: forecastRun({ version: 'model-2' }),
    timeline: forecastRun({ timeline: dataset('timeline-2') }),
    fine: forecastRun({ fineTimeline: dataset('fine-1') }),
  };
  it.each(Object.entries(forecasts))(
    'of a forecast changes with its %s, and that of a history does not',
    async (_, forecast) => {
      const data = snapshot({ forecast });
      expect(await tagOf(STATISTICS, {}, data)).not.toBe(await tagOf(STATISTICS));
      expect(await tagOf(HISTORY, {}, data)).toBe(await tagOf(HISTORY));
    },
  );

  const isPreloaded = () => true;
  const histories = {
    coarse: { data: dataset('history-2'), isPreloaded },
    fine: { data: dataset('history-1'), fine: dataset('fine-2'), isPreloaded },
  };
  it.each(Object.entries(histories))(
    'of histories, and of legacy forecasts, which have terciles of them, changes with the %s history',
    async (_, history) => {
      const data = snapshot({ history });
      for (const path of [
        HISTORY,
        `/v1/history?${POINT}`,
        `/v1/climatology?${POINT}`,
        `/v1/forecast/seasonal?${POINT}`,
      ]) {
        expect(await tagOf(path, {}, data)).not.toBe(await tagOf(path));
      }
      expect(await tagOf(STATISTICS, {}, data)).toBe(await tagOf(STATISTICS));
    },
  );

  it('of a legacy forecast changes with its horizon only', async () => {
    const { horizons } = forecastRun();
    const seasonal = { initTime: '2026-03-02T00:00:00Z', data: dataset('horizon-2') };
    const data = snapshot({ forecast: forecastRun({ horizons: { ...horizons, seasonal } }) });
    const [changed, same] = [`/v1/forecast/seasonal?${POINT}`, `/v1/forecast/short-term?${POINT}`];
    expect(await tagOf(changed, {}, data)).not.toBe(await tagOf(changed));
    expect(await tagOf(same, {}, data)).toBe(await tagOf(same));
  });
});

describe('If-None-Match', () => {
  it.each([
    ['the tag', (tag: string) => tag],
    ['a weak tag', (tag: string) => `W/${tag}`],
    ['a list', (tag: string) => `"a", W/${tag} ,"b"`],
  ])('%s gives 304 without a body, and nothing is computed', async (_, header) => {
    const { ask, calls } = fakeService();
    const first = await ask(STATISTICS);
    const response = await ask(STATISTICS, { 'if-none-match': header(etagOf(first)) });
    expect(response.status).toBe(304);
    expect(await response.text()).toBe('');
    expect(calls).toHaveLength(1);
    for (const name of ['etag', 'cache-control', 'vary', 'access-control-allow-origin']) {
      expect(response.headers.get(name)).toBe(first.headers.get(name));
    }
    expect(response.headers.has('content-length')).toBe(false);
  });

  it.each(['"other"', 'W/"other"', '', 'no tag', '"*"'])('%j gives 200', async (header) => {
    const { ask } = fakeService();
    expect((await ask(STATISTICS, { 'if-none-match': header })).status).toBe(200);
  });

  it('an asterisk gives 304 only where there is an answer', async () => {
    const { ask } = fakeService();
    const response = await ask(STATISTICS, { 'if-none-match': ' * ' });
    expect([response.status, await response.text()]).toEqual([304, '']);
    const answers = {
      ...fakeAnswers(),
      statistics() {
        throw new ProblemError(404, 'location-not-covered', 'far away');
      },
    };
    expect((await fakeService({ answers }).ask(STATISTICS, { 'if-none-match': '*' })).status).toBe(404);
  });

  it('an asterisk matches nothing where there are no data', async () => {
    const { ask, calls } = fakeService({ source: { snapshot: () => ({}) } });
    await ask(STATISTICS, { 'if-none-match': '*' });
    expect(calls).toHaveLength(1);
  });

  it('gives 401 without a key', async () => {
    const { ask } = fakeService();
    expect((await ask(STATISTICS, { 'if-none-match': '*', 'x-api-key': '' })).status).toBe(401);
  });
});

describe('media types', () => {
  const JSON_TYPE = 'application/json';
  const CSV = 'text/csv; charset=utf-8; header=present';
  const ARROW = 'application/vnd.apache.arrow.stream';

  it.each([
    [undefined, JSON_TYPE],
    ['', JSON_TYPE],
    ['*/*', JSON_TYPE],
    ['application/*', JSON_TYPE],
    ['application/json', JSON_TYPE],
    ['Application/JSON; charset=utf-8', JSON_TYPE],
    ['text/html, application/xhtml+xml, */*;q=0.8', JSON_TYPE],
    ['text/csv', CSV],
    ['TEXT/*', CSV],
    ['text/csv;q=0.5, application/json;q=0.4', CSV],
    ['text/csv;q=0.5, application/json;q=0.5', JSON_TYPE],
    ['application/json;q=0, */*', CSV],
    ['application/*;q=0.9, application/json;q=0.1', ARROW],
    [ARROW, ARROW],
    ['rubbish, text/csv', CSV],
    ['text/csv; Q=0.1 , */json', CSV],
    ['text/csv;q=5, application/json;q=0.1', JSON_TYPE],
  ])('Accept: %s gives %s', async (accept, type) => {
    const { ask } = fakeService();
    const headers: Record<string, string> = accept === undefined ? {} : { accept };
    for (const path of [STATISTICS, `/v2/forecast?${POINT}`, HISTORY]) {
      const response = await ask(path, headers);
      expect([response.status, response.headers.get('content-type')]).toEqual([200, type]);
    }
  });

  it.each(['text/html', 'application/json;q=0', '*/*;q=0', 'application/problem+json', 'rubbish', 'text/csv;q=0.0'])(
    'Accept: %s is 406',
    async (accept) => {
      const { ask, calls } = fakeService();
      const response = await ask(STATISTICS, { accept });
      expect(response.status).toBe(406);
      expect(await problemOf(response)).toMatchObject({
        code: 'not-acceptable',
        contentType: 'application/problem+json',
      });
      expect(calls).toEqual([]);
    },
  );

  it('legacy endpoints have JSON only', async () => {
    const { ask } = fakeService();
    expect((await ask(`/v1/history?${POINT}`, { accept: 'text/csv, */*;q=0.1' })).headers.get('content-type')).toBe(
      JSON_TYPE,
    );
    expect((await ask(`/v1/history?${POINT}`, { accept: 'text/csv' })).status).toBe(406);
  });
});

describe('methods', () => {
  it('OPTIONS is 204 with Allow, without a key, also as a preflight', async () => {
    const { ask, calls } = fakeService();
    for (const path of ['/v2/forecast', '/v1/history/location/everybodys', '/health', '/openapi.json']) {
      const preflight = { 'x-api-key': '', origin: 'https://page.test', 'access-control-request-method': 'GET' };
      const response = await ask(path, preflight, 'OPTIONS');
      expect(response.status).toBe(204);
      expect(response.headers.get('allow')).toBe('GET, HEAD, OPTIONS');
      expect(response.headers.get('access-control-allow-methods')).toContain('GET');
      expect(response.headers.get('access-control-allow-headers')).toContain('X-Api-Key');
      expect(response.headers.get('access-control-allow-origin')).toBe('*');
    }
    expect(calls).toEqual([]);
  });

  it.each(['POST', 'PUT', 'DELETE', 'PATCH', 'PROPFIND'])(
    '%s is 405 with Allow, before the key is looked at',
    async (method) => {
      const { ask } = fakeService();
      for (const path of ['/v2/forecast', '/health']) {
        const response = await ask(path, { 'x-api-key': '' }, method);
        expect([response.status, response.headers.get('allow')]).toEqual([405, 'GET, HEAD, OPTIONS']);
        expect(await problemOf(response)).toMatchObject({ code: 'method-not-allowed' });
      }
      expect((await ask('/nowhere', {}, method)).status).toBe(404);
    },
  );
});

describe('CORS with a list of origins', () => {
  const { ask } = fakeService({ cors: { origins: ['https://good.test'] } });
  const allowed = (response: Response) => response.headers.get('access-control-allow-origin');

  it('an origin of the list may read answers and problems', async () => {
    const headers = { origin: 'https://good.test' };
    expect(allowed(await ask(STATISTICS, headers))).toBe('https://good.test');
    expect(allowed(await ask('/v2/forecast', headers))).toBe('https://good.test');
    expect(allowed(await ask('/v2/forecast', headers, 'OPTIONS'))).toBe('https://good.test');
  });

  it.each(['https://evil.test', 'http://good.test', 'https://good.test.evil.test', 'null'])(
    '%s may not',
    async (origin) => {
      expect(allowed(await ask(STATISTICS, { origin }))).toBeNull();
    },
  );

  it.each([[['https://good.test/']], [['good.test']], ['https://good.test'], [[5]]])(
    '%j is no such list',
    (origins) => {
      expect(() => fakeService({ cors: { origins: origins as string[] } })).toThrow('cors.origins');
    },
  );
});

/** What comes of asking several times, one after the other. */
async function several<T>(times: number, ask: () => Promise<T>): Promise<T[]> {
  const answers: T[] = [];
  for (let time = 0; time < times; time++) answers.push(await ask());
  return answers;
}

describe('the cache of responses', () => {
  it('gives the same bytes and headers, computed twice, for each media type', async () => {
    const { ask, calls } = fakeService({ responseCacheBytes: 1_000_000 });
    for (const accept of ['application/json', 'text/csv']) {
      const [first, ...others] = await several(4, () => ask(STATISTICS, { accept }));
      const bytes = await first.arrayBuffer();
      for (const other of others) {
        expect(createHeaders(other)).toEqual(createHeaders(first));
        expect(await other.arrayBuffer()).toEqual(bytes);
      }
    }
    expect(calls).toHaveLength(4);
    expect(await (await ask(STATISTICS, {}, 'HEAD')).text()).toBe('');
    expect(calls).toHaveLength(4);
  });

  it('keeps what is asked for a second time, in whatever words, and not what is asked for once', async () => {
    const ways = [STATISTICS, `/v2/forecast/statistics?${POINT.split('&').reverse().join('&')}`];
    const kept = fakeService({ responseCacheBytes: 1_000_000 });
    for (const path of [...ways, ...ways, ...ways]) await kept.ask(path);
    expect(kept.calls).toHaveLength(2);
    const often = fakeService({ responseCacheBytes: 10_000 });
    await several(2, () => often.ask(STATISTICS));
    for (let i = 0; i < 500; i++) await often.ask(`/v2/history?lat=${i / 10}&lon=0`);
    expect(often.calls).toHaveLength(502);
    await often.ask(STATISTICS);
    expect(often.calls).toHaveLength(502);
  });

  it('is off by default', async () => {
    const { ask, calls } = fakeService();
    await ask(STATISTICS);
    await ask(STATISTICS);
    expect(calls).toHaveLength(2);
  });

  it('knows keys with 1 km data from those without', async () => {
    const { ask, calls } = fakeService({ responseCacheBytes: 1_000_000 });
    for (let time = 0; time < 4; time++) for (const key of [KEY, FINE_KEY]) await ask(STATISTICS, { 'x-api-key': key });
    expect(calls.map(({ query }) => query.downscaling)).toEqual([false, true, false, true]);
  });

  it('does not answer without a good key', async () => {
    const { ask, calls } = fakeService({ responseCacheBytes: 1_000_000 });
    await several(3, () => ask(STATISTICS));
    expect(calls).toHaveLength(2);
    expect((await ask(STATISTICS, { 'x-api-key': 'wrong' })).status).toBe(401);
  });

  it('does not give a location to other owners', async () => {
    const { ask } = fakeService({ responseCacheBytes: 1_000_000 });
    await several(3, async () => {
      expect((await ask('/v1/history/location/fines-own', { 'x-api-key': FINE_KEY })).status).toBe(200);
    });
    expect((await ask('/v1/history/location/fines-own')).status).toBe(404);
  });

  it('never answers with an old run', async () => {
    let data = snapshot();
    const { ask, calls } = fakeService({ responseCacheBytes: 1_000_000, source: { snapshot: () => data } });
    const [first] = await several(3, () => ask(STATISTICS));
    expect(calls).toHaveLength(2);
    data = snapshot({ forecast: forecastRun({ generation: 'run-2' }) });
    expect(etagOf(await ask(STATISTICS))).not.toBe(etagOf(first));
    expect(calls).toHaveLength(3);
  });

  it('keeps no more than its size', async () => {
    const { ask, calls } = fakeService({ responseCacheBytes: 3000 });
    const paths = Array.from({ length: 20 }, (_, i) => `/v2/history?lat=${i}&lon=0`);
    for (const path of [...paths, ...paths, ...paths]) await ask(path);
    expect(calls).toHaveLength(60);
    await ask(paths[19]);
    expect(calls).toHaveLength(60);
  });

  it('keeps no failures', async () => {
    let broken = true;
    const answers = fakeAnswers();
    const { statistics } = answers;
    answers.statistics = (...call) => {
      if (broken) throw new Error('once');
      return statistics(...call);
    };
    const { ask } = fakeService({ responseCacheBytes: 1_000_000, answers });
    expect((await ask(STATISTICS)).status).toBe(500);
    broken = false;
    expect((await ask(STATISTICS)).status).toBe(200);
  });

  it.each([-1, 0.5, Number.NaN, '5'])('%j is no size', (responseCacheBytes) => {
    expect(() => fakeService({ responseCacheBytes: responseCacheBytes as number })).toThrow('responseCacheBytes');
  });
});

describe('paths of the service', () => {
  it('/health is 200 whatever the source does', async () => {
    const fail = () => {
      throw new Error('gone');
    };
    const { ask } = fakeService({ source: { snapshot: fail }, keys: { find: fail } });
    const response = await ask('/health?x=%ff', { 'x-api-key': '', accept: 'text/html' });
    expect([response.status, response.headers.get('cache-control')]).toEqual([200, 'no-store']);
    expect(await response.json()).toEqual({ status: 'ok' });
  });

  it('/ready is 503 while the service is about to stop, and all else is served', async () => {
    let isDraining = false;
    const { ask } = fakeService({ isDraining: () => isDraining });
    expect((await ask('/ready')).status).toBe(200);
    isDraining = true;
    const response = await ask('/ready');
    expect([response.status, response.headers.get('retry-after')]).toEqual([503, '30']);
    expect(await problemOf(response)).toMatchObject({ code: 'draining', title: 'The service is about to stop' });
    for (const path of ['/health', '/openapi.json', STATISTICS]) expect((await ask(path)).status).toBe(200);
  });

  it('/ready is 200 where the source has a forecast or a history, else 503', async () => {
    const ready = (data: object) =>
      fakeService({ source: { snapshot: () => data } }).ask('/ready', { 'x-api-key': '' });
    const { forecast, history } = snapshot();
    expect(await (await ready({ forecast })).json()).toMatchObject({ status: 'ready', generation: 'run-1' });
    expect((await ready({ history })).status).toBe(200);
    const response = await ready({});
    expect([response.status, response.headers.get('retry-after')]).toEqual([503, '30']);
    expect(await problemOf(response)).toMatchObject({ code: 'not-ready' });
  });

  it('/openapi.json is there without a key, with an ETag', async () => {
    const { ask } = fakeService();
    const response = await ask('/openapi.json', { 'x-api-key': '' });
    expect((await response.json()).openapi).toBe('3.1.0');
    const again = await ask('/openapi.json', { 'if-none-match': etagOf(response) });
    expect([again.status, await again.text()]).toEqual([304, '']);
  });
});
