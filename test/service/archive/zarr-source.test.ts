import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type Core, loadCore } from '../../../src/core/load.js';
import { zarrFolder } from '../../../src/files/zarr/open-zarr-folder.node.js';
import { type ZarrSourceOptions, zarrSource } from '../../../src/service/archive/index.js';
import { createHandler } from '../../../src/service/handler/index.js';
import { memoryKeys, memorySource, type WeatherSource } from '../../../src/service/source/index.js';
import { HORIZONS } from '../../../src/variable/availability.js';
import { serveValues, type TestServer } from '../../files/zarr/http-server.js';
import { type Fixture, zarrFixture } from '../../files/zarr/zarr-fixture.js';
import { temporaryFolder } from '../source/temporary-folder.js';
import { AT, memorySnapshot, partArrays } from './weather-archive.js';

const KEY = 'a key of the tests';
const keys = memoryKeys([{ id: 'key-1', owner: 'tests', downscaling: false, key: KEY }]);

let core: Core;
beforeAll(async () => {
  core = await loadCore();
});

const servers: TestServer[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await server[Symbol.asyncDispose]();
});

/** A store at an address, its values to be changed. */
async function served(fixture: Fixture): Promise<{ server: TestServer; fixture: Fixture }> {
  const server = await serveValues(fixture.values);
  servers.push(server);
  return { server, fixture };
}

const open = (archive: Parameters<typeof zarrSource>[0], options: ZarrSourceOptions = {}) =>
  zarrSource(archive, { core, zarr: { http: { retries: 0 } }, ...options });

async function ask(source: WeatherSource, path: string) {
  const handler = createHandler({ source, keys });
  const response = await handler(new Request(`http://service.test${path}`, { headers: { 'x-api-key': KEY } }));
  return { status: response.status, body: await response.json() };
}

/** All parts in one store, in groups named after them. */
async function wholeArchive(version: 2 | 3, cells = 1): Promise<Fixture> {
  const parts = [...HORIZONS, 'history' as const];
  const arrays = Object.assign({}, ...parts.map((part) => partArrays(part, `${part}/`, 1, cells)));
  return zarrFixture(version, arrays, parts);
}

const PATHS = [
  `/v2/forecast/statistics?${AT}`,
  `/v2/forecast/statistics?${AT}&granularity=weekly&statistics=0.1,0.5,0.9`,
  `/v2/forecast?${AT}&var=precipitation`,
  `/v2/history?${AT}`,
  `/v2/history?${AT}&granularity=monthly`,
];

