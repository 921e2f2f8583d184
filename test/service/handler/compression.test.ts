import zlib from 'node:zlib';
import { beforeAll, describe, expect, it } from 'vitest';
import { OptionError } from '../../../src/errors.js';
import { type ResponseCompression, streamCompression } from '../../../src/service/handler/compression.js';
import { nodeCompression } from '../../../src/service/handler/compression.node.js';
import type { HandlerOptions } from '../../../src/service/handler/handler-options.js';
import { negotiateCoding } from '../../../src/service/handler/response-cache.js';
import { AT, conformanceService, createService, type Service } from '../../conformance/service.js';

let service: Service;
beforeAll(async () => {
  service = await conformanceService();
});

const DAYS = `/v2/forecast/statistics?${AT}&var=temp_mean,precipitation`;
const SHORT = `/v2/forecast/statistics?${AT}&var=temp_mean&granularity=monthly`;
const LONG = `/v2/history?${AT}&start_date=1995-01-01`;
const GZIP = { 'accept-encoding': 'gzip' };

const hasZstd = 'zstdCompressSync' in zlib;
if (!hasZstd) console.log('skipped: answers in zstd, which this version of Node does not have');

const serviceWith = (options: Partial<HandlerOptions>) =>
  createService({ source: { snapshot: () => service.data }, ...options });

const bytesOf = async (response: Response) => Buffer.from(await response.arrayBuffer());

/** Counts what a compression does. */
function counted(compression: ResponseCompression) {
  const counts = { bodies: 0, streams: 0 };
  const counting: ResponseCompression = {
    ...compression,
    compress: (coding, bytes) => {
      counts.bodies++;
      return compression.compress(coding, bytes);
    },
    compressPieces: (coding, pieces) => {
      counts.streams++;
      return compression.compressPieces(coding, pieces);
    },
  };
  return { compression: counting, counts };
}

describe('negotiateCoding', () => {
  it.each<[header: string | null, expected: 'gzip' | 'zstd' | undefined]>([
    [null, undefined],
    ['', undefined],
    ['gzip', 'gzip'],
    ['GZIP', 'gzip'],
    ['x-gzip', 'gzip'],
    ['gzip, deflate, br, zstd', 'zstd'],
    ['gzip;q=1.0, zstd;q=0.5', 'gzip'],
    ['gzip ; q=0.5 , zstd;q=0.5', 'zstd'],
    ['*', 'zstd'],
    ['*;q=0.5, zstd;q=0', 'gzip'],
    ['*;q=0', undefined],
    ['gzip;q=0', undefined],
    ['br, deflate', undefined],
    ['identity', undefined],
    ['identity, gzip;q=0.5', undefined],
    ['identity;q=0.5, gzip', 'gzip'],
    ['gzip;q=2, zstd;q=nonsense, ;, =, \xe9, gzip zstd', undefined],
    ['gzip;level=9, zstd;q=0.1234', undefined],
  ])('of %j is %j', (header, expected) => {
    expect(negotiateCoding(header, ['zstd', 'gzip'])?.name).toBe(expected);
  });

  it.each([
    ['gzip', false],
    ['gzip, *', false],
    ['gzip, identity;q=0.001', false],
    ['gzip, *;q=0, identity', false],
    ['gzip, identity;q=0', true],
    ['gzip;q=0.5, *;q=0', true],
  ])('of %j requires a coding: %j', (header, expected) => {
    expect(negotiateCoding(header, ['gzip'])?.isRequired).toBe(expected);
  });

  it('of thousands of items ends at once', () => {
    expect(negotiateCoding(`${'a;'.repeat(5000)}${',gzip;q=0.1'.repeat(5000)}`, ['gzip'])?.name).toBe('gzip');
  });
});

