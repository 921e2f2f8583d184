import { beforeAll, expect } from 'vitest';
import { section, test } from './section.js';
import { AT, type Body, conformanceService, type Service } from './service.js';
import { measuredSizes } from './sizes.js';

let service: Service;
beforeAll(async () => {
  service = await conformanceService();
});

const LEGACY = ['forecast/short-term', 'forecast/subseasonal', 'forecast/seasonal', 'history', 'climatology'];
const CURRENT = ['/v2/forecast', '/v2/forecast/statistics', '/v2/history'];

const openApi = async () => (await service.request('/openapi.json')).json();

section('9 Versioning', import.meta.url, {
  prefixes: test('the OpenAPI document has three paths under /v2/ and the five legacy ones under /v1/', async () => {
    const { paths } = await openApi();
    const ofSpecification = Object.keys(paths).filter((path) => !paths[path].get['x-extension']);
    const under = (prefix: string) => ofSpecification.filter((path) => path.startsWith(prefix));
    expect(under('/v2/')).toEqual(CURRENT);
    expect(under('/v1/').filter((path) => !path.endsWith('{id}'))).toEqual(LEGACY.map((path) => `/v1/${path}`));
    for (const path of CURRENT) await service.get(`${path}?${AT}&var=temp_mean`);
    for (const path of LEGACY) await service.problem(404, `/v2/${path === 'history' ? 'none' : path}?${AT}`);
  }),

  canonical: test('unprefixed paths are documented as the same as those under /v1/', async () => {
    const { paths } = await openApi();
    for (const path of LEGACY) {
      expect(paths[`/${path}`].get.description).toContain(`The same as \`/v1/${path}\``);
      const { instance } = await service.problem(400, `/v1/${path}`);
      expect(instance).toBe(`/v1/${path}`);
    }
  }),

  alias: test('each unprefixed path answers the same as its /v1/ path, stored locations included', async () => {
    for (const path of LEGACY) {
      const canonical = await service.get(`/v1/${path}?${AT}&var=temp_mean`);
      expect(await service.get(`/${path}?${AT}&var=temp_mean`)).toEqual(canonical);
      const stored = await service.get(`/v1/${path}/location/field?var=temp_mean`);
      expect(await service.get(`/${path}/location/field?var=temp_mean`)).toEqual(stored);
    }
  }),

  supported: test('legacy endpoints are neither marked as deprecated nor sent with a sunset date', async () => {
    const { paths } = await openApi();
    for (const path of LEGACY) {
      expect(paths[`/v1/${path}`].get.deprecated).toBeUndefined();
      const { headers } = await service.request(`/v1/${path}?${AT}&var=temp_mean`);
      expect([headers.get('deprecation'), headers.get('sunset')]).toEqual([null, null]);
    }
  }),

  legacyOnly: test('only legacy paths end in {id}, and only legacy answers have tercile probabilities', async () => {
    const { paths } = await openApi();
    const byId = Object.keys(paths).filter((path) => path.endsWith('{id}'));
    expect(byId).toHaveLength(2 * LEGACY.length);
    expect(byId.filter((path) => path.startsWith('/v2/'))).toEqual([]);
    const terciles = async (path: string) =>
      JSON.stringify(await service.get(`${path}&${AT}&var=precipitation`)).includes('clim_prob');
    expect(await terciles('/v1/forecast/subseasonal?granularity=weekly')).toBe(true);
    for (const granularity of ['weekly', 'monthly']) {
      expect(await terciles(`/v2/forecast/statistics?granularity=${granularity}`)).toBe(false);
    }
  }),

  payload: test("v2 maps dates to the values of v1's entries, in fewer bytes for each of four contents", async () => {
    const legacy = await service.get(`/v1/history?${AT}&var=temp_mean`);
    const current = await service.get(`/v2/history?${AT}&var=temp_mean`);
    const entries = legacy.data.map(({ date, attributes }: Body) => [date, attributes.temp_mean.values]);
    expect(current.data.temp_mean.values).toEqual(Object.fromEntries(entries));
    // As it is measured: smaller, by how much is in the documentation.
    const sizes = await measuredSizes(service);
    for (const { legacyBytes, currentBytes } of sizes) expect(currentBytes).toBeLessThan(legacyBytes);
  }),

  renames: test('current fields under their new names hold the numbers of the legacy fields', async () => {
    const legacy = await service.get(`/v1/forecast/short-term?${AT}&var=temp_mean`);
    const current = await service.get(`/v2/forecast/statistics?${AT}&var=temp_mean&end_date=2026-03-16`);
    const entries: [string, Body][] = Object.entries(current.variables.temp_mean.statistics);
    expect(entries).toHaveLength(12);
    for (const [i, [, entry]] of entries.entries()) {
      const { ensemble_mean: mean, quantile } = legacy.data[i].attributes.temp_mean;
      expect(entry).toEqual({
        mean,
        ...{ q05: quantile['quantile_0.05'], q25: quantile['quantile_0.25'], q50: quantile['quantile_0.50'] },
        ...{ q75: quantile['quantile_0.75'], q95: quantile['quantile_0.95'] },
      });
    }
  }),

  added: test('current forecasts have all five fields; version, generation and requested are not in v1', async () => {
    for (const path of ['/v2/forecast', '/v2/forecast/statistics']) {
      const body = await service.get(`${path}?${AT}&var=temp_mean`);
      expect(body).toMatchObject({
        ...{ init_time: '2026-03-04T12:00:00Z', version: 'demo-1', generation: 'run-1' },
        location: {
          requested: { latitude: 37.3, longitude: -80.05 },
          closest_location: { latitude: 37.25, longitude: -80 },
        },
      });
    }
    const { meta } = await service.get(`/v1/forecast/short-term?${AT}&var=temp_mean`);
    for (const field of ['version', 'generation', 'requested']) expect(meta).not.toHaveProperty(field);
  }),
});