describe('zarrSource', () => {
  it.each([2, 3] as const)(
    'answers as the same data in memory do, from one store with a group for each part (v%i)',
    async (version) => {
      const { server } = await served(await wholeArchive(version));
      const source = await open(server.url);
      const memory = memorySource(memorySnapshot(core, HORIZONS, await source.snapshot()));
      for (const path of [...PATHS, ...LEGACY_PATHS]) {
        const { status, body } = await ask(source, path);
        expect([path, status]).toEqual([path, 200]);
        expect(body).toEqual((await ask(memory, path)).body);
      }
    },
  );

  it('states the days of each horizon of its timeline', async () => {
    const { server } = await served(await wholeArchive(3));
    const { body } = await ask(await open(server.url), `/v2/forecast?${AT}&var=precipitation&horizons=true`);
    expect(body.variables.precipitation.horizons).toEqual([
      { horizon: 'short-term', start_date: '2026-03-02', end_date: '2026-03-16' },
      { horizon: 'subseasonal', start_date: '2026-03-14', end_date: '2026-04-12' },
      { horizon: 'seasonal', start_date: '2026-04-06', end_date: '2026-04-30' },
    ]);
  });

  it('gives the same answers from a store for each part, one of them in a folder', async () => {
    const folder = temporaryFolder();
    await (await zarrFixture(2, partArrays('history'))).writeTo(folder);
    const { server } = await served(await zarrFixture(3, partArrays('short-term')));
    const source = await open({ forecast: { 'short-term': server.url }, history: zarrFolder(folder) });
    const memory = memorySource(memorySnapshot(core, ['short-term'], await source.snapshot()));
    for (const path of PATHS) expect((await ask(source, path)).body).toEqual((await ask(memory, path)).body);
  });

  it('requests one chunk for each variable of a request, and metadata and coordinates once', async () => {
    const { server } = await served(await wholeArchive(3));
    const source = await open(server.url);
    const opening = [...server.requests];
    expect(opening.filter((request) => request.endsWith('zarr.json'))).toEqual(['GET zarr.json']);
    expect(new Set(opening).size).toBe(opening.length);
    expect(opening.some((request) => /t2m|precipitation/.test(request))).toBe(false);

    server.requests.length = 0;
    await ask(source, `/v2/history?${AT}&var=temp_mean,precipitation`);
    expect(server.requests.sort()).toEqual(['GET history/precipitation/c/0/1/1', 'GET history/t2m/c/0/1/1']);
    server.requests.length = 0;
    await ask(source, `/v2/forecast/statistics?${AT}&var=temp_mean,precipitation`);
    // Members are paired by a sample of all places, once; then a place is one chunk.
    const chunks = (variable: string) => server.requests.filter((request) => request.includes(`/${variable}/`));
    expect(chunks('t2m').length).toBe(server.requests.length / 2);
    expect(new Set(server.requests).size).toBe(server.requests.length);
    const uncached = await open(server.url, { cacheBytes: 1 });
    await ask(uncached, `/v2/forecast/statistics?${AT}&var=temp_mean`);
    server.requests.length = 0;
    await ask(uncached, `/v2/forecast/statistics?${AT}&var=temp_mean`);
    expect(server.requests.sort()).toEqual(HORIZONS.map((horizon) => `GET ${horizon}/t2m/c/0/0/1/1`).sort());
  });

  it("requests only the variable's chunk where there is one horizon", async () => {
    const { server } = await served(await zarrFixture(2, partArrays('seasonal')));
    const source = await open({ forecast: { seasonal: server.url } });
    server.requests.length = 0;
    expect((await ask(source, `/v2/forecast/statistics?${AT}&var=precipitation`)).status).toBe(200);
    expect(server.requests).toEqual(['GET precipitation/0.0.1.1']);
  });

  it('keeps chunks for all places in them, also for simultaneous requests', async () => {
    const { server } = await served(await wholeArchive(3, 2));
    const source = await open(server.url);
    server.requests.length = 0;
    const path = (longitude: number) => `/v2/history?lat=37.25&lon=${longitude}&var=temp_mean`;
    await Promise.all([ask(source, path(-80)), ask(source, path(-79.75)), ask(source, path(-80))]);
    await ask(source, path(-79.75));
    expect(server.requests).toEqual(['GET history/t2m/c/0/0/0']);
  });

  it('drops the least recently used chunks where its memory is full', async () => {
    const { server } = await served(await wholeArchive(3));
    const source = await open(server.url, { cacheBytes: 3000 });
    server.requests.length = 0;
    const path = (longitude: number) => `/v2/history?lat=37.25&lon=${longitude}&var=temp_mean`;
    for (const longitude of [-80, -79.75, -79.5, -79.5, -80]) await ask(source, path(longitude));
    expect(server.requests).toHaveLength(4);
  });
});

const LEGACY_PATHS = [
  `/v1/forecast/short-term?${AT}`,
  `/v1/forecast/subseasonal?${AT}&granularity=weekly`,
  `/v1/history?${AT}`,
];

