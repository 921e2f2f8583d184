import { beforeAll, expect, vi } from 'vitest';
import { memorySource, type Snapshot } from '../../src/service/source/index.js';
import type { ForecastRun, HistoryData } from '../../src/service/source/source.js';
import { section, test } from './section.js';
import { AT, conformanceService, createService, FINE_KEY, KEY, type Service } from './service.js';
import { send } from './transport.js';

let service: Service;
beforeAll(async () => {
  service = await conformanceService();
});

const STATISTICS = `/v2/forecast/statistics?${AT}&var=temp_mean`;

const tagOf = async (path: string, headers: Record<string, string> = {}, request = service.request) =>
  (await request(path, headers)).headers.get('etag');

/** The tag of an answer of other data. */
const tagWith = (path: string, change: Partial<Snapshot>) =>
  tagOf(path, {}, createService({ source: memorySource({ ...service.data, ...change }) }).request);

section('HTTP', import.meta.url, {
  caching: [
    test('a success has ETag, Cache-Control, Vary and CORS; HEAD, OPTIONS and 304 work', async () => {
      const first = await service.request(STATISTICS);
      const etag = first.headers.get('etag') as string;
      expect(etag).toMatch(/^"[^"]+"$/);
      // Noon of 5 March; the next run is expected a day after that of noon of the 4th, which is now: a minute at least.
      expect(first.headers.get('cache-control')).toBe('private, max-age=60');
      const early = createService({ source: memorySource(service.data), now: () => new Date('2026-03-05T11:00:00Z') });
      expect((await early.request(STATISTICS)).headers.get('cache-control')).toBe('private, max-age=3600');
      expect(first.headers.get('vary')).toBe('Accept, Accept-Encoding, X-Api-Key, Origin');
      expect(first.headers.get('access-control-allow-origin')).toBe('*');
      const head = await service.request(STATISTICS, {}, 'HEAD');
      expect([head.status, await head.text(), head.headers.get('etag')]).toEqual([200, '', etag]);
      expect(head.headers.get('content-length')).toBe(first.headers.get('content-length'));
      const options = await service.request(STATISTICS, { Origin: 'https://example.org' }, 'OPTIONS');
      expect([options.status, options.headers.get('allow')]).toEqual([204, 'GET, HEAD, OPTIONS']);
      const unchanged = await service.request(STATISTICS, { 'If-None-Match': etag });
      expect([unchanged.status, await unchanged.text(), unchanged.headers.get('etag')]).toEqual([304, '', etag]);
      for (const tags of [`"other", ${etag}`, `W/${etag}`, '*']) {
        expect((await service.request(STATISTICS, { 'If-None-Match': tags })).status).toBe(304);
      }
      expect((await service.request(STATISTICS, { 'If-None-Match': '"other"' })).status).toBe(200);
    }),

    test('the ETag changes with all that an answer depends on, and with nothing else', async () => {
      const etag = (await tagOf(STATISTICS)) as string;
      expect(await tagOf(`/v2/forecast/statistics?var=temp_mean&${AT}`)).toBe(etag);
      expect(await tagOf(`${STATISTICS}&granularity=daily&use_downscaling=false`)).toBe(etag);
      const forecast = service.data.forecast as ForecastRun;
      const others = [
        await tagOf(`${STATISTICS}&granularity=weekly`),
        await tagOf(STATISTICS, { Accept: 'text/csv' }),
        await tagOf(STATISTICS, { 'X-Api-Key': FINE_KEY }),
        await tagOf(`/v2/forecast?${AT}&var=temp_mean`),
        await tagWith(STATISTICS, { forecast: { ...forecast, generation: 'run-2' } }),
        await tagWith(STATISTICS, { forecast: { ...forecast, initTime: '2026-03-05T12:00:00Z' } }),
        await tagWith(STATISTICS, { forecast: { ...forecast, timeline: { ...forecast.timeline, revision: 'other' } } }),
        await tagWith(STATISTICS, { revision: 'other elevations' }),
        await tagOfNextVersion(),
      ];
      expect(new Set([etag, ...others]).size).toBe(others.length + 1);
      // What is not downscalable is the same with both keys.
      const rain = `/v2/forecast/statistics?${AT}&var=precipitation`;
      expect(await tagOf(rain, { 'X-Api-Key': FINE_KEY })).toBe(await tagOf(rain));
      // A legacy forecast with terciles, and a climatology, depend on the history.
      const history = service.data.history as HistoryData;
      const { places, variables } = history.data;
      const read: HistoryData['data']['read'] = (...args) => history.data.read(...args);
      const newer = { history: { ...history, data: { places, variables, read, revision: 'other' } } };
      for (const path of ['/v2/history', '/v1/history', '/v1/climatology', '/v1/forecast/seasonal']) {
        const query = `${path}?${AT}&var=temp_mean`;
        expect(await tagWith(query, newer)).not.toBe(await tagOf(query));
      }
    }),
  ],
});

/** The tag of the same answer by the library's next version. */
async function tagOfNextVersion(): Promise<string | null> {
  vi.resetModules();
  vi.doMock('../../package.json', () => ({ version: '999.0.0' }));
  const { createHandler } = await import('../../src/service/handler/create-handler.js');
  vi.doUnmock('../../package.json');
  const keys = { find: () => ({ id: 'farm-1', owner: 'farm', downscaling: false }) };
  const handler = createHandler({ source: memorySource(service.data), keys });
  const response = await send(handler, `http://service.test${STATISTICS}`, {
    method: 'GET',
    headers: { 'X-Api-Key': KEY },
  });
  return response.headers.get('etag');
}
