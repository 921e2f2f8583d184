import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createHandler, memoryKeys } from '../../../../src/service/index.js';
import {
  beginUpdate,
  checkStore,
  copyStore,
  describeStore,
  listGenerations,
  openStore,
  pruneStore,
  rollbackStore,
  tryUpdate,
} from '../../../../src/service/source/folder/index.node.js';
import type { WeatherSource } from '../../../../src/service/source/source.js';
import { ACCOUNT, type S3Server, startS3 } from '../../../files/remote/s3-server.js';
import { memoryAccess } from '../../store/memory-access.js';
import { AXIS, commitForecast, firstValue, HEADER, HISTORY_AXIS, newFolder, opened, write } from './stores.js';

const STORE = 's3://bucket/store';
let server: S3Server;

beforeEach(async () => {
  server = await startS3();
  for (const [name, value] of Object.entries({ ...ACCOUNT, AWS_ENDPOINT_URL: server.url, AWS_REGION: 'eu-west-1' })) {
    vi.stubEnv(name, value);
  }
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await server.stop();
});

const keys = memoryKeys([{ id: 'a', owner: 'me', downscaling: false, key: 'k' }]);

async function get(source: WeatherSource, path: string): Promise<Response> {
  return createHandler({ source, keys })(new Request(`http://service.test${path}`, { headers: { 'x-api-key': 'k' } }));
}

const PATHS = [0, 1, 2, 3].map((cell) => `/v2/forecast?lat=36.5&lon=${-80.5 + 0.25 * cell}`);

