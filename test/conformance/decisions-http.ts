import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect } from 'vitest';
import { FileError } from '../../src/errors.js';
import { createKey, fileKeys, openKeys } from '../../src/service/access/key-file.node.js';
import { hashKey, memoryKeys, memorySource } from '../../src/service/source/index.js';
import type { ForecastRun } from '../../src/service/source/source.js';
import { plumecastHere } from '../cli/run-here.js';
import { temporaryFolder } from '../service/source/temporary-folder.js';
import { section, test } from './section.js';
import { AT, AT_FINE, type Body, conformanceService, createService, FINE_KEY, KEY, type Service } from './service.js';

let service: Service;
beforeAll(async () => {
  service = await conformanceService();
});

const STATISTICS = `/v2/forecast/statistics?${AT}&var=temp_mean`;
const NO_KEY = { 'X-Api-Key': '' };

/** A service whose forecast cannot be read for as long as `fault` is set. */
function faulty() {
  const forecast = service.data.forecast as ForecastRun;
  const state: { fault?: Error } = {};
  const timeline = {
    ...forecast.timeline,
    read: (...args: Parameters<typeof forecast.timeline.read>) => {
      if (state.fault !== undefined) throw state.fault;
      return forecast.timeline.read(...args);
    },
  };
  const source = memorySource({ ...service.data, forecast: { ...forecast, timeline } });
  return { ...createService({ source, onError: () => {} }), state };
}

const FAULT = new FileError({ subject: '/data/store/timeline', problem: 'cannot be read' });