describe('an archive that changes', () => {
  const archive = async (seed: number) =>
    zarrFixture(3, { ...partArrays('short-term', 'short-term/', seed) }, ['short-term']);

  it('is opened as another run when its metadata have changed, and serves the old one before', async () => {
    const { server, fixture } = await served(await archive(1));
    const source = await open(server.url, { refreshSeconds: 0 });
    const before = await source.snapshot();
    expect(await source.snapshot()).toBe(before);
    const { body: old } = await ask(source, `/v2/forecast?${AT}`);
    const next = await archive(2);
    const root = next.json('zarr.json');
    next.putJson('zarr.json', { ...root, attributes: { written: 'anew' } });
    for (const [key, bytes] of next.values) if (key !== 'zarr.json') fixture.values.set(key, bytes);
    expect((await ask(source, `/v2/forecast?${AT}`)).body).toEqual(old);
    fixture.values.set('zarr.json', next.values.get('zarr.json') as Uint8Array);
    const { body } = await ask(source, `/v2/forecast?${AT}`);
    expect(body.generation).not.toBe(old.generation);
    expect(body.variables).not.toEqual(old.variables);
    // The grid is the same: its index is made once.
    const after = await source.snapshot();
    expect(after.forecast?.timeline.places).toBe(before.forecast?.timeline.places);
    expect(after.forecast?.timeline.revision).not.toBe(before.forecast?.timeline.revision);
  });

  it('is checked no more often than requested', async () => {
    const { server } = await served(await archive(1));
    const source = await open(server.url, { refreshSeconds: 3600 });
    server.requests.length = 0;
    await source.snapshot();
    expect(server.requests).toEqual([]);
  });

  it('is checked once for simultaneous requests, of which the first waits', async () => {
    const { server, fixture } = await served(await archive(1));
    const source = await open(server.url, { refreshSeconds: 0 });
    const before = await source.snapshot();
    const root = fixture.json('zarr.json');
    fixture.putJson('zarr.json', { ...root, attributes: { written: 'anew' } });
    server.requests.length = 0;
    const [first, ...others] = [source.snapshot(), source.snapshot(), source.snapshot()];
    expect(others).toEqual([before, before]);
    expect(await first).not.toBe(before);
    expect(server.requests.filter((request) => request.endsWith('zarr.json'))).toEqual(['GET zarr.json']);
  });

  it('is still served where the new one cannot be opened, which is reported once', async () => {
    const { server, fixture } = await served(await archive(1));
    const faults: string[] = [];
    const onFault = ({ message }: Error) => faults.push(message);
    const source = await open(server.url, { refreshSeconds: 0, onFault });
    const before = await source.snapshot();
    const metadata = fixture.values.get('zarr.json') as Uint8Array;
    fixture.values.set('zarr.json', metadata.subarray(0, 100));
    expect(await source.snapshot()).toBe(before);
    expect(await source.snapshot()).toBe(before);
    expect(faults).toEqual([expect.stringContaining(`${server.url}/zarr.json: is not Zarr metadata`)]);
    fixture.values.set('zarr.json', metadata);
    await source.snapshot();
    fixture.values.set('zarr.json', metadata.subarray(0, 100));
    await source.snapshot();
    expect(faults).toHaveLength(2);
  });

  it('that fails while it is read is answered with 503, and is read again afterwards', async () => {
    const { server } = await served(await archive(1));
    const source = await open(server.url);
    const path = `/v2/forecast/statistics?${AT}&var=temp_mean`;
    server.mischief = (_, response) => {
      response.writeHead(500).end();
      return true;
    };
    expect((await ask(source, path)).status).toBe(503);
    server.mischief = undefined;
    expect((await ask(source, path)).status).toBe(200);
  });

  it('without a chunk has no values there', async () => {
    const { server, fixture } = await served(await archive(1));
    fixture.values.delete('short-term/t2m/c/0/0/1/1');
    const { body } = await ask(await open(server.url), `/v2/forecast?${AT}&var=temp_mean`);
    expect(new Set(Object.values<number[]>(body.variables.temp_mean.members).flat())).toEqual(new Set([null]));
  });
});
