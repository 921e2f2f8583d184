import { beforeAll, describe, expect, it } from 'vitest';
import { cachedDataset } from '../../src/service/source/cached-dataset.node.js';
import { type Dataset, memoryDataset, memoryLocations, memorySource } from '../../src/service/source/index.js';
import type { HistoryData } from '../../src/service/source/source.js';
import { plumecast } from '../cli/run-command.js';
import { LateDataset } from '../service/source/histories.js';
import { temporaryFolder } from '../service/source/temporary-folder.js';
import { folderService, writeHistory } from './folder-service.js';
import { AT, asking, conformanceService, FINE_KEY, KEY, LOCATIONS, type Service } from './service.js';

let service: Service;
beforeAll(async () => {
  service = await conformanceService();
});

/** A forecast on a one degree grid of the given places. */
function globe(places: readonly (readonly [number, number])[]) {
  const data: Dataset = memoryDataset({
    revision: 'globe',
    latitude: Float64Array.from(places, ([latitude]) => latitude),
    longitude: Float64Array.from(places, ([, longitude]) => longitude),
    variables: {
      temp_mean: { firstDay: 20_517, days: 1, members: 1, values: Float32Array.from(places, (_, place) => place) },
    },
  });
  const forecast = {
    ...{ initTime: '2026-03-05T00:00:00Z', version: 'globe', generation: 'globe-1' },
    ...{ timeline: data, horizons: {} },
  };
  return asking({ source: memorySource({ forecast }) });
}

const EVERYWHERE = [-90, -89, 0, 1, 89, 90].flatMap((latitude) =>
  Array.from({ length: 360 }, (_, east) => [latitude, east - 180] as const),
);

describe('Locations and history', () => {
  it('Snap to the nearest grid point, longitude wrapped at +-180, poles handled.', async () => {
    const { get } = globe(EVERYWHERE);
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
  });

  it('Coordinates are finite numbers in range, otherwise 400.', async () => {
    const wrong = ['NaN', 'Infinity', '-Infinity', '1e400', '1e', '', '%20', '0x10', '91', '-90.5', '37,3', 'null'];
    for (const value of wrong) {
      const { errors } = await service.rejected(400, `/v2/forecast?lat=${value}&lon=-80`);
      expect(errors).toMatchObject([{ parameter: 'lat' }]);
      const both = await service.rejected(400, `/v1/history?lat=${value}&lon=${value === '91' ? 181 : value}`);
      expect(both.errors.length).toBeGreaterThan(0);
    }
    const { get } = globe([[0, 0]]);
    expect((await get('/v2/forecast?lat=-0&lon=-0.0')).location.requested).toEqual({ latitude: 0, longitude: 0 });
  });

  it('A point farther from the data than one grid step: 404, code `location-not-covered`.', async () => {
    const paths = ['/v2/forecast', '/v2/forecast/statistics', '/v2/history', '/v1/forecast/short-term'];
    for (const path of [...paths, '/v1/forecast/seasonal', '/v1/climatology']) {
      expect(await service.rejected(404, `${path}?lat=37.25&lon=-80.26`)).toMatchObject({
        code: 'location-not-covered',
      });
      await service.get(`${path}?lat=37.25&lon=-80.24&var=temp_mean`);
    }
  });

  it("A stored location's id is 1 to 64 of `A-Z a-z 0-9 _ -`; it belongs to an owner or is public; unknown or foreign: 404 with the same body.", async () => {
    const longest = `${'Az09_-'.repeat(10)}abcd`;
    const named = (id: string) => memoryLocations([{ id, latitude: 37.25, longitude: -80 }]);
    const { get } = asking({ source: memorySource(service.data), locations: named(longest) });
    await get(`/v1/history/location/${longest}?var=temp_mean`);
    for (const id of ['', `${longest}e`, 'a.b', 'a b', 'ä', 'a/b']) expect(() => named(id)).toThrow('unusable id');
    const path = '/v1/history/location/of-estate?var=temp_mean';
    await service.get(path, FINE_KEY);
    await service.get('/v1/history/location/field?var=temp_mean', FINE_KEY);
    await service.get('/v1/history/location/field?var=temp_mean', KEY);
    const foreign = await service.rejected(404, path);
    const others = memoryLocations(LOCATIONS.filter(({ id }) => id !== 'of-estate'));
    const without = asking({ source: memorySource(service.data), locations: others });
    expect(await without.rejected(404, path)).toEqual(foreign);
    expect(foreign).toMatchObject({ code: 'location-not-found' });
  });

  it('v1 history snaps to a 0.25 degree grid and serves only points that were pre-loaded; others: 404, code `location-not-ingested`.', async () => {
    const asked: [number, number][] = [];
    const isPreloaded = (latitude: number, longitude: number) => {
      asked.push([latitude, longitude]);
      return latitude === 37.25;
    };
    const history = { ...(service.data.history as HistoryData), isPreloaded };
    const { get, rejected } = asking({ source: memorySource({ history }) });
    const { meta } = await get('/v1/history?lat=37.1251&lon=-79.88&var=temp_mean');
    expect(meta.location).toEqual({ latitude: 37.25, longitude: -80 });
    expect(await rejected(404, '/v1/history?lat=37.6&lon=-79.87')).toMatchObject({ code: 'location-not-ingested' });
    await rejected(404, '/v1/history?lat=-0.1&lon=179.9');
    expect(asked).toEqual([
      [37.25, -80],
      [37.5, -79.75],
      [0, -180],
    ]);
    const dir = temporaryFolder();
    await writeHistory(dir);
    const stored = await folderService(dir);
    const path = '/v1/history?lat=37.3&lon=-79.7';
    expect(await stored.rejected(404, path)).toMatchObject({ code: 'location-not-ingested' });
    expect(plumecast(['preload', '--store', dir, '--points', '37.3,-79.7'])).toMatchObject({ code: 0 });
    expect((await stored.get(path)).data).toHaveLength(366);
    await stored.rejected(404, '/v1/history?lat=37.25&lon=-80');
  });

  it('v2 history fetches on demand and keeps what it got.', async () => {
    const { data, ...rest } = service.data.history as HistoryData;
    const folder = temporaryFolder();
    const serviceOf = (origin: Dataset) =>
      asking({ source: memorySource({ history: { ...rest, data: cachedDataset(origin, { folder }) } }) });
    const origin = new LateDataset(data);
    const path = `/v2/history?${AT}&var=precipitation,temp_mean`;
    const { get } = serviceOf(origin);
    const answers = await Promise.all([get(path), get(path), get(`${path}&granularity=monthly`)]);
    expect([origin.reads, answers[1]]).toEqual([2, answers[0]]);
    // Another process finds what this one kept, also where the origin fails.
    const failing = new LateDataset(data);
    failing.fault = new Error('the origin is down');
    expect([await serviceOf(failing).get(path), failing.reads]).toEqual([answers[0], 0]);
  });
});
