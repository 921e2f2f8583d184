import { describe, expect, it } from 'vitest';
import type { StoredArray } from '../../../src/files/array/array-file.js';
import { openArrays } from '../../../src/files/open-arrays.js';
import { type Fixture, type FixtureArray, withChecksum, zarrFixture } from './zarr-fixture.js';

const COMPRESSED = ['gzip', 'zlib', 'blosc', 'zstd', 'lz4'] as const;
const KEY = 'values/c/0';
const small: FixtureArray = {
  ...{ type: 'float32', dimensions: ['x'], shape: [40], chunk: [40] },
  values: Float32Array.from({ length: 40 }, (_, i) => i),
};

async function opened(array: FixtureArray): Promise<{ store: Fixture; array: StoredArray }> {
  const store = await zarrFixture(3, { values: array });
  return { store, array: (await openArrays(store, { source: 'store' })).arrays.get('values') as StoredArray };
}

async function fault(array: StoredArray): Promise<string> {
  const error: unknown = await array.read({ start: [0], count: [40] }, new Float32Array(40)).catch((thrown) => thrown);
  expect(error).toMatchObject({ tag: 'format' });
  return String(error);
}

/** What 100,000 zeros are in the codec. */
async function bomb(codec: FixtureArray['codec']): Promise<Uint8Array> {
  const length = 100_000;
  const large = { ...small, shape: [length], chunk: [length], values: new Float32Array(length), codec };
  return (await zarrFixture(3, { values: large })).values.get(KEY) as Uint8Array;
}

/** A frame that does not say its size, of blocks of one byte that is repeated 131,072 times. */
function zstdOfUnknownSize(blocks: number): Uint8Array {
  const head = [0x28, 0xb5, 0x2f, 0xfd, 0, 0x58];
  const block = (isLast: boolean) => {
    const header = (131_072 << 3) | 2 | (isLast ? 1 : 0);
    return [header & 255, (header >> 8) & 255, header >> 16, 0];
  };
  return Uint8Array.from([...head, ...Array.from({ length: blocks }, (_, i) => block(i === blocks - 1)).flat()]);
}

describe('a chunk that becomes more bytes than its array has', () => {
  it.each(COMPRESSED)('is decoded no further (%s)', async (codec) => {
    const { store, array } = await opened({ ...small, codec });
    store.values.set(KEY, await bomb(codec));
    expect(await fault(array)).toMatch(
      /^FormatError: store\/values\/c\/0: a chunk cannot be decoded: it becomes .*more than the 160 /,
    );
  });

  it.each(COMPRESSED)('is decoded no further within a shard, or below a checksum (%s)', async (codec) => {
    const form = { ...small, codec, checksums: true };
    const { store, array } = await opened({ ...form, perShard: [1] });
    const length = 100_000;
    const large = { ...form, shape: [length], chunk: [length], values: new Float32Array(length), perShard: [1] };
    store.values.set(KEY, (await zarrFixture(3, { values: large })).values.get(KEY) as Uint8Array);
    expect(await fault(array)).toContain('it becomes');
  });

  it('is rejected where its header promises more than there is memory', async () => {
    for (const [codec, at] of [
      ['blosc', 4],
      ['lz4', 0],
    ] as const) {
      const { store, array } = await opened({ ...small, codec });
      const bytes = (store.values.get(KEY) as Uint8Array).slice();
      new DataView(bytes.buffer).setUint32(at, 0x7fff_fff0, true);
      store.values.set(KEY, bytes);
      expect(await fault(array)).toContain('it becomes 2147483632 bytes, more than the 160 that it can have');
    }
  });

  it('is rejected where blocks of Blosc are longer than all of its bytes', async () => {
    const { store, array } = await opened({ ...small, codec: 'blosc' });
    const bytes = (store.values.get(KEY) as Uint8Array).slice();
    new DataView(bytes.buffer).setUint32(8, 0x7fff_fff0, true);
    store.values.set(KEY, bytes);
    expect(await fault(array)).toContain('blocks of 2147483632 bytes in 160');
  });

  it('is rejected in frames of Zstandard that do not say their size, and by the sum of several', async () => {
    const { store, array } = await opened({ ...small, codec: 'zstd' });
    store.values.set(KEY, zstdOfUnknownSize(12_000));
    expect(await fault(array)).toContain('or become more than 160 bytes');
    const one = await bomb('zstd');
    store.values.set(KEY, new Uint8Array([...one, ...one]));
    expect(await fault(array)).toContain('it becomes 800000 bytes');
  });

  it('is rejected before it is decoded where it is longer than the codec makes any', async () => {
    const { store, array } = await opened({ ...small, codec: 'gzip' });
    store.values.set(KEY, new Uint8Array(70_000));
    expect(await fault(array)).toContain(
      'a chunk has more bytes than one of this array can have; received "70000 bytes"',
    );
  });
});

