import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { StoredArray } from '../../../src/files/array/array-file.js';
import { openArrays } from '../../../src/files/open-arrays.js';
import { zarrFolder } from '../../../src/files/zarr/open-zarr-folder.node.js';
import { temporaryFolder } from '../../service/source/temporary-folder.js';
import { CODECS, type Fixture, type FixtureArray, withChecksum, zarrFixture } from './zarr-fixture.js';

const series: FixtureArray = {
  ...{ type: 'float32', dimensions: ['y', 'x'], shape: [4, 40], chunk: [2, 40] },
  values: Float32Array.from({ length: 160 }, (_, i) => Math.round(100 * Math.sin(i)) / 4),
};

async function opened(array: FixtureArray, version: 2 | 3 = 3): Promise<{ store: Fixture; array: StoredArray }> {
  const store = await zarrFixture(version, { values: array });
  const file = await openArrays(store, { source: 'store' });
  return { store, array: file.arrays.get('values') as StoredArray };
}

const everything = { start: [0, 0], count: [4, 40] };
const read = (array: StoredArray) => array.read(everything, new Float32Array(160));

describe('a chunk that is not whole', () => {
  it.each(CODECS)('is rejected with its key wherever it is cut (%s)', (codec) =>
    fc.assert(
      fc.asyncProperty(fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }), async (share) => {
        const { store, array } = await opened({ ...series, codec });
        const whole = store.values.get('values/c/1/0') as Uint8Array;
        store.values.set('values/c/1/0', whole.slice(0, Math.floor(share * whole.length)));
        await expect(read(array)).rejects.toMatchObject({ tag: 'format', subject: 'store/values/c/1/0' });
      }),
      { numRuns: 12, seed: 20_221_002 },
    ),
  );

  it('is reported with the bytes found and needed', async () => {
    const { store, array } = await opened(series, 2);
    store.values.set('values/1.0', new Uint8Array(300));
    await expect(read(array)).rejects.toMatchObject({
      message: 'store/values/1.0: a chunk is cut, or is not of this array; received "300 bytes"; allowed: 320 bytes',
    });
  });

  it.each(['raw', 'blosc', 'zstd', 'lz4'] as const)('is rejected where it is too long (%s)', async (codec) => {
    const { store, array } = await opened({ ...series, codec });
    const whole = store.values.get('values/c/0/0') as Uint8Array;
    store.values.set('values/c/0/0', new Uint8Array([...whole, 0, 0, 0, 0]));
    await expect(read(array)).rejects.toMatchObject({ tag: 'format' });
  });

  it.each(CODECS)('is rejected where it holds another number of values (%s)', async (codec) => {
    const { store, array } = await opened({ ...series, codec });
    const other = await zarrFixture(3, { values: { ...series, shape: [2, 40], chunk: [1, 40], codec } });
    store.values.set('values/c/0/0', other.values.get('values/c/0/0') as Uint8Array);
    await expect(read(array)).rejects.toMatchObject({ tag: 'format' });
  });

  it('is rejected where the index of its shard says that it is longer than it can be, before it is read', async () => {
    const { store, array } = await opened({ ...series, perShard: [2, 1] });
    const shard = store.values.get('values/c/0/0') as Uint8Array;
    const index = shard.slice(-2 * 16 - 4, -4);
    new DataView(index.buffer).setBigUint64(24, 2n ** 31n, true);
    store.values.set('values/c/0/0', new Uint8Array([...shard.subarray(0, -index.length - 4), ...withChecksum(index)]));
    await expect(read(array)).rejects.toThrow(
      'values/c/0/0, chunk 1/0: a chunk has more bytes than one of this array can have; received "2147483648 bytes"',
    );
  });

  // The two chunks of a shard have 320 bytes each, the table 36.
  it.each([
    [
      'end',
      [
        [0, 320],
        [200, 320],
      ],
      'two chunks with byte 200',
      'chunks that do not overlap',
    ],
    [
      'end',
      [
        [320, 320],
        [320, 320],
      ],
      'two chunks with byte 320',
      'chunks that do not overlap',
    ],
    [
      'end',
      [
        [330, 320],
        [0, 320],
      ],
      '320 bytes from 330 on',
      'chunks in its bytes 0 to 640',
    ],
    [
      'end',
      [
        [0, 320],
        [2000, 320],
      ],
      '320 bytes from 2000 on',
      'chunks in its bytes 0 to 640',
    ],
    [
      'start',
      [
        [35, 320],
        [356, 320],
      ],
      '320 bytes from 35 on',
      'chunks in its bytes 36 to',
    ],
    [
      'start',
      [
        [36, 320],
        [300, 320],
      ],
      'two chunks with byte 300',
      'chunks that do not overlap',
    ],
  ] as const)(
    'is rejected where the index of its shard is wrong: index at the %s, %j',
    async (indexAt, places, received, allowed) => {
      const { store } = await opened({ ...series, perShard: [2, 1], indexAt });
      const shard = store.values.get('values/c/0/0') as Uint8Array;
      const table = withChecksum(new Uint8Array(BigUint64Array.from(places.flat(), BigInt).buffer));
      shard.set(table, indexAt === 'end' ? shard.length - table.length : 0);
      const folder = await temporaryFolder();
      await store.writeTo(folder);
      const get = (key: string) => store.get(key);
      const message = `values/c/0/0: the index of the shard is wrong; received "${received}"; allowed: ${allowed}`;
      for (const place of [zarrFolder(folder), { get }]) {
        const file = await openArrays(place);
        await expect(read(file.arrays.get('values') as StoredArray)).rejects.toThrow(message);
      }
    },
  );

  it('is rejected wherever a shard that holds it is cut', () =>
    fc.assert(
      fc.asyncProperty(fc.constantFrom('start', 'end'), fc.nat(10_000), async (indexAt, cut) => {
        const { store, array } = await opened({ ...series, codec: 'gzip', perShard: [2, 1], indexAt });
        const whole = store.values.get('values/c/0/0') as Uint8Array;
        store.values.set('values/c/0/0', whole.slice(0, cut % whole.length));
        await expect(read(array)).rejects.toMatchObject({ tag: 'format' });
      }),
      { numRuns: 30, seed: 20_221_002 },
    ));
});