describe('a store in a bucket', () => {
  it('is updated, rolled back, pruned, checked and described as one in a folder', async () => {
    await commitForecast(STORE, { from: 1, generation: 'one' });
    await commitForecast(STORE, { from: 2, generation: 'two' });
    await commitForecast(STORE, { from: 3, generation: 'three' });
    expect((await listGenerations(STORE)).map(({ generation }) => generation)).toEqual(['one', 'two', 'three']);
    expect(await rollbackStore(STORE)).toBe('two');
    expect((await describeStore(STORE)).generation).toBe('two');
    expect(await firstValue(await (await opened(STORE)).snapshot())).toBe(2);
    expect(await checkStore(STORE)).toMatchObject({ generations: 3, faults: [] });
    expect(await pruneStore(STORE, { count: 1 })).toBeGreaterThan(0);
    expect((await listGenerations(STORE)).map(({ generation }) => generation)).toEqual(['two', 'three']);
    const names = [...server.objects.keys()].map((key) => key.split('/')[1]);
    expect(names.filter((name) => name === 'generations')).toHaveLength(2);
    expect(names.filter((name) => name.startsWith('condition-'))).toEqual([]);
  });

  it('is copied from and to a folder, and has the same bytes and tags of answers', async () => {
    const [dir, back] = [newFolder(), newFolder()];
    await commitForecast(dir, { from: 5 });
    await copyStore(dir, STORE);
    await copyStore(STORE, back);
    const sources = await Promise.all([dir, STORE, STORE, back].map((place) => opened(place)));
    for (const path of PATHS) {
      const answers = await Promise.all(sources.map((source) => get(source, path)));
      const [first, ...others] = await Promise.all(
        answers.map(async (answer) => [answer.status, answer.headers.get('etag'), await answer.text()]),
      );
      expect(first[0]).toBe(200);
      for (const other of others) expect(other).toEqual(first);
    }
    server.requests.length = 0;
    expect(await copyStore(dir, STORE)).toBe(0);
    expect(server.requests.filter((request) => request.startsWith('PUT store/updates'))).toEqual([]);
  });

  it('finds any bit that was changed', async () => {
    await commitForecast(STORE);
    for (const [key, stored] of [...server.objects].filter(([name]) => name !== 'store/store.json')) {
      const bytes = Buffer.from(stored.bytes);
      bytes[bytes.length >> 1] ^= 4;
      server.objects.set(key, { ...stored, bytes });
      const { faults } = await checkStore(STORE).catch(() => ({ faults: [key] }));
      expect(faults.length, key).toBeGreaterThan(0);
      server.objects.set(key, stored);
    }
  });

  it('takes two updates at once, of which none is lost', async () => {
    const [forecast, history] = [await beginUpdate(STORE), await beginUpdate(STORE)];
    forecast.setForecast(HEADER);
    await write(forecast, { from: 1 });
    await write(history, { part: 'reanalysis', axis: HISTORY_AXIS, from: 10 });
    await Promise.all([forecast.commit(), history.commit()]);
    expect([...(await describeStore(STORE)).parts.keys()].sort()).toEqual(['reanalysis', 'timeline']);
    const [one, two] = [await beginUpdate(STORE), await beginUpdate(STORE)];
    for (const update of [one, two]) {
      update.setForecast({ ...HEADER, generation: 'again' });
      await write(update, { from: 20 });
    }
    await one.commit();
    await expect(two.commit()).rejects.toThrow('was changed by another update, in what this one changes');
    expect(two.isOutdated).toBe(true);
    await two.abandon();
    expect(await checkStore(STORE)).toMatchObject({ faults: [] });
  });

  it('shows a new generation to all servers within the time between two checks', async () => {
    await commitForecast(STORE, { from: 1 });
    const sources = await Promise.all([1, 2, 3].map(() => openStore(STORE, { refreshSeconds: 0.1 })));
    await commitForecast(STORE, { from: 2, generation: 'second' });
    await wait(600);
    // Nobody has asked meanwhile, and nobody waits.
    for (const source of sources) {
      const snapshot = source.snapshot();
      expect(snapshot).not.toBeInstanceOf(Promise);
      expect(await firstValue(await snapshot)).toBe(2);
      await source.close();
    }
  });

  it('serves the last generation while the bucket is away, and says so, and the new one when it is back', async () => {
    await commitForecast(STORE, { from: 1 });
    const faults: string[] = [];
    const onFault = ({ message }: Error) => faults.push(message);
    const source = await openStore(STORE, { refreshSeconds: 0.1, onFault });
    const before = await get(source, PATHS[0]);
    expect([before.status, before.headers.get('source-age')]).toEqual([200, null]);
    await server.stop();
    const rejected = expect(beginUpdate(STORE)).rejects.toThrow('cannot be');
    await vi.waitFor(() => expect(source.ageSeconds?.()).toBeGreaterThan(0.5), 20_000);
    const away = await get(source, PATHS[0]);
    expect([away.status, away.headers.get('etag')]).toEqual([200, before.headers.get('etag')]);
    expect(Number(away.headers.get('source-age'))).toBeGreaterThan(0);
    expect(await away.text()).toBe(await before.text());
    const handler = createHandler({ source, keys });
    const ready = await handler(new Request('http://service.test/ready'));
    expect([ready.status, await ready.json()]).toMatchObject([200, { source_age_seconds: expect.any(Number) }]);
    expect((await handler.state()).sourceAgeSeconds).toBeGreaterThan(0);
    expect(faults).toEqual([expect.stringMatching(/^s3:\/\/bucket\/store\/store\.json: cannot be read/)]);
    await rejected;
    await server.start();
    await commitForecast(STORE, { from: 2, generation: 'second' });
    await vi.waitFor(async () => expect(await firstValue(await source.snapshot())).toBe(2), 20_000);
    expect(source.ageSeconds?.()).toBe(0);
    await source.close();
  });

  it('is read without a request for what the disk cache has, and is right where the cache is damaged', async () => {
    const cache = newFolder();
    vi.stubEnv('PLUMECAST_CACHE', cache);
    await commitForecast(STORE, { from: 1, cells: 400 });
    const values = async () => {
      const source = await openStore(STORE, { refreshSeconds: 0 });
      const { forecast } = await source.snapshot();
      const into = new Float32Array(AXIS.members * AXIS.days);
      await forecast?.timeline.read('temp_mean', 399, into);
      await source.close();
      return into;
    };
    const first = await values();
    expect(first[0]).toBe(1 + 399 * 15);
    server.requests.length = 0;
    expect(await values()).toEqual(first);
    expect(new Set(server.requests)).toEqual(new Set(['GET store/store.json']));
    for (const entry of readdirSync(cache, { recursive: true, withFileTypes: true })) {
      if (!entry.isFile()) continue;
      const path = join(entry.parentPath, entry.name);
      const bytes = readFileSync(path);
      bytes[bytes.length - 3] ^= 1;
      writeFileSync(path, bytes);
    }
    expect(await values()).toEqual(first);
  });

  it('is only read by an update that is tried', async () => {
    await commitForecast(STORE, { from: 1 });
    const before = [...server.objects.keys()];
    const update = await tryUpdate(STORE);
    update.setForecast(HEADER);
    await write(update, { from: 100 });
    expect(update.changes).toMatchObject([{ of: 'timeline', change: 'replaced', bytes: expect.any(Number) }]);
    await expect(update.commit()).rejects.toThrow('is only tried');
    await update.abandon();
    expect([...server.objects.keys()]).toEqual(before);
  });
});