describe.each([
  ['streamCompression', streamCompression],
  ['nodeCompression', nodeCompression],
])('with %s', (_, create) => {
  it('a long answer is compressed for clients that accept it, with its own tag and length', async () => {
    const { request } = serviceWith({ compression: create() });
    const [plain, coded] = [await request(DAYS), await request(DAYS, GZIP)];
    const bytes = await bytesOf(coded);
    expect(zlib.gunzipSync(bytes)).toEqual(await bytesOf(plain));
    expect(coded.headers.get('content-encoding')).toBe('gzip');
    expect(coded.headers.get('content-length')).toBe(`${bytes.length}`);
    expect(coded.headers.get('etag')).toBe(plain.headers.get('etag')?.replace(/"$/, '-gzip"'));
    expect(coded.headers.get('vary')).toContain('Accept-Encoding');
    expect([plain.headers.get('content-encoding'), plain.headers.get('vary')]).toEqual([
      null,
      coded.headers.get('vary'),
    ]);
  });

  it('HEAD has the headers of GET', async () => {
    const { request } = serviceWith({ compression: create() });
    const [get, head] = [await request(DAYS, GZIP), await request(DAYS, GZIP, 'HEAD')];
    for (const name of ['content-encoding', 'content-length', 'etag']) {
      expect(head.headers.get(name)).toBe(get.headers.get(name));
    }
    expect(await head.text()).toBe('');
    expect((await request(LONG, GZIP, 'HEAD')).headers.get('content-encoding')).toBe('gzip');
  });

  it('304 is for the tag of the answer as it is, and of the coding that is accepted now', async () => {
    const { request } = serviceWith({ compression: create() });
    const plain = (await request(DAYS)).headers.get('etag') as string;
    const coded = (await request(DAYS, GZIP)).headers.get('etag') as string;
    const answer = async (tag: string, headers = {}) => {
      const { status, headers: found } = await request(DAYS, { 'if-none-match': tag, ...headers });
      return [status, found.get('etag')];
    };
    expect(await answer(plain)).toEqual([304, plain]);
    expect(await answer(plain, GZIP)).toEqual([304, plain]);
    expect(await answer(coded, GZIP)).toEqual([304, coded]);
    expect(await answer(`W/${coded}`, GZIP)).toEqual([304, coded]);
    // It could not read what it has.
    expect(await answer(coded)).toEqual([200, plain]);
  });

  it('a kept answer is compressed once', async () => {
    const { compression, counts } = counted(create());
    const { request } = serviceWith({ compression, responseCacheBytes: 1_000_000 });
    const first = await bytesOf(await request(DAYS, GZIP));
    // The second time it is kept.
    for (let time = 0; time < 2; time++) expect(await bytesOf(await request(DAYS, GZIP))).toEqual(first);
    expect(await bytesOf(await request(DAYS))).toEqual(zlib.gunzipSync(first));
    expect(counts).toEqual({ bodies: 2, streams: 0 });
  });

  it('a very long answer is compressed while it is sent, and once more where it is kept', async () => {
    const { compression, counts } = counted(create());
    const sent: number[] = [];
    const { request } = serviceWith({
      ...{ compression, responseCacheBytes: 10_000_000 },
      onMetric: ({ bytes }) => sent.push(bytes),
    });
    const bytes = await bytesOf(await request(LONG, GZIP));
    // The second time it is kept.
    const response = await request(LONG, GZIP);
    expect(response.headers.get('content-length')).toBeNull();
    expect(await bytesOf(response)).toEqual(bytes);
    expect(counts).toEqual({ bodies: 0, streams: 2 });
    const plain = zlib.gunzipSync(bytes);
    expect(sent).toEqual([bytes.length, bytes.length]);
    const again = await request(LONG, GZIP);
    expect(Number(again.headers.get('content-length'))).toBeGreaterThan(0);
    expect(zlib.gunzipSync(await bytesOf(again)).equals(plain)).toBe(true);
    await request(LONG, GZIP);
    expect(counts).toEqual({ bodies: 1, streams: 2 });
    expect((await bytesOf(await request(LONG))).equals(plain)).toBe(true);
  });

  it('a reader that gives up ends the work on a very long answer', async () => {
    const sent: number[] = [];
    const { request, handler } = serviceWith({ compression: create(), onMetric: ({ bytes }) => sent.push(bytes) });
    const reader = (await request(LONG, GZIP)).body?.getReader();
    await reader?.read();
    await reader?.cancel();
    await expect.poll(() => sent.length).toBe(1);
    expect(await handler.state()).toMatchObject({ answering: 0, sending: 0 });
  });

  it('short answers are left as they are where that is acceptable, problems and clients without a coding always', async () => {
    const { request } = serviceWith({ compression: create() });
    for (const [path, header] of [
      [SHORT, 'gzip'],
      ['/v2/forecast?lat=x', 'gzip'],
      [DAYS, 'br'],
      [DAYS, 'gzip;q=0'],
    ]) {
      const response = await request(path, { 'accept-encoding': header });
      expect(response.headers.get('content-encoding')).toBeNull();
      expect(await response.json()).toBeInstanceOf(Object);
    }
    for (const header of ['gzip, identity;q=0', 'gzip;q=0.1, *;q=0']) {
      const [plain, coded] = [await request(SHORT), await request(SHORT, { 'accept-encoding': header })];
      expect(coded.headers.get('etag')).toBe(plain.headers.get('etag')?.replace(/"$/, '-gzip"'));
      expect(zlib.gunzipSync(await bytesOf(coded))).toEqual(await bytesOf(plain));
    }
    const all = serviceWith({ compression: create({ minBytes: 0 }) });
    expect((await all.request(SHORT, GZIP)).headers.get('content-encoding')).toBe('gzip');
  });

  it('the OpenAPI document is compressed, too', async () => {
    const { request } = serviceWith({ compression: create() });
    const [plain, coded] = [await request('/openapi.json'), await request('/openapi.json', GZIP)];
    expect(zlib.gunzipSync(await bytesOf(coded))).toEqual(await bytesOf(plain));
    const tag = coded.headers.get('etag') as string;
    expect((await request('/openapi.json', { ...GZIP, 'if-none-match': tag })).status).toBe(304);
  });

  it('throws OptionError for a size that is none', () => {
    for (const minBytes of [-1, 0.5, Number.NaN]) expect(() => create({ minBytes })).toThrow(OptionError);
  });
});

describe('compression', () => {
  it.runIf(hasZstd)('prefers zstd where Node has it', async () => {
    const { request } = serviceWith({ compression: nodeCompression() });
    for (const path of [DAYS, LONG]) {
      const [plain, coded] = [await request(path), await request(path, { 'accept-encoding': 'gzip, zstd' })];
      expect(coded.headers.get('content-encoding')).toBe('zstd');
      const { zstdDecompressSync } = zlib as unknown as { zstdDecompressSync(bytes: Uint8Array): Buffer };
      expect(zstdDecompressSync(await bytesOf(coded)).equals(await bytesOf(plain))).toBe(true);
    }
  });

  it('is switched off by false, and by default there is one of the platform', async () => {
    const off = serviceWith({ compression: false });
    expect((await off.request(DAYS, GZIP)).headers.get('content-encoding')).toBeNull();
    expect((await serviceWith({}).request(DAYS, GZIP)).headers.get('content-encoding')).toBe('gzip');
    const options = { compression: true } as unknown as Partial<HandlerOptions>;
    expect(() => serviceWith(options)).toThrow(OptionError);
  });
});
