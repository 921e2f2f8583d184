import { beforeAll, expect } from 'vitest';
import { cachedDataset } from '../../src/service/source/cached-dataset.node.js';
import { type Dataset, memoryLocations, memorySource } from '../../src/service/source/index.js';
import type { HistoryData } from '../../src/service/source/source.js';
import { plumecastHere } from '../cli/run-here.js';
import { LateDataset } from '../service/source/histories.js';
import { temporaryFolder } from '../service/source/temporary-folder.js';
import { folderService, writeHistory } from './folder-service.js';
import { section, test } from './section.js';
import { AT, conformanceService, createService, FINE_KEY, KEY, LOCATIONS, type Service } from './service.js';
import { globeService } from './tiny-service.js';

let service: Service;
beforeAll(async () => {
  service = await conformanceService();
});

const EVERYWHERE = [-90, -89, 0, 1, 89, 90].flatMap((latitude) =>
  Array.from({ length: 360 }, (_, east) => [latitude, east - 180] as const),
);

section('Locations and history', import.meta.url, {
  snap: test('points snap to the nearest grid point, across 180 degrees and at the poles', async () => {
    const { get } = globeService(EVERYWHERE);
    const found = async (lat: number, lon: number) => {
      const { location, variables } = await get(`/v2/forecast?lat=${lat}&lon=${lon}`);
      const [[place]] = Object.values<number[]>(variables.temp_mean.members);
      const { latitude, longitude } = location.closest_location;
      expect(EVERYWHERE[place]).toEqual([latitude, longitude]);
      return [latitude, longitude];
    };
    expect(await found(0.4, 10.6)).toEqual([0, 11]);
    expect(await found(0.6, -10.6)).toEqual([1, -11]);
    expect(await found(0, 179.7)).toEqual([0, -180]);
    expect(await found(0, 180)).toEqual([0, -180]);
    expect(await found(0, -179.8)).toEqual([0, -180]);
    expect((await found(89.9, 123.4))[0]).toBe(90);
    expect((await found(-90, 0))[0]).toBe(-90);
  }),

  coordinates: test('NaN, infinite, hexadecimal and other odd coordinates are a 400; -0 is 0', async () => {
    const wrong = ['NaN', 'Infinity', '-Infinity', '1e400', '1e', '', '%20', '0x10', '91', '-90.5', '37,3', 'null'];
    for (const value of wrong) {
      const { errors } = await service.problem(400, `/v2/forecast?lat=${value}&lon=-80`);
      expect(errors).toMatchObject([{ parameter: 'lat' }]);
      const both = await service.problem(400, `/v1/history?lat=${value}&lon=${value === '91' ? 181 : value}`);
      expect(both.errors.length).toBeGreaterThan(0);
    }
    const { get } = globeService([[0, 0]]);
    expect((await get('/v2/forecast?lat=-0&lon=-0.0')).location.requested).toEqual({ latitude: 0, longitude: 0 });
  }),

  covered: test('a point more than one grid step away is a 404 location-not-covered', async () => {
    const paths = ['/v2/forecast', '/v2/forecast/statistics', '/v2/history', '/v1/forecast/short-term'];
    for (const path of [...paths, '/v1/forecast/seasonal', '/v1/climatology']) {
      expect(await service.problem(404, `${path}?lat=37.25&lon=-80.26`)).toMatchObject({
        code: 'location-not-covered',
      });
      await service.get(`${path}?lat=37.25&lon=-80.24&var=temp_mean`);
    }
  }),

  stored: test('ids have 1 to 64 of the allowed characters; a foreign id gets the body of an unknown one', async () => {
    const longest = `${'Az09_-'.repeat(10)}abcd`;
    const named = (id: string) => memoryLocations([{ id, latitude: 37.25, longitude: -80 }]);
    const { get } = createService({ source: memorySource(service.data), locations: named(longest) });
    await get(`/v1/history/location/${longest}?var=temp_mean`);
    for (const id of ['', `${longest}e`, 'a.b', 'a b', 'ä', 'a/b']) expect(() => named(id)).toThrow('unusable id');
    const path = '/v1/history/location/of-estate?var=temp_mean';
    await service.get(path, FINE_KEY);
    await service.get('/v1/history/location/field?var=temp_mean', FINE_KEY);
    await service.get('/v1/history/location/field?var=temp_mean', KEY);
    const foreign = await service.problem(404, path);
    const others = memoryLocations(LOCATIONS.filter(({ id }) => id !== 'of-estate'));
    const without = createService({ source: memorySource(service.data), locations: others });
    expect(await without.problem(404, path)).toEqual(foreign);
    expect(foreign).toMatchObject({ code: 'location-not-found' });
  }),

  preloaded: test('v1 history looks up the 0.25 degree point, and answers 404 until it is pre-loaded', async () => {
    const requested: [number, number][] = [];
    const isPreloaded = (latitude: number, longitude: number) => {
      requested.push([latitude, longitude]);
      return latitude === 37.25;
    };
    const history = { ...(service.data.history as HistoryData), isPreloaded };
    const { get, problem } = createService({ source: memorySource({ history }) });
    const { meta } = await get('/v1/history?lat=37.1251&lon=-79.88&var=temp_mean');
    expect(meta.location).toEqual({ latitude: 37.25, longitude: -80 });
    expect(await problem(404, '/v1/history?lat=37.6&lon=-79.87')).toMatchObject({ code: 'location-not-ingested' });
    await problem(404, '/v1/history?lat=-0.1&lon=179.9');
    expect(requested).toEqual([
      [37.25, -80],
      [37.5, -79.75],
      [0, -180],
    ]);
    const dir = temporaryFolder();
    await writeHistory(dir);
    const stored = await folderService(dir);
    const path = '/v1/history?lat=37.3&lon=-79.7';
    expect(await stored.problem(404, path)).toMatchObject({ code: 'location-not-ingested' });
    expect(await plumecastHere('preload', '--store', dir, '--points', '37.3,-79.7')).toMatchObject({ code: 0 });
    expect((await stored.get(path)).data).toHaveLength(366);
    await stored.problem(404, '/v1/history?lat=37.25&lon=-80');
  }),

  cached: test('two requests at once read the origin once, and another process reads what the first kept', async () => {
    const { data, ...rest } = service.data.history as HistoryData;
    const folder = temporaryFolder();
    const serviceOf = (origin: Dataset) =>
      createService({ source: memorySource({ history: { ...rest, data: cachedDataset(origin, { folder }) } }) });
    const origin = new LateDataset(data);
    const path = `/v2/history?${AT}&var=precipitation,temp_mean`;
    const { get } = serviceOf(origin);
    const answers = await Promise.all([get(path), get(path), get(`${path}&granularity=monthly`)]);
    expect([origin.reads, answers[1]]).toEqual([2, answers[0]]);
    // Another process finds what this one kept, also where the origin fails.
    const failing = new LateDataset(data);
    failing.fault = new Error('the origin is down');
    expect([await serviceOf(failing).get(path), failing.reads]).toEqual([answers[0], 0]);
  }),
});