describe('what keeps a store, brought by a program', () => {
  it('is written to and read from by its calls', async () => {
    const access = memoryAccess();
    await commitForecast(access, { from: 4 });
    const source = await opened(access);
    expect((await get(source, PATHS[0])).status).toBe(200);
    await commitForecast(access, { from: 6, generation: 'next' });
    expect(await firstValue(await source.snapshot())).toBe(6);
    await expect(openStore({} as never)).rejects.toThrow('store');
  });

  it('keeps objects of older generations while servers may read them', async () => {
    const ages = new Map<string, number>();
    const access = memoryAccess(ages);
    for (let run = 0; run < 5; run++) await commitForecast(access, { from: run, generation: `g${run}` });
    const generations = () => [...access.objects.keys()].filter((name) => name.startsWith('generations/')).length;
    expect(generations()).toBe(5);
    ages.set('store.json', 61);
    await (await beginUpdate(access)).abandon();
    expect(generations()).toBe(3);
  });

  it('removes what an update left that was stopped, when its claim is old, and not before', async () => {
    const ages = new Map<string, number>();
    const access = memoryAccess(ages);
    await commitForecast(access);
    const stopped = await beginUpdate(access);
    await write(stopped, { part: 'reanalysis', axis: HISTORY_AXIS });
    const left = () => [...access.objects.keys()].filter((name) => name.includes('/reanalysis/'));
    await pruneStore(access);
    expect(left()).toHaveLength(1);
    for (const name of access.objects.keys()) if (name.includes('/claim/')) ages.set(name, 901);
    await pruneStore(access);
    expect(left()).toEqual([]);
    await expect(stopped.commit()).rejects.toThrow('was taken over by another process');
    expect((await describeStore(access)).parts.has('reanalysis')).toBe(false);
  });

  it('leaves an update that is being published alone, however old its claim is', async () => {
    const ages = new Map<string, number>();
    const access = memoryAccess(ages);
    const update = await beginUpdate(access);
    update.setForecast(HEADER);
    await write(update);
    const replace = access.replaceManifest;
    access.replaceManifest = async (bytes, tag) => {
      for (const name of access.objects.keys()) if (/\/claim\/\d/.test(name)) ages.set(name, 9000);
      access.replaceManifest = replace;
      // Another process looks for what may be removed.
      await (await beginUpdate(access)).abandon();
      return replace(bytes, tag);
    };
    await update.commit();
    expect(await checkStore(access)).toMatchObject({ faults: [] });
  });
});
