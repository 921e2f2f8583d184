import { afterAll, afterEach, describe, expect, it, vi } from 'vitest';
import { checkStore, copyStore, listGenerations } from '../../../src/service/source/folder/index.node.js';
import { RemoteAccess } from '../../../src/service/store/remote-access.node.js';
import { commitForecast, firstValue, newFolder, opened } from '../source/folder/stores.js';
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
  });
}

describe('servers of S3 by other people', () => {
  it('are there, or said to be missing', () => {
    if (servers.length === 0) console.log('skipped: stores in buckets of other people');
  });
});
