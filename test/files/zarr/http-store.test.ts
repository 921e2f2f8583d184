import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { StoredArray } from '../../../src/files/array/array-file.js';
import { openArrays } from '../../../src/files/open-arrays.js';
import type { HttpStoreOptions, OpenZarrOptions } from '../../../src/files/zarr/index.js';
import { serveValues, type TestServer } from './http-server.js';
import { type Fixture, type FixtureArray, zarrFixture } from './zarr-fixture.js';

const array: FixtureArray = {
  ...{ type: 'float32', dimensions: ['y', 'x'], shape: [4, 40], chunk: [2, 20], codec: 'gzip' },
  values: Float32Array.from({ length: 160 }, (_, i) => i / 4),
};
const everything = { start: [0, 0], count: [4, 40] };

let store: Fixture;
let server: TestServer;
beforeAll(async () => {
  store = await zarrFixture(3, { 'a b/100%': array, sharded: { ...array, perShard: [2, 2] } }, ['a b']);
  server = await serveValues(new Map([...store.values].map(([key, bytes]) => [`archive/${key}`, bytes])));
});
afterAll(() => server[Symbol.asyncDispose]());
beforeEach(() => {
  server.mischief = undefined;
  server.requests.length = 0;
});

const open = (http: HttpStoreOptions = {}, url = `${server.url}/archive`, options: OpenZarrOptions = {}) =>
  openArrays(url, { http: { retries: 0, ...http }, ...options });
async function arrayAt(name: string, options: HttpStoreOptions = {}): Promise<StoredArray> {
  const file = await open(options);
  server.requests.length = 0;
  return file.arrays.get(name) as StoredArray;
}
const read = async (from: StoredArray) => {
  const into = new Float32Array(160);
  const absent = await from.read(everything, into);
  return absent.length > 0 ? absent : [...into];
};
const values = [...(array.values as Float32Array)];

describe('a store over HTTP', () => {
  it('is read with one request for all metadata, and one for each chunk', async () => {
    const file = await open();
    expect(server.requests).toEqual(['GET archive/zarr.json']);
    expect(file.source).toBe(`${server.url}/archive`);
    expect(file.attributes.get('title')).toBe('a fixture');
    expect(file.groups).toEqual(['a b']);
    expect(await read(file.arrays.get('a b/100%') as StoredArray)).toEqual(values);
    expect(server.requests.slice(1).sort()).toEqual(
      ['0/0', '0/1', '1/0', '1/1'].map((place) => `GET archive/a b/100%/c/${place}`),
    );
  });

  it('is read with ranges where it has shards: the table, once, and then neighbours together', async () => {
    const sharded = await arrayAt('sharded');
    expect(await read(sharded)).toEqual(values);
    expect(await read(sharded)).toEqual(values);
    const [table, chunks] = server.requests;
    expect(table).toBe('GET archive/sharded/c/0/0 bytes=-68');
    expect(chunks).toMatch(/^GET archive\/sharded\/c\/0\/0 bytes=0-\d+$/);
    expect(server.requests).toEqual([table, chunks, chunks]);
  });

  it('is read also where the server sends all instead of a range', async () => {
    const sharded = await arrayAt('sharded');
    server.mischief = (request) => {
      delete request.headers.range;
      return false;
    };
    expect(await read(sharded)).toEqual(values);
  });

  it('has a user and a password of its URL in a header, and its query with every request, and shows neither in errors', async () => {
    const url = new URL(`${server.url}/archive/?signature=secret`);
    [url.username, url.password] = ['me', 'päss'];
    const seen: (string | undefined)[] = [];
    server.mischief = (request, response) => {
      seen.push(request.headers.authorization, new URL(request.url as string, url).search);
      response.writeHead(401).end();
      return true;
    };
    const error: Error = await openArrays(url).catch((thrown) => thrown);
    expect(seen).toEqual([`Basic ${Buffer.from('me:päss').toString('base64')}`, '?signature=secret']);
    expect(error).toMatchObject({
      tag: 'file',
      subject: `${server.url}/archive/zarr.json`,
      received: '401 Unauthorized',
    });
    expect(error.message).not.toMatch(/secret|p%C3%A4ss|päss/);
  });

  it('takes headers and a fetch of the caller', async () => {
    const paths: string[] = [];
    const signed = (request: Request) => {
      paths.push(new URL(request.url).pathname);
      return fetch(request);
    };
    let key: unknown;
    server.mischief = (request) => {
      key = request.headers['x-key'];
      return false;
    };
    await open({ headers: { 'x-key': 'mine' }, fetch: signed });
    expect([key, paths]).toEqual(['mine', ['/archive/zarr.json']]);
  });
});