describe('a chunk whose bytes are others than were written', () => {
  it('is rejected where it has a checksum, whichever bit is another one', () =>
    fc.assert(
      fc.asyncProperty(fc.constantFrom(...CODECS), fc.nat(), fc.nat(7), async (codec, byte, bit) => {
        const { store, array } = await opened({ ...series, codec, checksums: true });
        const bytes = (store.values.get('values/c/1/0') as Uint8Array).slice();
        bytes[byte % bytes.length] ^= 1 << bit;
        store.values.set('values/c/1/0', bytes);
        const refusal = { tag: 'format', message: expect.stringContaining('the checksum is wrong') };
        await expect(read(array)).rejects.toMatchObject(refusal);
      }),
      { numRuns: 40, seed: 20_221_002 },
    ));

  it('is rejected in the table of a shard, which always has one', async () => {
    const { store, array } = await opened({ ...series, perShard: [2, 1] });
    const bytes = (store.values.get('values/c/0/0') as Uint8Array).slice();
    bytes[bytes.length - 10] ^= 1;
    store.values.set('values/c/0/0', bytes);
    await expect(read(array)).rejects.toMatchObject({ tag: 'format', subject: 'store/values/c/0/0' });
  });

  it('is decoded once, and again when it is another one', async () => {
    const { store, array } = await opened({ ...series, codec: 'zstd' });
    const whole = store.values.get('values/c/0/0') as Uint8Array;
    // A block that says it is compressed, and is not.
    const damaged = whole.slice();
    damaged.fill(255, 12, whole.length);
    store.values.set('values/c/0/0', damaged);
    const error = await read(array).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ tag: 'format' });
    expect(await read(array).catch((thrown: unknown) => thrown)).toBe(error);
    store.values.set('values/c/0/0', whole);
    expect(await read(array)).toEqual([]);
  });

  it('leaves nothing at work behind when it is rejected', async () => {
    const { store, array } = await opened({ ...series, chunk: [1, 10], codec: 'gzip' });
    store.values.set('values/c/0/0', new Uint8Array(3));
    const into = new Float32Array(160);
    await expect(array.read(everything, into)).rejects.toMatchObject({ tag: 'format' });
    const after = into.slice();
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(into).toEqual(after);
  });
});

describe('codecs that are not read', () => {
  it.each([
    [2, { compressor: { id: 'lzma', preset: 1 } }, 'lzma'],
    [2, { filters: [{ id: 'packbits' }] }, 'packbits'],
    [2, { filters: [{ id: 'categorize', dtype: '<U1', astype: '|u1', labels: ['a'] }] }, 'categorize'],
    [3, { codecs: [{ name: 'bytes' }, { name: 'zfpy', configuration: {} }] }, 'zfpy'],
    [3, { codecs: [{ name: 'cast_value' }, { name: 'bytes' }] }, 'cast_value'],
  ] as const)('are rejected by name before a value is read (v%i, %j)', async (version, changes, name) => {
    const store = await zarrFixture(version, { values: series });
    const root = version === 2 ? '.zmetadata' : 'zarr.json';
    const document = store.json(root) as { metadata?: object; consolidated_metadata?: { metadata: object } };
    const metadata = (document.consolidated_metadata?.metadata ?? document.metadata) as Record<string, object>;
    Object.assign(metadata[version === 2 ? 'values/.zarray' : 'values'], changes);
    store.putJson(root, document);
    const array = (await openArrays(store, { source: 'store' })).arrays.get('values') as StoredArray;
    store.requested.length = 0;
    await expect(read(array)).rejects.toMatchObject({ tag: 'format', subject: 'store/values', received: name });
    expect(store.requested).toEqual([]);
  });
});
