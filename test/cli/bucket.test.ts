import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { ACCOUNT, type S3Server, startS3 } from '../files/remote/s3-server.js';
import { plumecastHere } from './run-here.js';
import { folderWithStore } from './small-store.js';
import { serversOf } from './start-server.js';

const STORE = 's3://bucket/weather';
const WEEKS = '/v2/forecast/statistics?lat=37.2&lon=-79.8&var=precipitation&granularity=weekly';

describe('a store in a bucket', async () => {
  const { folder, store, remove } = await folderWithStore();
  const cache = join(folder, 'cache');
  mkdirSync(cache);
  let server: S3Server;
  let key: string;
  beforeAll(async () => {
    server = await startS3();
    key = (await plumecastHere('key', 'create', '--store', store, '--owner', 'me')).out.trim();
  });
  afterAll(async () => {
    await server.stop();
    remove();
  });
  beforeEach(() => {
    for (const [name, value] of Object.entries({ ...ACCOUNT, AWS_ENDPOINT_URL: server.url, AWS_REGION: 'eu-west-1' })) {
      vi.stubEnv(name, value);
    }
  });
  afterEach(() => vi.unstubAllEnvs());
  const serve = serversOf(STORE);
  const serveLocal = serversOf(store);

  const ask = async (address: string) => {
    const response = await fetch(`${address}${WEEKS}`, { headers: { 'x-api-key': key } });
    return [response.status, response.headers.get('etag'), await response.text()];
  };

  it('is copied to, listed, fed and served, by several servers alike', async () => {
    const copied = await plumecastHere('store', 'copy', '--store', store, STORE);
    expect([copied.err, copied.code]).toEqual(['', 0]);
    const options = ['--keys', store, '--refresh', '0.2'];
    const servers = [await serve(...options), await serve(...options, '--cache', cache, '--workers', '2')];
    const local = await serveLocal();
    const expected = await ask(local.address);
    expect(expected[0]).toBe(200);
    for (const { address } of servers) expect(await ask(address)).toEqual(expected);
    expect(servers[0].err()).toContain('kept in memory alone; with --cache DIR on the disk, too');
    expect(servers[1].err()).toBe('');
    const files = ['temp_mean', 'precipitation'].map((slug) => join(folder, `short-${slug}.arrow`));
    const fed = await plumecastHere(
      ...['ingest', '--store', STORE, '--short-term', ...files, '--generation', 'again', '-q'],
    );
    expect([fed.err, fed.code]).toEqual(['', 0]);
    const fresh = async () => {
      const [one, other] = await Promise.all(servers.map(({ address }) => ask(address)));
      expect(one[2]).toContain('"generation":"again"');
      expect(other).toEqual(one);
    };
    // Each worker looks for new data by itself, so that one may answer before the other has them.
    await vi.waitFor(fresh, 20_000);
    expect((await plumecastHere('store', 'list', '--store', STORE)).out).toMatch(/\* +again/);
    expect((await plumecastHere('store', 'check', '--store', STORE, '-q')).out).toContain('nothing is damaged');
  });

  it('needs keys from elsewhere, which is said', async () => {
    for (const args of [
      ['serve', '--store', STORE, '--port', '0'],
      ['key', 'list', '--store', STORE],
      ['location', 'list', '--store', STORE],
    ]) {
      const { err, code } = await plumecastHere(...args);
      expect(code).not.toBe(0);
      expect(err).toContain(`${STORE}: has no keys: a bucket has the data alone`);
    }
  });
});