describe('what a server answers', () => {
  it('404 is a chunk that is not there', async () => {
    const gone = await arrayAt('a b/100%');
    server.mischief = (request, response) => {
      if (!request.url?.endsWith('/c/1/0')) return false;
      response.writeHead(404).end();
      return true;
    };
    expect(await read(gone)).toEqual([{ start: [2, 0], count: [2, 20] }]);
  });

  it('403 is rejected, with the option that takes it for a chunk that is not there', async () => {
    const forbidding = (status: number) => {
      server.mischief = (request, response) => {
        if (!request.url?.endsWith('/c/1/0')) return false;
        response.writeHead(status).end();
        return true;
      };
    };
    const rejected = await arrayAt('a b/100%');
    forbidding(403);
    await expect(read(rejected)).rejects.toMatchObject({
      tag: 'file',
      subject: `${server.url}/archive/a%20b/100%25/c/1/0`,
      message: expect.stringContaining('missingStatuses: [403, 404]'),
    });
    const missing = await arrayAt('a b/100%', { missingStatuses: [403, 404] });
    expect(await read(missing)).toHaveLength(1);
  });

  it.each([500, 418])('%i is a FileError that names URL and status', async (status) => {
    const failing = await arrayAt('a b/100%');
    server.mischief = (_, response) => {
      response.writeHead(status).end();
      return true;
    };
    const received = expect.stringContaining(String(status));
    await expect(read(failing)).rejects.toMatchObject({ tag: 'file', received });
  });

  it('failures that may pass are tried again, and a body that ends early is one', async () => {
    let failures = 2;
    server.mischief = (_, response) => {
      if (failures === 0) return false;
      failures--;
      if (failures === 1) response.writeHead(503).end();
      else response.writeHead(200, { 'content-length': 100 }).write('{', () => response.destroy());
      return true;
    };
    expect((await open({ retries: 2 })).arrays.size).toBe(2);
    expect(server.requests).toHaveLength(3);
  });

  it('with more bytes than a chunk can have is rejected before they are sent', async () => {
    const plain = await arrayAt('a b/100%');
    server.mischief = (_, response) => {
      response.writeHead(200, { 'content-length': 2 ** 31 }).write('x');
      return true;
    };
    await expect(read(plain)).rejects.toThrow(/is too long; received "2147483648 bytes"; allowed: at most \d+ bytes$/);
  });

  it('of no stated length are rejected as soon as they have more bytes than a chunk can have', async () => {
    const plain = await arrayAt('a b/100%');
    let sent = 0;
    let open = 0;
    server.mischief = async (_, response) => {
      open++;
      for (; !response.closed; sent += 2 ** 16) {
        if (!response.write(Buffer.alloc(2 ** 16))) await new Promise((done) => setTimeout(done, 1));
      }
      open--;
      return true;
    };
    await expect(read(plain)).rejects.toThrow(
      /is too long; received "more than \d+ bytes"; allowed: at most \d+ bytes$/,
    );
    await expect.poll(() => open).toBe(0);
    expect(sent).toBeLessThan(2 ** 26);
  });

  it('none in time is a FileError', async () => {
    server.mischief = () => new Promise(() => undefined);
    await expect(open({ timeoutSeconds: 0.05 })).rejects.toMatchObject({
      tag: 'file',
      message: expect.stringContaining('no answer in time'),
    });
  });

  it('nobody there is a FileError', async () => {
    const closed = await serveValues(new Map());
    await closed[Symbol.asyncDispose]();
    await expect(open({}, closed.url)).rejects.toMatchObject({
      tag: 'file',
      message: expect.stringContaining(`${closed.url}/zarr.json: cannot be read: ECONNREFUSED`),
    });
  });

  it('an aborted signal ends what is under way, with its reason', async () => {
    const abort = new AbortController();
    server.mischief = () => {
      abort.abort(new Error('enough'));
      return new Promise(() => undefined);
    };
    await expect(open({ retries: 3 }, undefined, { signal: abort.signal })).rejects.toThrow('enough');
  });

  it('a page in the place of metadata is a FormatError', async () => {
    server.mischief = (_, response) => {
      response.writeHead(200, { 'content-type': 'text/html' }).end('<html>');
      return true;
    };
    await expect(open()).rejects.toMatchObject({ tag: 'format', subject: `${server.url}/archive/zarr.json` });
  });
});

it.each(['ftp://server/archive', 'archive.zarr', '//server'])(
  'an address that is none of HTTP is an OptionError: %s',
  async (url) => {
    await expect(openArrays(url)).rejects.toMatchObject({ tag: 'option', subject: 'url' });
  },
);

it('options that are unknown or wrong are OptionErrors', async () => {
  await expect(open({ chunks: 3 } as never)).rejects.toMatchObject({ tag: 'option' });
  await expect(openArrays(store, { headers: {} } as never)).rejects.toMatchObject({ tag: 'option' });
  await expect(openArrays(store, { concurrency: 0 })).rejects.toMatchObject({ tag: 'option', subject: 'concurrency' });
});
