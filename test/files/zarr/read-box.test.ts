import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Box, StoredArray } from '../../../src/files/array/array-file.js';
import { openArrays } from '../../../src/files/open-arrays.js';
import { arrayOf, CODECS, type FixtureArray, grid, zarrFixture } from './zarr-fixture.js';

interface Example {
  readonly version: 2 | 3;
  readonly array: FixtureArray;
  readonly box: Box;
}

const types = ['int8', 'uint8', 'int16', 'uint16', 'int32', 'uint32', 'int64', 'uint64', 'float32', 'float64'] as const;

const example: fc.Arbitrary<Example> = fc
  .array(
    fc.record({
      length: fc.integer({ min: 1, max: 9 }),
      chunk: fc.integer({ min: 1, max: 5 }),
      per: fc.integer({ min: 1, max: 3 }),
      a: fc.nat(8),
      b: fc.nat(8),
    }),
    { maxLength: 4 },
  )
  .chain((dimensions) =>
    fc
      .record({
        version: fc.constantFrom(2 as const, 3 as const),
        type: fc.constantFrom(...types),
        codec: fc.constantFrom(...CODECS),
        flags: fc.tuple(fc.boolean(), fc.boolean(), fc.boolean(), fc.boolean(), fc.boolean()),
      })
      .map(({ version, type, codec, flags: [bigEndian, reversed, checksums, isSharded, atStart] }) => {
        const shape = dimensions.map(({ length }) => length);
        const count = shape.reduce((product, length) => product * length, 1);
        const ends = dimensions.map(({ length, a, b }) => [a % length, b % length].sort((x, y) => x - y));
        return {
          version,
          array: {
            ...{ type, shape, codec, bigEndian, reversed },
            dimensions: shape.map((_, d) => `d${d}`),
            chunk: dimensions.map(({ chunk }) => chunk),
            values: Array.from({ length: count }, (_, i) => (i * 37) % 101),
            ...(version === 3 ? { checksums, indexAt: atStart ? 'start' : 'end' } : {}),
            ...(version === 3 && isSharded ? { perShard: dimensions.map(({ per }) => per) } : {}),
          } as FixtureArray,
          box: { start: ends.map(([from]) => from), count: ends.map(([from, to]) => to - from + 1) },
        };
      }),
  );

/** What a box holds, element by element. */
function expected({ shape, values }: FixtureArray, { start, count }: Box): number[] {
  return grid(count).map((at) => values[at.reduce((row, along, d) => row * shape[d] + start[d] + along, 0)]);
}

async function opened(version: 2 | 3, array: FixtureArray, options = {}) {
  const store = await zarrFixture(version, { values: array });
  const file = await openArrays(store, options);
  return { store, array: file.arrays.get('values') as StoredArray };
}