describe('shards with nothing in them', () => {
  /** One shard after the other with `perShard` chunks of `length` elements, all of them absent. */
  async function empty(shards: number, perShard: number, length: number) {
    const one: FixtureArray = { ...small, shape: [1], chunk: [1], perShard: [1], values: [0] };
    const store = await zarrFixture(3, { values: one });
    const root = store.json('zarr.json') as { consolidated_metadata: { metadata: Record<string, object> } };
    const values = root.consolidated_metadata.metadata.values as unknown as {
      chunk_grid: object;
      codecs: { configuration: object }[];
    };
    Object.assign(values, { shape: [shards * perShard * length] });
    Object.assign(values.chunk_grid, { configuration: { chunk_shape: [perShard * length] } });
    Object.assign(values.codecs[0].configuration, { chunk_shape: [length] });
    store.putJson('zarr.json', root);
    const table = withChecksum(new Uint8Array(16 * perShard).fill(255));
    const requested: string[] = [];
    const getRange = (key: string) => {
      requested.push(key);
      return table;
    };
    const file = await openArrays({ get: (key) => store.get(key), getRange }, { source: 'store' });
    return { array: file.arrays.get('values') as StoredArray, requested };
  }

  it('keep 16 MiB of their indexes in memory, however many shards are read', async () => {
    const perShard = 262_144;
    const { array, requested } = await empty(6, perShard, 1);
    for (const shard of [0, 0, 1, 2, 3, 4, 5, 5, 0]) {
      await array.read({ start: [shard * perShard], count: [1] }, new Float32Array(1));
    }
    expect(requested).toEqual([0, 1, 2, 3, 4, 5, 0].map((shard) => `/values/c/${shard}`));
  });

  it('take no memory for their chunks', async () => {
    const { array } = await empty(1, 8, 2 ** 28);
    const box = { start: [0], count: [1] };
    const before = process.memoryUsage().arrayBuffers;
    expect(await array.read(box, new Float32Array(1))).toEqual([box]);
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(2 ** 28);
  });
});

describe('what is declared and cannot be', () => {
  it.each([
    ['a shape beyond all counting', { shape: [2 ** 40, 2 ** 40] }, 'wrong shape'],
    [
      'chunks of nothing',
      { chunk_grid: { name: 'regular', configuration: { chunk_shape: [0] } } },
      'wrong chunk_shape',
    ],
    [
      'chunks of a negative length',
      { chunk_grid: { name: 'regular', configuration: { chunk_shape: [-1] } } },
      'wrong chunk_shape',
    ],
  ])('is an error when a store is opened: %s', async (_, change, problem) => {
    const store = await zarrFixture(3, { values: small });
    const root = store.json('zarr.json') as { consolidated_metadata: { metadata: Record<string, object> } };
    Object.assign(root.consolidated_metadata.metadata.values, change);
    store.putJson('zarr.json', root);
    await expect(openArrays(store, { source: 'store' })).rejects.toMatchObject({ tag: 'format', problem });
  });

  it('is an error when an array is read whose chunks no memory holds', async () => {
    const store = await zarrFixture(3, { values: small });
    const root = store.json('zarr.json') as { consolidated_metadata: { metadata: Record<string, object> } };
    Object.assign(root.consolidated_metadata.metadata.values, {
      chunk_grid: { name: 'regular', configuration: { chunk_shape: [2 ** 40] } },
    });
    store.putJson('zarr.json', root);
    const array = (await openArrays(store, { source: 'store' })).arrays.get('values') as StoredArray;
    expect(await fault(array)).toContain(
      'store/values: its chunks are too large; received "1099511627776 elements of 4 bytes"',
    );
  });

  it('is an error after the second missing chunk of a coordinate, however many are declared', async () => {
    const time: FixtureArray = {
      ...small,
      type: 'float64',
      dimensions: ['time'],
      shape: [35],
      chunk: [1],
      fill: 0,
      values: small.values,
    };
    for (const perShard of [undefined, [5]]) {
      const store = await zarrFixture(3, { time: { ...time, perShard } });
      const root = store.json('zarr.json') as { consolidated_metadata: { metadata: Record<string, object> } };
      Object.assign(root.consolidated_metadata.metadata.time, { shape: [8_000_000] });
      store.putJson('zarr.json', root);
      const array = (await openArrays(store, { source: 'store' })).arrays.get('time') as StoredArray;
      const into = new Float64Array(perShard === undefined ? 8_000_000 : 1_000);
      const reading = array.read({ start: [0], count: [into.length] }, into);
      await expect(reading).rejects.toMatchObject({
        message: expect.stringMatching(
          /^store\/time: has 8000000 values, most of which are not in the store; received "no chunk \d+"/,
        ),
      });
      expect(store.requested.length).toBeLessThan(300);
    }
  });

  it('is no error for a single chunk of zeros, which writers leave out', async () => {
    const time: FixtureArray = { ...small, type: 'float64', dimensions: ['time'], shape: [3], chunk: [1], fill: 0 };
    const store = await zarrFixture(3, { time });
    store.values.delete('time/c/0');
    const array = (await openArrays(store, { source: 'store' })).arrays.get('time') as StoredArray;
    const into = new Float64Array(3);
    await array.read({ start: [0], count: [3] }, into);
    expect([...into]).toEqual([0, 1, 2]);
  });

  it.each([0, -1, 1e9, 1.5, '4'])('is an error for elements of %s bytes to shuffle', async (elementsize) => {
    const store = await zarrFixture(2, { values: small });
    const root = store.json('.zmetadata') as { metadata: Record<string, object> };
    Object.assign(root.metadata['values/.zarray'], { filters: [{ id: 'shuffle', elementsize }] });
    store.putJson('.zmetadata', root);
    const array = (await openArrays(store, { source: 'store' })).arrays.get('values') as StoredArray;
    expect(await fault(array)).toContain('wrong elementsize of shuffle');
  });
});