section('HTTP', import.meta.url, {
  order: test('path is checked first, then method, key, parameters, and data last', async () => {
    const status = async (path: string, headers: Record<string, string>, method = 'GET') =>
      (await service.request(path, headers, method)).status;
    expect(await status('/v2/nowhere?lat=x', NO_KEY, 'POST')).toBe(404);
    expect(await status('/v2/forecast?lat=x', NO_KEY, 'POST')).toBe(405);
    expect(await status('/v2/forecast?lat=x', NO_KEY)).toBe(401);
    expect(await status('/v2/forecast?lat=x', {})).toBe(400);
    expect(await status('/v2/forecast?lat=0&lon=0', {})).toBe(404);
    expect(await status('/v1/history/location/unknown?end_date=2026-01-01', {})).toBe(400);
  }),

  keys: test('each path but health, readiness, OpenAPI and OPTIONS is a 401 without a key', async () => {
    const document = await (await service.request('/openapi.json', NO_KEY)).json();
    const isOpen = (path: string) => ['/health', '/ready', '/openapi.json'].includes(path);
    expect(Object.keys(document.paths).filter(isOpen)).toHaveLength(3);
    for (const path of Object.keys(document.paths)) {
      const target = path.replace('{id}', 'field');
      expect([path, (await service.request(target, NO_KEY)).status]).toEqual([path, isOpen(path) ? 200 : 401]);
      expect((await service.request(target, NO_KEY, 'OPTIONS')).status).toBe(204);
    }
  }),

  problem: test('a problem has all fields of RFC 9457, and the three faults of a request at once', async () => {
    const response = await service.request('/v2/forecast?lat=91&start_date=soon');
    expect(response.headers.get('content-type')).toBe('application/problem+json');
    const plain = 'a number from';
    expect(await response.json()).toEqual({
      ...{ type: 'urn:plumecast:problem:bad-parameters', title: 'The parameters cannot be used', status: 400 },
      ...{ detail: 'There are 3 faults in the parameters.', instance: '/v2/forecast', code: 'bad-parameters' },
      errors: [
        { parameter: 'lat', detail: 'is outside -90 to 90', received: '91', allowed: `${plain} -90 to 90` },
        { parameter: 'lon', detail: 'is missing', allowed: `${plain} -180 to 180` },
        { parameter: 'start_date', detail: expect.any(String), received: 'soon', allowed: expect.any(String) },
      ],
    });
  }),

  statuses: [
    test('a wrong request is a 400, 401, 404, 405, 406 or 429, each with its code or header', async () => {
      const code = async (status: number, path: string, headers: Record<string, string> = {}) =>
        (await service.problem(status, path, headers)).code;
      expect(await code(400, '/v2/forecast')).toBe('bad-parameters');
      expect(await code(401, STATISTICS, NO_KEY)).toBe('key-missing');
      expect(await code(401, STATISTICS, { 'X-Api-Key': 'wrong' })).toBe('key-unknown');
      expect(await code(404, '/v3/forecast')).toBe('path-not-found');
      expect(await code(404, '/v1/history/location/unknown')).toBe('location-not-found');
      const post = await service.request(STATISTICS, {}, 'POST');
      expect([post.status, post.headers.get('allow')]).toEqual([405, 'GET, HEAD, OPTIONS']);
      expect(await code(406, STATISTICS, { Accept: 'image/png' })).toBe('not-acceptable');
      const limited = createService({
        source: memorySource(service.data),
        rateLimit: () => ({ retryAfterSeconds: 3 }),
      });
      const wait = await limited.request(STATISTICS);
      expect([wait.status, wait.headers.get('retry-after')]).toEqual([429, '3']);
    }),

    test('a fault is a 500 with an id or a 503, without internals; an overload is a 503', async () => {
      const { request, state } = faulty();
      state.fault = new TypeError('x is undefined in /srv/secret.ts');
      const broken = await request(STATISTICS);
      const problem = await broken.json();
      expect([broken.status, problem.id]).toEqual([500, expect.stringMatching(/^[0-9a-f-]{36}$/)]);
      expect(JSON.stringify(problem)).not.toContain('secret');
      state.fault = FAULT;
      const unavailable = await request(STATISTICS);
      expect([unavailable.status, unavailable.headers.get('retry-after')]).toEqual([503, '30']);
      expect(JSON.stringify(await unavailable.json())).not.toContain('/data/store');
      state.fault = undefined;
      expect((await request(STATISTICS)).status).toBe(200);
      const narrow = createService({ source: memorySource(service.data), limits: { answering: 1, waiting: 0 } });
      const [begun, beyond] = await Promise.all([
        narrow.request(`/v2/history?${AT}`),
        narrow.request(`/v2/history?${AT}`),
      ]);
      expect([begun.status, beyond.status, beyond.headers.get('retry-after')]).toEqual([200, 503, '30']);
      expect((await beyond.json()).code).toBe('overloaded');
    }),
  ],

  bodies: test('a failure in the second variable is a 503, not half a body; a long body has no length', async () => {
    // The second variable cannot be read: nothing of the first is sent.
    const forecast = service.data.forecast as ForecastRun;
    const timeline = {
      ...forecast.timeline,
      async read(slug: string, ...rest: [number, Float32Array<ArrayBuffer>]) {
        await forecast.timeline.read(slug, ...rest);
        if (slug === 'precipitation') throw FAULT;
      },
    };
    const { request } = createService({ source: memorySource({ forecast: { ...forecast, timeline } }) });
    const failed = await request(`/v2/forecast?${AT}&var=temp_mean,precipitation`);
    expect([failed.status, (await failed.json()).code]).toEqual([503, 'source-unavailable']);
    const short = await service.request(`/v2/forecast?${AT}&var=temp_mean`);
    const { byteLength } = await short.arrayBuffer();
    expect(short.headers.get('content-length')).toBe(`${byteLength}`);
    const long = await service.request(`/v2/history?${AT}&start_date=1995-01-01`);
    expect([long.status, long.headers.get('content-length')]).toEqual([200, null]);
    expect(((await long.json()) as { meta: object }).meta).toMatchObject({ period: { start_date: '1995-01-01' } });
  }),

  secrets: test('no key appears in problems, logs, metrics or reported errors', async () => {
    const lines: string[] = [];
    const log = (entry: unknown) => lines.push(JSON.stringify(entry));
    const options = { onRequest: log, onMetric: log, onError: (error: unknown) => lines.push(String(error)) };
    const { request } = createService({ source: memorySource(service.data), ...options });
    const secret = 'pc_a-very-secret-key';
    for (const path of [STATISTICS, '/v2/forecast', '/nowhere', `/v2/forecast?${AT}&X-Api-Key=${secret}`]) {
      for (const key of [secret, KEY, FINE_KEY]) {
        const response = await request(path, { 'X-Api-Key': key });
        if (!response.ok) lines.push(await response.text());
      }
    }
    expect(lines.length).toBeGreaterThan(30);
    for (const line of lines) for (const key of [secret, KEY, FINE_KEY]) expect(line).not.toContain(key);
    expect(lines.join()).toContain('"owner":"farm"');
  }),

  unknown:
    test('v2 rejects an unknown parameter with the nearest name; v1 ignores all but four of v2, and granularity of history', async () => {
      const { errors } = await service.problem(400, `${STATISTICS}&granularty=weekly&q=1`);
      expect(errors).toMatchObject([
        { parameter: 'granularty', detail: 'is not known, the nearest is granularity' },
        { parameter: 'q', detail: expect.stringContaining('is not known') },
      ]);
      const endpoints = { 'forecast/seasonal': '/v2/forecast', history: '/v2/history', climatology: '/v2/' };
      for (const [path, current] of Object.entries(endpoints)) {
        const legacy = `/v1/${path}?${AT}&var=temp_mean`;
        expect(await service.get(`${legacy}&granularty=weekly&q=1`)).toEqual(await service.get(legacy));
        const ofHistory = path === 'history' ? ['granularity'] : [];
        for (const name of ['start_date', 'end_date', 'statistics', 'use_downscaling', ...ofHistory]) {
          const { errors } = await service.problem(400, `${legacy}&${name}=true`);
          expect(errors).toMatchObject([{ parameter: name }]);
          expect(errors[0].detail).toContain(name === 'statistics' ? '/v2/forecast/statistics' : current);
        }
      }
    }),

  booleans: test('true and false are booleans in any case; eight other words are a 400', async () => {
    const flag = async (value: string) => {
      const path = `/v2/forecast?${AT_FINE}&var=temp_mean&use_downscaling=${value}`;
      return (await service.get(path, FINE_KEY)).variables.temp_mean.downscaled;
    };
    expect([await flag('true'), await flag('TRUE'), await flag('True')]).toEqual([true, true, true]);
    expect([await flag('false'), await flag('False'), await flag('FALSE')]).toEqual([false, false, false]);
    for (const value of ['1', '0', 'yes', 'no', 't', '', 'truefalse', 'null']) {
      const { errors } = await service.problem(400, `${STATISTICS}&use_downscaling=${value}`);
      expect(errors).toMatchObject([{ parameter: 'use_downscaling' }]);
    }
  }),

  twice: test('a parameter given twice is a 400, all but var', async () => {
    const twice =
      'lat=1&lon=1&start_date=2026-03-05&end_date=2026-03-06&statistics=0.5&granularity=daily&use_downscaling=true';
    const { errors } = await service.problem(400, `/v2/forecast/statistics?${AT}&${twice}&${twice.slice(12)}`);
    expect(errors.map(({ parameter }: Body) => parameter)).toEqual([
      ...['lat', 'lon', 'start_date', 'end_date', 'use_downscaling', 'statistics', 'granularity'],
    ]);
    for (const path of ['/v2/history', '/v1/history', '/v1/climatology']) {
      await service.problem(400, `${path}?${AT}&lat=37.3`);
    }
    expect(Object.keys((await service.get(`${STATISTICS}&var=wind_speed&var=temp_mean`)).variables)).toHaveLength(2);
  }),

  types: test('JSON is the default, v2 also has CSV and Arrow, v1 has neither: 406', async () => {
    const typeOf = async (path: string, accept: Record<string, string>) =>
      (await service.request(path, accept)).headers.get('content-type');
    const [csv, arrow] = ['text/csv', 'application/vnd.apache.arrow.stream'];
    for (const path of ['/v2/forecast', '/v2/forecast/statistics', '/v2/history']) {
      const query = `${path}?${AT}&var=temp_mean`;
      expect(await typeOf(query, {})).toBe('application/json');
      expect(await typeOf(query, { Accept: '*/*' })).toBe('application/json');
      expect(await typeOf(query, { Accept: csv })).toMatch(/^text\/csv/);
      expect(await typeOf(query, { Accept: `${csv};q=0.5, ${arrow}` })).toBe(arrow);
    }
    for (const path of ['/v1/history', '/v1/forecast/short-term', '/v1/climatology']) {
      expect(await typeOf(`${path}?${AT}`, { Accept: `${csv}, application/json;q=0.1` })).toBe('application/json');
      await service.problem(406, `${path}?${AT}`, { Accept: csv });
    }
  }),

  stored: test('a key is stored as a hash with its owner and 1 km flag, shown once, and compared in full', async () => {
    const folder = temporaryFolder();
    const { key, record } = await createKey(folder, { owner: 'Example Farms', downscaling: true });
    const text = readFileSync(join(folder, 'keys.json'), 'utf8');
    expect([text.includes(key), text.includes(hashKey(key))]).toEqual([false, true]);
    expect(await (await openKeys(folder)).find(key)).toEqual(record);
    expect(record).toEqual({ id: expect.any(String), owner: 'Example Farms', downscaling: true });
    expect(JSON.stringify(await fileKeys(folder).list())).not.toContain(key);
    const store = temporaryFolder();
    const made = await plumecastHere('key', 'create', '--store', store, '--owner', 'farm');
    const listed = await plumecastHere('key', 'list', '--store', store);
    expect(made.out).toMatch(/^pc_[\w-]{32}\n$/);
    expect([listed.out.includes('farm'), listed.out.includes(made.out.trim())]).toEqual([true, false]);
    // A key whose hash agrees with that of a known one in its first bytes is as unknown as any other.
    const keys = memoryKeys([{ id: 'a', owner: 'a', downscaling: false, key: 'secret' }]);
    const start = hashKey('secret').slice(0, 4);
    let akin = 0;
    while (!hashKey(`secret-${akin}`).startsWith(start)) akin++;
    expect([await keys.find('secret'), await keys.find(`secret-${akin}`)]).toEqual([expect.anything(), undefined]);
  }),
});