describe('a box of an array', () => {
  it('has the values that were written: of all types and codecs, in chunks and shards, in any order of bytes and dimensions', () =>
    fc.assert(
      fc.asyncProperty(example, async ({ version, array: written, box }) => {
        const { array } = await opened(version, written);
        const length = box.count.reduce((product, n) => product * n, 1);
        const into = arrayOf(written.type, length + 3);
        expect(await array.read(box, into)).toEqual([]);
        expect(Array.from(into, Number)).toEqual([...expected(written, box), 0, 0, 0]);
      }),
      { numRuns: 30, seed: 20_221_002 },
    ));

  const series: FixtureArray = {
    ...{ type: 'float32', dimensions: ['y', 'x'], shape: [6, 100], chunk: [2, 50] },
    values: Float32Array.from({ length: 600 }, (_, i) => i / 4),
  };

  it.each([2, 3] as const)('reads the chunks that it touches alone, each once (v%i)', async (version) => {
    const { store, array } = await opened(version, series);
    store.requested.length = 0;
    await array.read({ start: [1, 10], count: [2, 20] }, new Float32Array(40));
    const keys = version === 2 ? ['/values/0.0', '/values/1.0'] : ['/values/c/0/0', '/values/c/1/0'];
    expect(store.requested.sort()).toEqual(keys);
  });

  it('reports chunks that are not in the store as absent, as parts of the box, whatever the fill value is', async () => {
    const { store, array } = await opened(3, { ...series, fill: 7 });
    store.values.delete('values/c/0/1');
    store.values.delete('values/c/2/0');
    const into = new Float32Array(6 * 60);
    expect(await array.read({ start: [0, 40], count: [6, 60] }, into)).toEqual([
      { start: [0, 50], count: [2, 50] },
      { start: [4, 40], count: [2, 10] },
    ]);
    expect(into[2 * 60]).toBe(series.values[2 * 100 + 40]);
  });

  it('reports chunks that a shard has not, and shards that are not in the store, as absent', async () => {
    const { store, array } = await opened(3, { ...series, perShard: [3, 1] });
    store.values.delete('values/c/0/1');
    const shard = store.values.get('values/c/0/0') as Uint8Array;
    // The second chunk of three, in the table before the checksum at the end: the table's checksum is wrong now, and
    // made anew.
    const table = shard.slice(shard.length - 52, shard.length - 4);
    table.fill(255, 16, 32);
    const { withChecksum } = await import('./zarr-fixture.js');
    store.values.set('values/c/0/0', new Uint8Array([...shard.subarray(0, -52), ...withChecksum(table)]));
    expect(await array.read({ start: [0, 0], count: [6, 100] }, new Float32Array(600))).toEqual([
      { start: [0, 50], count: [2, 50] },
      { start: [2, 0], count: [2, 50] },
      { start: [2, 50], count: [2, 50] },
      { start: [4, 50], count: [2, 50] },
    ]);
  });

  it('has the fill value for them where the caller says so, and in coordinates', async () => {
    const { store, array } = await opened(3, { ...series, fill: 'NaN' }, { missingChunks: 'fill' });
    store.values.delete('values/c/0/0');
    const into = new Float32Array(4);
    expect(await array.read({ start: [1, 48], count: [1, 4] }, into)).toEqual([]);
    expect([...into]).toEqual([Number.NaN, Number.NaN, 37.5, 37.75]);

    const step = { type: 'int64', dimensions: ['step'], shape: [2], chunk: [2], values: [0, 0], fill: 0 } as const;
    const coordinates = await zarrFixture(3, { step });
    coordinates.values.delete('step/c/0');
    const read = (await openArrays(coordinates)).arrays.get('step') as StoredArray;
    expect(await read.read({ start: [0], count: [2] }, new BigInt64Array(2).fill(9n))).toEqual([]);
  });

  it('leaves values beyond its own as they were, also where nothing is requested', async () => {
    const { array } = await opened(2, series);
    const into = new Float32Array(3).fill(5);
    await array.read({ start: [0, 0], count: [0, 100] }, into);
    expect([...into]).toEqual([5, 5, 5]);
  });

  it('finds the chunk that is read by itself: within a shard, unless the store reads no ranges', async () => {
    const sharded = { ...series, perShard: [3, 2] };
    expect((await opened(3, sharded)).array.chunk).toEqual([2, 50]);
    const { values } = await zarrFixture(3, { values: sharded });
    const requested: string[] = [];
    const get = (key: string) => {
      requested.push(key);
      return values.get(key.slice(1));
    };
    const noRanges = await openArrays({ get });
    const array = noRanges.arrays.get('values') as StoredArray;
    expect(array.chunk).toEqual([6, 100]);
    const into = new Float32Array(600);
    await array.read({ start: [0, 0], count: [6, 100] }, into);
    expect([...into]).toEqual([...(series.values as Float32Array)]);
    // The index of the shard, and all of its chunks at once.
    expect(requested.filter((key) => key.includes('/c/'))).toEqual(['/values/c/0/0', '/values/c/0/0']);
  });
});
