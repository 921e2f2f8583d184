import { afterAll, afterEach, describe, expect, it, vi } from 'vitest';
import {
  beginUpdate,
  checkStore,
  copyStore,
  listGenerations,
  pruneStore,
} from '../../../src/service/source/folder/index.node.js';
import { RemoteAccess } from '../../../src/service/store/remote-access.node.js';
import {
  AXIS,
  commitForecast,
  firstValue,
  gridOf,
  HEADER,
  newFolder,
  opened,
  valuesOf,
} from '../source/folder/stores.js';
import { testCalls, useServer } from './access-calls.js';
import { startRealServers } from './real-s3.js';

const servers = await startRealServers();
afterAll(() => Promise.all(servers.map((server) => server.end())));
afterEach(() => vi.unstubAllEnvs());

for (const { name, url } of servers) {
  testCalls(`a bucket of ${name}`, url, () => new RemoteAccess('s3://bucket/some prefix/+&'));

  describe(`a store in a bucket of ${name}`, () => {
    it('is updated, copied, checked and served', async () => {
      useServer(url);
      const store = 's3://bucket/store';
      await commitForecast(store, { from: 1, generation: 'one' });
      const source = await opened(store);
      await commitForecast(store, { from: 2, generation: 'two' });
      expect(await firstValue(await source.snapshot())).toBe(2);
      expect((await listGenerations(store)).map(({ generation }) => generation)).toEqual(['one', 'two']);
      expect(await checkStore(store)).toMatchObject({ generations: 2, faults: [] });
      const copy = newFolder();
      await copyStore(store, copy);
      expect(await firstValue(await (await opened(copy)).snapshot())).toBe(2);
    });

    it('goes on after what an update had finished that was stopped, and is pruned of what no generation needs', async () => {
      useServer(url);
      const store = 's3://bucket/stopped';
      await commitForecast(store, { from: 1, generation: 'one' });
      const source = await opened(store);
      const notices: string[] = [];
      let written = 0;
      /** Begins an update of the same values, of which `finishes` says whether it is published. */
      const update = async (key: string, finishes: boolean) => {
        const begun = await beginUpdate(store);
        begun.setForecast({ ...HEADER, generation: 'two' });
        function* blocks() {
          written++;
          yield valuesOf({ from: 2 });
        }
        await begun.write('timeline', {
          ...{ slug: 'temp_mean', units: 'degC', axis: AXIS, places: gridOf(4), blocks: blocks() },
          ...{ key, onNotice: (text: string) => notices.push(text) },
        });
        if (finishes) await begun.commit();
        await begun.abandon({ keepsWork: true });
      };
      await update('a', false);
      expect(await firstValue(await source.snapshot())).toBe(1);
      await update('a', true);
      expect([written, notices]).toEqual([1, ['timeline temp_mean: taken from an ingest that was stopped']]);
      expect(await firstValue(await source.snapshot())).toBe(2);

      const objects = async () => (await new RemoteAccess(store).list('updates/')).map((object) => object.name);
      await pruneStore(store, { count: 1 });
      const kept = await objects();
      await update('b', false);
      expect((await objects()).length).toBeGreaterThan(kept.length);
      expect(await pruneStore(store)).toBeGreaterThan(0);
      // What says that an update was removed stays for a day.
      expect((await objects()).filter((name) => !name.includes('/claim/'))).toEqual(kept);
      expect((await listGenerations(store)).map(({ generation }) => generation)).toEqual(['two']);
      expect(await checkStore(store)).toMatchObject({ generations: 1, faults: [] });
      expect(await firstValue(await (await opened(store)).snapshot())).toBe(2);
    });
  });
}

describe('servers of S3 by other people', () => {
  it('are there, or said to be missing', () => {
    if (servers.length === 0) console.log('skipped: stores in buckets of other people');
  });
});
