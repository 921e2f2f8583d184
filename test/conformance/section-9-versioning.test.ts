import { beforeAll, describe, expect, it } from 'vitest';
import { AT, type Body, conformanceService, type Service } from './service.js';
import { measuredSizes } from './sizes.js';

let service: Service;
beforeAll(async () => {
  service = await conformanceService();
});

const LEGACY = ['forecast/short-term', 'forecast/subseasonal', 'forecast/seasonal', 'history', 'climatology'];
const CURRENT = ['/v2/forecast', '/v2/forecast/statistics', '/v2/history'];

const openApi = async () => (await service.ask('/openapi.json')).json();

describe('9 Versioning', () => {
  it('Current endpoints are under /v2/ (forecast, forecast/statistics, history); legacy endpoints under /v1/.', async () => {
    const { paths } = await openApi();
    const under = (prefix: string) => Object.keys(paths).filter((path) => path.startsWith(prefix));
    expect(under('/v2/')).toEqual(CURRENT);
    expect(under('/v1/').filter((path) => !path.endsWith('{id}'))).toEqual(LEGACY.map((path) => `/v1/${path}`));
    for (const path of CURRENT) await service.get(`${path}?${AT}&var=temp_mean`);
    for (const path of LEGACY) await service.rejected(404, `/v2/${path === 'history' ? 'none' : path}?${AT}`);
  });

  it('The /v1/ prefix is the canonical legacy form.', async () => {
    const { paths } = await openApi();
    for (const path of LEGACY) {
      expect(paths[`/${path}`].get.description).toContain(`The same as \`/v1/${path}\``);
      const { instance } = await service.rejected(400, `/v1/${path}`);
      expect(instance).toBe(`/v1/${path}`);
    }
  });

  it('The unprefixed form (for example /forecast/short-term) is an alias kept for existing integrations and keeps working.', async () => {
    for (const path of LEGACY) {
      const canonical = await service.get(`/v1/${path}?${AT}&var=temp_mean`);
      expect(await service.get(`/${path}?${AT}&var=temp_mean`)).toEqual(canonical);
      const stored = await service.get(`/v1/${path}/location/field?var=temp_mean`);
      expect(await service.get(`/${path}/location/field?var=temp_mean`)).toEqual(stored);
    }
  });

  it('Legacy endpoints stay supported for the foreseeable future; new integrations should use the current endpoints.', async () => {
    const { paths } = await openApi();
    for (const path of LEGACY) {
      expect(paths[`/v1/${path}`].get.deprecated).toBeUndefined();
      const { headers } = await service.ask(`/v1/${path}?${AT}&var=temp_mean`);
      expect([headers.get('deprecation'), headers.get('sunset')]).toEqual([null, null]);
    }
  });

  it('Only legacy offers stored-location id variants and native tercile probabilities.', async () => {
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
  });

  it('Legacy responses are { meta, data: [...] } with per-date entries; current responses are date-keyed maps, with roughly 70-80% smaller payloads.', async () => {
    const legacy = await service.get(`/v1/history?${AT}&var=temp_mean`);
    const current = await service.get(`/v2/history?${AT}&var=temp_mean`);
    const entries = legacy.data.map(({ date, attributes }: Body) => [date, attributes.temp_mean.values]);
    expect(current.data.temp_mean.values).toEqual(Object.fromEntries(entries));
    // As it is measured: smaller, by how much is in the documentation.
    const sizes = await measuredSizes(service);
    for (const { legacyBytes, currentBytes } of sizes) expect(currentBytes).toBeLessThan(legacyBytes);
  });

  it('Statistic field renames from legacy to current: ensemble_mean to mean; quantile.quantile_0.05, _0.25, _0.50, _0.75, _0.95 to q05, q25, q50, q75, q95; the three tercile probability fields have no current equivalent.', async () => {
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
  });

  it('Current forecast responses add init_time, version, generation, location.requested and location.closest_location.', async () => {
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
  });
});
