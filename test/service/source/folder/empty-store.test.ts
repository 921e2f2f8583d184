import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createHandler, memoryKeys } from '../../../../src/service/index.js';
import { openStore } from '../../../../src/service/source/folder/index.node.js';
import { commitForecast, newFolder, opened } from './stores.js';

const keys = memoryKeys([{ id: 'k', owner: 'me', downscaling: false, key: 'key' }]);
const DATA = '/v2/forecast?lat=36.5&lon=-80.5&var=temp_mean';

/** Asks a service of the store in a folder, at noon of the day on which its run was issued. */
async function service(dir: string, maxAgeSeconds = {}) {
  const source = await opened(dir, { allowEmpty: true });
  const now = () => new Date('2024-05-01T12:00:00Z');
  const handler = createHandler({ source, keys, now, maxAgeSeconds });
  return (path: string) => handler(new Request(`http://service.test${path}`, { headers: { 'X-Api-Key': 'key' } }));
}

describe('a service of a folder without a store', () => {
  it('is healthy and not ready, and has data when they come', async () => {
    const dir = newFolder();
    const ask = await service(dir);
    const statuses = async () => [
      (await ask('/health')).status,
      (await ask('/ready')).status,
      (await ask(DATA)).status,
    ];
    expect(await statuses()).toEqual([200, 503, 503]);
    expect(await (await ask('/ready')).json()).toMatchObject({ code: 'not-ready' });
    await commitForecast(dir);
    expect(await statuses()).toEqual([200, 200, 200]);
  });

  it('is an error without the option, and where there is no such folder', async () => {
    const dir = newFolder();
    await expect(openStore(dir)).rejects.toThrow(`${dir}: holds no store`);
    await expect(openStore(join(dir, 'none'), { allowEmpty: true })).rejects.toThrow('there is no such file or folder');
  });
});

describe('the age of runs', () => {
  it('is in a header of answers of forecasts and in /ready, which is 503 where one is too old', async () => {
    const dir = newFolder();
    await commitForecast(dir);
    const ask = await service(dir);
    expect((await ask(DATA)).headers.get('forecast-age')).toBe('short-term=43200');
    expect(await (await ask('/ready')).json()).toMatchObject({
      status: 'ready',
      generation: 'first',
      horizons: { 'short-term': { init_time: '2024-05-01T00:00:00Z', age_seconds: 43_200 } },
    });
    expect((await (await service(dir, { 'short-term': 43_200 }))('/ready')).status).toBe(200);
    const late = await (await service(dir, { 'short-term': 43_199 }))('/ready');
    expect([late.status, await late.json()]).toEqual([503, expect.objectContaining({ code: 'too-old' })]);
    expect((await (await service(dir, { seasonal: 1e9 }))('/ready')).status).toBe(503);
    expect((await (await service(dir, { 'short-term': 1 }))(DATA)).status).toBe(200);
  });

  it('is a limit of seconds for a horizon', async () => {
    const dir = newFolder();
    await commitForecast(dir);
    await expect(service(dir, { 'short-term': 0 })).rejects.toThrow('maxAgeSeconds.short-term: is not a duration');
    await expect(service(dir, { long: 1 })).rejects.toThrow('maxAgeSeconds: unknown option');
  });
});
