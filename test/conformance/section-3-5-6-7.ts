import { beforeAll, expect } from 'vitest';
import { createKey, openKeys } from '../../src/service/access/key-file.node.js';
import { memorySource } from '../../src/service/source/index.js';
import { temporaryFolder } from '../service/source/temporary-folder.js';
import { folderService, writeRun } from './folder-service.js';
import { section, test } from './section.js';
import { AT, AT_FINE, type Body, conformanceService, createService, FINE_KEY, KEY, type Service } from './service.js';
import { send } from './transport.js';

let service: Service;
beforeAll(async () => {
  service = await conformanceService();
});

const openApi = async () => (await service.request('/openapi.json')).json();

section('3 States and transitions', import.meta.url, {
  states: test("while a new run is written, each answer is the old run's or the new one's, never a mix", async () => {
    // Decided: a new run appears atomically: a request sees the old run or the new one, never a mix.
    const dir = temporaryFolder();
    await writeRun(dir, 'run-1', 1);
    const { get } = await folderService(dir);
    const request = () => get(`/v2/forecast?${AT}`);
    const old = await request();
    const underway: Promise<Body>[] = [];
    await writeRun(dir, 'run-2', 2, async () => {
      expect(await request()).toEqual(old);
      for (let i = 0; i < 5; i++) underway.push(request());
    });
    underway.push(request(), request());
    const bodies = await Promise.all(underway);
    const next = await request();
    expect([old.generation, next.generation]).toEqual(['run-1', 'run-2']);
    expect(next.variables).not.toEqual(old.variables);
    for (const body of bodies) expect(body).toEqual(body.generation === 'run-1' ? old : next);
  }),

  lifecycle: test('every path has GET only, so that requests change nothing; other methods are a 405', async () => {
    // Decided: requests change nothing: every path has GET only.
    const { paths } = await openApi();
    for (const [path, operations] of Object.entries<object>(paths)) {
      expect([path, Object.keys(operations)]).toEqual([path, ['get']]);
    }
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) {
      expect((await service.request('/v1/history/location/field', {}, method)).status).toBe(405);
    }
  }),
});

section('5 Authentication', import.meta.url, {
  key: test('every data path needs X-Api-Key: a missing, wrong or bearer key is a 401', async () => {
    const { paths } = await openApi();
    const data = Object.keys(paths).filter((path) => /forecast|history|climatology/.test(path));
    expect(data).toHaveLength(26);
    for (const path of data) {
      const where = path.endsWith('/points') ? 'points=37.25,-80' : AT;
      const url = `http://service.test${path.replace('{id}', 'field')}?${where}&var=temp_mean`;
      const status = async (headers: HeadersInit) =>
        (await send(service.handler, url, { method: 'GET', headers })).status;
      expect([path, await status({}), await status({ 'X-Api-Key': 'wrong' })]).toEqual([path, 401, 401]);
      expect([path, await status({ 'X-Api-Key': KEY })]).toEqual([path, 200]);
      expect(await status({ Authorization: `Bearer ${KEY}` })).toBe(401);
    }
  }),

  operator: test('keys are made with the library, and no path of the service gives one', async () => {
    const folder = temporaryFolder();
    const { key } = await createKey(folder, { owner: 'Example Farms', downscaling: false });
    const { handler } = createService({ source: memorySource(service.data), keys: await openKeys(folder) });
    const url = `http://service.test/v2/history?${AT}`;
    expect((await send(handler, url, { method: 'GET', headers: { 'X-Api-Key': key } })).status).toBe(200);
    const { paths } = await openApi();
    expect(Object.keys(paths).filter((path) => path.includes('key'))).toEqual([]);
  }),

  downscaling: test('with a key without 1 km data, use_downscaling changes nothing', async () => {
    const path = `/v2/forecast/statistics?${AT_FINE}&var=temp_mean`;
    const coarse = await service.get(path, KEY);
    expect(coarse.variables.temp_mean.downscaled).toBe(false);
    expect(await service.get(`${path}&use_downscaling=true`, KEY)).toEqual(coarse);
    expect(await service.get(`${path}&use_downscaling=false`, KEY)).toEqual(coarse);
    expect((await service.get(path, FINE_KEY)).variables.temp_mean.downscaled).toBe(true);
  }),
});

section('6 Events', import.meta.url, {
  events: test('the OpenAPI document has paths for data, health and itself, and no others but extensions', async () => {
    const { paths } = await openApi();
    const ofSpecification = Object.keys(paths).filter((path) => !paths[path].get['x-extension']);
    expect(ofSpecification.sort()).toEqual([...PATHS].sort());
  }),

  webhooks: test('the OpenAPI document has no webhooks or callbacks, and such paths are a 404', async () => {
    const document = await openApi();
    expect(document).not.toHaveProperty('webhooks');
    expect(JSON.stringify(document)).not.toContain('"callbacks"');
    for (const path of ['/v2/webhooks', '/v2/notifications']) await service.problem(404, path);
  }),

  alerts: test('alert paths do not exist: 404', async () => {
    for (const path of ['/v2/alerts', '/v1/alerts', '/alerts']) await service.problem(404, path);
  }),
});

section('7 Errors', import.meta.url, {
  notPreloaded: test('legacy history at a point that was not pre-loaded is a 404 location-not-ingested', async () => {
    const code = 'location-not-ingested';
    expect(await service.problem(404, '/v1/history?lat=37.5&lon=-80')).toMatchObject({ code });
    expect(await service.problem(404, '/v1/history/location/not-preloaded')).toMatchObject({ code });
  }),

  onDemand: test('/v2/history answers in full at a point that was not pre-loaded', async () => {
    const { data, meta } = await service.get('/v2/history?lat=37.5&lon=-80&var=temp_mean');
    expect(meta.location).toEqual({ latitude: 37.5, longitude: -80 });
    expect(Object.values(data.temp_mean.values)).not.toContain(null);
  }),

  body: test('an error is an RFC 9457 problem with a stable code and the faulty parameter', async () => {
    // Decided: RFC 9457, with a stable code.
    const response = await service.request('/v2/history?lat=37.5');
    expect(response.headers.get('content-type')).toBe('application/problem+json');
    expect(await response.json()).toEqual({
      type: 'urn:plumecast:problem:bad-parameters',
      title: 'The parameters cannot be used',
      status: 400,
      detail: 'One parameter cannot be used.',
      instance: '/v2/history',
      code: 'bad-parameters',
      errors: [{ parameter: 'lon', detail: 'is missing', allowed: 'a number from -180 to 180' }],
    });
  }),

  parameters: test('seven faulty parameters are reported together in one 400', async () => {
    // Decided: 400, with every fault at once.
    const query = 'lat=91&lon=east&var=rain&start_date=2026-02-30&granularity=hourly&use_downscaling=1&statistics=2';
    const { errors } = await service.problem(400, `/v2/forecast/statistics?${query}`);
    expect(errors.map(({ parameter }: Body) => parameter)).toEqual([
      ...['lat', 'lon', 'var', 'start_date', 'use_downscaling', 'statistics', 'granularity'],
    ]);
  }),
});

const LEGACY = ['forecast/short-term', 'forecast/subseasonal', 'forecast/seasonal', 'history', 'climatology'];

/** Every path that there is. */
const PATHS = [
  ...['/v2/forecast', '/v2/forecast/statistics', '/v2/history'],
  ...LEGACY.flatMap((path) => [`/v1/${path}`, `/v1/${path}/location/{id}`, `/${path}`, `/${path}/location/{id}`]),
  ...['/health', '/ready', '/openapi.json'],
];
